"""Chinese text to words, by one dictionary for search, encoder and grader: a copy costs 65 MB and half a second."""

from functools import cache
from threading import Lock
from typing import Any

_LOADING = Lock()


def segmenter() -> Any:
    """jieba's own dictionary, apart from the process-wide one, to which other code may add words; loaded once."""
    with _LOADING:
        return _load()


@cache
def _load() -> Any:
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    loaded = jieba.Tokenizer()
    loaded.initialize()
    return loaded
