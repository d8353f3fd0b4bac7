"""What a text is about, as terms that compare: word stems in English, character pairs and Latin words in Chinese."""

import re
from functools import lru_cache

from interviewer.language import fold
from interviewer.models import Language

_WORD = re.compile(r"[a-z0-9_]+(?:[-/.^][a-z0-9_]+)*|[√ψφσμθλ][a-z0-9_]*")
_RAW_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[-/.][A-Za-z0-9_]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_HAN_STOP = re.compile("[的了是在和与或把被会就也都而及则为将对从到于所有个每再才这那其它只要可以]+")
_SUFFIX = re.compile(r"(?:ations?|ings?|ies|ed|es|s|ly)$")
_FUNCTION_WORDS = """
a an the and or of to in on at by for from with without into over under per as is are was were be been being
it its this that these those then than so such not no nor only also both each every all any some one two several which
what who whom whose when where why how can could may might must should would will do does did done has have had if else
but because while until before after between across through about their they them there here you your same other more
most less least very much many few first next just once at within
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_COMMON_TERMS = frozenset({"gpu", "gpus", "cpu", "cpus", "llm", "llms", "token", "tokens", "batch", "api", "ok", "id"})
_STEM_LENGTH = 6


def content_terms(text: str, language: Language) -> frozenset[str]:
    """The terms that carry a text's meaning, folded, without function words."""
    folded = fold(text)
    words = {word for word in _WORD.findall(folded) if word not in _STOP_WORDS}
    if language == "en":
        return frozenset(_stem(word) for word in words)
    pairs = {
        run[i : i + 2]
        for part in _HAN_RUN.findall(folded)
        for run in _HAN_STOP.split(part)
        for i in range(len(run) - 1)
    }
    return frozenset(words | pairs)


def technical_terms(text: str, language: Language) -> frozenset[str]:
    """The names in a text: Latin words in Chinese; in English those with a capital or a digit inside. Folded."""
    words = [word for word in _RAW_WORD.findall(text) if sum(c.isalpha() for c in word) > 1]
    if language == "en":
        words = [word for word in words if any(c.isupper() or c.isdigit() for c in word[1:])]
    return frozenset(fold(word) for word in words) - _COMMON_TERMS - _STOP_WORDS


def mentions(text: str, term: str) -> bool:
    """Whether a text names a term: whole words for Latin script (a plural counts), anywhere for Chinese."""
    return _naming(term).search(_folded(text)) is not None


@lru_cache(maxsize=10_000)
def _naming(term: str) -> re.Pattern[str]:
    wanted = fold(term)
    start = r"(?<![a-z0-9])" if wanted[:1].isascii() and wanted[:1].isalnum() else ""
    end = r"(?:s|es)?(?![a-z0-9])" if wanted[-1:].isascii() and wanted[-1:].isalnum() else ""
    return re.compile(start + re.escape(wanted) + end)


_folded = lru_cache(maxsize=10_000)(fold)


def recall(wanted: frozenset[str], found: frozenset[str]) -> float:
    """0..1: the share of `wanted` that is in `found`; 1 where nothing is wanted."""
    return len(wanted & found) / len(wanted) if wanted else 1.0


def size(text: str, language: Language) -> int:
    """Length in reading units: words for English; Chinese characters plus Latin words for Chinese."""
    words = len(re.findall(r"[A-Za-z0-9_]+", text))
    return words if language == "en" else words + sum(len(run) for run in _HAN_RUN.findall(text))


def _stem(word: str) -> str:
    return (_SUFFIX.sub("", word) if len(word) > 4 else word)[:_STEM_LENGTH]
