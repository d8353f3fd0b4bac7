"""What a cross-encoder is given to read: a point beside the sentences of the answer that come nearest to it."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from interviewer.grading.evidence import Reader, Target
from interviewer.grading.windows import Answer

_MOST, _MOST_OF_POINT, _FULL = 190, 64, 8
"""Tokens, about: of the excerpt, of the point, and how few may be left over."""
_CHINESE, _OTHER = 0.7, 0.25
"""Tokens a character makes, about."""


class CrossEncoder(Protocol):
    """Reads two texts together."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Logits, float32 (len(pairs), 2): that the second text says what the first says; that it contradicts it."""
        ...


class Pair(NamedTuple):
    """A point and what of the answer is read beside it; empty where the answer says nothing."""

    point: str
    said: str


def pair_up(reader: Reader, answer: Answer, targets: Sequence[Target]) -> list[Pair]:
    """A pair for each point.

    Nothing is left out as an aside: what says a point in quite other words may look like one.
    """
    texts = [window.text for window in answer.windows if window.sentences == 1]
    if not texts:
        return [make_pair(target.text, [], []) for target in targets]
    vectors = reader.texts(texts)
    return [make_pair(target.text, texts, (vectors @ target.vector).tolist()) for target in targets]


def make_pair(point: str, sentences: Sequence[str], similar: Sequence[float]) -> Pair:
    """The point beside the sentences most similar to it, in the answer's order, as far as they fit.

    What is said again in the same words is read once; headings and numbers may come again.

    Args:
        similar: For each sentence how near it comes to the point.
    """
    left = float(_MOST)
    kept: list[int] = []
    told: set[str] = set()
    for at in sorted(range(len(sentences)), key=lambda at: -similar[at]):
        cost = _tokens(sentences[at])
        if cost > _FULL and sentences[at] in told:
            continue
        told.add(sentences[at])
        if cost <= left or not kept:
            kept.append(at)
            left -= cost
        if left <= _FULL:
            break
    return Pair(_cut(point, _MOST_OF_POINT), _cut(" ".join(sentences[at] for at in sorted(kept)), _MOST))


def _tokens(text: str) -> float:
    return sum(map(_cost, text))


def _cost(character: str) -> float:
    return _CHINESE if character > "\u2e7f" else _OTHER


def _cut(text: str, most: float) -> str:
    for at, character in enumerate(text):
        most -= _cost(character)
        if most < 0:
            return text[:at]
    return text
