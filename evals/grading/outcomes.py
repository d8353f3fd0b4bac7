"""Graded answers and what came of them: agreement, order, verdicts, reliability; plain data from any grader."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from evals.answers import LABELS
from evals.grading import data, metrics
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.models import Grade, Verdict


class Outcome(NamedTuple):
    """A graded answer and what came of it."""

    row: data.Graded
    grade: Grade
    seconds: float

    @property
    def score(self) -> float:
        """0..10."""
        return self.grade.score or 0.0


class Scored(NamedTuple):
    """What figures are made from, computed once for each outcome, however often it is drawn.

    Attributes:
        ours: 0..10.
        theirs: 0..10, the right score.
        pairs: For each point the verdict given and the right one; empty where the graded points are not the labelled
            ones, as with the reference alone.
    """

    group: str
    source: str
    ours: float
    theirs: float
    pairs: tuple[tuple[Verdict, Verdict], ...]


def scored(outcome: Outcome) -> Scored:
    row = outcome.row
    labelled = [point.id for point in row.question.points] == [point.id for point in outcome.grade.points]
    pairs = tuple(verdicts_of(outcome)) if labelled and row.label else ()
    return Scored(row.group, row.source, outcome.score, true_score(row), pairs)


def context_of(row: data.Graded) -> GradingContext:
    """As an answer to the question itself is graded."""
    return GradingContext(language=row.language, asked=(row.question.asked_in(row.language),))


def grade_rows(grader: Grader, rows: Iterable[data.Graded]) -> list[Outcome]:
    """Every row graded, in order."""
    found: list[Outcome] = []
    for row in rows:
        start = perf_counter()
        grade = grader.grade(row.question, row.answer, context_of(row))
        found.append(Outcome(row, grade, perf_counter() - start))
    return found


def true_score(row: data.Graded) -> float:
    """0..10: what people gave, or what the labels make."""
    if row.score is not None:
        return row.score * 10
    weights = [point.weight for point in row.question.points]
    credits = [LABELS[letter].credit for letter in row.label]
    return max(0.0, sum(w * c for w, c in zip(weights, credits, strict=True)) / sum(weights) * 10)


def summarise(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All figures of one run, as plain data."""
    by_source: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_source[outcome.row.source].append(outcome)
    battery = [o for o in outcomes if o.row.source.startswith("battery/")]
    return {
        "human": {name: _agreement(by_source[name]) for name in data.HUMAN_SETS if by_source[name]},
        "battery": labelled_figures([scored(o) for o in battery]),
        "means": {name: _mean(found) for name, found in sorted(by_source.items()) if "/" in name},
        "reliability": _reliability(outcomes),
        **time_taken(outcomes),
    }


def time_taken(found: Sequence[Outcome]) -> dict[str, Any]:
    """Of an answer, in milliseconds: the median, and what 95% stay under."""
    median, most = np.percentile([1000 * outcome.seconds for outcome in found], [50, 95])
    return {"milliseconds": round(float(median), 1), "milliseconds_95": round(float(most), 1)}


def _agreement(found: Sequence[Outcome]) -> dict[str, Any]:
    ours, theirs = [o.score / 10 for o in found], [true_score(o.row) / 10 for o in found]
    groups = [o.row.group for o in found]
    figures: dict[str, Any] = {
        "answers": len(found),
        "questions": len(set(groups)),
        "r": round(metrics.pearson(ours, theirs), 3),
        "r_within": round(metrics.within_question_r(ours, theirs, groups), 3),
        "rmse": round(metrics.rmse(ours, theirs), 3),
    }
    if set(theirs) <= {0.0, 1.0}:
        figures["macro_f1"] = round(metrics.macro_f1([x >= 0.5 for x in ours], [y >= 0.5 for y in theirs]), 3)
    return figures


def labelled_figures(found: Sequence[Scored]) -> dict[str, Any]:
    """How scores and verdicts agree with the labels.

    Raises:
        ValueError: if other points were graded than are labelled.
    """
    if not all(each.pairs for each in found):
        raise ValueError("Verdicts can be held against labels only where the labelled points were graded.")
    ours, theirs = [each.ours for each in found], [each.theirs for each in found]
    groups = [each.group for each in found]
    pairs = [pair for each in found for pair in each.pairs]
    return {
        "answers": len(found),
        "questions": len(set(groups)),
        "r": round(metrics.pearson(ours, theirs), 3),
        "mae": round(metrics.mae(ours, theirs), 2),
        "order": round(metrics.order_right(ours, theirs, groups), 3),
        "covered_f1": round(
            metrics.f1([a == Verdict.COVERED for a, _ in pairs], [b == Verdict.COVERED for _, b in pairs]), 3
        ),
        "wrong_found": round(_share([a == Verdict.CONTRADICTED for a, b in pairs if b == Verdict.CONTRADICTED]), 3),
        "wrongly_wrong": sum(a == Verdict.CONTRADICTED != b for a, b in pairs),
        "wrongly_wrong_share": round(
            _share([a == Verdict.CONTRADICTED for a, b in pairs if b != Verdict.CONTRADICTED]), 4
        ),
    }


def verdicts_of(outcome: Outcome) -> list[tuple[Verdict, Verdict]]:
    truth = [LABELS[letter] for letter in outcome.row.label]
    return [(point.verdict, true) for point, true in zip(outcome.grade.points, truth, strict=True)]


def _mean(found: Sequence[Outcome]) -> dict[str, float]:
    return {
        "answers": len(found),
        "given": round(float(np.mean([o.score for o in found])), 1),
        "right": round(float(np.mean([true_score(o.row) for o in found])), 1),
    }


def _reliability(outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """Confidence against how often the verdict was right, on labelled points and on sets graded right or wrong."""
    sure: list[float] = []
    right: list[bool] = []
    for outcome in outcomes:
        for point, truth in zip(outcome.grade.points, _truth(outcome), strict=False):
            sure.append(point.confidence)
            right.append(point.verdict == truth)
    return [bin._asdict() for bin in metrics.reliability(sure, right)]


def _truth(outcome: Outcome) -> list[Verdict]:
    if outcome.row.label and outcome.row.source.startswith("battery/"):
        return [LABELS[letter] for letter in outcome.row.label]
    if len(outcome.grade.points) == 1 and outcome.row.score in (0.0, 1.0) and outcome.row.source in data.HUMAN_SETS:
        verdict = outcome.grade.points[0].verdict
        if verdict == Verdict.PARTIAL:
            return []
        wrong = Verdict.CONTRADICTED if verdict == Verdict.CONTRADICTED else Verdict.MISSING
        return [Verdict.COVERED if outcome.row.score == 1.0 else wrong]
    return []


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
