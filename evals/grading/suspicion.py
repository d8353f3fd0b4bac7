"""Fits what tells a wrong statement from a right one, and how often each verdict is right; as plain data."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.answers import LABELS
from evals.grading.data import Graded
from evals.grading.fit import Growth, Table, boost
from interviewer.grading.scoring import ALONE, Forest, read_forest
from interviewer.grading.suspicion import PAIR_FEATURES
from interviewer.models import Grade, Verdict

Array = NDArray[np.float64]

_GROWTH = Growth(trees=240, depth=6, leaf=40, tried=0.2, rate=0.04)
_SECOND = 0.5
"""Weight of the second and third nearest sentence of a point that the answer does not contradict."""
_FOLDS = 5
_STEPS, _FEWEST = 5, 50
_PRIOR = 4.0

TRANSPARENT = {verdict.value: [[i / 100, i / 100] for i in range(101)] for verdict in Verdict}
"""Chances that give back the credit (the suspicion for a contradicted point) as the confidence."""


class Paired(NamedTuple):
    """A point with the sentences nearest to it: (windows, features), nearest first.

    Attributes:
        answer: Number of the answer.
        wrong: Whether the answer contradicts the point.
    """

    group: str
    answer: int
    wrong: bool
    values: Array


def fit_suspicion(pairs: Sequence[Paired]) -> tuple[dict[str, Any], Array]:
    """`suspicion`, boosted trees, and `company`, which sets its chances right; and what such trees say of each pair
    when its question is left out of the fit, (pairs,) logits."""
    left_out = _logits_left_out(pairs)
    return {"suspicion": _fit(pairs), "company": _fit_company(pairs, left_out)}, left_out


def _fit(pairs: Sequence[Paired]) -> dict[str, Any]:
    """The trees as plain data. Of a point that is contradicted only the nearest sentence counts as wrong.

    Every pair is seen once more as if no misconceptions were known: of imported questions none are.
    """
    pairs = [*pairs, *map(_without_misconceptions, pairs)]
    rows = np.vstack([each.values[:1] if each.wrong else each.values for each in pairs])
    sizes = [1 if each.wrong else len(each.values) for each in pairs]
    wrong = np.repeat([each.wrong for each in pairs], sizes)
    importance = np.concatenate([[1.0] + [_SECOND] * (size - 1) for size in sizes])
    count = len(rows)
    table = Table(
        values=rows,
        live=np.ones(count, np.bool_),
        owner=np.arange(count),
        share=np.ones(count),
        target=wrong.astype(np.float64),
        score=np.zeros(count),
        labelled=np.ones(count, np.bool_),
        importance=importance / importance.mean(),
        groups=np.full(count, ""),
        sources=np.full(count, ""),
    )
    return boost(table, PAIR_FEATURES, _GROWTH)


def _without_misconceptions(pair: Paired) -> Paired:
    values = pair.values.copy()
    values[:, [at for at, name in enumerate(PAIR_FEATURES) if name.startswith("misconception")]] = 0.0
    return pair._replace(values=values)


def _logits_left_out(pairs: Sequence[Paired]) -> Array:
    from sklearn.model_selection import GroupKFold

    logits = np.zeros(len(pairs))
    for fit_on, left_out in GroupKFold(_FOLDS).split(logits, groups=[each.group for each in pairs]):
        fitted = read_forest(_fit([pairs[i] for i in fit_on]), PAIR_FEATURES)
        for i in left_out:
            logits[i] = most_suspicious(fitted, pairs[i].values)
    return logits


def most_suspicious(trees: Forest, values: Array) -> float:
    """The highest logit of a point's sentences; `ALONE` where there is none."""
    return max((trees.logit(row) for row in values.tolist()), default=ALONE)


def _fit_company(pairs: Sequence[Paired], logits: Array) -> dict[str, float]:
    """How a point's suspicion and the highest of its answer's other points weigh."""
    from sklearn.linear_model import LogisticRegression

    highest: dict[int, list[float]] = {}
    for each, logit in zip(pairs, logits.tolist(), strict=True):
        highest[each.answer] = sorted([*highest.get(each.answer, []), logit])[-2:]
    rows = []
    for each, logit in zip(pairs, logits.tolist(), strict=True):
        best = highest[each.answer]
        rows.append((logit, ALONE if len(best) == 1 else best[0] if logit == best[1] else best[1]))
    model = LogisticRegression(C=10.0).fit(np.array(rows), [each.wrong for each in pairs])
    own, others = (round(float(weight), 4) for weight in model.coef_[0])
    return {"own": own, "others": others, "bias": round(float(model.intercept_[0]), 4)}


def fit_chances(graded: Sequence[tuple[Graded, Grade]]) -> dict[str, list[list[float]]]:
    """How often each verdict is right by rising credit, from grades whose confidence is the credit (`TRANSPARENT`)."""
    found: dict[Verdict, list[tuple[float, bool]]] = {verdict: [] for verdict in Verdict}
    for row, grade in graded:
        for point, letter in zip(grade.points, row.label, strict=True):
            found[point.verdict].append((point.confidence, LABELS[letter] == point.verdict))
    return {verdict.value: _steps(sorted(pairs), verdict != Verdict.MISSING) for verdict, pairs in found.items()}


def _steps(pairs: Sequence[tuple[float, bool]], rising: bool) -> list[list[float]]:
    """Steps of about equal size that rise (or fall) all the way; neighbours that do not are joined."""
    if not pairs:
        return [[0.0, 0.5]]
    overall = sum(right for _, right in pairs) / len(pairs)
    cuts = np.array_split(np.arange(len(pairs)), max(1, min(_STEPS, len(pairs) // _FEWEST)))
    steps = [[pairs[cut[0]][0], sum(pairs[i][1] for i in cut), len(cut)] for cut in cuts]
    at = 1
    while at < len(steps):
        before, here = steps[at - 1], steps[at]
        falls = here[1] / here[2] < before[1] / before[2]
        if here[0] == before[0] or falls == rising:
            steps[at - 1 : at + 1] = [[before[0], before[1] + here[1], before[2] + here[2]]]
            at = max(1, at - 1)
        else:
            at += 1
    return [[round(at, 2), round((right + _PRIOR * overall) / (n + _PRIOR), 2)] for at, right, n in steps]
