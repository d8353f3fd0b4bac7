"""One score from words and meaning; how much each counts was measured (docs/retrieval.md)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interviewer.models import Language
from knowledge.index.commonness import DISCOUNT
from knowledge.index.passages import RecordKind

KIND_WEIGHT: Mapping[RecordKind, float] = {"question": 0.25, "whole": 0.25, "passage": 0.5}
"""What the best match of each kind counts; parts most, for a question asks several things and a query one.

A point with its probe is a part like a passage of the reference.
"""

LEXICAL_WEIGHT: Mapping[Language, float] = {"zh": 0.8, "en": 0.5}
"""What the share of words counts beside closeness, by the language of the query."""

ECHO_WEIGHT: Mapping[Language, float] = {"zh": 0.6, "en": 0.3}
"""What echoes count beside closeness, by the language of the query, where the model has a vector for each term."""

USUAL_ECHO: Mapping[Language, float] = {"zh": 0.7, "en": 0.8}
"""The echo of a question that is found first, taken off so that scores mean what they mean without echoes."""


class Match(NamedTuple):
    """How near one record of a question is to the query: the cosine less the discount of `commonness`."""

    kind: RecordKind
    closeness: float


def join_matches(matches: Iterable[Match]) -> float:
    """The closeness of a question: what is asked, the whole and the best part, each at its weight."""
    best: dict[RecordKind, float] = {}
    for match in matches:
        kind: RecordKind = "passage" if match.kind == "point" else match.kind
        best[kind] = max(best.get(kind, -1.0), match.closeness)
    total = sum(KIND_WEIGHT[kind] for kind in best)
    return sum(KIND_WEIGHT[kind] * near for kind, near in best.items()) / total if total else 0.0


def fuse(
    dense: Mapping[str, float],
    lexical: Mapping[str, float],
    language: Language,
    echoes: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """A score, 0..1, for every question that either side found.

    Args:
        dense: Closeness by question id; 0 is assumed for a question it lacks.
        lexical: Share of the query's information by question id, 0..1.
        language: The query's; it decides how much words count beside meaning.
        echoes: How far a question echoes the query term by term, 0..1, by its id, where the model can tell. One that
            was not compared counts as the least of those that were.
    """
    weight = LEXICAL_WEIGHT[language]
    raw = {i: dense.get(i, 0.0) + weight * lexical.get(i, 0.0) for i in dense.keys() | lexical.keys()}
    if echoes:
        by_echoes, usual, least = ECHO_WEIGHT[language], USUAL_ECHO[language], min(echoes.values())
        raw = {i: score + by_echoes * (echoes.get(i, least) - usual) for i, score in raw.items()}
    return {i: min(1.0, max(0.0, (score + DISCOUNT) / (1 + DISCOUNT + weight))) for i, score in raw.items()}
