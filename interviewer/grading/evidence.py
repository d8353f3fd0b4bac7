"""What speaks for a point having been made: numbers per point, from words and, where there is one, an encoder."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from interviewer.grading.terms import Term, list_terms, weight, word_similarity
from interviewer.grading.windows import Answer, Window
from interviewer.language import fold

Matrix = NDArray[np.float32]

FEATURES = (
    "exact",
    "exact_new",
    "soft",
    "soft_new",
    "window_soft",
    "window_new",
    "bigrams",
    "used",
    "used_new",
    "window_used",
    "echo",
    "all_points",
    "answer_length",
    "point_length",
    "length_ratio",
    "numbers",
    "has_numbers",
    "points",
    "relative_words",
    "similarity",
    "margin",
    "answer_similarity",
    "asked_similarity",
    "point_asked_similarity",
    "topic_similarity",
    "relative_similarity",
)
"""Names of the numbers in `Evidence.values`; from `similarity` on they are 0 without an encoder."""

_ALIKE = 0.5
_SAME_MEANING = (0.35, 0.85)
_ALIAS_STEP = 0.75
_MOST_TERMS = 400
_REMEMBERED = 2048
_ABOUT, _ABOUT_MARGIN = 0.8, 0.15
_ABOUT_WORDS = 0.4
_NEARLY = 0.1


class Encoder(Protocol):
    """Texts to vectors; the built-in grader is calibrated for the encoder shipped with the product."""

    def encode(self, texts: list[str]) -> Any:
        """A float array (len(texts), dimensions); rows have length 1, or 0 for a text without known words."""
        ...


class Words(NamedTuple):
    """The distinct words of a text: keys, how they were written, weights (n,), vectors (n, d or n, 0)."""

    keys: tuple[str, ...]
    surfaces: tuple[str, ...]
    weights: Matrix
    vectors: Matrix
    pairs: frozenset[tuple[str, str]]


class Target(NamedTuple):
    """What evidence is looked for: one point in one language.

    Attributes:
        new: (n,) 1 for words of the point that the interviewer has not said.
        vector: (d,) of the whole text.
        aliases: Folded names of what the point is about.
        judgement: What stands before `text` where the question asks to judge: "错误。"; else empty.
    """

    text: str
    words: Words
    new: Matrix
    vector: Matrix
    aliases: tuple[str, ...]
    judgement: str = ""


class Evidence(NamedTuple):
    """The numbers for one point, by `FEATURES`, and the piece of the answer they come from."""

    values: tuple[float, ...]
    window: Window | None

    def named(self, name: str) -> float:
        return self.values[FEATURES.index(name)]


class Reader:
    """Turns texts into words and vectors; remembers the vectors of words between answers.

    Args:
        encoder: None to go by spelling alone.
    """

    def __init__(self, encoder: Encoder | None) -> None:
        self.encoder = encoder
        self._known: dict[str, Matrix] = {}
        self.read = lru_cache(maxsize=_REMEMBERED)(self._read)
        self.vector = lru_cache(maxsize=_REMEMBERED)(self._vector)

    def words(self, terms: Sequence[Term]) -> Words:
        surfaces = {term.key: term.surface for term in terms}
        found = tuple(dict.fromkeys(term.key for term in terms))[:_MOST_TERMS]
        weights = np.array([weight(key) for key in found], np.float32)
        vectors = self._vectors([surfaces[key] for key in found])
        return Words(
            found,
            tuple(surfaces[key] for key in found),
            weights,
            vectors,
            frozenset(zip(_keys(terms), _keys(terms)[1:], strict=False)),
        )

    def _read(self, text: str) -> Words:
        return self.words(list_terms(text))

    def _vector(self, text: str) -> Matrix:
        """(d,) of a whole text; as `texts`, but remembered."""
        row: Matrix = self.texts([text])[0]
        return row

    def texts(self, texts: Sequence[str]) -> Matrix:
        """(n, d) vectors of whole texts; d is 0 without an encoder."""
        if self.encoder is None or not texts:
            return np.zeros((len(texts), 0), np.float32)
        return np.asarray(self.encoder.encode(list(texts)), np.float32)

    def _vectors(self, surfaces: list[str]) -> Matrix:
        if self.encoder is None or not surfaces:
            return np.zeros((len(surfaces), 0), np.float32)
        fresh = [surface for surface in surfaces if surface not in self._known]
        if len(self._known) > 50_000:
            self._known.clear()
            fresh = surfaces
        for surface, vector in zip(fresh, self.texts(fresh), strict=True):
            self._known[surface] = vector
        return np.array([self._known[s] for s in surfaces], np.float32)


def _keys(terms: Sequence[Term]) -> list[str]:
    return [term.key for term in terms]


def make_target(reader: Reader, text: str, aliases: Sequence[str], asked: frozenset[str]) -> Target:
    words = reader.read(text)
    new = np.array([key not in asked for key in words.keys], np.float32)
    vector = reader.texts([text])[0]
    return Target(text, words, new if new.any() else np.ones_like(new), vector, tuple(filter(None, map(fold, aliases))))


class Collector:
    """Collects the evidence of one answer for the points of one question.

    Args:
        targets: The points, all in the same language.
        asked: Everything the interviewer said, as one text.

    Attributes:
        by_window: 0..1 by point and window: the share of the point's words, but for the question's, that it says.
        similar: (windows, points) cosines.
    """

    def __init__(self, reader: Reader, answer: Answer, targets: Sequence[Target], asked: str) -> None:
        self.answer = answer
        self.targets = targets
        self.words = reader.words(answer.terms)
        self._index = {key: i for i, key in enumerate(self.words.keys)}
        self.columns = [self._find(window.keys) for window in answer.windows]
        self._asked = frozenset(term.key for term in list_terms(asked))
        self._fresh = np.array([key not in self._asked for key in self.words.keys], np.float32)
        self.matches = [match_words(target.words, self.words) for target in targets]
        self._set_vectors(reader, asked)
        self._best = [[_best(soft, columns) for columns in self.columns] for _, soft in self.matches]
        self.by_window = [
            [_share(best, target.words.weights * target.new) for best in windows]
            for target, windows in zip(targets, self._best, strict=True)
        ]
        self.closeness = [np.array(each) + self.similar[:, at] for at, each in enumerate(self.by_window)]
        self._meanby_window = _mean([max(each, default=0.0) for each in self.by_window])
        self._mean_similar = float(self.similar.max(axis=0).mean()) if self.similar.size else 0.0

    def _find(self, keys: Sequence[str]) -> list[int]:
        return sorted({self._index[key] for key in keys if key in self._index})

    def _set_vectors(self, reader: Reader, asked: str) -> None:
        windows = self.vectors = reader.texts([window.text for window in self.answer.windows])
        points = np.array([target.vector for target in self.targets], np.float32)
        whole, self.asked_vector = reader.texts(
            [" ".join(w.text for w in self.answer.windows if w.sentences == 1), asked]
        )
        self.similar = windows @ points.T if windows.size else np.zeros((len(windows), len(points)), np.float32)
        self._to_answer = points @ whole if whole.size else np.zeros(len(points), np.float32)
        question = self.asked_vector
        self._to_asked = points @ question if question.size else np.zeros(len(points), np.float32)
        self._answer_asked = float(whole @ question) if whole.size else 0.0

    def collect(self, at: int) -> Evidence:
        """The evidence for the point `targets[at]`."""
        if not self.answer.windows or not self.words.keys or not self.targets[at].words.keys:
            return Evidence((0.0,) * len(FEATURES), None)
        target, (exact, soft) = self.targets[at], self.matches[at]
        weights, new = target.words.weights, target.words.weights * target.new
        by_window = self.by_window[at]
        similar = self.similar[:, at]
        margin = similar - _best_other(self.similar, at)
        best = int(np.argmax(self.closeness[at]))
        lift = _ALIAS_STEP ** self._aliases_found(target)
        used, used_new, window_used = self._used(soft, self.columns[best])
        nearest = int(np.argmax(similar))
        numbers = [key for key in target.words.keys if key[0].isdigit()]
        lengths = len(self.words.keys), len(target.words.keys)
        values = (
            recall(exact, weights),
            recall(exact, new),
            1 - (1 - recall(soft, weights)) * lift,
            1 - (1 - recall(soft, new)) * lift,
            max(_share(best, weights) for best in self._best[at]),
            max(by_window),
            len(target.words.pairs & self.words.pairs) / max(1, len(target.words.pairs)),
            used,
            used_new,
            window_used,
            self._echo(),
            self._all_points(),
            math.log1p(lengths[0]),
            math.log1p(lengths[1]),
            math.log((lengths[0] + 1) / (lengths[1] + 1)),
            sum(key in self._index for key in numbers) / len(numbers) if numbers else 0.0,
            float(bool(numbers)),
            math.log(len(self.targets)),
            max(by_window) - self._meanby_window,
            float(similar.max()),
            float(margin[nearest]),
            float(self._to_answer[at]),
            self._answer_asked,
            float(self._to_asked[at]),
            self._mean_similar,
            float(similar.max()) - self._mean_similar,
        )
        return Evidence(values, self._shown(at, best))

    def _shown(self, at: int, best: int) -> Window:
        """The shortest window that shows nearly all that the best one shows."""
        closeness = self.closeness[at]
        least = closeness[best] - _NEARLY * abs(closeness[best])
        near = [i for i, close in enumerate(closeness) if close >= least]
        return self.answer.windows[min(near, key=lambda i: len(self.answer.windows[i].text))]

    def about(self, at: int) -> list[Window]:
        """The sentences that are about the point `targets[at]` rather than about another one."""
        found: list[Window] = []
        least = _ABOUT if self.similar.any() else _ABOUT_WORDS
        for i, window in enumerate(self.answer.windows):
            closest = max(float(row[i]) for row in self.closeness)
            own = float(self.closeness[at][i])
            if window.sentences == 1 and own >= least and own >= closest - _ABOUT_MARGIN:
                found.append(window)
        return found

    def _aliases_found(self, target: Target) -> int:
        text = fold(" ".join(window.text for window in self.answer.windows if window.sentences == 1))
        return min(3, sum(_names(text, alias) for alias in target.aliases))

    def _used(self, soft: Matrix, columns: list[int]) -> tuple[float, float, float]:
        """How much of what was said serves the points: of all words, of the candidate's own, of one window."""
        own = self.words.weights
        served = np.max([match.max(axis=0, initial=0.0) for _, match in self.matches], axis=0)
        fresh = own * self._fresh
        here = own[columns]
        return (
            float((served * own).sum() / own.sum()),
            float((served * fresh).sum() / fresh.sum()) if fresh.any() else 0.0,
            float((soft.max(axis=0, initial=0.0)[columns] * here).sum() / here.sum()) if here.size else 0.0,
        )

    def _echo(self) -> float:
        own = self.words.weights
        return 1 - float((own * self._fresh).sum() / own.sum())

    def _all_points(self) -> float:
        """Recall over all points together."""
        pairs = [(recall(soft, t.words.weights), t) for t, (_, soft) in zip(self.targets, self.matches, strict=True)]
        total = sum(float(t.words.weights.sum()) for _, t in pairs)
        return sum(r * float(t.words.weights.sum()) for r, t in pairs) / total if total else 0.0


def match_words(target: Words, said: Words) -> tuple[Matrix, Matrix]:
    """(n, m) 0..1: how far each word said stands for each word of the target, exactly and in meaning or spelling."""
    exact = np.zeros((len(target.keys), len(said.keys)), np.float32)
    index = {key: i for i, key in enumerate(said.keys)}
    for row, key in enumerate(target.keys):
        if key in index:
            exact[row, index[key]] = 1
    if target.vectors.size and said.vectors.size:
        low, high = _SAME_MEANING
        soft = np.clip((target.vectors @ said.vectors.T - low) / (high - low), 0, 1)
        soft *= np.outer(_not_number(target.keys), _not_number(said.keys))
    else:
        soft = np.zeros_like(exact)
    return exact, np.maximum(np.maximum(exact, soft), _alike(target.keys, said.keys)).astype(np.float32)


def join_words(texts: Sequence[Words]) -> Words:
    """The words of several texts one after the other, those that come again as well; without their pairs."""
    return Words(
        tuple(key for text in texts for key in text.keys),
        tuple(surface for text in texts for surface in text.surfaces),
        np.concatenate([text.weights for text in texts]),
        np.concatenate([text.vectors for text in texts]),
        frozenset(),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _not_number(keys: Sequence[str]) -> Matrix:
    return np.array([not key[0].isdigit() for key in keys], np.float32)


def _alike(target: Sequence[str], said: Sequence[str]) -> Matrix:
    """Spelling: only words that begin alike, or Chinese words that share a character, are compared."""
    out = np.zeros((len(target), len(said)), np.float32)
    buckets: dict[str, list[int]] = {}
    for column, key in enumerate(said):
        for mark in _marks(key):
            buckets.setdefault(mark, []).append(column)
    for row, key in enumerate(target):
        for column in {c for mark in _marks(key) for c in buckets.get(mark, ())}:
            alike = word_similarity(key, said[column])
            if alike >= _ALIKE:
                out[row, column] = alike
    return out


def _marks(key: str) -> set[str]:
    return {key[:3]} if key.isascii() else set(key)


def recall(match: Matrix, weights: Matrix, columns: Sequence[int] | None = None) -> float:
    """0..1: the share of the target's words, by weight, that are matched in these columns."""
    return _share(_best(match, columns), weights)


def _best(match: Matrix, columns: Sequence[int] | None = None) -> Matrix:
    """(n,) How far each word of the target is matched in these columns."""
    if columns is not None:
        match = match[:, columns]
    best: Matrix = match.max(axis=1, initial=0.0)
    return best


def _share(best: Matrix, weights: Matrix) -> float:
    return float((best * weights).sum() / weights.sum()) if weights.any() else 0.0


def _best_other(similar: Matrix, at: int) -> Matrix:
    """(windows,) The best similarity of each window to a point other than this one."""
    others = np.delete(similar, at, axis=1)
    return others.max(axis=1) if others.shape[1] else np.zeros(len(similar), np.float32)


def _names(text: str, alias: str) -> bool:
    at = text.find(alias)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(alias) : at + len(alias) + 1]
        if not alias.isascii() or not (_is_letter(before) or _is_letter(after)):
            return True
        at = text.find(alias, at + 1)
    return False


def _is_letter(character: str) -> bool:
    return character.isascii() and character.isalnum()
