"""Questions of the bank that ask the same in other words, found by the built-in encoder."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from interviewer.models import LANGUAGES, Question
from knowledge.bank.check import Problem

SAME = 0.9
"""Cosine from which two questions count as one.

The vector of a question is the mean over its languages. The nearest two of the shipped bank, both on what W8A8 speeds
up, stand at 0.88, the next two at 0.78; a question and its own version in the other language have a median of 0.89.
"""

Encode = Callable[[list[str]], NDArray[np.float32]]
"""Unit rows, (texts, dimensions)."""


def same_meaning(questions: Sequence[Question], beside: Sequence[Question], encode: Encode) -> Iterator[Problem]:
    """A problem for every question that asks the same as an earlier one, or as one of `beside`."""
    ids = {question.id for question in questions}
    everything = [*(q for q in beside if q.id not in ids), *questions]
    if len(everything) < 2:
        return
    near = _vectors(everything, encode)
    closeness = near @ near.T
    first = len(everything) - len(questions)
    for at in range(max(first, 1), len(everything)):
        best = int(np.argmax(closeness[at, :at]))
        if closeness[at, best] >= SAME:
            other = everything[best].id
            message = f"asks the same as {other!r} in other words ({closeness[at, best]:.2f})."
            yield Problem(everything[at].id, "duplicate-meaning", message)


def _vectors(questions: Sequence[Question], encode: Encode) -> NDArray[np.float32]:
    total = sum(encode([question.asked_in(language) for question in questions]) for language in LANGUAGES)
    rows = np.asarray(total, np.float32)
    found: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found
