"""Judgements, "正确。" or "False.": points that are one, and what stands of one in front of a reason."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from interviewer.grading.terms import keys
from interviewer.grading.windows import Window
from interviewer.language import fold, sentences

_YES_ZH, _YES_EN = r"正确|没错|对|是|可以|能|会", r"true|yes|correct|right"
_NO_ZH = r"不正确|不对|不是|不可以|不能|不会|错误|错|否"
_NO_EN = r"false|no|incorrect|wrong|untrue|not (?:true|correct|right)"
_GOES_ON = r"(?=\s*(?:[^\w\s-]|$)|\s+(?:it|he|she|that|this|the|they|there|we|you|i|because|since|as)\b)(?!,? so\b)"
"""What follows an English judgement: neither "no lock" nor "right, so" is one."""
_JUDGEMENT = (
    rf"(?:(?P<no>(?:{_NO_ZH})的?(?![\u3400-\u9fffa-z])|(?:{_NO_EN}){_GOES_ON})"
    rf"|(?P<yes>(?:{_YES_ZH})的?(?![\u3400-\u9fffa-z])|(?:{_YES_EN}){_GOES_ON}))"
)
_GAP = r"[\s,，:：]*"
_OPINION = rf"(?:答{_GAP}|我(?:认为|觉得|想)|i(?:'d say| think))?{_GAP}"
_SUBJECT = (
    r"(?:答案|(?:这|该|此|上述|以上)?[个种]?(?:句话|说法|叙述|命题|论断)|这|该|此|"
    r"(?:the |this )?(?:answer|statement|claim|sentence)|that|this|it)"
)
_BEFORE = rf"{_OPINION}{_SUBJECT}?(?:应该)?(?:是(?!否)|为|'s| is)?{_GAP}"
_JUDGES = re.compile(_BEFORE + _JUDGEMENT)
_BARE = re.compile(_BEFORE + _JUDGEMENT + r"[\s.。!,;]*")
_WITH_REASON = re.compile(_BEFORE + _JUDGEMENT + r"\s*[.。!！,，;；:：]\s*(?P<reason>\S.*)", re.DOTALL | re.IGNORECASE)
_DENIES = re.compile(
    r"(?:其实|但|不过|也)?(?:不是|并不|并非|不能|不会|不可以|不一定|未必|没有)"
    r"|(?:but )?(?:it|that|they|this) (?:isn't|is not|aren't|are not|doesn't|does not|don't|can't|cannot|won't)\b"
)
"""Behind "yes" this may agree with a denial: "对，不是越多越好"."""
_KNOWS_NOTHING = re.compile(
    r"(?:我|也|就|但)*(?:不知道|不太?清楚|说不上来|不记得|忘了).{0,6}"
    r"|(?:but )?(?:i )?(?:don't|do not) (?:really )?know.{0,12}|(?:but )?(?:no idea|(?:i'm )?not sure|i forgot).{0,12}"
)
_PIECE_END = re.compile(r"[,.。;!?]")
_ASKS = re.compile(
    r"判断题|是非题|判断(?:正误|对错|题|下列|以下|下面|这)|对不对|是否|是不是|还是(?:错|不正确|不对)|(?:吗|(?<![什怎这那])么)\s*[?。]?\s*$|"
    r"\b(?:true or false|right or wrong)\b|\b(?:true|correct|right)\?\s*$|"
    r"(?:^|[.?!:;,]\s)(?:is|are|was|does|do|did|can|could|will|would|should|has|have)\s[^?]*\?"
)
_ASKS_WHY = re.compile(r"解释|说明|为什么|为何|理由|原因|依据|\b(?:why|explain|evidence|reason|reasons|justify)\b")


class Heard(NamedTuple):
    """A judgement in an answer.

    Attributes:
        alike: Whether it is the one asked about, rather than the opposite.
        window: The sentence that judges.
    """

    alike: bool
    window: Window


def asks_to_judge(asked: Iterable[str]) -> bool:
    """Whether one of the texts asks whether something is so."""
    return any(_ASKS.search(fold(text)) for text in asked)


def asks_why(asked: Iterable[str]) -> bool:
    """Whether one of the texts asks for reasons, so that no bare judgement will do."""
    return any(_ASKS_WHY.search(fold(text)) for text in asked)


def is_judgement(text: str) -> bool:
    """Whether a point or an answer says whether something is so, and nothing else."""
    return _BARE.fullmatch(fold(text)) is not None


def only_judges(said: str) -> bool:
    """Whether an answer judges and gives no reason: that somebody doesn't know one is none."""
    return all(_BARE.fullmatch(piece) or _KNOWS_NOTHING.fullmatch(piece) for piece in _pieces(said))


def split_judgement(point: str) -> tuple[str, str]:
    """What a point judges and why, as it says it: "错误。栈是后进先出。" gives "错误。" and "栈是后进先出。"; no
    judgement, and the whole, where it doesn't begin with one or gives no reason.
    """
    match = _WITH_REASON.fullmatch(point)
    if not match or not keys(match["reason"]):
        return "", point
    return point[: match.start("reason")].strip(), match["reason"]


def hear_judgement(judgement: str, said: str) -> Heard | None:
    """How an answer judges; None where it doesn't, does both ways, or says yes to a denial.

    Args:
        judgement: The right one.
    """
    wanted = _BARE.fullmatch(fold(judgement))
    found = sentences(said)
    if wanted is None or not found or not (judged := _JUDGES.match(fold(found[0]))):
        return None
    pieces = _pieces(said)
    told = {bool(each["yes"]) for each in (judged, *filter(None, map(_BARE.fullmatch, pieces)))}
    if len(told) > 1 or (told == {True} and any(map(_DENIES.match, pieces))):
        return None
    start = said.find(found[0])
    return Heard(
        told == {bool(wanted["yes"])}, Window(start, start + len(found[0]), found[0], tuple(keys(found[0])), 1)
    )


def _pieces(said: str) -> list[str]:
    """What stands between marks and line ends, folded; replies to follow-ups are lines of their own."""
    parts = [part.strip() for line in said.splitlines() for part in _PIECE_END.split(fold(line))]
    return [part for part in parts if part]
