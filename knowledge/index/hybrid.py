"""One score from words and meaning; how much each counts was measured (docs/retrieval.md)."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from interviewer.models import Language
from knowledge.index.commonness import DISCOUNT
from knowledge.index.echoes import Echo
from knowledge.index.passages import RecordKind

KIND_WEIGHT: Mapping[RecordKind, float] = {"question": 0.25, "whole": 0.25, "passage": 0.5}
"""What the best match of each kind counts; parts most, for a question asks several things and a query one.

A point with its probe is a part like a passage of the reference.
"""

LEXICAL_WEIGHT: Mapping[Language, float] = {"zh": 0.8, "en": 0.5}
"""What the share of words counts beside closeness, by the language of the query."""

COMPLETE_WEIGHT = 0.2
"""What a question gains that alone says every term of the query; where several do, they share it."""

ROOM = 0.2
"""How far below 1 scores begin to be pressed together, so that of two excellent matches the better one stays first."""


class EchoWeights(NamedTuple):
    """What counts beside closeness where the model has a vector for each term.

    Attributes:
        words: Of the share of words, in place of LEXICAL_WEIGHT.
        whole: Of the echo in the whole question.
        asked: Of the echo in what it asks.
        usual: What these usually add to a question that is found first, taken off so that scores mean what they mean
            without echoes.
    """

    words: float
    whole: float
    asked: float
    usual: float


ECHO_WEIGHTS: Mapping[Language, EchoWeights] = {
    "zh": EchoWeights(words=0.4, whole=0.5, asked=0.5, usual=0.46),
    "en": EchoWeights(words=0.7, whole=0.2, asked=0.1, usual=0.3),
}
"""For a question that has a text in the language of the query."""

ACROSS = EchoWeights(words=0.4, whole=0.7, asked=0.5, usual=0.7)
"""For a question that has none: the query's words are hardly in it, whatever it says."""


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


def fuse(dense: Mapping[str, float], lexical: Mapping[str, float], language: Language) -> dict[str, float]:
    """A score, 0..1, for every question that either side found.

    Args:
        dense: Closeness by question id; 0 is assumed for a question it lacks.
        lexical: Share of the query's information by question id, 0..1.
        language: The query's; it decides how much words count beside meaning.
    """
    weight = LEXICAL_WEIGHT[language]
    raw = {i: dense.get(i, 0.0) + weight * lexical.get(i, 0.0) for i in dense.keys() | lexical.keys()}
    return {i: _bound(score, language) for i, score in raw.items()}


def fuse_echoes(
    dense: Mapping[str, float],
    lexical: Mapping[str, float],
    language: Language,
    echoes: Mapping[str, Echo],
    foreign: Collection[str],
) -> dict[str, float]:
    """A score, 0..1, for every question that either side found.

    Args:
        dense: As for `fuse`.
        lexical: As for `fuse`.
        language: The query's.
        echoes: How far each question echoes the query; one that is not there counts as the least of those that are.
        foreign: Ids of the questions that have no text in the query's language.
    """
    least = Echo(min(echo.whole for echo in echoes.values()), min(echo.asked for echo in echoes.values()))
    complete = {i for i, echo in echoes.items() if echo.complete}
    scores = {}
    for i in dense.keys() | lexical.keys():
        weights = ACROSS if i in foreign else ECHO_WEIGHTS[language]
        added = _echoed(lexical.get(i, 0.0), echoes.get(i, least), weights)
        bonus = COMPLETE_WEIGHT / len(complete) if i in complete else 0.0
        scores[i] = _bound(dense.get(i, 0.0) + added + bonus, language)
    return scores


def _echoed(lexical: float, echo: Echo, weights: EchoWeights) -> float:
    """What is added to a question's closeness."""
    return weights.words * lexical + weights.whole * echo.whole + weights.asked * echo.asked - weights.usual


def _bound(raw: float, language: Language) -> float:
    score = (raw + DISCOUNT) / (1 + DISCOUNT + LEXICAL_WEIGHT[language])
    if score > 1 - ROOM:
        return 1 - ROOM * math.exp((1 - ROOM - score) / ROOM)
    return max(0.0, score)
