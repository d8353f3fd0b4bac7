"""Fits how what the cross-encoder reads is joined with everything else that is known of a point.

On the development split, of whose questions neither the cross-encoder nor the trees have seen an answer.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.answers import LABELS
from evals.grading.data import Graded, without_points
from evals.grading.outcomes import true_score
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.protocol import GradingContext
from interviewer.grading.reading import CrossEncoder
from interviewer.grading.scoring import logit
from interviewer.models import Verdict

Array = NDArray[np.float64]

_L2 = 1e-3
_RIGHT = 0.85
_FEWEST = 30


class Table(NamedTuple):
    """What is known of m points of n answers.

    Attributes:
        before: (m, 2) credit and suspicion before, as logits; `read` (m, 2) what the cross-encoder says of both.
        owner: (m,) the answer of each point; `share` (m,) its share in the answer's weight.
        label: (m,) 0..1, and `wrong` (m,) 1 where the answer contradicts the point; where points were found, 0.
        score: (n,) 0..1, the right one.
    """

    before: Array
    read: Array
    owner: NDArray[np.int64]
    share: Array
    label: Array
    wrong: Array
    score: Array


def tabulate(rows: Sequence[Graded], grader: BuiltinGrader, cross: CrossEncoder, *, found: bool) -> Table:
    """Every point that is open to what is read of it.

    Args:
        found: Whether the points are to be found in the reference.
    """
    before, pairs, owner, share, label, wrong = [], [], [], [], [], []
    for number, row in enumerate(rows):
        asked = (row.question.asked_in(row.language),)
        question = without_points(row).question if found else row.question
        examined = grader.examine(question, row.answer, GradingContext(language=row.language, asked=asked))
        total = sum(each.weight for each in examined)
        for at, each in enumerate(examined):
            if not each.open:
                continue
            before.append((logit(each.credit), logit(each.suspicion)))
            pairs.append(each.pair)
            owner.append(number)
            share.append(each.weight / total)
            verdict = None if found else LABELS[row.label[at]]
            label.append(max(0.0, verdict.credit) if verdict else 0.0)
            wrong.append(float(verdict == Verdict.CONTRADICTED))
    read = np.asarray(cross.predict(pairs), np.float64)
    return Table(
        np.array(before),
        read,
        np.array(owner),
        np.array(share),
        np.array(label),
        np.array(wrong),
        np.array([true_score(row) / 10 for row in rows]),
    )


def fit_given(table: Table) -> dict[str, Any]:
    """A `Reading` as plain data, from labelled points."""
    columns = np.column_stack([table.before[:, 0], table.read[:, 0], np.ones(len(table.label))])
    credit = _logistic(columns, table.label)
    columns = np.column_stack([table.before[:, 1], table.read[:, 1], table.read[:, 0], np.ones(len(table.label))])
    wrong = _logistic(columns, table.wrong)
    return {"credit": credit, "wrong": wrong, "surely": _surely(_sigmoid(columns @ np.array(wrong)), table.wrong)}


def fit_found(table: Table, given: dict[str, Any]) -> dict[str, Any]:
    """The same where the points were found: of whole answers alone, so the suspicion is weighed as for `given`."""
    from scipy.optimize import minimize

    columns = np.column_stack([table.before[:, 0], table.read[:, 0], np.ones(len(table.share))])
    answers = np.unique(table.owner)

    def loss(theta: Array) -> float:
        mean = np.bincount(table.owner, table.share * _sigmoid(columns @ theta), len(table.score))[answers]
        mean = np.clip(mean, 1e-3, 1 - 1e-3)
        right = table.score[answers]
        return float(-(right * np.log(mean) + (1 - right) * np.log(1 - mean)).mean() + _L2 * (theta**2).sum())

    theta = minimize(loss, np.array([0.5, 0.5, 0.0]), method="Nelder-Mead", options={"maxiter": 600}).x
    return {**given, "credit": [round(float(weight), 3) for weight in theta]}


def _logistic(columns: Array, target: Array) -> list[float]:
    """Weights by which the columns make chances that agree best with soft targets."""
    from scipy.optimize import minimize

    def loss(theta: Array) -> tuple[float, Array]:
        chance = _sigmoid(columns @ theta)
        safe = np.clip(chance, 1e-9, 1 - 1e-9)
        entropy = -(target * np.log(safe) + (1 - target) * np.log(1 - safe)).mean()
        slope = columns.T @ (chance - target) / len(target)
        return float(entropy + _L2 * (theta**2).sum()), slope + 2 * _L2 * theta

    theta = minimize(loss, np.zeros(columns.shape[1]), jac=True, method="L-BFGS-B").x
    return [round(float(weight), 3) for weight in theta]


def _surely(chance: Array, wrong: Array) -> float:
    """The lowest chance from which on points called contradicted are so often enough."""
    for least in np.arange(0.4, 0.95, 0.05):
        called = chance >= least
        if called.sum() >= _FEWEST and wrong[called].mean() >= _RIGHT:
            return round(float(least), 2)
    return 0.95


def _sigmoid(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
