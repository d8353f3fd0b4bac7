"""What single lines look like: a question, an answer's mark, a title, the end of a text. No document is known here."""

import re

from interviewer.language import fold, without_ornament
from knowledge.documents.model import MAX_PROSE

_POLITE = re.compile(
    r"^(?:请问|请你|请您|请|麻烦|那么|那|你能否|你能|能否|能不能|可以|please|can you|could you|would you)\s*",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    r"什么|如何|怎么|怎样|为什么|为何|哪些|哪个|哪种|哪里|哪几|几种|几个|多少|是否|能否|有没有|有无|是不是"
    r"|会不会|能不能|区别|异同"
    r"|吗$|呢$|谁|何时|何谓|多大|多久|多长"
)
_COMMANDS_ZH = re.compile(
    r"^(?:请|解释|说明|谈谈|谈一谈|描述|介绍|简述|简要|概述|阐述|讲讲|讲一|讲述|聊聊|说说|说一|说下|列举|列出"
    r"|比较|对比|举例|举出|分析|设计|实现"
    r"|给出|给你|写出|写一|手写|推导|证明|评价|总结一下|试述|论述|假设|假如|如果让你|当你|现有|分享|画出"
    r"|用.{1,20}实现|详细(?:说|介绍|描述|解释))"
)
_ASKS_EN = re.compile(
    r"^(?:(?:in|for|given|suppose|assume|imagine|if|when|with|under|consider|so|and|now),?\s.{0,120}?[,:]\s*)?"
    r"(?:what|why|how|when|where|which|who|whose|whom|is|are|was|were|can|could|do|does|did|should|would|will|has"
    r"|have|may"
    r"|what's|how's|who's|where's|isn't|aren't|don't|doesn't|can't)\b",
    re.IGNORECASE,
)
_COMMANDS_EN = re.compile(
    r"^(?:explain|describe|compare|contrast|define|design|implement|tell (?:me|us)|talk (?:me|us|about)|list|give"
    r"|discuss"
    r"|walk (?:me|us)|name|write|outline|illustrate|differentiate|distinguish|state|mention|summari[sz]e|elaborate|show"
    r"|suppose|imagine|share|sketch|derive|prove|difference between|how to|identify|evaluate)\b",
    re.IGNORECASE,
)
_ANSWER_WORDS = (
    r"参考答案|标准答案|正确答案|参考回答|示例回答|回答示例|回答要点|答题要点|参考要点|面试回答|答案解析|答案"
    r"|解答|回答|答复|解析|答"
    r"|候选人|面试者|应聘者|求职者|我|candidate|interviewee"
    r"|(?:sample |model |suggested |expected |reference |correct |short |possible )?answers?|ans|solution|response"
)
LONGEST_MARK = 200
_NEEDS_COLON = ("答", "候选人", "面试者", "应聘者", "求职者", "我", "candidate", "interviewee")
_ANSWER_MARK = re.compile(
    rf"^[>#\s]*+(?P<bold>\*\*|__)?\s*+(?P<open>[【\[])?\s*+(?:(?P<word>{_ANSWER_WORDS})"
    rf"|(?P<letter>A))\s*+(?P<number>\d{{1,4}})?\s*+(?(open)[】\]])"
    r"\s*+(?:(?P<colon>[:：])|(?P<dot>[.．、)])(?=\s|$|\*\*|__)|(?(open)(?=.)|(?!))"
    r"|(?(bold)(?=(?:\*\*|__)\s*+[:：])|(?!))|(?=(?:\*\*|__)?\s*+$))"
    r"\s*+(?(bold)(?:\*\*|__)\s*+(?P<behind>[:：])?)\s*+(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SHOW_ANSWER = re.compile(
    r"^\W*(?:(?:click|tap|press)\b.{0,30}|show|view|see|reveal|expand|toggle)(?:\s+(?:the|for|to|see|show|view"
    r"|full|sample|here))*"
    r"\s*(?:answers?|solution|details)\W*$|^\W*(?:点击|展开|查看|显示|点我)(?:查看|展开|显示|参考|看)*(?:答案"
    r"|解析|详情|解答)\W*$",
    re.IGNORECASE,
)
_ANSWER_SECTION = re.compile(
    r"^(?:[第附]?.{0,8}[、:：.\s])?\W*(?:以下(?:是|为))?(?:本章|本节|各题|习题|试题|题目|面试题)?(?:参考|标准"
    r"|正确)?(?:答案|解答|答案(?:与|及|和)?解析"
    r"|答案部分|答案汇总)\W*$"
    r"|^(?:part\s+\w+\W*)?(?:answer key|answers|model answers|solutions|answers and explanations|reference answers"
    r"|sample answers)\W*$",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^(?:第\s*[0-9一二三四五六七八九十百]{1,5}\s*(?:部分|章|节|篇|讲|类|轮|模块|单元|期)"
    r"|[一二三四五六七八九十]{1,3}\s*[、.．:：]"
    r"|[（(][一二三四五六七八九十]{1,3}[)）]|part\s+(?:\d+|[ivx]+|one|two|three|four|five)\b|chapter\s+\w+"
    r"|section\s+\w+"
    r"|module\s+\d+|模块\s*[0-9一二三四五六七八九十]+)\s*",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"^\W*(?:\d+[.、]\s*)?(?:完结|结语|总结语|写在最后|写在后面|最后的话|最后$|后记|下一步|结束语|尾声|参考资料"
    r"|参考文献|参考链接|推荐阅读|延伸阅读|扩展阅读"
    r"|相关文章|相关推荐|往期|附录|致谢|关于作者|作者简介|学习资源|学习建议|面试建议|面试(?:感受|体验|总结|心得)[:：]?|备考建议|接下来的建议"
    r"|以上就是|祝.{0,12}(?:顺利|成功|offer)"
    r"|希望.{0,16}(?:帮助|帮到|有用)|如果(?:觉得|您觉得|你觉得|本文|这篇|文章|对你)|欢迎.{0,10}(?:关注|点赞|留言"
    r"|评论|收藏|补充|交流|指正|转发)"
    r"|点赞|原文链接|本文(?:链接|作者|转载|首发)|版权声明|全文完|未完待续|(?:conclusion|summary|final thoughts"
    r"|closing thoughts|wrapping up"
    r"|next steps|further reading|references|resources|additional resources|about the author|related (?:posts"
    r"|articles|reading)"
    r"|acknowledg\w+|license|contribut\w+|good luck|happy (?:coding|interviewing|learning)|thanks? (?:for reading"
    r"|you)|that's (?:it|all))\b)",
    re.IGNORECASE,
)
_QUESTION_MARK = re.compile(
    r"^[\W_]*+(?:题目|题干|问题|问题描述|面试题|question|prompt)[*_\s]{0,6}(?:[:：][*_\s]{0,6}(?P<rest>.*)|\W*)$",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOW_UP = re.compile(
    r"^[\W_]*+(?:(?:面试官|进一步|继续|可能的?|常见的?|高频)?(?:追问|延伸问题|扩展问题)"
    r"|follow[- ]?up(?:\s+questions?)?)"
    r"\W{0,3}\d{0,2}\W{0,6}[:：]",
    re.IGNORECASE,
)
_ABOUT_QUESTION = re.compile(
    r"^[\W_]*+(?:考[察查](?:点|目的|内容)|考点|知识点|题目类型|题型|难度|难易程度|(?:出现)?频率|热度|标签|分类|关键词|公司|来源"
    r"|出处|岗位|difficulty|level|tags?|topics?|category|keywords?|company|source|frequency|asked (?:at|in|by)"
    r"|what (?:it|this) tests)[\W_]{0,6}[:：]",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[\s,.;:!?，。；：！？、…\"'“”‘’()（）【】\[\]{}《》_~`-]+")
_ENDS_SENTENCE = re.compile(r"[。！？!?；;….][”’\"')）】\]*_~`]*$")
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORDISH = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]")


def question_likeness(text: str) -> float:
    """0..1: how much a line reads as something an interviewer says."""
    if len(text) > MAX_PROSE:
        return 0.0
    text = unmarked(text)
    if not text or len(text) > 600:
        return 0.0
    if re.search(r"[?？][”\"'）)】\]\s]*(?:[（(][^()（）]{0,80}[)）]\s*)?$", text):
        return 1.0
    if re.search(r"[?？]", text):
        return 0.9
    stem = _POLITE.sub("", text)
    if _COMMANDS_ZH.match(text) or _COMMANDS_EN.match(stem) or _COMMANDS_ZH.match(stem):
        return 0.8
    if _ASKS_EN.match(stem) and not text.rstrip().endswith((".", ":", "：")):
        return 0.7
    if _ASKS_ZH.search(text) and len(text) < 80 and not text.endswith(("：", ":")):
        return 0.6
    return 0.0


def unmarked(text: str) -> str:
    """A line's words without emphasis, code marks and link targets."""
    return without_emphasis(text).replace("`", "")


def without_emphasis(text: str) -> str:
    """A line's words without emphasis and link targets; code marks stay, and so does `__init__`."""
    if len(text) > MAX_PROSE:
        return text.strip()
    text = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    text = re.sub(r"\*\*|~~", "", text).strip().strip("*").strip()
    return re.sub(r"(?<!\w)__(?=\S)([^_]*\s[^_]*|[^_]*[\u3400-\u9fff][^_]*)(?<=\S)__(?!\w)", r"\1", text)


def question_mark(text: str) -> str | None:
    """What follows a question's mark ("题目：", a heading "Question") on its line, "" for nothing; None without one."""
    match = _QUESTION_MARK.match(without_ornament(text.strip())) if len(text) <= MAX_PROSE else None
    return (match["rest"] or "").strip() if match else None


def is_follow_up(text: str) -> bool:
    """Whether a line is a question that goes on from the one above it ("追问：…", "Follow-up: …")."""
    return len(text) <= MAX_PROSE and bool(_FOLLOW_UP.match(text))


def is_about_question(text: str) -> bool:
    """Whether a line tells of a question rather than asking or answering it ("考察点：…", "Difficulty: hard")."""
    return len(text) <= MAX_PROSE and bool(_ABOUT_QUESTION.match(text))


def answer_mark(text: str) -> str | None:
    """What follows an answer's mark (`答案:`, `A:`, **Answer**) on its line, "" for nothing; None without a mark."""
    text = without_ornament(text.strip())
    match = _ANSWER_MARK.match(text[:LONGEST_MARK])
    if match is None:
        return "" if len(text) < LONGEST_MARK and _SHOW_ANSWER.match(unmarked(text)) else None
    rest = text[match.start("rest") :].strip()
    is_numbered = match["bold"] and match["number"] and match["dot"]
    if match["letter"] and not (match["colon"] or match["behind"] or is_numbered) and (match["dot"] or rest):
        return None
    is_set_off = match["colon"] or match["open"] or match["behind"] or is_numbered
    if match["word"] and rest and not is_set_off and not match["number"]:
        return None
    if match["word"] and match["word"].lower() in _NEEDS_COLON and not is_set_off and not match["bold"]:
        return None
    return rest


def is_answer_section(text: str) -> bool:
    """Whether a title announces the answers to questions asked before."""
    return len(text) <= MAX_PROSE and bool(_ANSWER_SECTION.match(unmarked(text)))


def is_section_title(text: str) -> bool:
    """Whether a line is numbered as a part or chapter is ("第三部分:…", "二、…", "Part 2")."""
    return len(text) <= MAX_PROSE and bool(_SECTION.match(unmarked(text)))


def section_name(text: str) -> str:
    """A section's title without its number and the range of questions in brackets."""
    name = re.sub(r"^\d{1,2}(?:\.\d{1,2})*[.、]?\s+", "", _SECTION.sub("", unmarked(text), count=1))
    name = re.sub(r"\s*[（(]\s*(?:Q?\d+\s*[-–~至到]\s*Q?\d+\s*题?|\d+\s*题)\s*[)）]\s*$", "", name)
    return name.strip(" :：.-—") or unmarked(text)


def is_closing(text: str) -> bool:
    """Whether a line opens what comes after the questions: farewell, further reading, advice."""
    return len(text) <= MAX_PROSE and bool(_CLOSING.match(unmarked(text)))


def is_closing_heading(text: str) -> bool:
    """Whether a heading names a part that closes a text; within an answer the same word may be its own."""
    return is_closing(text) or bool(re.match(r"^\W*(?:总结|小结|结尾|尾声)\W*$", unmarked(text)))


def ends_sentence(text: str) -> bool:
    return bool(_ENDS_SENTENCE.search(text.strip()))


def is_title_like(text: str) -> bool:
    """Whether a plain line could be a heading: short, no sentence's end, no colon, no comma of a running text."""
    if len(text) > MAX_PROSE:
        return False
    text = unmarked(text)
    if not text or len(_WORDISH.findall(text)) > 24 or ends_sentence(text):
        return False
    return not re.search(r"[:：,，、;；]$", text) and not re.search(r"[。；;]", text)


def size(text: str) -> int:
    """Words and Chinese characters: a length that compares across languages."""
    return len(_WORDISH.findall(text))


def has_han(text: str) -> bool:
    return bool(_HAN.search(text))


def question_key(text: str) -> str:
    """What makes two wordings the same question: polite openings, punctuation, case and spaces aside."""
    text = fold(unmarked(text))
    while (shorter := _POLITE.sub("", text)) != text:
        text = shorter
    return _PUNCTUATION.sub("", text) or text
