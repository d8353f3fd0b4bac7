"""Whether words stand in an order that a language could have; a heap of the right words states nothing."""

import json
import math
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interviewer.language import fold, sentences
from interviewer.segmenting import cut_words

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[,，、。;；:：]")
_FORMULA = re.compile(r"[=<>^∑√|{}\\]|\d")
_LATIN, _NUMBER, _HAN = 0, 1, 2
_FEWEST = 18
_SHORTEST_SENTENCE = 6
_LONGEST_SENTENCE = 80
_MOST_FORMULA = 0.06
_LEAST_KNOWN = 0.25


class _Table(NamedTuple):
    classes: dict[str, int]
    gain: NDArray[np.float64]


def order_score(text: str) -> float | None:
    """How much the order of the words gains over a random one, in standard deviations; None where it can't be told.

    About 0 for shuffled words, 2 to 5 for an answer of some sentences. What each word foretells about the next is
    summed and set against the mean and spread over all orders of the same words. Short texts, formulas and texts in
    other languages give None.
    """
    if len(_FORMULA.findall(text)) > _MOST_FORMULA * len(text):
        return None
    gained = spread = 0.0
    words = known = 0
    for sentence in sentences(text):
        codes = _codes(sentence)
        if len(codes) >= _SHORTEST_SENTENCE:
            found = _gain(codes)
            gained, spread, words = gained + found[0], spread + found[1], words + len(codes)
            known += sum(code > _HAN for code in codes)
    if words < _FEWEST or known < _LEAST_KNOWN * words:
        return None
    return float(gained / math.sqrt(max(spread, 1e-6)))


def _gain(codes: list[int]) -> tuple[float, float]:
    """What the order gains over a random one, and the variance of that."""
    table = _load().gain[np.ix_(codes, codes)]
    n = len(codes)
    others = table[~np.eye(n, dtype=bool)]
    following = table[np.arange(n - 1), np.arange(1, n)]
    return float(following.sum() - others.mean() * (n - 1)), float(others.var() * (n - 1))


def _codes(sentence: str) -> list[int]:
    classes = _load().classes
    codes: list[int] = []
    for run in _RUN.findall(fold(sentence)):
        if run[0].isdigit():
            codes.append(_NUMBER)
        elif "\u3400" <= run[0] <= "\u9fff":
            codes.extend(classes.get(word, _HAN) for word in cut_words(run))
        else:
            mark = "," if run in ",，、" else "." if run in "。;；:：" else run
            codes.append(classes.get(mark, _LATIN))
    return codes[:_LONGEST_SENTENCE]


@lru_cache(maxsize=1)
def _load() -> _Table:
    stored: dict[str, Any] = json.loads(
        files("interviewer.grading").joinpath("data/order.json").read_text(encoding="utf-8")
    )
    gain = np.array([[int(number) for number in row.split()] for row in stored["gain"]], np.float64) / 10
    return _Table({word: i for i, word in enumerate(stored["words"], start=3)}, gain)
