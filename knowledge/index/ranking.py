"""One query answered: candidates by words and by meaning, each compared both ways, best first."""

import logging
from typing import Literal, NamedTuple

from interviewer.grading.protocol import Passage
from interviewer.language import detect
from knowledge.index import hybrid
from knowledge.index.catalog import Catalog
from knowledge.index.dense import DenseSearch, Filter
from knowledge.index.passages import Record
from knowledge.index.vectors import StoreError

logger = logging.getLogger(__name__)

CANDIDATES = 30  # questions found by one side that are compared by the other too
ECHOED = 20  # the best of them, or as many as are wanted, are compared term by term as well

Side = Literal["hybrid", "lexical", "dense"]


class Hit(NamedTuple):
    """A question found; `score` 0..1, comparable within one result only."""

    question_id: str
    set: str
    score: float


class Ranker:
    """Ranks the catalog's questions and passages.

    Args:
        dense: Search by meaning; None while there is none, and words carry everything.
    """

    def __init__(self, catalog: Catalog, dense: DenseSearch | None) -> None:
        self._catalog = catalog
        self._dense = dense

    def questions(self, query: str, limit: int, wanted: Filter, side: Side) -> tuple[Hit, ...]:
        """At most `limit` questions, best first; none that neither side finds anything in."""
        scores = self._scores(query, limit, wanted, side)
        found = ((i, self._catalog.set_of(i), score) for i, score in scores.items())
        hits = [Hit(i, name, score) for i, name, score in found if name is not None and score > 0]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.question_id))[:limit])

    def passages(self, query: str, limit: int, wanted: Filter) -> tuple[Passage, ...]:
        """At most `limit` passages of references, best first."""
        candidates = self._records(self._lexical(query, wanted))
        closeness = self._closeness(query, limit, wanted, candidates)
        passages = [r for r in dict.fromkeys((*closeness, *candidates)) if r.kind == "passage"]
        shares = self._catalog.lexical.overlap(query, [record.text for record in passages])
        scores = hybrid.fuse(
            {record.id: closeness[record] for record in passages if record in closeness},
            {record.id: share for record, share in zip(passages, shares, strict=True)},
            detect(query),
        )
        ranked = sorted(passages, key=lambda record: (-scores[record.id], record.id))[:limit]
        return tuple(_passage(record, scores[record.id]) for record in ranked if scores[record.id] > 0)

    def _scores(self, query: str, limit: int, wanted: Filter, side: Side) -> dict[str, float]:
        lexical = self._lexical(query, wanted) if side != "dense" else {}
        if side == "lexical":
            return lexical
        matches: dict[str, list[hybrid.Match]] = {}
        for record, close in self._closeness(query, limit, wanted, self._records(lexical)).items():
            matches.setdefault(record.question_id, []).append(hybrid.Match(record.kind, close))
        dense = {question_id: hybrid.join_matches(found) for question_id, found in matches.items()}
        if not dense or self._dense is None:
            return lexical
        language = detect(query)
        scores = hybrid.fuse(dense, lexical, language)
        best = sorted(scores, key=lambda i: (-scores[i], i))[: max(limit, ECHOED)]
        echoes = self._dense.echoes(query, best, self._catalog)
        if not echoes:
            return scores
        foreign = {i for i in best if all(record.language != language for record in self._catalog.records_of(i))}
        near, words = ({i: found[i] for i in best if i in found} for found in (dense, lexical))
        return hybrid.fuse_echoes(near, words, language, echoes, foreign)

    def _lexical(self, query: str, wanted: Filter) -> dict[str, float]:
        found = self._catalog.lexical.scores(query)
        sets = ((i, self._catalog.set_of(i)) for i in found)
        return {i: found[i] for i, name in sets if name is not None and wanted.allows(i, name)}

    def _records(self, lexical: dict[str, float]) -> list[Record]:
        """All texts of the questions that words find best."""
        best = sorted(lexical, key=lambda i: (-lexical[i], i))[:CANDIDATES]
        return [record for question_id in best for record in self._catalog.records_of(question_id)]

    def _closeness(self, query: str, limit: int, wanted: Filter, candidates: list[Record]) -> dict[Record, float]:
        """Closeness of the nearest records, and of every record of a question that either side found."""
        dense = self._dense
        try:
            vector = dense.vector(query) if dense else None
            if dense is None or vector is None:
                return {}
            found = dense.near(vector, limit, wanted, self._catalog)
            ids = list(dict.fromkeys(record.question_id for record in found))[: max(limit, CANDIDATES)]
            rest = {record for i in ids for record in self._catalog.records_of(i)}.union(candidates) - found.keys()
            return found | dense.compare(vector, rest, wanted, self._catalog)
        except StoreError as error:
            logger.warning("Words alone are searched: %s", error)
            return {}


def _passage(record: Record, score: float) -> Passage:
    return Passage(
        question_id=record.question_id, set=record.set, text=record.text, language=record.language, score=score
    )
