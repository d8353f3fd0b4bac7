"""Fits what tells a wrong statement from a right one, and how often each verdict is right; as plain data."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.grading.fit import Growth, Table, boost
from interviewer.grading.builtin import Judgement
from interviewer.grading.scoring import ALONE, Forest, logit, read_forest
from interviewer.grading.suspicion import PAIR_FEATURES
from interviewer.models import Verdict

Array = NDArray[np.float64]

_GROWTH = Growth(trees=240, depth=6, leaf=40, tried=0.2, rate=0.04)
_SECOND = 0.5
"""Weight of the second and third nearest sentence of a point that the answer does not contradict."""
_FOLDS = 5


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
    for each, own in zip(pairs, logits.tolist(), strict=True):
        highest[each.answer] = sorted([*highest.get(each.answer, []), own])[-2:]
    rows = []
    for each, own in zip(pairs, logits.tolist(), strict=True):
        best = highest[each.answer]
        rows.append((own, ALONE if len(best) == 1 else best[0] if own == best[1] else best[1]))
    model = LogisticRegression(C=10.0).fit(np.array(rows), [each.wrong for each in pairs])
    mine, others = (round(float(weight), 4) for weight in model.coef_[0])
    return {"own": mine, "others": others, "bias": round(float(model.intercept_[0]), 4)}


def fit_chances(judged: Sequence[tuple[Judgement, bool]]) -> dict[str, list[float]]:
    """How likely each verdict is right, by the credit and the suspicion that it rests on, as plain data.

    Args:
        judged: Verdicts, and whether the labels say the same.
    """
    return {
        verdict.value: _chance(verdict, [pair for pair in judged if pair[0].verdict == verdict]) for verdict in Verdict
    }


def _chance(verdict: Verdict, judged: Sequence[tuple[Judgement, bool]]) -> list[float]:
    """Weights of a `Chance`. Without a right and a wrong verdict to learn from the share of right ones, nearly, is all
    there is to say. A suspicion that would speak for a verdict it contradicts, or against the one it asks for, is
    chance: it has no say then.
    """
    from sklearn.linear_model import LogisticRegression

    right = [each for _, each in judged]
    if len(set(right)) < 2:
        return [0.0, 0.0, round(logit((sum(right) + 1) / (len(right) + 2)), 3)]
    rests_on = np.array([(logit(each.credit), each.suspicion) for each, _ in judged])
    model = LogisticRegression().fit(rests_on, right)
    if (model.coef_[0][1] > 0) != (verdict == Verdict.CONTRADICTED):
        rests_on[:, 1] = 0.0
        model = LogisticRegression().fit(rests_on, right)
    return [round(float(weight), 3) for weight in (*model.coef_[0], model.intercept_[0])]
