"""Whether weak spots that state one idea are found: precision and recall of the threshold, on pairs read one by one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from interviewer.errors import BankError
from interviewer.memory.weakspots import ALIKE, pair_closeness
from interviewer.models import Frozen, Point, Question
from knowledge.index.embedding import Embedder

PAIRS = Path(__file__).parents[1] / "data" / "retrieval" / "points.yaml"
LEVELS = (0.60, 0.65, 0.70, 0.75, 0.80)

Flags = NDArray[np.bool_]


class PointPair(NamedTuple):
    """Two points of different questions, and whether they state the same idea; the threshold was chosen on dev."""

    first: Point
    second: Point
    same: bool
    split: Literal["dev", "test"]


class MergeFigures(Frozen):
    """What joining at a closeness would do to the pairs.

    Attributes:
        split: Which pairs.
        alike: The closeness.
        precision: Share of the joined pairs that state the same idea; 1 where none is joined.
        recall: Share of the pairs that state the same idea that are joined.
    """

    split: Literal["dev", "test"]
    pairs: int
    alike: float
    precision: float
    recall: float


class ModelVectors:
    """An embedding model as weak-spot merging wants it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def closeness(self, texts: Sequence[str]) -> list[list[float]]:
        rows = self._embedder.encode(list(texts))
        found: list[list[float]] = (rows @ rows.T).tolist()
        return found


def load_pairs(questions: Sequence[Question], path: Path = PAIRS) -> tuple[PointPair, ...]:
    """The labelled pairs.

    Raises:
        BankError: if one names a point that is not there.
    """
    points = {f"{question.id}/{point.id}": point for question in questions for point in question.points}
    labelled: Mapping[str, Sequence[Sequence[str]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    unknown = sorted({name for pairs in labelled.values() for pair in pairs for name in pair} - points.keys())
    if unknown:
        raise BankError(f"{path.name} names {', '.join(unknown)}, which are no points of the shipped questions.")
    return tuple(
        PointPair(points[first], points[second], label == "same", "test" if place % 2 else "dev")
        for label, pairs in labelled.items()
        for place, (first, second) in enumerate(pairs)
    )


def measure_merging(
    pairs: Sequence[PointPair], embedder: Embedder, levels: Sequence[float] = (*LEVELS, ALIKE)
) -> tuple[MergeFigures, ...]:
    """Precision and recall at each closeness, for each split."""
    vectors = ModelVectors(embedder)
    near = np.array([pair_closeness((pair.first, pair.second), vectors)[0][1] for pair in pairs])
    same = np.array([pair.same for pair in pairs])
    splits = np.array([pair.split for pair in pairs])
    found: list[MergeFigures] = []
    for split in dict.fromkeys(pair.split for pair in pairs):
        own = splits == split
        found += [_figures(split, near[own] >= alike, same[own], alike) for alike in sorted(set(levels))]
    return tuple(found)


def _figures(split: Literal["dev", "test"], joined: Flags, same: Flags, alike: float) -> MergeFigures:
    return MergeFigures(
        split=split,
        pairs=len(same),
        alike=alike,
        precision=round(float(same[joined].mean()), 3) if joined.any() else 1.0,
        recall=round(float(joined[same].mean()), 3),
    )
