"""Points that are a bare judgement, "正确。" or "False.": whoever judges alike makes them, in whatever words."""

import re

from interviewer.grading.terms import keys
from interviewer.grading.windows import Window
from interviewer.language import fold, sentences

_YES = r"正确|没错|对|是|true|yes|correct|right"
_NO = r"不正确|不对|不是|错误|错|否|false|no|incorrect|wrong|untrue|not (?:true|correct|right)"
_JUDGEMENT = rf"(?:(?P<no>{_NO})|(?P<yes>{_YES}))的?(?![a-z\u3400-\u9fff-])"
_OPINION = r"(?:我(?:认为|觉得|想)|i(?:'d say| think))?[\s,:]*"
_SUBJECT = (
    r"(?:答案|(?:这|该|此|上述)(?:句话|个?(?:说法|叙述|命题|论断))?|"
    r"(?:the |this )?(?:answer|statement|claim|sentence)|that|this|it)"
)
_BEFORE = rf"{_OPINION}(?:{_SUBJECT}(?:应该)?(?:是|为|'s| is)?[\s,:]*)?"
_JUDGES = re.compile(_BEFORE + _JUDGEMENT)
_BARE = re.compile(_BEFORE + _JUDGEMENT + r"[\s.。!,;]*")
_PIECE_END = re.compile(r"[,.。;!?\n]")


def is_judgement(point: str) -> bool:
    """Whether a point says whether something is so, and nothing else."""
    return _BARE.fullmatch(fold(point)) is not None


def where_judged(point: str, said: str) -> Window | None:
    """The sentence of an answer that judges as the point does; None where it judges otherwise, both ways or not at all.

    Args:
        point: A judgement.
    """
    wanted = _BARE.fullmatch(fold(point))
    found = sentences(said)
    if wanted is None or not found or not (judged := _JUDGES.match(fold(found[0]))):
        return None
    pieces = [_BARE.fullmatch(piece.strip()) for piece in _PIECE_END.split(fold(said))]
    told = {bool(each["yes"]) for each in (judged, *filter(None, pieces))}
    if told != {bool(wanted["yes"])}:
        return None
    start = said.find(found[0])
    return Window(start, start + len(found[0]), found[0], tuple(keys(found[0])), 1)
