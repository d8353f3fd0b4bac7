"""What to ask next about a gap, without giving the point away."""

from collections.abc import Collection

from interviewer.models import Grade, Language, Point, Question, Verdict


def next_gap(question: Question, grade: Grade | None, asked: Collection[str]) -> Point | None:
    """The weightiest point that is not covered and not in `asked`; None if there is none."""
    verdicts = {point.id: point.verdict for point in grade.points} if grade else {}
    open_points = [p for p in question.points if p.id not in asked and verdicts.get(p.id) is not Verdict.COVERED]
    return max(open_points, key=lambda p: p.weight, default=None)


def probe_text(question: Question, point: Point, language: Language, answer: str) -> str:
    """The follow-up for a point: the bank's own, or one made from the heading the point stood under."""
    return point.probe.get(language) or _generic(_PROBES[language], point)


def hint_text(question: Question, point: Point, language: Language, answer: str) -> str:
    """A nudge, more telling than the probe."""
    return point.hint.get(language) or _generic(_HINTS[language], point)


def _generic(phrasings: tuple[str, str], point: Point) -> str:
    labelled, plain = phrasings
    return labelled.format(label=point.label) if point.label else plain


_PROBES: dict[Language, tuple[str, str]] = {
    "zh": ("关于“{label}”，你会怎么说？", "还有一个重要方面没有提到，你觉得会是什么？"),
    "en": ("What would you say about “{label}”?", "One important aspect is still open. What else matters here?"),
}
_HINTS: dict[Language, tuple[str, str]] = {
    "zh": ("从“{label}”这个角度想一想。", "换个角度：原因、做法、代价、验证方式，哪一个你还没讲？"),
    "en": ("Think of it from the side of “{label}”.", "Causes, steps, costs, checks: which of these is still missing?"),
}
