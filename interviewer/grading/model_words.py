"""The words of a text as a set that two texts can share: what a cheap check of a model's verdicts needs."""

import re
from collections.abc import Iterable

from interviewer.language import detect, fold
from interviewer.models import Point, Question

_WORD = re.compile(r"[a-z][a-z0-9+#]*|\d+(?:\.\d+)?|[\u3400-\u4dbf\u4e00-\u9fff]+")
# fmt: off
_COMMON = frozenset([
    "a", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "being", "both", "but", "by", "can",
    "could", "did", "do", "does", "done", "each", "every", "for", "from", "had", "has", "have", "he", "how", "i",
    "if", "in", "into", "is", "it", "its", "just", "least", "less", "may", "me", "might", "more", "most", "must",
    "my", "no", "nor", "not", "of", "on", "one", "only", "or", "other", "our", "over", "per", "same", "shall", "she",
    "should", "so", "some", "such", "than", "that", "the", "their", "then", "there", "these", "they", "this", "those",
    "to", "under", "very", "via", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why",
    "will", "with", "would", "you", "your",
])
# fmt: on
_ENOUGH, _SHARE = 2, 0.2
_BORROWED = 0.5
_ANOTHERS, _FARTHER, _FEWEST = 0.7, 0.4, 2


def units(text: str) -> frozenset[str]:
    """Content words in comparable form, English without plural s; Chinese as pairs of characters; numbers."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if "\u3400" <= word[0] <= "\u9fff":
            found.update(word[i : i + 2] for i in range(len(word) - 1))
        elif word not in _COMMON:
            found.add(word[:-1] if len(word) > 3 and word.endswith("s") else word)
    return frozenset(found)


def bears_on(quote: str, point: Point, asked: Iterable[str]) -> bool:
    """Whether a quote has anything to do with a point, in either language: an alias of it, or enough of its words.

    Words the interviewer has used count for nothing: they come with every answer. A quote in a language the point is
    not written in gets the benefit of the doubt.
    """
    if detect(quote) not in {*point.text, *point.aliases}:
        return True
    given = units("\n".join(asked))
    said = units(quote) - given
    names = [units(name) for group in point.aliases.values() for name in group]
    if any(name and name <= said for name in names):
        return True
    for text in point.text.values():
        wanted = units(text) - given
        shared = len(wanted & said)
        if shared >= _ENOUGH or (wanted and shared / len(wanted) >= _SHARE):
            return True
    return False


def is_borrowed(quote: str, asked: Iterable[str]) -> bool:
    """Whether at least half of a quote's words are the interviewer's, or it has too few to say anything."""
    said = units(quote)
    return len(said) <= _FEWEST or len(said & units("\n".join(asked))) >= _BORROWED * len(said)


def says_another(quote: str, point_id: str, question: Question) -> bool:
    """Whether a quote is mostly words of another point, and hardly of the one it is to prove.

    Who answers in own words hardly ever says a point like that; who repeats what stands somewhere does.
    """
    said = units(quote)
    if len(said) < _FEWEST:
        return False
    shares = {
        point.id: max(len(said & units(text)) / len(said) for text in point.text.values()) for point in question.points
    }
    own, others = shares.pop(point_id), max(shares.values(), default=0.0)
    return others >= _ANOTHERS and others - own >= _FARTHER
