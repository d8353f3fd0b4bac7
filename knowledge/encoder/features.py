"""Text to features: the words, characters and pieces of words whose vectors are added up.

A feature is a string. Chinese gives single characters, pairs of neighbouring characters and jieba words; Latin script
gives words and their four-letter pieces, so that an unknown word still says something. Which features have a vector is
decided by the vocabulary; here every one is listed.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

from interviewer.segmenting import cut_words

MAX_CHARACTERS = 20_000  # of one text; what follows is not read (a passage has some hundred)
PIECE = 4  # letters of a piece of a Latin word, the marks of its beginning and end included
MAX_WORD = 40  # letters of a Latin word whose pieces are listed: longer runs are keys, hashes or noise

FeatureKind = Literal["character", "neighbours", "word", "latin", "piece"]

_RUNS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z0-9]+")
_WORD_MARK = "="
_PIECE_MARK = "#"


def list_features(text: str) -> list[str]:
    """All features of the text, with repetitions; empty for a text without letters and digits."""
    found: list[str] = []
    for run in list_runs(text):
        found.extend(run_features(run))
    return found


def list_runs(text: str) -> list[str]:
    """The runs of one script that are read, each by itself, in their order."""
    return _RUNS.findall(unicodedata.normalize("NFKC", text[:MAX_CHARACTERS]).lower())


def run_features(run: str) -> Iterator[str]:
    """The features of one run."""
    return _latin(run) if run.isascii() else _chinese(run)


def _chinese(run: str) -> Iterator[str]:
    """Characters and neighbouring pairs of the run, then its jieba words, marked: a pair that is a word weighs more."""
    yield from run
    yield from (run[i : i + 2] for i in range(len(run) - 1))
    if len(run) > 1:
        yield from (_WORD_MARK + word for word in cut_words(run) if len(word) > 1)


def _latin(word: str) -> Iterator[str]:
    """The word and, marked, its pieces."""
    yield word
    if len(word) + 1 >= PIECE and len(word) <= MAX_WORD:
        marked = f"<{word}>"
        yield from (_PIECE_MARK + marked[i : i + PIECE] for i in range(len(marked) - PIECE + 1))


def feature_kind(feature: str) -> FeatureKind:
    """What a feature is, told by its mark and script."""
    if feature[0] == _WORD_MARK:
        return "word"
    if feature[0] == _PIECE_MARK:
        return "piece"
    if feature.isascii():
        return "latin"
    return "character" if len(feature) == 1 else "neighbours"
