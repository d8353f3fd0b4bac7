"""Chinese text to words, by one dictionary for search, encoder and grader: a copy costs 65 MB and half a second."""

from functools import cache, lru_cache
from threading import Lock
from typing import Any

_LOADING = Lock()
_REMEMBERED, _LONGEST = 20_000, 200
"""Runs whose words are remembered, and characters of the longest of them."""


def cut_words(run: str) -> tuple[str, ...]:
    """The words of a run of Chinese characters, in order; together they are the run.

    The grader and the encoder read the same sentences, alone and beside their neighbours, so runs are remembered.
    """
    return _cut_again(run) if len(run) <= _LONGEST else _cut(run)


def _cut(run: str) -> tuple[str, ...]:
    with _LOADING:
        loaded = _load()
    return tuple(loaded.cut(run, HMM=False))


_cut_again = lru_cache(maxsize=_REMEMBERED)(_cut)


@cache
def _load() -> Any:
    """jieba's own dictionary, apart from the process-wide one, to which other code may add words."""
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    loaded = jieba.Tokenizer()
    loaded.initialize()
    return loaded
