"""A model's verdicts held against the answer and the built-in grader; pure, so that every rule can be tested alone."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interviewer.grading.hostile import suspicious, talks_to_grader
from interviewer.grading.listing import is_talked_list
from interviewer.grading.model_words import bears_on, is_borrowed, says_another
from interviewer.grading.quotes import locate
from interviewer.language import fold, sentences
from interviewer.models import Grade, Language, PointGrade, Question, Verdict

SURE = 0.8
"""From this confidence on, the built-in grader's verdict is worth asking the model again."""
SURE_BESIDE = 0.55
"""The same where the model's quote does not bear on its point, or says another one in that one's own words."""
_CROWD = 3
_AGREED, _ALONE, _DIFFERENT, _SETTLED, _OPEN, _VOID = 0.9, 0.8, 0.7, 0.75, 0.5, 0.3

_SURE_OF = 2
_OVERRULED = {Verdict.MISSING: "model_denied_all", Verdict.PARTIAL: "model_halved_all"}
_FEWEST = {Verdict.MISSING: 2, Verdict.PARTIAL: 3}
"""Points of which a model that gives them all this verdict may be overruled."""

_REPEATED: dict[Language, str] = {
    "zh": "引用的话只是重复了面试官的原话，因此不算。",
    "en": "The words quoted only repeat the interviewer's, so they do not count.",
}
_ADDRESSED: dict[Language, str] = {
    "zh": "引用的话是在对评分者说话，没有说到要点，因此不算。",
    "en": "The words quoted talk to the grader and state nothing about the point, so they do not count.",
}
_DISAGREED: dict[Language, str] = {
    "zh": "模型与内置评分意见不一，采用较谨慎的判定。",
    "en": "The model and the built-in grader disagree; the more cautious verdict stands.",
}


class Clash(NamedTuple):
    """A point on which the model and the built-in grader differ; `quote` is what both are to look at again."""

    model: PointGrade
    builtin: PointGrade
    quote: str


def without_borrowed(
    points: Sequence[PointGrade], answer: str, asked: Sequence[str], language: Language
) -> list[PointGrade]:
    """`points` with verdicts voided that rest on the interviewer's words or on words meant for the grader."""
    out = []
    for point in points:
        if not point.quote or point.verdict == Verdict.CONTRADICTED:
            out.append(point)
        elif talks_to_grader(answer, point.quote):
            out.append(voided(point, _ADDRESSED[language]))
        elif _repeats(point.quote, answer, asked):
            out.append(voided(point, _REPEATED[language]))
        else:
            out.append(point)
    return out


def voided(point: PointGrade, reason: str) -> PointGrade:
    """The point as missing, for a stated reason, with little confidence."""
    update = {"verdict": Verdict.MISSING, "quote": "", "correction": "", "reason": reason, "confidence": _VOID}
    return point.model_copy(update=update)


def clashes(
    points: Sequence[PointGrade], builtin: Grade | None, question: Question, answer: str, asked: Sequence[str]
) -> list[Clash]:
    """Where the built-in grader is sure of something else than the model says.

    It need be less sure where the model's quote does not bear on its point, or says another one in that one's own
    words. Any smaller credit from it will do where the quote does not bear on its point and is mostly words of the
    interviewer or says nothing, where one sentence is to prove three points or more or only lists terms, and where the
    answer talks to its grader.
    """
    if builtin is None or builtin.status == "ungraded":
        return []
    suspect = suspicious(answer)
    proofs = _proofs(points, answer)
    others = {point.id: point for point in builtin.points}
    found = []
    for point in points:
        other = others.get(point.id)
        if other is None:
            continue
        doubtful = suspect or proofs.get(point.id, 0) >= _CROWD or _only_listed(point.quote, answer)
        beside = point.verdict.credit > 0 and not bears_on(point.quote, question.point(point.id), asked)
        elsewhere = point.verdict.credit > 0 and says_another(point.quote, point.id, question)
        sure = other.confidence >= (SURE_BESIDE if beside or elsewhere else SURE)
        less = (
            doubtful or (beside and is_borrowed(point.quote, asked))
        ) and other.verdict.credit < point.verdict.credit
        if less or (sure and _apart(point.verdict, other.verdict)):
            found.append(Clash(point, other, point.quote or other.quote))
    return found


def overruled(points: Sequence[PointGrade], builtin: Grade | None, answer: str) -> str:
    """Why the built-in grader's verdicts are to stand instead, as the key of the sentence that says so; mostly empty.

    That is where the model gives one verdict to every point, and the built-in grader is sure of another for two points
    or more and for half of what counts: where nothing is said, not even wrongly, or where all of three points or more
    are half said. So do models that are too small for their task; a good one that sees mistakes calls them
    contradicted.
    """
    if builtin is None or builtin.status == "ungraded" or suspicious(answer) or len(points) != len(builtin.points):
        return ""
    verdict = points[0].verdict if points else Verdict.COVERED
    if any(point.verdict != verdict or point.confidence <= _VOID for point in points):
        return ""
    if verdict not in _OVERRULED or len(points) < _FEWEST[verdict]:
        return ""
    sure = [point for point in builtin.points if point.confidence >= SURE and _differs(point.verdict, verdict)]
    weight, total = sum(point.weight for point in sure), sum(point.weight for point in builtin.points)
    if len(sure) < _SURE_OF or 2 * weight < total:
        return ""
    return _OVERRULED[verdict]


def _differs(builtin: Verdict, model: Verdict) -> bool:
    return builtin.credit > 0 if model == Verdict.MISSING else builtin != model


def settled(
    points: Sequence[PointGrade],
    builtin: Grade | None,
    clashing: Sequence[Clash],
    opinions: Mapping[str, Verdict],
    language: Language,
) -> tuple[PointGrade, ...]:
    """The verdicts that stand, with confidence: clashes by the second opinion, or the more cautious side.

    Args:
        opinions: The second opinion by point id; where there is none, the model's first verdict counts as repeated.
    """
    others = {point.id: point for point in builtin.points} if builtin and builtin.status == "graded" else {}
    contested = {clash.model.id: clash for clash in clashing}
    out = []
    for point in points:
        if point.id in contested:
            clash = contested[point.id]
            out.append(_settle(clash, opinions.get(point.id, point.verdict), language))
        elif point.confidence <= _VOID:
            out.append(point)
        else:
            confidence = min(point.confidence, _confidence(point, others.get(point.id)))
            out.append(point.model_copy(update={"confidence": confidence}))
    return tuple(out)


def _settle(clash: Clash, opinion: Verdict, language: Language) -> PointGrade:
    verdict = min(opinion, clash.builtin.verdict, key=lambda v: v.credit)
    agreed = opinion == clash.builtin.verdict
    source = clash.model if verdict == clash.model.verdict else clash.builtin
    reason = source.reason if agreed else f"{_DISAGREED[language]} {source.reason}".strip()
    return clash.model.model_copy(
        update={
            "verdict": verdict,
            "quote": "" if verdict == Verdict.MISSING else clash.quote,
            "correction": source.correction if verdict == Verdict.CONTRADICTED else "",
            "confidence": _SETTLED if agreed else _OPEN,
            "reason": reason,
        }
    )


def _confidence(point: PointGrade, other: PointGrade | None) -> float:
    if other is None:
        return _ALONE
    return _AGREED if other.verdict == point.verdict else _DIFFERENT


def _apart(model: Verdict, builtin: Verdict) -> bool:
    """Whether two verdicts clash: one gives credit and the other none.

    A contradiction that the model sees is never contested: the built-in grader is not good at seeing them.
    """
    return model != Verdict.CONTRADICTED and (model.credit > 0) != (builtin.credit > 0)


def _proofs(points: Sequence[PointGrade], answer: str) -> dict[str, int]:
    """How many points the sentence proves in which each point's quote begins, by point id."""
    starts = _sentence_starts(answer)
    begins = {p.id: locate(answer, p.quote) for p in points if p.quote}
    sentence = {key: bisect_right(starts, span[0]) for key, span in begins.items() if span}
    counts = Counter(sentence.values())
    return {key: counts[number] for key, number in sentence.items()}


def _only_listed(quote: str, answer: str) -> bool:
    """Whether the sentence quoted only lists terms in a frame of talk."""
    plain = fold(quote)
    return bool(plain) and any(plain in fold(said) and is_talked_list(said) for said in sentences(answer))


def _sentence_starts(text: str) -> list[int]:
    starts, at = [], 0
    for sentence in sentences(text):
        at = max(at, text.find(sentence, at))
        starts.append(at)
        at += len(sentence)
    return starts


def _repeats(quote: str, answer: str, asked: Sequence[str]) -> bool:
    """Whether the quote, and each sentence of the answer it stands in, are the interviewer's own words."""
    plain = fold(quote)
    around = [s for s in sentences(answer) if plain in fold(s)] or [quote]
    return any(all(locate(text, part) for part in (quote, *around)) for text in asked)
