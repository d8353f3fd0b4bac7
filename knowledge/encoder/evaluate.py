"""Measuring an encoder: how often the question that a query means is found first, or among the first three."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interviewer.models import Language
from knowledge.encoder.corpus import Query, Text, find_target
from knowledge.index.passages import split_passages
from knowledge.index.tokens import list_terms

Scores = NDArray[np.float32]

LEXICAL_WEIGHT: dict[Language, float] = {"zh": 0.4, "en": 0.15}
"""By the query's language: how many standard deviations of BM25 count as one of the cosine (chosen on dev)."""

RESAMPLES = 2_000


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


def dense_scores(model: Any, queries: Sequence[str], corpus: Sequence[Text]) -> Scores:
    """Mean cosine with the question, with the whole, and with the best passage under its question: (queries, texts)."""
    asked = model.encode(list(queries), normalize_embeddings=True)
    question = asked @ model.encode([t.question for t in corpus], normalize_embeddings=True).T
    whole = asked @ model.encode([f"{t.question}\n{t.reference}" for t in corpus], normalize_embeddings=True).T
    return np.asarray((question + whole + _passage_scores(model, asked, corpus)) / 3, dtype=np.float32)


def _passage_scores(model: Any, asked: Scores, corpus: Sequence[Text]) -> Scores:
    passages = [split_passages(text.reference) or ("",) for text in corpus]
    texts = [f"{t.question}\n{p}" for t, group in zip(corpus, passages, strict=True) for p in group]
    cosines = asked @ model.encode(texts, normalize_embeddings=True).T
    starts = np.cumsum([0] + [len(group) for group in passages[:-1]])
    return np.asarray(np.maximum.reduceat(cosines, starts, axis=1))


def lexical_scores(queries: Sequence[str], corpus: Sequence[Text]) -> Scores:
    """BM25 over question (twice) and reference: (queries, texts)."""
    import bm25s

    terms = [list_terms(f"{t.question}\n{t.question}\n{t.reference}") for t in corpus]
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(terms, show_progress=False)
    known = {term for text in terms for term in text}
    asked = [[term for term in list_terms(query) if term in known] for query in queries]
    empty = np.zeros(len(corpus), dtype=np.float32)
    return np.stack([index.get_scores(query) if query else empty for query in asked])


def standardize(scores: Scores) -> Scores:
    """Each row with mean 0 and deviation 1 over the corpus; 0 where all are equal."""
    deviation = scores.std(axis=1, keepdims=True)
    centred = scores - scores.mean(axis=1, keepdims=True)
    return np.where(deviation > 1e-6, centred / np.maximum(deviation, 1e-6), 0).astype(np.float32)


def fuse_scores(dense: Scores, lexical: Scores, languages: Sequence[Language]) -> Scores:
    """Standardised dense plus weighted standardised lexical scores."""
    weights = np.array([[LEXICAL_WEIGHT[language]] for language in languages], dtype=np.float32)
    return standardize(dense) + weights * standardize(lexical)


def rank_targets(scores: Scores, targets: Sequence[str], corpus: Sequence[Text]) -> NDArray[np.int64]:
    """How many other questions score at least as high as the target, for each query; 0 is first.

    A question in several languages counts once, at its best; a tie is a miss.
    """
    ids = list(dict.fromkeys(text.id for text in corpus))
    owners = np.array([ids.index(text.id) for text in corpus])
    best = np.stack([scores[:, owners == i].max(axis=1) for i in range(len(ids))], axis=1)
    own = best[np.arange(len(targets)), [ids.index(target) for target in targets]]
    ranks: NDArray[np.int64] = (best >= own[:, None]).sum(axis=1) - 1
    return ranks


def measure(scores: Scores, queries: Sequence[Query], corpus: Sequence[Text], seed: int = 0) -> list[Figure]:
    """The figures of each group of queries (language and kind), in the order of first appearance."""
    targets = [find_target(query, corpus) for query in queries]
    ranks = rank_targets(scores, targets, corpus)
    groups = [f"{query.language}/{query.kind}" for query in queries]
    figures = []
    for group in dict.fromkeys(groups):
        rows = np.array([i for i, g in enumerate(groups) if g == group])
        owners = np.unique([targets[i] for i in rows], return_inverse=True)[1]
        hits = [_interval(ranks[rows] < n, owners, seed) for n in (1, 3)]
        figures.append(Figure(group, len(rows), hits[0], hits[1]))
    return figures


def _interval(hits: NDArray[np.bool_], owners: NDArray[np.int64], seed: int) -> tuple[float, float, float]:
    """Mean of a hundred, and its 95% interval when whole questions are drawn again."""
    random = np.random.default_rng(seed)
    found = np.bincount(owners, weights=hits)
    asked = np.bincount(owners)
    drawn = random.integers(0, len(asked), (RESAMPLES, len(asked)))
    low, high = np.percentile(found[drawn].sum(1) / asked[drawn].sum(1), [2.5, 97.5])
    return 100 * float(hits.mean()), 100 * float(low), 100 * float(high)
