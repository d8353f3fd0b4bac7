"""The measurement of weak-spot merging: its figures by hand, and the labelled pairs."""

from pathlib import Path

import numpy as np
import pytest

from evals.retrieval.weakspots import PointPair, load_pairs, measure_merging
from interviewer.errors import BankError
from interviewer.memory.weakspots import ALIKE
from interviewer.models import Point
from knowledge.bank import load_bank
from knowledge.index import load_embedder


class Plane:
    """A text is an angle in degrees."""

    name, version, dimensions, reads_chinese = "plane", "1", 2, True

    def encode(self, texts: list[str], *, query: bool = False) -> np.ndarray:
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def pair(degrees: float, *, same: bool) -> PointPair:
    first, second = (Point(id="p", weight=1, text={"zh": str(d)}) for d in (0, degrees))
    return PointPair(first, second, same, "dev")


def test_precision_and_recall_by_hand() -> None:
    pairs = [pair(0, same=True), pair(50, same=True), pair(30, same=False), pair(80, same=False)]
    (dev,) = measure_merging(pairs, Plane(), [0.8])  # cos 30° = .87
    assert (dev.pairs, dev.precision, dev.recall) == (4, 0.5, 0.5)
    (strict,) = measure_merging(pairs, Plane(), [0.99])
    assert (strict.precision, strict.recall) == (1, 0.5)


def test_labelled_pairs_are_of_different_questions_and_none_is_there_twice() -> None:
    pairs = load_pairs(load_bank())
    assert sum(p.same for p in pairs) >= 45
    assert sum(not p.same for p in pairs) >= 60
    assert len({frozenset((id(p.first), id(p.second))) for p in pairs}) == len(pairs)


def test_joined_weak_spots_mostly_state_one_idea() -> None:
    """The built-in encoder at the threshold that is used: a floor below what was measured."""
    embedder = load_embedder("")
    assert embedder is not None
    for figures in measure_merging(load_pairs(load_bank()), embedder, [ALIKE]):
        assert figures.precision >= 0.7


def test_a_pair_of_unknown_points_is_named(tmp_path: Path) -> None:
    path = tmp_path / "points.yaml"
    path.write_text("same: [[nowhere/a, nowhere/b]]", encoding="utf-8")
    with pytest.raises(BankError, match="nowhere/a"):
        load_pairs(load_bank(), path)
