"""Who is said to do what: whether a sentence says of one of the things compared what the reference says of another."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from interviewer.grading.contradiction import clauses
from interviewer.grading.evidence import Matrix, Reader, join_words, match_words
from interviewer.grading.terms import keys
from interviewer.language import fold
from interviewer.models import Language, Question

_NAME: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"[A-Za-z0-9]*(?:[A-Z][A-Za-z0-9]*[A-Z0-9]|[A-Za-z][0-9]|[0-9][A-Z])[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
    ),
    "zh": re.compile(r"[A-Za-z][A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"),
}
_SIDE = r"(?:an?\s+|the\s+)?([\w-]+(?: [\w-]+)?)"
_COMPARED = (
    re.compile(rf"\bbetween\s+{_SIDE}\s+and\s+{_SIDE}", re.IGNORECASE),
    re.compile(r"([\w-]+)\s+(?:versus|vs\.?)\s+([\w-]+)", re.IGNORECASE),
    re.compile(
        r"([\u4e00-\u9fff]{2,4})[和与跟]([\u4e00-\u9fff]{2,4}?)"
        r"(?:有(?:什么|何|哪些)?(?:区别|不同|差)|的(?:区别|差别|不同)|分别|各)"
    ),
)
_REMEMBERED = 256


class _Told(NamedTuple):
    """A clause and the names it speaks of: its own or, where it has none, those of the clause before it."""

    text: str
    about: frozenset[str]


class _Reference(NamedTuple):
    """What is known of the things that a question names: their keys, each with its name, and every clause on them."""

    names: Mapping[str, str]
    told: tuple[_Told, ...]


class Attribution:
    """Holds what an answer says of each thing against what the reference says of it and of the others.

    Args:
        reader: Reads words.
        question: In whose reference and points, in `language`, the things are told apart.
        language: Of the question's text that is compared.
    """

    def __init__(self, reader: Reader, question: Question, language: Language) -> None:
        self._reader = reader
        points = tuple(point.text.get(language, "") for point in question.points)
        asked, reference = question.question.get(language, ""), question.reference.get(language, "")
        self._names, told = _read_reference(asked, (*points, *reference.split("\n")), language)
        if told:
            read = [reader.read(each.text) for each in told]
            self._words = join_words(read)
            self._own = self._not_named(self._words.keys)
            self._about = [each.about for each, words in zip(told, read, strict=True) for _ in words.keys]

    def weigh(self, texts: Iterable[str]) -> list[float]:
        """For each sentence of an answer, in order, -1..1: above 0 where it says of a thing what the reference says of
        that thing rather than of another, below 0 the other way round; 0 where nothing can be told.
        """
        about: frozenset[str] = frozenset()
        found = []
        for text in texts:
            said = list(_follow(text, self._names, about)) if self._names else []
            about = said[-1].about if said else about
            found.append(self._lean(said))
        return found

    def _lean(self, said: Sequence[_Told]) -> float:
        leaning, total = 0.0, 0.0
        for clause in said:
            same = np.array([about == clause.about for about in self._about], bool)
            other = np.array([bool(about) and not about & clause.about for about in self._about], bool)
            if len(clause.about) != 1 or not same.any() or not other.any():
                continue
            words = self._reader.read(clause.text)
            weights = words.weights * self._not_named(words.keys)
            soft = match_words(words, self._words)[1] * self._own
            leaning += float(((soft[:, same].max(axis=1) - soft[:, other].max(axis=1)) * weights).sum())
            total += float(weights.sum())
        return leaning / total if total else 0.0

    def _not_named(self, words: Sequence[str]) -> Matrix:
        return np.array([key not in self._names for key in words], np.float32)


@lru_cache(maxsize=_REMEMBERED)
def _read_reference(asked: str, texts: tuple[str, ...], language: Language) -> _Reference:
    names = names_compared(asked, language)
    if not names:
        return _Reference({}, ())
    told = tuple(clause for text in texts for clause in _follow(text, names, frozenset()) if clause.about)
    return _Reference(names if told else {}, told)


def _follow(text: str, names: Mapping[str, str], about: frozenset[str]) -> Iterator[_Told]:
    """The clauses of a text; one without a name goes on about what the one before it names, one with nothing but names
    goes with the next.
    """
    waiting: frozenset[str] = frozenset()
    for clause in clauses(text):
        about = waiting | frozenset(names[key] for key in clause.keys if key in names) or about
        waiting = about if all(key in names for key in clause.keys) else frozenset()
        yield _Told(clause.text, about)


def names_compared(question: str, language: Language) -> dict[str, str]:
    """The keys of the things that a question names side by side, each with the one name it belongs to."""
    found = [match[0] for match in _NAME[language].finditer(question)]
    for pattern in _COMPARED:
        found.extend(name for match in pattern.finditer(question) for name in match.groups())
    owners: dict[str, set[str]] = {}
    for name in dict.fromkeys(fold(name) for name in found):
        for key in keys(name):
            owners.setdefault(key, set()).add(name)
    names = {key: min(own) for key, own in owners.items() if len(own) == 1}
    return names if len(set(names.values())) > 1 else {}
