"""The candidate's own words: finding a quote in an answer, refusing invented ones, and what to highlight."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from interviewer.fencing import INVISIBLE
from interviewer.language import clean
from interviewer.models import Grade, Language, PointGrade, Verdict

_VOIDED: dict[Language, str] = {
    "zh": "评分引用的原话不在回答里，因此这个判定作废。",
    "en": "The words quoted for this verdict are not in the answer, so the verdict does not stand.",
}
_SHOWN = (Verdict.CONTRADICTED, Verdict.COVERED, Verdict.PARTIAL)
_VOIDED_CONFIDENCE = 0.3
_FOLDED_PUNCTUATION = str.maketrans("，。；：？！、“”‘’\u2010\u2011\u2012\u2013\u2212", ",.;:?!,\"\"''-----")
_QUOTED = ('""', "''", "``", "「」", "『』")


class Span(NamedTuple):
    """A piece of the answer that decided a verdict; offsets into the original text, `start` < `end`."""

    start: int
    end: int
    verdict: Verdict
    point_id: str


class _Folded(NamedTuple):
    text: str
    origin: list[int]


def locate(text: str, quote: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, as offsets into the original text; None where it does not.

    White space, full-width forms, case, kinds of hyphens and invisible characters do not matter, nor do quotation marks
    around the whole; every other character does.
    """
    wanted = _folded(quote).text
    if not wanted:
        return None
    haystack = _folded(text)
    at = haystack.text.find(wanted)
    if at < 0 and len(wanted) > 2 and wanted[0] + wanted[-1] in _QUOTED:
        wanted = wanted[1:-1]
        at = haystack.text.find(wanted)
    if at < 0:
        return None
    return haystack.origin[at], haystack.origin[at + len(wanted) - 1] + 1


def highlights(text: str, points: Sequence[PointGrade]) -> tuple[Span, ...]:
    """The quotes of `points` as spans of `text`: sorted, not overlapping, wrong statements before right ones."""
    taken: list[Span] = []
    for verdict in _SHOWN:
        for point in points:
            found = locate(text, point.quote) if point.verdict == verdict and point.quote else None
            if found:
                taken.extend(_free(Span(*found, verdict, point.id), taken))
    return tuple(sorted(taken))


def verify_quotes(grade: Grade, answer: str) -> Grade:
    """`grade` with every verdict voided whose quote is not in the answer: missing, with low confidence and a reason.

    A quote is also needed for a verdict other than missing; what is right beyond the reference goes unless quoted. A
    nearest sentence that is not in the answer goes too.
    """
    points = tuple(_near(_verified(point, answer, grade.language), answer) for point in grade.points)
    beyond = tuple(b for b in grade.beyond if locate(answer, b.quote))
    return grade.model_copy(update={"points": points, "beyond": beyond})


def _verified(point: PointGrade, answer: str, language: Language) -> PointGrade:
    if point.verdict == Verdict.MISSING:
        return point.model_copy(update={"quote": ""}) if point.quote and not locate(answer, point.quote) else point
    found = locate(answer, point.quote)
    if found:
        return point.model_copy(update={"quote": answer[found[0] : found[1]]})
    return point.model_copy(
        update={
            "verdict": Verdict.MISSING,
            "quote": "",
            "correction": "",
            "confidence": min(point.confidence, _VOIDED_CONFIDENCE),
            "reason": _VOIDED[language],
        }
    )


def _near(point: PointGrade, answer: str) -> PointGrade:
    found = locate(answer, point.nearest) if point.nearest else None
    nearest = answer[found[0] : found[1]] if found else ""
    return point if nearest == point.nearest else point.model_copy(update={"nearest": nearest})


@lru_cache(maxsize=16)
def _folded(text: str) -> _Folded:
    """`text` in its comparable form without white space, each character with the offset it came from."""
    characters: list[str] = []
    origin: list[int] = []
    for offset, character in enumerate(text):
        if "!" <= character <= "~":
            characters.append(character.lower())
            origin.append(offset)
            continue
        if character.isspace() or INVISIBLE.match(character) or not clean(character):
            continue
        plain = unicodedata.normalize("NFKC", character).casefold().translate(_FOLDED_PUNCTUATION)
        for folded in plain:
            if not folded.isspace():
                characters.append(folded)
                origin.append(offset)
    return _Folded("".join(characters), origin)


def _free(span: Span, taken: Sequence[Span]) -> list[Span]:
    """The parts of `span` that no earlier span covers."""
    parts = [span]
    for other in taken:
        parts = [piece for part in parts for piece in _without(part, other)]
    return parts


def _without(part: Span, other: Span) -> list[Span]:
    if other.end <= part.start or part.end <= other.start:
        return [part]
    left = part._replace(end=other.start)
    right = part._replace(start=other.end)
    return [piece for piece in (left, right) if piece.start < piece.end]
