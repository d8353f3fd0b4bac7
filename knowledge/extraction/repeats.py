"""Questions asked twice: by the same words, or by nearly the same, in time far below quadratic."""

import hashlib
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from knowledge.extraction.signals import has_han, question_key

if TYPE_CHECKING:
    from datasketch import MinHash

MAX_COMPARED = 2000
"""Characters of a question's key that are compared."""
NEAR = 90.0
MAX_NEAR = 50
"""Candidates that are compared with a question, at most."""
_PERMUTATIONS = 64
_BANDS = (16, 4)
"""Bands and rows of the sketch: questions that share half of their letter triples are mostly found."""
_SHINGLE = 3
_TERMS = re.compile(r"[A-Za-z][A-Za-z0-9_+#.-]*|\d+(?:\.\d+)?")
_SIGN = re.compile(r"[A-Z0-9_+#.]")
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "is",
        "are",
        "was",
        "be",
        "to",
        "and",
        "or",
        "for",
        "what",
        "how",
        "why",
        "do",
        "does",
        "did",
        "you",
        "your",
        "on",
        "with",
        "it",
        "its",
        "can",
    ]
)
_NEGATION = re.compile(r"不|没|无|非|未|\bnot\b|n't|\bno\b|without", re.IGNORECASE)


class Match(NamedTuple):
    """An earlier question: its id, whether its words are the same, and whether its answer is, too."""

    id: str
    is_exact: bool
    same_answer: bool


class _Text(NamedTuple):
    """A question as compared and as it stands."""

    key: str
    text: str


class RepeatIndex:
    """Remembers questions by their words. Answers are remembered by their hash only."""

    def __init__(self) -> None:
        from datasketch import MinHash, MinHashLSH

        self._empty = MinHash(num_perm=_PERMUTATIONS, seed=1)
        self._last: tuple[str, MinHash] = ("", self._empty)
        self._by_key: dict[str, str] = {}
        self._texts: dict[str, _Text] = {}
        self._answers: dict[str, bytes] = {}
        self._lsh = MinHashLSH(num_perm=_PERMUTATIONS, params=_BANDS)

    def __len__(self) -> int:
        return len(self._texts)

    def find(self, question: str, answer: str) -> Match | None:
        """The earlier question with these words, or the nearest one with nearly the same."""
        key = question_key(question)[:MAX_COMPARED]
        if known := self._by_key.get(key):
            return Match(known, is_exact=True, same_answer=self._answers.get(known) == _hashed(answer))
        near = self._nearest(question, key)
        if near is None:
            return None
        return Match(near, is_exact=False, same_answer=self._answers.get(near) == _hashed(answer))

    def add(self, question_id: str, question: str, answer: str = "") -> None:
        """Remembers a question; the first one with the same words is the one that is found."""
        key = question_key(question)[:MAX_COMPARED]
        self._by_key.setdefault(key, question_id)
        if question_id in self._texts:
            return
        self._texts[question_id] = _Text(key, question)
        if answer:
            self._answers[question_id] = _hashed(answer)
        if len(key) >= 2 * _SHINGLE:
            self._lsh.insert(question_id, self._sketch(question, key))

    def _sketch(self, question: str, key: str) -> "MinHash":
        """The letter triples of a key, each with the question's terms, so that questions of other terms never meet.

        The one just looked for is usually the next one remembered.
        """
        if self._last[0] != question:
            terms = "\x1f".join(sorted(_terms(question)))
            sketch = self._empty.copy()
            sketch.update_batch(
                [f"{terms}\x1f{key[i : i + _SHINGLE]}".encode() for i in range(len(key) - _SHINGLE + 1)]
            )
            self._last = (question, sketch)
        return self._last[1]

    def _nearest(self, question: str, key: str) -> str | None:
        from rapidfuzz import fuzz

        if len(key) < 2 * _SHINGLE:
            return None
        best: tuple[float, str] | None = None
        for candidate in islice(self._lsh.query(self._sketch(question, key)), MAX_NEAR):
            known = self._texts[candidate]
            score = fuzz.ratio(key, known.key, score_cutoff=NEAR)
            if score >= NEAR and _same_terms(question, known.text) and (best is None or score > best[0]):
                best = (score, candidate)
        return best[1] if best else None


def _same_terms(one: str, other: str) -> bool:
    """Whether both name the same terms and numbers: "What is TCP?" and "What is UDP?" are nearly the same letters."""
    if bool(_NEGATION.search(one)) != bool(_NEGATION.search(other)):
        return False
    return _terms(one) == _terms(other)


def _terms(text: str) -> set[str]:
    """What a question is about beyond its sentence: in Chinese every Latin word, in English names and numbers."""
    words = [term.rstrip(".") for term in _TERMS.findall(text)]
    if not has_han(text):
        words = [word for i, word in enumerate(words) if _SIGN.search(word[1:] if i == 0 else word)]
    return {word.lower() for word in words} - _STOP


def _hashed(answer: str) -> bytes:
    return hashlib.blake2b(question_key(answer).encode(), digest_size=16).digest()
