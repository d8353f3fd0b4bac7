"""Measuring an encoder: how often the question that a query means is found first, or among the first three.

Questions are cut into records, scored and fused as in the product's search; only the vector store is left out, and
every question is compared term by term, not the best alone.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interviewer.language import detect
from interviewer.models import LANGUAGES, Question
from knowledge.encoder.corpus import Query, find_target
from knowledge.index.commonness import Commonness
from knowledge.index.echoes import Echo, Echoes, TermEncoder
from knowledge.index.embedding import Embedder
from knowledge.index.hybrid import Match, fuse, fuse_echoes, join_matches
from knowledge.index.lexical import LexicalIndex
from knowledge.index.passages import list_records

RESAMPLES = 2_000

Found = Mapping[str, float]
"""Scores by question id; a question that is not there was not found."""


class Figure(NamedTuple):
    """Of a hundred queries of one group, with 95% intervals from resampled questions.

    Attributes:
        group: language/kind of the queries.
        queries: How many.
        hit1: Mean, low and high of those whose question stands first.
        hit3: Of those whose question is among the first three.
    """

    group: str
    queries: int
    hit1: tuple[float, float, float]
    hit3: tuple[float, float, float]


def search_meaning(embedder: Embedder, queries: Sequence[str], questions: Sequence[Question]) -> list[Found]:
    """For each query the closeness of every question."""
    records = [record for question in questions for record in list_records(question)]
    commonness = Commonness(embedder)
    texts = commonness.extend(embedder.encode([record.embedded for record in records]))
    asked = embedder.encode(list(queries), query=True)
    places: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        places.setdefault(record.question_id, []).append(place)
    rows = (texts @ commonness.extend_query(query) for query in asked)
    return [
        {name: join_matches(Match(records[i].kind, float(row[i])) for i in own) for name, own in places.items()}
        for row in rows
    ]


def search_words(queries: Sequence[str], questions: Sequence[Question]) -> list[Found]:
    """For each query the share of its words' information that each question holds."""
    index = LexicalIndex()
    index.put(questions)
    return [index.scores(query) for query in queries]


def search_terms(embedder: Embedder, queries: Sequence[str], questions: Sequence[Question]) -> list[Mapping[str, Echo]]:
    """For each query how far every question echoes it term by term; nothing for a model without vectors of terms."""
    if not isinstance(embedder, TermEncoder):
        return [{} for _ in queries]
    echoes = Echoes(embedder)
    records = {question.id: list_records(question) for question in questions}
    return [echoes.compare(query, records) for query in queries]


def search_both(
    queries: Sequence[str],
    meaning: Sequence[Found],
    words: Sequence[Found],
    terms: Sequence[Mapping[str, Echo]],
    questions: Sequence[Question],
) -> list[Found]:
    """Meaning, words and echoes fused, by the language of each query."""
    foreign = {
        language: {question.id for question in questions if language not in question.languages}
        for language in LANGUAGES
    }
    return [
        fuse_echoes(m, w, detect(query), t, foreign[detect(query)]) if t else fuse(m, w, detect(query))
        for query, m, w, t in zip(queries, meaning, words, terms, strict=True)
    ]


def rank_targets(found: Sequence[Found], targets: Sequence[str]) -> NDArray[np.int64]:
    """How many other questions score at least as high as the target, for each query; 0 is first, a tie is a miss."""
    return np.array([_rank(scores, target) for scores, target in zip(found, targets, strict=True)], dtype=np.int64)


def _rank(scores: Found, target: str) -> int:
    if target not in scores:
        return 1_000_000
    return sum(score >= scores[target] for name, score in scores.items() if name != target)


def measure(found: Sequence[Found], queries: Sequence[Query], targets: Sequence[str]) -> list[Figure]:
    """The figures of each group of queries (language and kind), in the order of first appearance."""
    ranks = rank_targets(found, targets)
    groups = np.array([f"{query.language}/{query.kind}" for query in queries])
    owners = np.array(targets)
    figures = []
    for group in dict.fromkeys(groups.tolist()):
        rows = groups == group
        hits = [_interval(ranks[rows] < limit, owners[rows]) for limit in (1, 3)]
        figures.append(Figure(group, int(rows.sum()), hits[0], hits[1]))
    return figures


def _interval(hits: NDArray[np.bool_], owners: NDArray[np.str_], seed: int = 0) -> tuple[float, float, float]:
    """Mean of a hundred, and its 95% interval when whole questions are drawn again."""
    places = np.unique(owners, return_inverse=True)[1]
    found, asked = np.bincount(places, weights=hits), np.bincount(places)
    drawn = np.random.default_rng(seed).integers(0, len(asked), (RESAMPLES, len(asked)))
    low, high = np.percentile(found[drawn].sum(1) / asked[drawn].sum(1), [2.5, 97.5])
    return 100 * float(hits.mean()), 100 * float(low), 100 * float(high)


def answerable(queries: Sequence[Query], questions: Sequence[Question]) -> list[tuple[Query, str]]:
    """The queries whose question is there, each with its id."""
    kept = []
    for query in queries:
        try:
            kept.append((query, find_target(query, questions)))
        except LookupError:
            continue
    return kept
