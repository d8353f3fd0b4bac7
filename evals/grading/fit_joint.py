"""Fits how what the cross-encoder reads is joined with everything else that is known of a point.

On the development split, of whose questions neither the cross-encoder nor the trees have seen an answer, and on the
questions outside the bank that are there for it, whose writers they have not met either.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.answers import LABELS
from evals.grading.data import Graded
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.protocol import GradingContext
from interviewer.grading.reading import CrossEncoder
from interviewer.grading.scoring import logit
from interviewer.models import Verdict

Array = NDArray[np.float64]

FEW = (0.8, 0.3, 0.0)
"""Weights of the credit so far, of what is read, and a bias, where one or two points were found in a reference. Chosen,
not fitted: people who grade short answers by a short reference ask more for its words than our writers do."""
LEAST, LEAST_OF_FEW = -1.0, -30.0
"""How little the credit so far can say, as logits, usually and of few points. Chosen on the development split among -2,
-1 and 0: with none, right answers told in pictures were held down by the words they lack."""
_L2 = 1e-3
_RIGHT = 0.85
_FEWEST = 30
_LEAST = tuple(round(each, 2) for each in np.arange(0.4, 0.95, 0.05))
_NEVER_LESS = 0.95
_ACCUSED = 0.05
"""Of honest answers, those in which a point may be called contradicted."""


class Table(NamedTuple):
    """What is known of m points.

    Attributes:
        before: (m, 2) credit and suspicion before, as logits; `read` (m, 2) what the cross-encoder says of both.
        label: (m,) 0..1, and `wrong` (m,) 1 where the answer contradicts the point.
        answer: (m,) the place of its answer among those that were tabulated.
        answers: How many were, those without an open point among them.
    """

    before: Array
    read: Array
    label: Array
    wrong: Array
    answer: NDArray[np.int64]
    answers: int


class Remembering:
    """A cross-encoder that reads the open points of an answer once, however often they are asked for.

    Args:
        cross: Does the reading, which is nearly all of the time that fitting takes.
    """

    def __init__(self, cross: CrossEncoder) -> None:
        self._cross = cross
        self._read: dict[tuple[tuple[str, str], ...], NDArray[np.float32]] = {}

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """By all the pairs, not one by one: what is read of a pair depends a little on its company."""
        asked = tuple((point, said) for point, said in pairs)
        if asked not in self._read:
            self._read[asked] = np.asarray(self._cross.predict(pairs), np.float32)
        return self._read[asked]


def tabulate(rows: Sequence[Graded], grader: BuiltinGrader, cross: CrossEncoder) -> Table:
    """Every point that is open to what is read of it; the points of an answer are read together, as for a grade."""
    read = [np.zeros((0, 2))]
    before, label, wrong, answer = [], [], [], []
    for place, row in enumerate(rows):
        context = GradingContext(language=row.language, asked=(row.question.asked_in(row.language),))
        known = zip(row.label, grader.examine(row.question, row.answer, context), strict=True)
        still_open = [(letter, each) for letter, each in known if each.open]
        for letter, each in still_open:
            before.append((logit(each.credit), logit(each.suspicion)))
            label.append(max(0.0, LABELS[letter].credit))
            wrong.append(float(LABELS[letter] == Verdict.CONTRADICTED))
            answer.append(place)
        if still_open:
            read.append(np.asarray(cross.predict([each.pair for _, each in still_open]), np.float64))
    said = np.concatenate(read)
    return Table(np.array(before), said, np.array(label), np.array(wrong), np.array(answer), len(rows))


def fit_usual(*tables: Table, honest: Table) -> dict[str, Any]:
    """A `Reading` as plain data, from labelled points; every table counts alike, however many points it has.

    Args:
        honest: Answers that contradict no point, though they tell what would: hardly any of them may be accused.
    """
    before, read, label, wrong = (
        np.concatenate([getattr(table, name) for table in tables]) for name in ("before", "read", "label", "wrong")
    )
    counts = [len(table.label) for table in tables]
    weight = np.repeat([1 / (len(counts) * count) for count in counts], counts)
    ones = np.ones(len(label))
    own = np.maximum(before[:, 0], LEAST)
    credit = _logistic(np.column_stack([own, read[:, 0], ones]), label, weight)
    suspicion = _logistic(_suspecting(before, read), wrong, weight)
    chance, of_honest = (
        _sigmoid(_suspecting(*each) @ np.array(suspicion)) for each in ((before, read), (honest.before, honest.read))
    )
    surely = max(_surely(chance, wrong, weight), _accusing_few(of_honest, honest))
    return {"credit": credit, "wrong": suspicion, "surely": surely, "least": LEAST}


def _suspecting(before: Array, read: Array) -> Array:
    return np.column_stack([before[:, 1], read[:, 1], read[:, 0], np.ones(len(read))])


def for_few(usual: dict[str, Any]) -> dict[str, Any]:
    """The same where few points were found: the suspicion is weighed as it is `usual`, the credit as was chosen."""
    return {**usual, "credit": [*FEW], "least": LEAST_OF_FEW}


def _logistic(columns: Array, target: Array, weight: Array) -> list[float]:
    """Weights by which the columns make chances that agree best with soft targets."""
    from scipy.optimize import minimize

    def loss(theta: Array) -> tuple[float, Array]:
        chance = _sigmoid(columns @ theta)
        safe = np.clip(chance, 1e-9, 1 - 1e-9)
        entropy = -(weight * (target * np.log(safe) + (1 - target) * np.log(1 - safe))).sum()
        slope = columns.T @ (weight * (chance - target))
        return float(entropy + _L2 * (theta**2).sum()), slope + 2 * _L2 * theta

    theta = minimize(loss, np.zeros(columns.shape[1]), jac=True, method="L-BFGS-B").x
    return [round(float(weight), 3) for weight in theta]


def _surely(chance: Array, wrong: Array, weight: Array) -> float:
    """The lowest chance from which on points called contradicted are so often enough."""
    for least in _LEAST:
        called = chance >= least
        if called.sum() >= _FEWEST and np.average(wrong[called], weights=weight[called]) >= _RIGHT:
            return float(least)
    return _NEVER_LESS


def _accusing_few(chance: Array, honest: Table) -> float:
    """The lowest chance from which on hardly an honest answer is accused."""
    for least in _LEAST:
        if len(np.unique(honest.answer[chance >= least])) <= _ACCUSED * honest.answers:
            return float(least)
    return _NEVER_LESS


def _sigmoid(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
