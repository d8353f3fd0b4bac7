"""How far an answer, a point and the question share their words and letters: what points found in a reference are
graded by beside the evidence.

Soft cardinality counts the words of a text so that words spelt alike count for little more than one; with it, sets of
words have intersections although no word is the same. After Jimenez, Becerra and Gelbukh, SemEval-2013, task 7.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from interviewer.grading.cues import count_negations, count_turned
from interviewer.grading.evidence import Matrix
from interviewer.grading.terms import all_keys, keys, weight
from interviewer.language import fold

_SETS = (
    "said",
    "point",
    "asked",
    "both_of_said",
    "both_of_point",
    "both_of_either",
    "asked_of_said",
    "said_of_asked",
    "asked_of_either",
    "asked_of_point",
    "point_of_asked",
    "new_of_point",
    "new_of_said",
    "own_of_said",
    "own_of_point",
    "common",
    "longer",
)
OVERLAP = (
    *(f"all_{name}" for name in _SETS),
    *(f"telling_{name}" for name in _SETS),
    "letters",
    "letters_asked",
    "letters_of_point",
    "letters_of_said",
    "letters_of_asked",
    "in_order_of_point",
    "in_order_of_said",
    "foreign",
    "says_nothing",
    "words_said",
    "words_point",
    "words_asked",
    "negations_said",
    "negations_point",
    "negation_differs",
    "turned",
    "yes_no",
    "yes_no_asked",
)
"""Names of the numbers that `Overlaps.with_point` gives. `all_` counts every word, `telling_` those that list_terms
knows, by their weight; `a_of_b` is the part of b that is also a, and what is `new` the question does not say."""

_LETTERS = 1500
_MOST_WORDS, _MOST_TELLING = 150, 120
_POWER = 2
_NEAR_NOTHING = 1e-6
_LEAST_NEW = 0.3
_REMEMBERED = 2048
_YES_NO = {"yes": 1, "no": -1, "对": 1, "是": 1, "正确": 1, "错": -1, "错误": -1, "不": -1, "否": -1}


class _Text(NamedTuple):
    """A text as its words, its telling words, its letters in short runs and its first word."""

    text: str
    words: tuple[str, ...]
    telling: tuple[str, ...]
    letters: Counter[str]
    norm: float
    first: str


class Overlaps:
    """Compares one answer with the points of its question.

    Args:
        said: The sentences of the answer that count.
        asked: Everything the interviewer said, as one text.
    """

    def __init__(self, said: str, asked: str) -> None:
        self._said = _read(said[:_LETTERS])
        self._asked = _read(asked[:_LETTERS])

    def with_point(self, point: str) -> tuple[float, ...]:
        """The numbers for one point, by `OVERLAP`."""
        said, asked, own = self._said, self._asked, _read(point[:_LETTERS])
        in_order = LCSseq.similarity(own.telling, said.telling)
        spoken, meant = count_negations(said.text), count_negations(own.text)
        yes_no = _YES_NO.get(own.first, 0)
        return (
            *_cardinalities((said, own, asked)),
            _cosine(said, own),
            _cosine(said, asked),
            _share(own.letters, said.letters),
            _share(said.letters, own.letters),
            _share(said.letters, asked.letters),
            in_order / (len(own.telling) + _NEAR_NOTHING),
            in_order / (len(said.telling) + _NEAR_NOTHING),
            len({*said.telling} - {*own.telling} - {*asked.telling}) / (len({*said.telling}) + _NEAR_NOTHING),
            float(not said.telling),
            math.log1p(len(said.words)),
            math.log1p(len(own.words)),
            math.log1p(len(asked.words)),
            float(min(spoken, 4)),
            float(min(meant, 4)),
            float((spoken > 0) != (meant > 0)),
            float(min(count_turned(said.text, own.text), 4)),
            float(yes_no * _YES_NO.get(said.first, 0)),
            float(yes_no != 0),
        )


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> _Text:
    words = tuple(all_keys(text))[:_MOST_WORDS]
    letters = _runs(text)
    norm = math.sqrt(sum(count * count for count in letters.values()))
    return _Text(text, words, tuple(keys(text))[:_MOST_TELLING], letters, norm, words[0] if words else "")


def _runs(text: str) -> Counter[str]:
    """Three to five letters in a row; one to three characters where the text is Chinese."""
    plain = " ".join(fold(text).split())
    sizes = (1, 2, 3) if any("\u4e00" <= c <= "\u9fff" for c in plain) else (3, 4, 5)
    return Counter(plain[at : at + size] for size in sizes for at in range(len(plain) - size + 1))


def _cosine(one: _Text, other: _Text) -> float:
    less, more = sorted((one.letters, other.letters), key=len)
    dot = sum(count * more[run] for run, count in less.items() if run in more)
    return dot / (one.norm * other.norm + _NEAR_NOTHING)


def _share(part: Counter[str], whole: Counter[str]) -> float:
    """0..1: how much of `part` is in `whole`."""
    return sum(min(count, whole[run]) for run, count in part.items() if run in whole) / (part.total() + _NEAR_NOTHING)


def _cardinalities(texts: Sequence[_Text]) -> tuple[float, ...]:
    """The numbers of `_SETS` for the answer, the point and the question: of all words, then of the telling ones."""
    words = tuple(dict.fromkeys(word for text in texts for word in (*text.words, *text.telling)))
    if not words:
        return (0.0,) * (2 * len(_SETS))
    place = {word: at for at, word in enumerate(words)}
    sets = np.zeros((len(words), 6), np.float32)
    for column, text in enumerate(texts):
        sets[[place[word] for word in text.words], column] = 1
        sets[[place[word] for word in text.telling], 3 + column] = 1
    unions = np.hstack([_unions(sets[:, :3]), _unions(sets[:, 3:])])
    alike = np.maximum(_likeness(words) ** _POWER @ unions, 1)
    parts = unions / alike
    every = parts[:, :7].sum(axis=0)
    telling = np.array([weight(word) for word in words], np.float32) @ parts[:, 7:]
    return (*_sets_of(every.tolist()), *_sets_of(telling.tolist()))


def _unions(sets: Matrix) -> Matrix:
    """(words, 7): the three sets, their unions by two, and all of them together."""
    said, point, asked = sets.T
    pairs = [np.maximum(said, point), np.maximum(said, asked), np.maximum(point, asked)]
    return np.column_stack([said, point, asked, *pairs, np.maximum(pairs[0], asked)])


def _sets_of(cardinalities: Sequence[float]) -> tuple[float, ...]:
    said, point, asked, said_point, said_asked, point_asked, every = cardinalities
    both, echoed, given = said + point - said_point, said + asked - said_asked, point + asked - point_asked
    common = every - said_point - said_asked - point_asked + said + point + asked
    least = _NEAR_NOTHING
    return (
        said,
        point,
        asked,
        both / (said + least),
        both / (point + least),
        both / (said_point + least),
        echoed / (said + least),
        echoed / (asked + least),
        echoed / (said_asked + least),
        given / (point + least),
        given / (asked + least),
        (both - common) / (max(point - given, 0) + _LEAST_NEW),
        (both - common) / (max(said - echoed, 0) + _LEAST_NEW),
        (said - echoed) / (said + least),
        (point - given) / (point + least),
        common / (every + least),
        math.log((said + 1) / (point + 1)),
    )


def _likeness(words: Sequence[str]) -> Matrix:
    """(words, words) 0..1: Dice's coefficient of the letter pairs and triples of two words; numbers are like none."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    sizes = np.zeros(len(words), np.float32)
    for at, word in enumerate(words):
        pieces = _pieces(word)
        sizes[at] = len(pieces)
        for piece in pieces:
            places[piece].append(at)
    shared = [rows for rows in places.values() if len(rows) > 1]
    has = np.zeros((len(words), len(shared)), np.float32)
    for column, rows in enumerate(shared):
        has[rows, column] = 1
    found: Matrix = 2 * (has @ has.T) / np.maximum(sizes[:, None] + sizes, 1)
    np.fill_diagonal(found, 1)
    return found


@lru_cache(maxsize=50_000)
def _pieces(word: str) -> frozenset[str]:
    if word[0].isdigit():
        return frozenset()
    marked = f"^{word}$"
    pairs = {marked[at : at + 2] for at in range(len(marked) - 1)}
    rest = {marked[at : at + 3] for at in range(len(marked) - 2)} if word.isascii() else {*word}
    return frozenset(pairs | rest)
