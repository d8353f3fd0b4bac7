"""What stands in a reference and no answer has to say: where it was read, words to the reader, that it was met once."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from interviewer.grading.structure import Unit, leads_on

_CITATION = re.compile(
    r"\s{0,2}(?:(?<![A-Za-z0-9_.])[(（][^()（）\[\]]{1,40}\s\[\d{1,3}\][)）]|【\d{1,3}†[^】]{0,60}】"
    r"|(?m:^\[\^\w{1,12}\]:.*$)|\[\^\w{1,12}\])"
)
_FORMULA = re.compile(r"[^\u3400-\u9fff.]{0,60}=")
_ASKED = re.compile(r"[^。.!！;；?？]{2,80}[?？]")
_QUESTION = re.compile(r"q|question|问|问题|题目?", re.IGNORECASE)
_LINK_ALONE = re.compile(
    r"(?m:^[ \t]*(?:[-*+>]|\d{1,2}[.)])?[ \t]*"
    r"(?:<?https?://[^\s<>]{1,500}>?|\[[^\[\]\n]{0,200}\]\([^()\s]{1,500}\))[ \t]*$)"
)
_ASIDE = re.compile(r"[(（][^()（）]*[)）][。.]?")
_MET = re.compile(
    r"^(?:(?:(?:是的|嗯|当然|确实)[,，]?\s*)?(?:我们?)?(?:确实|经常|偶尔|曾经?|都)?"
    r"(?:(?:用|遇到|遇见|碰到|见|踩|接触)过[的了]?|有[过的]?)[。.!！]"
    r"|(?:yes,?\s+)?(?:i|we)(?:\s+have|['’]ve)\s+(?:used|seen|met|had|hit|run into)\s+(?:it|this|that|them)[.!])\s*",
    re.IGNORECASE,
)


_ABOUT = re.compile(
    r"[\W_]*(?:考[察查](?:点|目的|内容)|考点|出题(?:意图|目的)|面试官(?:心理分析|想听什么|意图|视角|考察点|点评|提示)"
    r"|难度|频率|标签|关键词|来源|出处|原文(?:链接|地址)?|链接|参考|(?:参考|学习)(?:资料|文献|链接|文章|来源)"
    r"|(?:延伸|扩展|推荐|相关)(?:阅读|题目|问题|链接|资料)"
    r"|(?:面试官|进一步|继续|可能的?|常见的?|高频)?追问|延伸问题|扩展问题|加分(?:项|点)"
    r"|(?:常见)?错误(?:回答|答案|示范|说法)|反面(?:例子|示例|教材)"
    r"|what (?:this|it) tests|(?:interviewer|grader)(?:['’]?s)? (?:intent|notes?)|difficulty|tags?|references?|sources?"
    r"|links?|resources?|see also|(?:read|learn) more|further reading|related (?:questions|reading|topics)"
    r"|follow[- ]?ups?(?: questions?)?"
    r"|(?:wrong|bad) answers?|red flags|bonus(?: points)?)\s*\d{0,2}[\W_]*",
    re.IGNORECASE,
)
_MISTAKES = re.compile(
    r"[\W_]*(?:易错点|(?:常见)?(?:误区|错误)|(?:common )?(?:mistakes|misconceptions|pitfalls))\W*", re.IGNORECASE
)
_BELIEF = re.compile(r"\W*(?:误?(?:以为|认为)|觉得|混淆|thinking|believing|assuming|confusing)", re.IGNORECASE)
_FOLLOW_UP = re.compile(r"追问|延伸问题|扩展问题|follow", re.IGNORECASE)
_REPLY = re.compile(r"答|回答|答案|A|Answer")


def without_citations(reference: str) -> str:
    """The reference without its sources, such as "(docs.example.org [3])", "【4†source】" and "[^2]", and without lines
    that are only a link, as long as others are left.
    """
    reference = _CITATION.sub("", reference)
    told = _LINK_ALONE.sub("", reference)
    return told if told.strip() else reference


def without_remarks(found: Sequence[Unit]) -> list[Unit]:
    """Statements without those that no answer has to make: what only leads on to what follows ("the advantages are:"),
    what is said in brackets to the reader, the question once more in front of its answer, that somebody has met the
    thing ("遇到过。"), and what stands under a label that tells of the question ("考察点", "Difficulty"), goes on from
    it ("追问", "Bonus"), or tells what is wrong. Where nothing is left, all of them.
    """
    asked = [unit for unit, before in zip(found, (None, *found), strict=False) if not _is_about(unit, before)]
    if len(asked) > 1 and _is_question(asked[0]):
        del asked[0]
    told = [unit._replace(text=_MET.sub("", unit.text, count=1)) for unit in asked]
    kept = [unit for unit, after in zip_longest(told, told[1:]) if not _says_nothing(unit, after)]
    return kept or list(found)


def _is_about(unit: Unit, before: Unit | None) -> bool:
    """A follow-up's own answer goes with it; of mistakes those that are told as what somebody believes."""
    if _MISTAKES.fullmatch(unit.label):
        return bool(_BELIEF.match(unit.text))
    answers_it = before is not None and _FOLLOW_UP.search(before.label) and _REPLY.fullmatch(unit.label)
    return bool(_ABOUT.fullmatch(unit.label) or answers_it)


def _is_question(unit: Unit) -> bool:
    alone = not (unit.item or unit.children or unit.attached or (unit.label and not _QUESTION.fullmatch(unit.label)))
    return alone and bool(_ASKED.fullmatch(unit.text))


def _says_nothing(unit: Unit, after: Unit | None) -> bool:
    if unit.children or unit.attached:
        return False
    return not unit.text.strip() or bool(_ASIDE.fullmatch(unit.text)) or _leads_on(unit.text, after)


def _leads_on(text: str, after: Unit | None) -> bool:
    """What stands before a formula says what that is."""
    return leads_on(text) and not (after and _FORMULA.match(after.text))
