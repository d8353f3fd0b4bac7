"""How far a question echoes a query term by term: the nearest in meaning to each term of the query, wherever it stands.

A text's one vector blurs what is said in passing. A query is often about just that, in words of its own, so beside the
vectors of texts those of terms are compared: each term of the query with the nearest term of the question. Only a
model that has a vector for each term, as the built-in encoder has, can do it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knowledge.index.passages import Record

MAX_KEPT = 10_000  # questions whose terms are remembered: a few kilobytes each

Array = NDArray[np.float32]
Rows = NDArray[np.int32]


class Terms(NamedTuple):
    """The distinct terms of a text that a model knows.

    Attributes:
        rows: int32, (n,): their numbers.
        counts: float32, (n,): how often each occurs.
    """

    rows: Rows
    counts: Array


class _Read(NamedTuple):
    """The distinct terms of a question's records."""

    records: tuple[str, ...]
    rows: Rows


@runtime_checkable
class TermEncoder(Protocol):
    """A model that has a vector for each term."""

    def read_terms(self, text: str) -> Terms:
        """The terms of a text."""
        ...

    def term_vectors(self, rows: Rows) -> Array:
        """(n, d): their vectors; the longer one is, the more the term decides what a text means."""
        ...


class Echoes:
    """Compares queries with questions term by term, and remembers the terms of questions.

    Args:
        encoder: The model.
    """

    def __init__(self, encoder: TermEncoder) -> None:
        self._encoder = encoder
        self._read: dict[str, _Read] = {}

    def shares(self, query: str, records: Mapping[str, Sequence[Record]]) -> dict[str, float]:
        """0..1 for each question: the mean over the query's terms of the cosine to the nearest of the question's.

        A term counts as often as the root of its count and the square of its vector's length say.

        Args:
            query: In either language. One without a known term echoes nowhere.
            records: The texts of each question, by its id.
        """
        asked = self._encoder.read_terms(query)
        said = {name: self._rows(name, own) for name, own in records.items()}
        said = {name: rows for name, rows in said.items() if len(rows)}
        if not len(asked.rows) or not said:
            return {}
        vectors = self._encoder.term_vectors(asked.rows)
        lengths = np.linalg.norm(vectors, axis=1)
        weights = np.sqrt(asked.counts) * lengths**2
        nearest = _nearest(vectors / lengths[:, None], self._encoder, list(said.values()))
        means = (weights / weights.sum()) @ nearest
        return {name: max(0.0, float(mean)) for name, mean in zip(said, means, strict=True)}

    def _rows(self, question_id: str, records: Sequence[Record]) -> Rows:
        """The distinct terms of a question; the whole holds those of its passages."""
        ids = tuple(record.id for record in records)
        read = self._read.get(question_id)
        if read is None or read.records != ids:
            if len(self._read) >= MAX_KEPT:
                self._read.clear()
            parts = [self._encoder.read_terms(record.text).rows for record in records if record.kind != "passage"]
            rows = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int32)
            read = self._read[question_id] = _Read(ids, rows)
        return read.rows


def _nearest(asked: Array, encoder: TermEncoder, said: Sequence[Rows]) -> Array:
    """(terms asked, texts): the cosine of each unit vector to the nearest term of each text."""
    all_rows, places = np.unique(np.concatenate(said), return_inverse=True)
    vectors = encoder.term_vectors(all_rows)
    lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
    cosines = (asked @ vectors.T / np.maximum(lengths, 1e-9))[:, places]
    starts = np.cumsum([0, *(len(rows) for rows in said[:-1])])
    nearest: Array = np.maximum.reduceat(cosines, starts, axis=1)
    return nearest
