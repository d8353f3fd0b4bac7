"""BM25 over whole questions, held in memory and made from the stored questions at load."""

import logging
import math
import sys
import threading
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interviewer.models import Language, Question
from knowledge.index.tokens import list_query_terms, list_terms

ASKED_WEIGHT = 2  # times a term of what is asked counts, against once for the reference
K1 = 1.2
B = 0.75
MOST_READ = 20_000
"""Passages whose terms are kept."""


class _Document(NamedTuple):
    question_id: str
    language: Language
    terms: NDArray[np.int32]


class _Ranking(NamedTuple):
    """BM25 over one state of the documents."""

    owners: tuple[str, ...]
    scores: Any  # bm25s.BM25
    idf: NDArray[np.float32]

    @property
    def rarest(self) -> float:
        """The idf of a term that no document has."""
        return math.log(1 + (len(self.owners) + 0.5) / 0.5)

    def weight(self, term: int | None) -> float:
        """The idf of a term of the documents; 0 where none of them has it."""
        return float(self.idf[term]) if term is not None and term < len(self.idf) else 0.0


class _Weighed(NamedTuple):
    """A query's known terms with their idf, and the information of all its terms, unknown ones included."""

    ranking: _Ranking
    known: dict[str, float]
    total: float


class LexicalIndex:
    """Finds questions by their words. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._vocabulary: dict[str, int] = {}
        self._unread: dict[str, Question] = {}
        self._documents: dict[str, tuple[_Document, ...]] = {}
        self._ranking: _Ranking | None = None
        self._stale = False
        self._ranks = threading.Lock()

    def put(self, questions: Iterable[Question]) -> None:
        """Adds questions, or replaces those with the same id; quick, they are read by `refresh` or the next search."""
        with self._lock:
            for question in questions:
                self._unread[question.id] = question
                self._documents.setdefault(question.id, ())
                self._stale = True

    def remove(self, ids: Iterable[str]) -> None:
        with self._lock:
            for question_id in ids:
                self._unread.pop(question_id, None)
                self._stale = self._documents.pop(question_id, None) is not None or self._stale

    def refresh(self) -> None:
        """Ranks anew after a change, so that the next search need not; meanwhile searches use what there was."""
        with self._ranks:
            if self._stale or self._ranking is None:
                self._rank()

    def scores(self, query: str) -> Mapping[str, float]:
        """0..1 for each question that has a term of the query: the share of the query's information it holds.

        A term that no question has counts as the rarest: an English query on Chinese text holds little that words
        can find, and its share is small even for the best. A question scores as its better language does.
        """
        ranking, weights, total = self._weigh(query)
        if not weights:
            return {}
        found = ranking.scores.get_scores_from_ids([self._vocabulary[term] for term in weights]) / total
        best: dict[str, float] = {}
        for row in np.flatnonzero(found > 0):
            owner = ranking.owners[row]
            best[owner] = max(best.get(owner, 0.0), float(found[row]))
        return best

    def overlap(self, query: str, texts: Iterable[str]) -> list[float]:
        """0..1 for each text: the share of the query's information that its terms hold."""
        _, weights, total = self._weigh(query)
        if not weights:
            return [0.0 for _ in texts]
        return [sum(weights.get(term, 0.0) for term in _terms_once(text)) / total for text in texts]

    def _weigh(self, query: str) -> _Weighed:
        ranking = self._current()
        with self._lock:
            terms = list_query_terms(query, self._vocabulary)
            weights = {term: ranking.weight(self._vocabulary.get(term)) for term in terms}
        known = {term: weight for term, weight in weights.items() if weight > 0}
        return _Weighed(ranking, known, sum(known.values()) + (len(weights) - len(known)) * ranking.rarest)

    def _read_all(self) -> None:
        """Reads what was put, question by question, so that others can be put and removed meanwhile."""
        with self._lock:
            unread = list(self._unread.values())
        for question in unread:
            documents = tuple(self._read(question, language) for language in question.languages)
            with self._lock:
                if self._unread.get(question.id) is question:
                    del self._unread[question.id]
                    self._documents[question.id] = documents

    def _read(self, question: Question, language: Language) -> _Document:
        asked = list_terms(question.question[language]) * ASKED_WEIGHT
        said = [question.reference.get(language, ""), *question.tags]
        for point in question.points:
            said += [*point.aliases.get(language, ()), point.probe.get(language, "")]
        terms = asked + list_terms("\n".join(said))
        with self._lock:
            numbers = [self._vocabulary.setdefault(term, len(self._vocabulary)) for term in terms]
        return _Document(question.id, language, np.array(numbers, dtype=np.int32))

    def _current(self) -> _Ranking:
        """The newest ranking; the last one while another thread makes the next."""
        ranking = self._ranking
        if ranking is not None and (not self._stale or self._ranks.locked()):
            return ranking
        self.refresh()
        return self._ranking or self._rank()

    def _rank(self) -> _Ranking:
        self._read_all()
        with self._lock:
            self._stale = bool(self._unread)
            documents = [document for group in self._documents.values() for document in group if len(document.terms)]
            vocabulary = len(self._vocabulary)
        self._ranking = ranking = _rank_documents(documents, vocabulary)
        return ranking


@lru_cache(maxsize=MOST_READ)
def _terms_once(text: str) -> tuple[str, ...]:
    """The terms of a text, each once. The same passages are compared with answer after answer: reading them anew each
    time took longer than everything else about an answer."""
    return tuple(map(sys.intern, dict.fromkeys(list_terms(text))))


def _rank_documents(documents: list[_Document], vocabulary: int) -> _Ranking:
    if not documents:
        return _Ranking((), None, np.zeros(0, dtype=np.float32))
    from bm25s import BM25

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG when imported
    scores = BM25(method="lucene", k1=K1, b=B)
    numbers = [document.terms.tolist() for document in documents]
    scores.index((numbers, {str(i): i for i in range(vocabulary)}), create_empty_token=False, show_progress=False)
    frequency = np.diff(scores.scores["indptr"])
    idf = np.where(frequency > 0, np.log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5)), 0.0)
    return _Ranking(tuple(document.question_id for document in documents), scores, idf.astype(np.float32))
