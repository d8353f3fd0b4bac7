"""How far a question echoes a query term by term: the nearest in meaning to each term of the query, wherever it stands.

A text's one vector blurs what is said in passing. A query is often about just that, in words of its own, so beside the
vectors of texts those of terms are compared: each term of the query with the nearest term of the question, and with
the nearest of what the question asks, which says what it is about. Only a model that has a vector for each term, as
the built-in encoder has, can do it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knowledge.index.passages import Record

MAX_KEPT = 10_000  # questions whose terms are remembered: a few kilobytes each
COMPLETE = 0.995  # echo from which on a question says every term of the query, rounding aside

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


class Echo(NamedTuple):
    """How far a question echoes a query.

    Attributes:
        whole: 0..1: the mean over the query's terms of the cosine to the nearest of all the question's.
        asked: 0..1: the same, where the question is only what it asks.
    """

    whole: float
    asked: float

    @property
    def complete(self) -> bool:
        """Whether the question says every term of the query."""
        return self.whole >= COMPLETE


class _Read(NamedTuple):
    """The distinct terms of a question's records, and of what it asks."""

    records: tuple[str, ...]
    rows: Rows
    asked: Rows


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

    def compare(self, query: str, records: Mapping[str, Sequence[Record]]) -> dict[str, Echo]:
        """The echo of each question that has a known term; none where the query has none.

        A term counts as often as the root of its count and the square of its vector's length say.

        Args:
            query: In either language.
            records: The texts of each question, by its id.
        """
        asked = self._encoder.read_terms(query)
        read = {name: self._terms(name, own) for name, own in records.items()}
        read = {name: own for name, own in read.items() if len(own.rows)}
        if not len(asked.rows) or not read:
            return {}
        vectors = self._encoder.term_vectors(asked.rows)
        lengths = np.linalg.norm(vectors, axis=1)
        weights = np.sqrt(asked.counts) * lengths**2
        said = [own.rows for own in read.values()]
        said += [own.asked if len(own.asked) else own.rows for own in read.values()]
        means = (weights / weights.sum()) @ _nearest(vectors / lengths[:, None], self._encoder, said)
        pairs = np.maximum(means, 0).reshape(2, len(read)).T.tolist()
        return {name: Echo(*pair) for name, pair in zip(read, pairs, strict=True)}

    def _terms(self, question_id: str, records: Sequence[Record]) -> _Read:
        """The distinct terms of a question; the whole holds those of its passages."""
        ids = tuple(record.id for record in records)
        read = self._read.get(question_id)
        if read is None or read.records != ids:
            if len(self._read) >= MAX_KEPT:
                self._read.clear()
            rows = self._rows(record.text for record in records if record.kind != "passage")
            asked = self._rows(record.text for record in records if record.kind == "question")
            read = self._read[question_id] = _Read(ids, rows, asked)
        return read

    def _rows(self, texts: Iterable[str]) -> Rows:
        """The distinct terms of all the texts."""
        parts = [self._encoder.read_terms(text).rows for text in texts]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int32)


def _nearest(asked: Array, encoder: TermEncoder, said: Sequence[Rows]) -> Array:
    """(terms asked, texts): the cosine of each unit vector to the nearest term of each text."""
    all_rows, places = np.unique(np.concatenate(said), return_inverse=True)
    vectors = encoder.term_vectors(all_rows)
    lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
    cosines = (asked @ vectors.T / np.maximum(lengths, 1e-9))[:, places]
    starts = np.cumsum([0, *(len(rows) for rows in said[:-1])])
    nearest: Array = np.maximum.reduceat(cosines, starts, axis=1)
    return nearest
