"""How well grades agree with people's, and with labels that are true by construction."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pearson(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """-1..1; 0 where one side never varies."""
    a, b = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def within_question_r(ours: Sequence[float], theirs: Sequence[float], groups: Sequence[str]) -> float:
    """The mean of Pearson's r over questions with at least five answers on which people differ; a question on which
    we do not differ counts as 0."""
    a, b, g = np.asarray(ours, np.float64), np.asarray(theirs, np.float64), np.asarray(groups)
    found = [pearson(a[g == q].tolist(), b[g == q].tolist()) for q in np.unique(g) if _varies(b[g == q])]
    return float(np.mean(found)) if found else 0.0


def _varies(values: Array) -> bool:
    return len(values) >= 5 and float(values.std()) > 0


def rmse(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return float(np.sqrt(np.mean((np.asarray(ours) - np.asarray(theirs)) ** 2)))


def mae(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return float(np.mean(np.abs(np.asarray(ours) - np.asarray(theirs))))


def macro_f1(ours: Sequence[bool], theirs: Sequence[bool]) -> float:
    """The mean of F1 over the two classes."""
    a, b = np.asarray(ours, bool), np.asarray(theirs, bool)
    return (f1(a.tolist(), b.tolist()) + f1((~a).tolist(), (~b).tolist())) / 2


def f1(ours: Sequence[bool], theirs: Sequence[bool]) -> float:
    a, b = np.asarray(ours, bool), np.asarray(theirs, bool)
    both = int((a & b).sum())
    return 2 * both / int(a.sum() + b.sum()) if a.any() or b.any() else 0.0


def order_right(ours: Sequence[float], theirs: Sequence[float], groups: Sequence[str], gap: float = 2.0) -> float:
    """Of all pairs of answers to one question whose true scores differ by at least `gap`: the share put in the right
    order; a tie counts half."""
    a, b, g = np.asarray(ours, np.float64), np.asarray(theirs, np.float64), np.asarray(groups)
    right = total = 0.0
    for q in np.unique(g):
        x, y = a[g == q], b[g == q]
        for i in range(len(x)):
            for j in range(i):
                if abs(y[i] - y[j]) >= gap:
                    total += 1
                    sign = (x[i] - x[j]) * (y[i] - y[j])
                    right += 1.0 if sign > 0 else 0.5 if sign == 0 else 0.0
    return right / total if total else 0.0


class Bin(NamedTuple):
    """Verdicts of about one confidence: how many, how sure they were on average, how often they were right."""

    verdicts: int
    confidence: float
    right: float


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int = 5) -> list[Bin]:
    """Verdicts sorted by confidence, in `bins` groups of about equal size."""
    order = np.argsort(np.asarray(confidences), kind="stable")
    c, r = np.asarray(confidences, np.float64)[order], np.asarray(right, np.float64)[order]
    parts = [part for part in np.array_split(np.arange(len(c)), bins) if len(part)]
    return [Bin(len(part), round(float(c[part].mean()), 3), round(float(r[part].mean()), 3)) for part in parts]


def percent(share: float) -> str:
    """`share` (0..1) in whole percent; with a decimal where that would call nearly all of it all."""
    return f"{share:.1%}" if 0.995 <= share < 1 else f"{share:.0%}"
