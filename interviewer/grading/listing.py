"""Whether a text puts names in a row instead of stating something: naming the right terms covers nothing."""

import re
from functools import cache

from interviewer.grading.terms import keys
from interviewer.language import fold

_ITEM_END = re.compile(r"[,，、;；/|。.:：()（）+•*\n]+")
LATIN = re.compile(r"[A-Za-z]+(?:[-/_][A-Za-z]+)*")
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_FUNCTION_EN_TEXT = (
    "a an the this that these those it its they them we you i he is are was were be been being am do does did "
    "has have had will would can could shall should may might must to of in on at by for with from into as "
    "than so and or if but because since while when where which who what how there here not no never only "
    "each every all both between through during before after without until unless then also still too very "
    "more most less their our your my"
)
FUNCTION_EN = frozenset(_FUNCTION_EN_TEXT.split())
_FUNCTION_OTHER_TEXT = (
    "der die das und ist ein eine man nicht mit den dem von auf im la le les des et est el los de que y"
)
_FUNCTION_OTHER = frozenset(_FUNCTION_OTHER_TEXT.split())
_FUNCTION_ZH = re.compile(
    r"的|了|是|在|把|被|会|能|要|可以|就|都|也|而|让|使|给|从|到|用|对|于|因为|所以|如果|然后|每|只|不|没|来|去|得|着|过|以|为|由|按|再|才|则|比|跟"
    r"|和|与|将|需|有|该|其|高|低|快|慢|大|小|多|少|强|弱|长|短|贵|省|连续|简单|复杂|容易|减少|提高|降低|增加|支持|避免|导致|保证|实现|包括"
    r"|属于|等于|取决|依赖|占用|变成|需要|分为|存放|保存|计算|访问|插入|删除"
)
_JOINTS = frozenset({"a", "the", "of", "in"})
_FORMULA = re.compile(r"[=≈≤≥∝][^=\n]*(?:[×·√∑^]|\s[*+/x]\s)")
PLAINLY_SAYS = re.compile(r"的|了|是|把|被|会|能|就|不|没|让|使|因为|所以|如果|在.{2,}(?:上|中|里|下|时)")
_MORE_ZH = "(?<![卓优超穿跨])越(?![狱界权南])"
_SAYS_BRIEFLY = re.compile(
    rf"{_MORE_ZH}[^越,，]{{1,8}}[,，]?[^越,，]{{0,8}}{_MORE_ZH}"
    r"|(?:先进|后进|先入|后入)[先后]出|可以|必须|应[当该]|一定|反而|比[^,，]{1,12}[高低快慢大小多少强弱长短贵省好差准稳]|先(?![验进])[^,，]{1,8}[,，]?(?:再|后(?![验端缀]))"
    r"|^\W*(?:the )?(?:more|less|[a-z]{3,}er) \w+(?: \w+)?[,，] ?(?:the )?(?:more|less|[a-z]{3,}er) \w+(?: \w+)?\W*$"
)
_PREDICATES = re.compile(r"[A-Za-z]\w*\s*[\u3400-\u9fff]{2,4}(?<![最更])[高低快慢大小多少强弱长短贵省好差准稳]\W*$")
"""A name and what it is like: "Tree 延迟低"."""
_SHORT_ITEM_EN = 2.4
_LONGEST_ITEM_ZH = 6
_CLEARLY_MANY = 5
_ROW_END = re.compile(r"[,，、;；|。.\n•]+(?=\s|[\u3400-\u9fff]|$)|[、；，,;|]")
FEWEST_IN_ROW, _BARE_IN_ROW = 6, 0.75
_LONGEST_ITEM = 3
_FEWEST_NAMES, _LEAST_TALK = 4, 2
_KEYWORDS = re.compile(r"\W*(?:key ?words?|terms|关键词|要点)\s*:")
RELATION = re.compile(r"[:=≈≤≥<>→←⇒≠]|->|=>|—")
"""Signs that say how names hang together."""

_LIST_TALK = (
    "keyword keywords checklist list following item items done rubric covers covered cover answer reference grader tick"
    " talk hours everything explained 关键词 清单 以下 内容 覆盖 完成 几个小时 句句 一切 参考答案 评分"
    " 标准 打勾 考官 回答 公正"
)


def reads_as_list(text: str) -> bool:
    """Whether a text is a bare list of terms: several short items, next to no function words, verbs or adjectives.

    A formula is none, although it has no verb: it says how its terms hang together.
    """
    if _FORMULA.search(text):
        return False
    if _is_row(text):
        return True
    words = LATIN.findall(text)
    han = len(HAN.findall(text))
    if len(words) + han / 2 < 4:
        return False
    chunks = [chunk for chunk in _ITEM_END.split(text) if chunk.strip()]
    if han >= len(words):
        return _han_list(text, chunks, han)
    function = sum(word.casefold() in FUNCTION_EN or word.casefold() in _FUNCTION_OTHER for word in words)
    if function / len(words) >= 0.08 or _FUNCTION_ZH.search(text):
        return False
    return (len(words) / len(chunks) <= _SHORT_ITEM_EN and len(chunks) >= 4) or (function == 0 and len(words) >= 8)


def is_talked_list(text: str) -> bool:
    """Whether a sentence is a row of short names in a frame of talk: "my answer covers the following: a, b, c"."""
    chunks = [keys(chunk) for chunk in _ITEM_END.split(text) if chunk.strip()]
    if len(chunks) < _FEWEST_NAMES:
        return False
    strange = [[key for key in chunk if key not in _list_talk()] for chunk in chunks]
    talk = sum(map(len, chunks)) - sum(map(len, strange))
    framed = talk >= _LEAST_TALK or bool(_KEYWORDS.match(fold(text)))
    return framed and max(map(len, strange)) <= _LONGEST_ITEM


def only_names(text: str) -> bool:
    """Whether a text puts short names side by side and nothing that says how they hang together.

    "The higher this, the lower that", "this before that" and "Tree 延迟低" say it in few words.
    """
    folded = fold(text)
    if RELATION.search(folded) or PLAINLY_SAYS.search(text) or _SAYS_BRIEFLY.search(folded):
        return False
    words = [word.casefold() for word in LATIN.findall(text)]
    if any(word in FUNCTION_EN or word in _FUNCTION_OTHER for word in words):
        return False
    chunks = [chunk for chunk in _ITEM_END.split(text) if chunk.strip()]
    if any(map(_PREDICATES.search, chunks)):
        return False
    size = len(HAN.findall(text)) / 2 + len(words)
    return size <= _LONGEST_ITEM * max(1, len(chunks))


def _is_row(text: str) -> bool:
    """Whether a text is a long row of short names, whatever little is said before, between or after them."""
    return names_in_a_row(text) >= FEWEST_IN_ROW


def names_in_a_row(text: str) -> int:
    """How many short names a text puts in a row; 0 where it does more than that.

    What has a label or an arrow does more: it says what the names are for.
    """
    if RELATION.search(fold(text)) or _FORMULA.search(text):
        return 0
    chunks = [chunk for chunk in _ROW_END.split(text) if chunk.strip(" .。:：-*")]
    bare = sum(map(_is_bare, chunks))
    return bare if bare >= max(2, _BARE_IN_ROW * len(chunks)) else 0


def _is_bare(chunk: str) -> bool:
    if _FUNCTION_ZH.search(chunk):
        return False
    words = [word.casefold() for word in LATIN.findall(chunk)]
    says = any(word in FUNCTION_EN and word not in _JOINTS for word in words)
    return not says and len(HAN.findall(chunk)) / 2 + len(words) <= _LONGEST_ITEM


def _han_list(text: str, chunks: list[str], han: int) -> bool:
    pieces = [piece for chunk in chunks for piece in chunk.split() if HAN.search(piece) or LATIN.search(piece)]
    sizes = [len(HAN.findall(piece)) + len(LATIN.findall(piece)) for piece in pieces]
    if len(pieces) < 3 or sum(sizes) / len(sizes) > _LONGEST_ITEM_ZH:
        return False
    if len(pieces) >= _CLEARLY_MANY and not re.search(r"[，,。；;]\s*\S", text):
        return sum(bool(PLAINLY_SAYS.search(piece)) for piece in pieces) <= 0.15 * len(pieces)
    return len(_FUNCTION_ZH.findall(text)) / han < 0.04


@cache
def _list_talk() -> frozenset[str]:
    """Words that announce a list of terms, or praise it."""
    return frozenset(keys(_LIST_TALK))
