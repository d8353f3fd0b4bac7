"""Tells the sentences that answer the question from asides: what candidates say about themselves or to be polite.

What is known of a point depends on the whole answer; without its asides, talk around an answer neither earns nor costs.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from interviewer.grading.evidence import Collector, Reader, Target
from interviewer.grading.windows import Answer, keep_sentences

Vectors = NDArray[np.float32]

if TYPE_CHECKING:
    from interviewer.grading.scoring import Linear

ASIDE_FEATURES = ("similarity", "asked_similarity", "shared", "served", "served_exactly", "length")
"""What is known of a sentence: how near it comes to a point and to what was asked; the share of a point's words that
it says; the share of its own words that serve a point, in meaning or spelling and exactly; how many words it has."""

_KEPT_FROM = -0.85
"""The least logit of serving the question, a chance of 0.3; of sentences that do, one in twenty is below it."""
_SAYS_THE_SAME = 0.85
"""The least cosine of a sentence and a mistake that it tells."""
_NEAR_BEST = 1.0
"""Where no sentence has it, those are kept that come as near to the best one, in logits."""


def describe_sentences(collector: Collector) -> list[tuple[float, ...]]:
    """By `ASIDE_FEATURES`, for each window of the answer that is one sentence, in order."""
    shared = [max(shares) for shares in zip(*collector.by_window, strict=True)]
    served = [match.max(axis=0, initial=0.0) for _, match in collector.matches]
    exactly = [match.max(axis=0, initial=0.0) for match, _ in collector.matches]
    found: list[tuple[float, ...]] = []
    for at, window in enumerate(collector.answer.windows):
        if window.sentences != 1:
            continue
        columns = collector.columns[at]
        weights = collector.words.weights[columns]
        total = float(weights.sum()) or 1.0
        found.append(
            (
                float(collector.similar[at].max(initial=0.0)),
                float(collector.vectors[at] @ collector.asked_vector),
                shared[at],
                max((float(row[columns] @ weights) for row in served), default=0.0) / total,
                max((float(row[columns] @ weights) for row in exactly), default=0.0) / total,
                math.log1p(len(window.keys)),
            )
        )
    return found


def without_asides(collector: Collector, serves: "Linear", mistakes: Vectors | None = None) -> Answer:
    """The answer without its asides.

    Args:
        serves: Tells whether a sentence serves the question, by `ASIDE_FEATURES`.
        mistakes: float32, (n, d): what people get wrong about the question. A sentence that says nearly the same is no
            aside, however far it is from what is right.
    """
    logits = [serves.logit(values) for values in describe_sentences(collector)]
    least = min(_KEPT_FROM, max(logits, default=0.0) - _NEAR_BEST)
    kept = [logit >= least or told for logit, told in zip(logits, _tell(collector, mistakes), strict=True)]
    return collector.answer if all(kept) else keep_sentences(collector.answer, kept)


def _tell(collector: Collector, mistakes: Vectors | None) -> list[bool]:
    """For each window that is one sentence, in order, whether it says nearly the same as a mistake."""
    places = [at for at, window in enumerate(collector.answer.windows) if window.sentences == 1]
    if mistakes is None or not places:
        return [False] * len(places)
    nearest = (collector.vectors[places] @ mistakes.T).max(axis=1)
    return [bool(near >= _SAYS_THE_SAME) for near in nearest]


def collect_served(
    reader: Reader,
    answer: Answer,
    targets: Sequence[Target],
    asked: str,
    serves: "Linear",
    mistakes: Sequence[str] = (),
) -> Collector:
    """Collects from the answer without its asides.

    Args:
        mistakes: What people get wrong about the question; not looked at without an encoder.
        reader, answer, targets, asked, serves: As for `Collector` and `without_asides`.
    """
    collector = Collector(reader, answer, targets, asked)
    meant = np.stack([reader.vector(text) for text in mistakes]) if mistakes and reader.encoder else None
    served = without_asides(collector, serves, meant)
    return collector if served is answer else Collector(reader, served, targets, asked)
