"""Points that name things: naming these back is an answer, which it is not where points are statements."""

import re
from collections import Counter
from collections.abc import Sequence

from interviewer.grading.listing import FUNCTION_EN, HAN, LATIN, PLAINLY_SAYS, reads_as_list
from interviewer.grading.terms import keys
from interviewer.language import fold
from interviewer.segmenting import cut_words

_LONGEST_NAME, _LONGEST_ITEM = 4, 7
_IN_NAMES = frozenset({"a", "an", "the", "of", "and", "or", "for", "in", "to"})
_VERBS = FUNCTION_EN - _IN_NAMES - {"with", "by", "on", "from", "at", "as", "into", "no", "not"}
_PARTS = re.compile(r"[,，、;；。.]\s*\S")
_ITEM_END = re.compile(r"[,，、;；/]|\band\b|\bor\b|[和与及或]")
_FRAME_END = re.compile(
    r"分为|分成|包括|包含|[有是为]|—+|:|\b(?:are|is|includes?|comprises?|consists? of|stands? for)\b"
)
_SAYS = frozenset({"要", "需要", "需", "由", "必须", "用", "做", "有", "没有", "得", "可", "可以", "应", "应该"})
_LIKENESS = re.compile(r"[\u3400-\u9fff]{3,}(?<![最更大过])[低高慢快大小多少差]\W*$")
_HEARD = 0.7
_LONGEST_NAMING = 400
_FEWEST_SHARING = 3
_DENIES = re.compile(r"(?:[非不无未反]|\b(?:non|un|in)-?)$")


def are_names(points: Sequence[str]) -> bool:
    """Whether the points only name things, alone or in a row, so that naming them back is an answer."""
    return all(is_name(text) or reads_as_list(text) for text in points)


def are_items(points: Sequence[str]) -> bool:
    """Whether the points are items of one list, each a few words, so that listing them back is an answer."""
    return len(points) > 1 and all(map(is_item, points))


def is_item(text: str) -> bool:
    """Whether a point is a few words in one piece, and in English without a verb."""
    words = [word.casefold() for word in LATIN.findall(text)]
    size = len(words) + len(HAN.findall(text)) / 2
    return 0 < size <= _LONGEST_ITEM and not _PARTS.search(text) and not any(word in _VERBS for word in words)


def is_name(text: str) -> bool:
    """Whether a text is the name of one thing."""
    words = [word.casefold() for word in LATIN.findall(text)]
    says = any(word in FUNCTION_EN and word not in _IN_NAMES for word in words)
    return len(keys(text)) <= _LONGEST_NAME and not says and not PLAINLY_SAYS.search(text)


def states(text: str) -> bool:
    """Whether a short Chinese text says what a thing needs, does or is like ("信息密度低"), so that it is no
    mere name.
    """
    return bool(_LIKENESS.search(text)) or not _SAYS.isdisjoint(cut_words(text) if HAN.search(text) else ())


def asked_names(point: str, asked: frozenset[str]) -> str:
    """What a point names where the question says the rest of it: "they are A and B", asked what they are, gives "A and
    B"; empty where it says more than names, or something that was not asked.

    Args:
        asked: The words of the question, as keys.
    """
    folded = fold(point)
    if len(folded) > _LONGEST_NAMING:
        return ""
    for match in _FRAME_END.finditer(folded):
        rest = folded[match.end() :].strip(" .。:")
        if rest and all(map(is_item, _items(rest))):
            frame = keys(folded[: match.start()])
            if frame and sum(key in asked for key in frame) >= _HEARD * len(frame):
                return rest
    return ""


def _items(text: str) -> list[str]:
    return [item for item in _ITEM_END.split(text) if item.strip()]


def shared_by_names(points: Sequence[str]) -> frozenset[str]:
    """The words, as keys, that most points have where all are names or items of a list: none is told by these."""
    if len(points) < _FEWEST_SHARING or not (are_names(points) or are_items(points)):
        return frozenset()
    counts = Counter(key for point in points for key in set(keys(point)))
    return frozenset(key for key, count in counts.items() if count > len(points) / 2)


def only_denied(name: str, said: str) -> bool:
    """Whether a name is said only with a syllable before it that makes it another one: "非直达" for "直达"."""
    own, text = fold(name).strip(" .。"), fold(said)
    places = [match.start() for match in re.finditer(re.escape(own), text)] if own else []
    return bool(places) and all(_DENIES.search(text[:at]) for at in places)
