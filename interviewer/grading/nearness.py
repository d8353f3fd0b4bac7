"""How near an answer comes to a point, word by word: each word of the point against the nearest word that was said.

Nothing is cut off before the sums, unlike in `evidence`, so that a point told in other words is told apart from one
that is not there. Late interaction, after Khattab and Zaharia, "ColBERT", 2020.
"""

from typing import NamedTuple

import numpy as np

from interviewer.grading.evidence import Collector, Matrix, Reader, Target, Words

NEARNESS = (
    "near",
    "near_evenly",
    "near_new",
    "near_own",
    "near_beyond_asked",
    "near_least",
    "near_most",
    "near_share",
    "near_window",
    "near_window_served",
    "near_relative",
    "own_relative",
)
"""Names of the numbers that `describe_nearness` gives for a point, about -1..1 each: how near its words come on
average, by weight, all alike, and without those of the question; with half of the nearness to other points taken off;
nearer than the question comes; the farthest and the nearest quarter of its words; the share of words that come very
near; the nearest window, and how far that window's words serve the point; the first and the fourth against the mean of
all points and against the first."""

_OTHERS = 0.5
_VERY_NEAR = 0.7
_PART = 4


class _Near(NamedTuple):
    """A point's words against what was said.

    Attributes:
        by_word: (n, m) cosines, 1 where the word itself was said.
        best: (n,) the nearest word said; `weights` and `new` (n,) are the weights, and those without the question's.
    """

    by_word: Matrix
    best: Matrix
    weights: Matrix
    new: Matrix


def describe_nearness(reader: Reader, collector: Collector, asked: str) -> list[tuple[float, ...]]:
    """By `NEARNESS` for each point; without an encoder words are near that are spelt alike.

    Args:
        asked: Everything the interviewer said, as one text.
    """
    points = [
        _compare(target, collector.words, soft)
        for target, (_, soft) in zip(collector.targets, collector.matches, strict=True)
    ]
    question = reader.read(asked)
    near = [_mean(each.best, each.weights) for each in points]
    middle = sum(near) / len(near) if near else 0.0
    found: list[tuple[float, ...]] = []
    for at, each in enumerate(points):
        if not each.by_word.size:
            found.append((0.0,) * len(NEARNESS))
            continue
        own = _mean((each.by_word - _OTHERS * _best_other(points, at)).max(axis=1), each.weights)
        asked_for = _cosines(collector.targets[at].words, question).max(axis=1, initial=0.0)
        ordered = np.sort(each.best)
        part = max(1, len(ordered) // _PART)
        window, served = _nearest_window(each, collector)
        found.append(
            (
                near[at],
                float(each.best.mean()),
                _mean(each.best, each.new),
                own,
                _mean(np.maximum(each.best - asked_for, 0), each.weights),
                float(ordered[:part].mean()),
                float(ordered[-part:].mean()),
                float((each.best > _VERY_NEAR).mean()),
                window,
                served,
                near[at] - middle,
                own - near[at],
            )
        )
    return found


def _compare(target: Target, said: Words, soft: Matrix) -> _Near:
    by_word = _cosines(target.words, said) if said.vectors.size else soft
    weights = target.words.weights
    return _Near(by_word, by_word.max(axis=1, initial=0.0), weights, weights * target.new)


def _cosines(target: Words, said: Words) -> Matrix:
    """(n, m); 1 where the word is the same."""
    if not target.vectors.size or not said.vectors.size:
        return np.array([[float(a == b) for b in said.keys] for a in target.keys], np.float32).reshape(
            len(target.keys), len(said.keys)
        )
    cosines: Matrix = target.vectors @ said.vectors.T
    places = {key: at for at, key in enumerate(said.keys)}
    for row, key in enumerate(target.keys):
        if key in places:
            cosines[row, places[key]] = 1
    return cosines


def _best_other(points: list[_Near], at: int) -> Matrix:
    """(m,) How near each word said comes to a point other than this one."""
    others = [each.by_word.max(axis=0, initial=0.0) for i, each in enumerate(points) if i != at]
    best: Matrix = np.max(others, axis=0) if others else np.zeros(points[at].by_word.shape[1], np.float32)
    return best


def _nearest_window(near: _Near, collector: Collector) -> tuple[float, float]:
    """Of the window that comes nearest: how near, and how far its own words serve the point."""
    found = [(0.0, 0.0)]
    for columns in collector.columns:
        if columns:
            here = near.by_word[:, columns]
            said = collector.words.weights[columns]
            found.append((_mean(here.max(axis=1), near.new), _mean(here.max(axis=0), said)))
    return max(found)


def _mean(values: Matrix, weights: Matrix) -> float:
    return float((values * weights).sum() / weights.sum()) if weights.any() else 0.0
