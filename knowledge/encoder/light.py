"""The built-in encoder without torch: the same vectors by numpy alone, ready in a fraction of a second."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowledge.encoder import weights_path
from knowledge.encoder.features import list_runs, run_features

Array = NDArray[np.float32]

RUNS_KEPT, LONGEST_KEPT = 20_000, 60
"""Runs whose rows are remembered, and characters of the longest of them."""


class _Table(NamedTuple):
    rows: dict[str, int]
    vectors: NDArray[np.int8]
    scales: Array


class LightEncoder:
    """Encodes texts with the shipped weights; nothing is read before the first text.

    Args:
        folder: Where the weights are; the shipped ones by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or weights_path()
        self._rows_again = lru_cache(maxsize=RUNS_KEPT)(self._rows)

    def encode(self, texts: Sequence[str]) -> Array:
        """float32 (len(texts), dimensions), rows of length 1; a text without any known feature is the zero vector."""
        return np.array([self._vector(text) for text in texts], np.float32).reshape(len(texts), self._dimensions)

    @cached_property
    def _table(self) -> _Table:
        from safetensors.numpy import load_file

        stored: dict[str, Any] = load_file(self._folder / "vectors.safetensors")
        vocabulary = (self._folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
        return _Table({feature: row for row, feature in enumerate(vocabulary)}, stored["vectors"], stored["scales"])

    @property
    def _dimensions(self) -> int:
        return int(self._table.vectors.shape[1])

    def read_bag(self, text: str) -> tuple[NDArray[np.int32], Array]:
        """The table's rows of the text's distinct features, int32 (n,), and how often each occurs, float32 (n,)."""
        read = (self._rows_again(run) if len(run) <= LONGEST_KEPT else self._rows(run) for run in list_runs(text))
        bag = Counter(chain.from_iterable(read))
        return np.fromiter(bag, np.int32, len(bag)), np.fromiter(bag.values(), np.float32, len(bag))

    def _rows(self, run: str) -> tuple[int, ...]:
        known = self._table.rows
        return tuple(known[feature] for feature in run_features(run) if feature in known)

    def feature_vectors(self, rows: NDArray[np.int32]) -> Array:
        """float32 (n, dimensions): what each feature adds to a text, not normalised."""
        vectors = self._table.vectors[rows].astype(np.float32)
        vectors *= self._table.scales[rows, None]  # in place: copying costs more than multiplying
        return vectors

    def _vector(self, text: str) -> Array:
        rows, counts = self.read_bag(text)
        if not len(rows):
            return np.zeros(self._dimensions, np.float32)
        table = self._table
        summed = (np.sqrt(counts) * table.scales[rows]) @ table.vectors[rows].astype(np.float32)
        return np.asarray(summed / max(float(np.linalg.norm(summed)), 1e-12), np.float32)
