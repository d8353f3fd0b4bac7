"""How suspicious a statement is: numbers for a pair of a point and a sentence about it that may get it wrong."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from interviewer.grading.attribution import Attribution
from interviewer.grading.contradiction import Clause, clauses, numbers_of
from interviewer.grading.cues import CUES, count_cues, count_negations, count_turned
from interviewer.grading.evidence import Collector, Matrix, Reader, join_words, match_words, recall
from interviewer.grading.windows import Window
from interviewer.language import fold
from interviewer.models import Language, Question

_COUNTED = 2
_MOST_WINDOWS = 3
_NEAR = 0.35
_SHARED, _FEWEST_SHARED = 0.8, 3

PAIR_FEATURES = (
    "closeness",
    "recall",
    "used",
    "similarity",
    "lead",
    "clause_recall",
    "clause_used",
    *(f"{cue}_here" for cue in CUES),
    *(f"{cue}_clause" for cue in CUES),
    *(f"{cue}_point" for cue in CUES),
    "negations_here",
    "negations_clause",
    "negations_point",
    "odd_clause",
    "odd_here",
    "turned_here",
    "turned_clause",
    "numbers_other",
    "numbers_same",
    "order",
    "attributed",
    "misconception",
    "misconception_lead",
    "misconception_any",
    "misconception_any_lead",
    "unsupported",
    "words",
    "point_words",
    "chinese",
    "cross",
)
"""Names of the numbers that `Inspector.inspect` gives. None is of the whole answer: in answers that are partly right
such numbers made the right points suspect."""


class Suspect(NamedTuple):
    """A sentence about a point, and what may give it away, by `PAIR_FEATURES`."""

    values: tuple[float, ...]
    window: Window


class Inspector:
    """Looks at the sentences of one answer, point by point.

    Args:
        collector: The same answer, with the points in `language`.
    """

    def __init__(self, reader: Reader, collector: Collector, question: Question, language: Language) -> None:
        self._collector = collector
        self._points = [point.id for point in question.points]
        self._single = [i for i, window in enumerate(collector.answer.windows) if window.sentences == 1]
        windows = collector.answer.windows
        leaning = Attribution(reader, question, language).weigh(windows[i].text for i in self._single)
        self._leaning = dict(zip(self._single, leaning, strict=True))
        self._nearness = np.array(collector.closeness)
        self._served = np.max([match.max(axis=0, initial=0.0) for _, match in collector.matches], axis=0)
        told = [each for each in question.misconceptions if each.text.get(language) and each.correction.get(language)]
        near = self._near(reader, [text for each in told for text in (each.text[language], each.correction[language])])
        self._claims = [
            _Claim(each.point, near[2 * i] * self._as_negated(each.text[language]), near[2 * i + 1])
            for i, each in enumerate(told)
        ]
        self._own = [self._by_point(at) for at in range(len(collector.targets))] if self._claims else []

    def inspect(self, at: int) -> list[Suspect]:
        """The sentences nearest to the point `targets[at]`, nearest first; at most three."""
        closeness = self._nearness[at]
        near = sorted(self._single, key=lambda i: -float(closeness[i]))[:_MOST_WINDOWS]
        floor = max((float(closeness[i]) for i in near), default=0.0) - _NEAR
        return [self._look(at, i) for i in near if float(closeness[i]) >= floor]

    def _near(self, reader: Reader, texts: Sequence[str]) -> Matrix:
        """(texts, windows) 0..1: how much each window says the same as each text, in words both ways and, with an
        encoder, meaning; 0 for a text without words. All texts are held against the answer at once: a question may have
        many misconceptions.
        """
        collector, said = self._collector, self._collector.words
        near = np.zeros((len(texts), len(collector.answer.windows)), np.float32)
        worded = [i for i, text in enumerate(texts) if reader.read(text).keys]
        if not worded:
            return near
        targets = [reader.read(texts[i]) for i in worded]
        starts = np.cumsum([0, *(len(target.keys) for target in targets)])[:-1]
        joined = join_words(targets)
        _, soft = match_words(joined, said)
        serving = np.maximum.reduceat(soft, starts, axis=0)
        total = np.add.reduceat(joined.weights, starts)
        for at, columns in enumerate(collector.columns):
            weights = said.weights[columns]
            used = serving[:, columns] @ weights / weights.sum() if weights.any() else 0.0
            best = soft[:, columns].max(axis=1, initial=0.0)
            near[worded, at] = (2 * np.add.reduceat(best * joined.weights, starts) / total + used) / 3
        if collector.vectors.size:
            meant = np.array([reader.vector(texts[i]) for i in worded], np.float32)
            near[worded] = (near[worded] + meant @ collector.vectors.T) / 2
        return near

    def _as_negated(self, text: str) -> Matrix:
        """(windows,) 1 where as many negations stand as in the text, but for pairs of them; else 0: a denial of it."""
        odd = count_negations(text) % 2
        return np.array([count_negations(w.text) % 2 == odd for w in self._collector.answer.windows], np.float32)

    def _shared(self, soft: Matrix, weights: Matrix, columns: list[int]) -> float:
        return (2 * recall(soft, weights, columns) + self._used(soft, columns)) / 3

    def _used(self, soft: Matrix, columns: list[int]) -> float:
        """0..1: how much of a window stands for words of the target."""
        return recall(soft[:, columns].T, self._collector.words.weights[columns]) if columns else 0.0

    def _look(self, at: int, i: int) -> Suspect:
        collector = self._collector
        target, window, columns = collector.targets[at], collector.answer.windows[i], collector.columns[i]
        soft = collector.matches[at][1]
        closeness = self._nearness[:, i]
        pair = _closest_clauses(target.text, window.text)
        here, mine = count_cues(window.text), count_cues(target.text)
        part = count_cues(pair.theirs.text) if pair else (0,) * len(CUES)
        nos = count_negations(window.text), count_negations(target.text)
        turned = count_turned(target.text, window.text)
        values = (
            float(closeness[at]),
            recall(soft, target.words.weights, columns),
            self._used(soft, columns),
            float(collector.similar[i, at]),
            float(closeness[at] - max(np.delete(closeness, at), default=0.0)),
            pair.share if pair else 0.0,
            pair.used if pair else 0.0,
            *(float(min(_COUNTED, a)) if not b else 0.0 for a, b in zip(here, mine, strict=True)),
            *(float(min(_COUNTED, a)) if not b else 0.0 for a, b in zip(part, mine, strict=True)),
            *(float(bool(b)) for b in mine),
            float(min(3, nos[0])),
            float(min(_COUNTED, pair.theirs.cues)) if pair else 0.0,
            float(min(3, nos[1])),
            float((pair.ours.cues - pair.theirs.cues) % 2) * pair.share if pair else 0.0,
            float((nos[0] - nos[1]) % 2),
            float(turned),
            float(count_turned(pair.ours.text, pair.theirs.text)) if pair and turned else 0.0,
            *_numbers(target.text, window.text),
            _order(soft[:, columns]),
            self._leaning[i],
            *self._claimed(at, i, own=True),
            *self._claimed(at, i, own=False),
            1 - recall(self._served[None, columns].T, collector.words.weights[columns]) if columns else 0.0,
            float(np.log1p(len(columns))),
            float(np.log1p(len(target.words.keys))),
            float(_is_han(window.text)),
            float(_is_han(window.text) != _is_han(target.text)),
        )
        return Suspect(values, window)

    def _claimed(self, at: int, i: int, *, own: bool) -> tuple[float, float]:
        """How near a sentence is to a misconception, and by how much nearer than to its correction or the point."""
        point = float(self._own[at][i]) if self._own else 0.0
        found = [
            (float(claim.wrong[i]), float(claim.wrong[i]) - max(float(claim.right[i]), point))
            for claim in self._claims
            if not own or claim.point == self._points[at]
        ]
        return max(found, key=sum, default=(0.0, 0.0))

    def _by_point(self, at: int) -> Matrix:
        """As `_near`, for the point itself."""
        collector = self._collector
        target = collector.targets[at]
        soft = collector.matches[at][1]
        shared = np.array([self._shared(soft, target.words.weights, c) for c in collector.columns], np.float32)
        return np.asarray((shared + collector.similar[:, at]) / 2, np.float32) if collector.vectors.size else shared


class _Claim(NamedTuple):
    """A misconception: how near each window is to it, and to its correction."""

    point: str | None
    wrong: Matrix
    right: Matrix


class _Pair(NamedTuple):
    ours: Clause
    theirs: Clause
    share: float
    used: float


@lru_cache(maxsize=4096)
def _cut(text: str) -> tuple[Clause, ...]:
    return tuple(clauses(text))


def _closest_clauses(point: str, said: str) -> _Pair | None:
    """The clause of the point and the one said that share most."""
    best: _Pair | None = None
    for ours in _cut(point):
        for theirs in _cut(said):
            common = share_of(ours, theirs)
            if common and (best is None or min(common) > min(best.share, best.used)):
                best = _Pair(ours, theirs, *common)
    return best


def share_of(ours: Clause, theirs: Clause) -> tuple[float, float]:
    """The share of the words of each clause that the other has, by exact words."""
    shared = set(ours.keys) & set(theirs.keys)
    return len(shared) / len(ours.keys), len(shared) / len(theirs.keys)


def _numbers(ours: str, theirs: str) -> tuple[float, float]:
    """Whether numbers of the one unit differ, and the share of the numbers said that the point has."""
    mine, other = numbers_of(fold(ours)), numbers_of(fold(theirs))
    units = (mine.keys() & other.keys()) - {""}
    differ = any(not set(mine[unit]) & set(other[unit]) for unit in units)
    said = [number for found in other.values() for number in found]
    have = {number for found in mine.values() for number in found}
    return float(differ), sum(number in have for number in said) / len(said) if said else 0.0


def _order(soft: Matrix) -> float:
    """-1..1: whether words shared with the point stand in its order (1) or turned round (-1); 0 for too few."""
    if not soft.size:
        return 0.0
    places = [int(np.argmax(row)) for row in soft if row.max() >= _SHARED]
    steps = [(b > a) - (b < a) for k, a in enumerate(places) for b in places[k + 1 :]]
    return sum(steps) / len(steps) if len(places) >= _FEWEST_SHARED else 0.0


def _is_han(text: str) -> bool:
    return sum("\u3400" <= c <= "\u9fff" for c in text) * 4 > len(text)
