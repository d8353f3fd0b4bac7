"""Fits how what the cross-encoder reads is joined with everything else that is known of a point.

On the development split, of whose questions neither the cross-encoder nor the trees have seen an answer, and on the
questions outside the bank and the notes that are there for it, whose writers they have not met either.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.answers import LABELS
from evals.grading.data import Graded
from evals.grading.outcomes import context_of
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.reading import CrossEncoder
from interviewer.grading.scoring import logit
from interviewer.models import Verdict

Array = NDArray[np.float64]

FEW = (0.6, 0.45, 0.0)
"""Weights of the credit so far, of what is read, and a bias, where one or two points were found in a reference. Chosen,
not fitted: people who grade short answers by a short reference ask more for its words than our writers do."""
LEAST = -1.0
"""How little the credit so far can say, as a logit. Chosen on the development split among -2, -1 and 0: with none,
right answers told in pictures were held down by the words they lack."""
_L2 = 1e-3
_RIGHT = 0.85
_FEWEST = 30
_LEAST = tuple(round(each, 2) for each in np.arange(0.4, 0.95, 0.01))
_NEVER_LESS = 0.95
_ACCUSED = 0.03
"""Of honest answers, those in which a point may be called contradicted."""


class Table(NamedTuple):
    """What is known of m points.

    Attributes:
        before: (m, 2) credit and suspicion before, as logits; `read` (m, 2) what the cross-encoder says of both.
        label: (m,) 0..1, and `wrong` (m,) 1 where the answer contradicts the point.
        share: (m,) of the point in the weight of all of its answer's, and `rest` (m,) what the others that are not open
            earn by theirs, together 0..1.
        answer: (m,) the place of its answer among those that were tabulated.
        answers: How many were, those without an open point among them.
    """

    before: Array
    read: Array
    label: Array
    wrong: Array
    share: Array
    rest: Array
    answer: NDArray[np.int64]
    answers: int


class Remembering:
    """A cross-encoder that reads a pair once, however often it is asked for.

    Args:
        cross: Does the reading, which is nearly all of the time that fitting takes.
    """

    def __init__(self, cross: CrossEncoder) -> None:
        self._cross = cross
        self._read: dict[tuple[str, str], NDArray[np.float32]] = {}

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As the cross-encoder does; what is read of a pair is the same whatever is read with it."""
        asked = [(point, said) for point, said in pairs]
        new = list(dict.fromkeys(pair for pair in asked if pair not in self._read))
        if new:
            self._read.update(zip(new, np.asarray(self._cross.predict(new), np.float32), strict=True))
        return np.array([self._read[pair] for pair in asked], np.float32).reshape(-1, 2)


def tabulate(rows: Sequence[Graded], grader: BuiltinGrader, cross: CrossEncoder) -> Table:
    """Every point that is open to what is read of it; the points of an answer are read together, as for a grade."""
    read = [np.zeros((0, 2))]
    before, label, wrong, share, rest, answer = [], [], [], [], [], []
    for place, row in enumerate(rows):
        examined = grader.examine(row.question, row.answer, context_of(row))
        still_open = [(letter, each) for letter, each in zip(row.label, examined, strict=True) if each.open]
        total = sum(each.weight for each in examined)
        closed = sum(each.weight * each.credit for each in examined if not each.open) / total
        for letter, each in still_open:
            before.append((logit(each.credit), logit(each.suspicion)))
            label.append(max(0.0, LABELS[letter].credit))
            wrong.append(float(LABELS[letter] == Verdict.CONTRADICTED))
            answer.append(place)
            share.append(each.weight / total)
            rest.append(closed)
        if still_open:
            read.append(np.asarray(cross.predict([each.pair for _, each in still_open]), np.float64))
    return Table(
        before=np.array(before),
        read=np.concatenate(read),
        label=np.array(label),
        wrong=np.array(wrong),
        share=np.array(share),
        rest=np.array(rest),
        answer=np.array(answer),
        answers=len(rows),
    )


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
    credit = _logistic(_crediting(before, read), label, weight)
    suspects = np.concatenate([_suspecting(table, credit) for table in tables])
    suspicion = _logistic(suspects, wrong, weight)
    chance, of_honest = (_sigmoid(each @ np.array(suspicion)) for each in (suspects, _suspecting(honest, credit)))
    surely = max(_surely(chance, wrong, weight), _accusing_few(of_honest, honest))
    return {"credit": credit, "wrong": suspicion, "surely": surely, "least": LEAST}


def _crediting(before: Array, read: Array) -> Array:
    return np.column_stack([np.maximum(before[:, 0], LEAST), read[:, 0], np.ones(len(read))])


def _suspecting(table: Table, credit: Sequence[float]) -> Array:
    """What makes a point suspicious; what its answer earns follows from the weights of the `credit`."""
    chance = _sigmoid(_crediting(table.before, table.read) @ np.array(credit))
    earned = table.rest + np.bincount(table.answer, table.share * chance, table.answers)[table.answer]
    return np.column_stack([table.before[:, 1], table.read[:, ::-1], earned, np.ones(len(earned))])


def for_few(usual: dict[str, Any]) -> dict[str, Any]:
    """The same where few points were found: the suspicion is weighed as it is `usual`, the credit as was chosen."""
    return {**usual, "credit": [*FEW]}


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
