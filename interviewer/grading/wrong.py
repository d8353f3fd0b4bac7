"""What an answer gets wrong about a point: it contradicts the point, or states a misconception the bank knows."""

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from interviewer.grading.contradiction import Clause, Kind, clash, clauses
from interviewer.grading.cues import reports
from interviewer.grading.evidence import Collector, Reader, match_words, recall
from interviewer.grading.scoring import Scorer, beside_others
from interviewer.grading.suspicion import Inspector
from interviewer.grading.terms import keys
from interviewer.grading.windows import Window
from interviewer.models import Localized, Misconception, Point, Question

_CLOSE, _CLOSE_WORDS_ONLY = 0.7, 0.65
_SHARED = 0.6
_TO_THE_POINT = 0.4
_AHEAD = 0.06
_OWN_WORDS = 0.5
WORD_FOR_WORD = 0.9
"""How close a sentence comes to a misconception that it states beyond doubt."""


class Wrong(NamedTuple):
    """A wrong statement.

    Attributes:
        share: 0..1, how much of the point it concerns.
        correction: What is right, where the bank has it.
        confidence: 0..1, the chance that it is wrong; where a rule found it this is not known, and 1.
        close: 0..1, how much a misconception says the same, and no more.
    """

    kind: Kind | Literal["misconception", "suspected"]
    window: Window
    share: float
    correction: Localized
    confidence: float = 1.0
    close: float = 0.0


class Doubt(NamedTuple):
    """What is suspected of a point.

    Attributes:
        wrong: The sentence that is most likely wrong; None where no sentence is about the point.
        logits: What `suspicion` says of it and of the worst of the other points, `ALONE` where there is nothing.
    """

    wrong: Wrong | None
    logits: tuple[float, float]


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(clauses(text))


def find_wrong(reader: Reader, collector: Collector, at: int, point: Point, question: Question) -> Wrong | None:
    """The statement about the point `targets[at]` that is wrong; None where there is none.

    What is as good as a misconception told word for word comes before what contradicts the point, and that before what
    resembles a misconception.
    """
    told = [
        _stated(reader, collector, at, misconception, question)
        for misconception in question.misconceptions
        if misconception.point == point.id
    ]
    stated = max((each for each in told if each), key=lambda each: each.close, default=None)
    if stated and stated.close >= WORD_FOR_WORD:
        return stated
    ours = _clauses(collector.targets[at].text)
    for window in collector.about(at):
        found = None if reports(window.text) else clash(ours, _clauses(window.text))
        if found:
            return Wrong(found.kind, window, found.share, {})
    return stated


def doubt_points(scorer: Scorer, inspector: Inspector, count: int) -> list[Doubt]:
    """For each of the `count` points the sentence about it that is most likely wrong, however unlikely."""
    found: list[tuple[float, Window] | None] = []
    for at in range(count):
        doubts = [(scorer.suspicion.logit(each.values), each.window) for each in inspector.inspect(at)]
        found.append(max(doubts, key=lambda doubt: doubt[0], default=None))
    logits = [each[0] if each else None for each in found]
    chances = scorer.suspect(logits)
    wrong = [
        Wrong("suspected", each[1], 1.0, {}, chance) if each else None
        for each, chance in zip(found, chances, strict=True)
    ]
    return [Doubt(each, beside_others(logits, at)) for at, each in enumerate(wrong)]


def _stated(
    reader: Reader, collector: Collector, at: int, misconception: Misconception, question: Question
) -> Wrong | None:
    """The sentence that states the misconception, rather than its correction, its denial or the point itself; the
    closest one, whichever of the misconception's languages it is closest to.

    It must say what neither the question nor the point says: to name the two things that are compared is no mistake.
    """
    least = _CLOSE if reader.encoder else _CLOSE_WORDS_ONLY
    windows = [
        (place, window)
        for place, window in enumerate(collector.answer.windows)
        if window.sentences == 1 and not reports(window.text)
    ]
    found: Wrong | None = None
    for language, text in misconception.text.items():
        rivals = [misconception.correction.get(language, ""), collector.targets[at].text]
        known = frozenset(keys(f"{question.question.get(language, '')} {collector.targets[at].text}"))
        meant = collector.vectors @ reader.vector(text) if reader.encoder else None
        for place, window in windows:
            # `_closeness` is the mean of meaning and words, so too little of the one can't be made up for.
            if meant is not None and meant[place] < 2 * least - 1:
                continue
            if _says(reader, text, known, window) < _OWN_WORDS:
                continue
            close = _closeness(reader, text, window)
            if close < least or close - max(_closeness(reader, rival, window) for rival in rivals) < _AHEAD:
                continue
            if found and close <= found.close:
                continue
            if _polarity(text) == _polarity(window.text) and clash(_clauses(text), _clauses(window.text)) is None:
                found = Wrong("misconception", window, 1.0, misconception.correction, close=close)
    return found


@lru_cache(maxsize=4096)
def _polarity(text: str) -> int:
    """0 or 1: whether a text has an even or an odd number of negations."""
    return sum(clause.cues for clause in _clauses(text)) % 2


def _says(reader: Reader, text: str, known: frozenset[str], window: Window) -> float:
    """0..1: the share of the text's words, without the known ones, that a sentence says; 1 where it has no others."""
    target, said = reader.read(text), reader.read(window.text)
    own = target.weights * np.array([key not in known for key in target.keys], np.float32)
    if not own.any():
        return 1.0
    return recall(match_words(target, said)[1], own) if said.keys else 0.0


def _closeness(reader: Reader, text: str, window: Window) -> float:
    """0..1: how much a sentence says the same as a text and no more, in words and, with an encoder, in meaning."""
    target, said = reader.read(text), reader.read(window.text)
    if not target.keys or not said.keys:
        return 0.0
    _, soft = match_words(target, said)
    shared = recall(soft, target.weights)
    if shared < _SHARED or recall(soft.T, said.weights) < _TO_THE_POINT:
        return 0.0
    if reader.encoder is None:
        return shared
    return (shared + float(reader.vector(text) @ reader.vector(window.text))) / 2
