"""Figures of graded answers whose labels are known, each with a 95% interval from resampled questions."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.answers import LABELS
from evals.grading.data import Graded
from interviewer.models import Frozen, Grade, Verdict

Array = NDArray[np.float64]
VERDICTS = tuple(Verdict)
RESAMPLES = 2_000
GAP = 2.0
"""Two answers to one question have an order where their right scores differ by this much."""
FEWEST_PAIRS = 20
"""Fewer pairs of answers than this say nothing about their order."""
BINS = 5


class Figure(Frozen):
    """A value with its 95% interval."""

    value: float
    low: float
    high: float


class GroupFigures(Frozen):
    """What one group of answers came to; None where the group has nothing to tell it by.

    Attributes:
        name: `all`, a language, or a kind of answer.
        r: Pearson's, of given and right scores.
        mae: Mean absolute error of the score, 0..10.
        order: Share of pairs of answers to one question put in the right order; a tie counts half.
        f1: Of finding the covered points.
        verdicts: Share of verdicts that are right.
        given: Mean score given, 0..10; `right` is the mean of those that are right.
    """

    name: str
    answers: int
    questions: int
    r: Figure | None
    mae: Figure | None
    order: Figure | None
    f1: Figure | None
    verdicts: Figure | None
    given: Figure | None
    right: float


class Box(Frozen):
    """The scores given to one kind of answer, 0..10; `low` and `high` are the 5th and 95th percentile."""

    name: str
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float


class Bin(Frozen):
    """Verdicts of about one confidence: how sure they were on average and how often they were right, 0..1."""

    verdicts: int
    confidence: float
    right: Figure


class Stability(Frozen):
    """The same answers graded twice: the share of verdicts that stay, and the mean difference of scores, 0..10."""

    answers: int
    verdicts: Figure | None
    score: Figure | None


class Trial(NamedTuple):
    """An answer as graded once."""

    row: Graded
    grade: Grade
    seconds: float

    @property
    def score(self) -> float:
        return self.grade.score or 0.0

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By point id, so that their order does not matter."""
        return {point.id: point.verdict for point in self.grade.points}

    @property
    def truth(self) -> dict[str, Verdict]:
        points = self.row.question.points
        return {point.id: LABELS[letter] for point, letter in zip(points, self.row.label, strict=True)}


def right_score(row: Graded) -> float:
    """0..10: what the labels make by the product's own formula."""
    weights = [point.weight for point in row.question.points]
    credits = [LABELS[letter].credit for letter in row.label]
    return max(0.0, sum(w * c for w, c in zip(weights, credits, strict=True)) / sum(weights) * 10)


def group_figures(name: str, trials: Sequence[Trial]) -> GroupFigures:
    """The figures of one group of graded answers."""
    sums = _per_question(trials, _sums)
    totals, samples = _resampled(sums)

    def figure(of: Callable[[Array], Array]) -> Figure | None:
        return _figure(of(totals[None])[0], of(samples))

    return GroupFigures(
        name=name,
        answers=len(trials),
        questions=len(sums),
        r=figure(_r),
        mae=figure(_ratio(6, 0)),
        order=figure(_ratio(7, 8)) if totals[8] >= FEWEST_PAIRS else None,
        f1=figure(_ratio(9, 10)) if totals[13] else None,
        verdicts=figure(_ratio(11, 12)),
        given=figure(_ratio(1, 0)),
        right=round(float(np.mean([right_score(t.row) for t in trials])), 2),
    )


def stability(first: Sequence[Trial], second: Sequence[Trial]) -> Stability:
    """How much two runs over the same answers agree; answers that either left ungraded are not compared."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a.grade.points and b.grade.points]
    by_question: dict[str, list[list[float]]] = defaultdict(list)
    for a, b in pairs:
        ours, theirs = a.verdicts, b.verdicts
        same = sum(theirs.get(key) == verdict for key, verdict in ours.items())
        by_question[a.row.group].append([same, len(ours), abs(a.score - b.score), 1])
    totals, samples = _resampled(np.array([np.sum(rows, axis=0) for rows in by_question.values()]).reshape(-1, 4))
    found = [
        _figure(_ratio(over, under)(totals[None])[0], _ratio(over, under)(samples)) for over, under in ((0, 1), (2, 3))
    ]
    return Stability(answers=len(pairs), verdicts=found[0], score=found[1])


def confusion(trials: Iterable[Trial]) -> tuple[tuple[int, ...], ...]:
    """Counts of verdicts: a row for each right verdict, a column for each given one, in the order of `VERDICTS`."""
    found = Counter((right, t.verdicts[key]) for t in trials for key, right in t.truth.items())
    return tuple(tuple(found[right, given] for given in VERDICTS) for right in VERDICTS)


def box(name: str, trials: Sequence[Trial]) -> Box:
    low, quarter, median, three_quarters, high = np.percentile([t.score for t in trials], (5, 25, 50, 75, 95))
    return Box(
        name=name,
        low=round(low, 2),
        quarter=round(quarter, 2),
        median=round(median, 2),
        three_quarters=round(three_quarters, 2),
        high=round(high, 2),
    )


def reliability(trials: Sequence[Trial]) -> tuple[Bin, ...]:
    """All verdicts sorted by confidence, in groups of about equal size."""
    judged = [
        (point.confidence, float(point.verdict == t.truth[point.id]), t.row.group)
        for t in trials
        for point in t.grade.points
    ]
    judged.sort(key=lambda each: each[0])
    parts = np.array_split(np.arange(len(judged)), BINS)
    return tuple(_bin([judged[i] for i in part]) for part in parts if len(part))


def _bin(judged: Sequence[tuple[float, float, str]]) -> Bin:
    by_question: dict[str, list[list[float]]] = defaultdict(list)
    for _, right, group in judged:
        by_question[group].append([right, 1.0])
    totals, samples = _resampled(np.array([np.sum(rows, axis=0) for rows in by_question.values()]))
    share = _ratio(0, 1)
    found = _figure(share(totals[None])[0], share(samples))
    assert found is not None, "a bin has verdicts"
    sure = round(float(np.mean([confidence for confidence, _, _ in judged])), 3)
    return Bin(verdicts=len(judged), confidence=sure, right=found)


def _per_question(trials: Sequence[Trial], sums: Callable[[Sequence[Trial]], list[float]]) -> Array:
    by_question: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_question[trial.row.group].append(trial)
    return np.array([sums(found) for found in by_question.values()], np.float64)


def _sums(trials: Sequence[Trial]) -> list[float]:
    """What every figure is made of, added up over the answers to one question."""
    x = np.array([t.score for t in trials])
    y = np.array([right_score(t.row) for t in trials])
    pairs = [(x[i] - x[j], y[i] - y[j]) for i in range(len(x)) for j in range(i) if abs(y[i] - y[j]) >= GAP]
    ordered = sum(1.0 if a * b > 0 else 0.5 if a == 0 else 0.0 for a, b in pairs)
    verdicts = [(t.verdicts[key], right) for t in trials for key, right in t.truth.items()]
    ours = [given == Verdict.COVERED for given, _ in verdicts]
    theirs = [right == Verdict.COVERED for _, right in verdicts]
    both = sum(a and b for a, b in zip(ours, theirs, strict=True))
    return [
        len(x), x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum(), np.abs(x - y).sum(),
        ordered, len(pairs), 2 * both, sum(ours) + sum(theirs), sum(a == b for a, b in verdicts), len(verdicts),
        sum(theirs),
    ]  # fmt: skip


def _r(s: Array) -> Array:
    n, x, y, xx, yy, xy = (s[:, i] for i in range(6))
    spread = (n * xx - x * x) * (n * yy - y * y)
    return np.where(spread > 1e-6, (n * xy - x * y) / np.sqrt(np.maximum(spread, 1e-6)), np.nan)


def _ratio(over: int, under: int) -> Callable[[Array], Array]:
    def share(s: Array) -> Array:
        return np.where(s[:, under] > 0, s[:, over] / np.maximum(s[:, under], 1e-9), np.nan)

    return share


def _resampled(sums: Array) -> tuple[Array, Array]:
    """The sums over all questions, and over `RESAMPLES` samples of as many questions drawn with replacement."""
    count = len(sums)
    if not count:
        return np.zeros(sums.shape[1]), np.zeros((1, sums.shape[1]))
    drawn = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), RESAMPLES)
    return sums.sum(axis=0), drawn @ sums


def _figure(value: Any, samples: Array) -> Figure | None:
    """None where there is no value."""
    usable = samples[np.isfinite(samples)]
    if not np.isfinite(value) or not len(usable):
        return None
    low, high = np.percentile(usable, (2.5, 97.5))
    return Figure(value=round(float(value), 4), low=round(float(low), 4), high=round(float(high), 4))
