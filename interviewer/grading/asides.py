"""Tells the sentences that answer the question from asides: what candidates say about themselves or to be polite.

What is known of a point depends on the whole answer; without its asides, talk around an answer neither earns nor costs.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interviewer.grading.evidence import Collector, Reader, Target
from interviewer.grading.windows import Answer, keep_sentences

if TYPE_CHECKING:
    from interviewer.grading.scoring import Linear

ASIDE_FEATURES = ("similarity", "asked_similarity", "shared", "served", "served_exactly", "length")
"""What is known of a sentence: how near it comes to a point and to what was asked; the share of a point's words that
it says; the share of its own words that serve a point, in meaning or spelling and exactly; how many words it has."""

_KEPT_FROM = -0.85
"""The least logit of serving the question, a chance of 0.3; of sentences that do, one in twenty is below it."""
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


def without_asides(collector: Collector, serves: "Linear") -> Answer:
    """The answer without its asides.

    Args:
        serves: Tells whether a sentence serves the question, by `ASIDE_FEATURES`.
    """
    logits = [serves.logit(values) for values in describe_sentences(collector)]
    least = min(_KEPT_FROM, max(logits, default=0.0) - _NEAR_BEST)
    kept = [logit >= least for logit in logits]
    return collector.answer if all(kept) else keep_sentences(collector.answer, kept)


def collect_served(
    reader: Reader, answer: Answer, targets: Sequence[Target], asked: str, serves: "Linear"
) -> Collector:
    """Collects from the answer without its asides; arguments as for `Collector` and `without_asides`."""
    collector = Collector(reader, answer, targets, asked)
    served = without_asides(collector, serves)
    return collector if served is answer else Collector(reader, served, targets, asked)
