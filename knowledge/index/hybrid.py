"""One score from words and meaning; how much each counts was measured (docs/retrieval.md)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interviewer.models import Language
from knowledge.index.passages import RecordKind

KIND_WEIGHT: Mapping[RecordKind, float] = {"question": 0.25, "whole": 0.25, "passage": 0.5}
"""What the best match of each kind counts; passages most, for a question asks several things and a query one."""

LEXICAL_WEIGHT: Mapping[Language, float] = {"zh": 1.0, "en": 0.6}


class Match(NamedTuple):
    """How near one record of a question is to the query: cosine, -1..1."""

    kind: RecordKind
    cosine: float


def join_matches(matches: Iterable[Match]) -> float:
    """The cosine of a question: what is asked, the whole and the best passage, each at its weight."""
    best: dict[RecordKind, float] = {}
    for match in matches:
        best[match.kind] = max(best.get(match.kind, -1.0), match.cosine)
    total = sum(KIND_WEIGHT[kind] for kind in best)
    return sum(KIND_WEIGHT[kind] * cosine for kind, cosine in best.items()) / total if total else 0.0


def fuse(dense: Mapping[str, float], lexical: Mapping[str, float], language: Language) -> dict[str, float]:
    """A score for every question either side found; a side that did not find it counts as 0.

    Args:
        dense: Cosine by question id.
        lexical: Share of the query's information by question id, 0..1.
        language: The query's; it decides how much words count beside meaning.

    Returns:
        0..1 by question id.
    """
    weight = LEXICAL_WEIGHT[language]
    ids = dense.keys() | lexical.keys()
    return {i: (max(0.0, dense.get(i, 0.0)) + weight * lexical.get(i, 0.0)) / (1 + weight) for i in ids}
