"""Text to search terms: Chinese words by jieba, other words folded, technical terms findable in every spelling."""

import re
import sys
import unicodedata
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from interviewer.language import clean
from interviewer.segmenting import cut_words

MAX_TERM = 60  # characters; longer runs are keys, hashes or noise, and nobody searches for them
MAX_PARTS = 4  # of a term with hyphens that are also kept as one word: `all-reduce`, but no path or address
RUNS_KEPT = 20_000
"""Runs of letters whose terms are remembered, none longer than a term: texts repeat their words, as passages do."""

MIN_STEM = 4

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTER = rf"[^\W_{_HAN}]"
_RUN = re.compile(rf"[{_HAN}]+|{_LETTER}+(?:[-_./'’+]{_LETTER}+)*(?:\+\+|#)?")
_CHINESE = re.compile(f"[{_HAN}]")
_CHARACTER = "·"  # marks a single character: a colloquial query shares more of these with a text than words
_SEPARATOR = re.compile(r"[-_./'’+]+")
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z]{2})")
_DECIMAL = re.compile(r"\d+\.\d+")
_FLOAT = re.compile(r"(b?)(?:float|f|fp)(8|16|32|64)")
_KEEPS_S = ("ss", "us", "is")
_ENDINGS = (
    *("ization", "isation", "izing", "ising", "ized", "ised", "ize", "ise"),
    *("ation", "ating", "ated", "ate", "ing", "ed", "ism", "ment", "ly", "e"),
)


@cache
def _stop_terms() -> frozenset[str]:
    """Words that say nothing about what is looked for."""
    return frozenset((Path(__file__).parent / "stop_terms.txt").read_text(encoding="utf-8").split())


def list_terms(text: str) -> list[str]:
    """The terms of a text in reading order, with repetitions; none for a text without letters and digits."""
    folded = unicodedata.normalize("NFKC", clean(text))
    runs = _RUN.findall(folded)
    return [term for run in runs for term in (_known_terms(run) if len(run) <= MAX_TERM else _run_terms(run))]


@lru_cache(maxsize=RUNS_KEPT)
def _known_terms(run: str) -> tuple[str, ...]:
    return tuple(map(sys.intern, _run_terms(run)))


def _run_terms(run: str) -> Iterator[str]:
    is_chinese = _CHINESE.match(run)
    words = cut_words(run) if is_chinese else _word_terms(run)
    for word in words:
        if word in _stop_terms():
            continue
        if not is_chinese or len(word) > 1:
            yield word
        if is_chinese:
            yield from (_CHARACTER + character for character in word)


def _word_terms(word: str) -> Iterator[str]:
    """A word, or for a compound its parts and the parts joined: `all-reduce` gives all, reduce, allreduce."""
    if _DECIMAL.fullmatch(word) or word.endswith(("++", "#")):
        yield word.casefold()
        return
    parts = [part for whole in _SEPARATOR.split(word) for part in _CAMEL.split(whole) if part]
    for part in parts:
        if len(part) <= MAX_TERM:
            yield stem(_name_float(part.casefold()))
    joined = "".join(parts).casefold()
    if 1 < len(parts) <= MAX_PARTS and len(joined) <= MAX_TERM:
        yield stem(joined)


def _name_float(word: str) -> str:
    """`bfloat16` as `bf16`, `float32` as `fp32`; other words as they are."""
    number = _FLOAT.fullmatch(word)
    return f"{'bf' if number[1] else 'fp'}{number[2]}" if number else word


def stem(word: str) -> str:
    """An English word without its endings, so that `quantize`, `quantised` and `quantization` are one term.

    Shorter than a full stemmer and gentler: at least four letters are left, and names keep theirs.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(_KEEPS_S):
        word = word[:-1]
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= MIN_STEM), "")
    bare = word.removesuffix(ending)
    return bare[:-1] if ending in ("ing", "ed") and bare[-1] == bare[-2] and bare[-1] in "bdgmnprt" else bare


def list_query_terms(query: str, known: Collection[str]) -> list[str]:
    """The query's terms without repetitions, each word in the spellings the texts use.

    Two words that the texts write as one are joined (`kv cache` also finds `kvcache`), and a word that the texts
    do not have is split where they have both halves.
    """
    terms = list(dict.fromkeys(list_terms(query)))
    found = dict.fromkeys(terms)
    for left, right in pairwise(terms):
        if left.isascii() and right.isascii() and left + right in known:
            found[left + right] = None
    for term in terms:
        if term not in known and term.isascii():
            found.update(dict.fromkeys(_split(term, known)))
    return list(found)


def _split(term: str, known: Collection[str]) -> tuple[str, ...]:
    """The term's two halves, where the texts have both; empty otherwise."""
    cuts = ((term[:i], term[i:]) for i in range(1, len(term)))
    return next((halves for halves in cuts if all(_counts(half) and half in known for half in halves)), ())


def _counts(half: str) -> bool:
    """Whether it is more than a single letter."""
    return len(half) > 1 or half.isdigit()
