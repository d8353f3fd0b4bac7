"""From evidence to a verdict: a small calibrated model, stored as readable numbers, evaluated by plain arithmetic."""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from interviewer.grading.evidence import FEATURES, Evidence
from interviewer.models import Verdict

COVERED_FROM = 0.7
PARTIAL_FROM = 0.4
"""Expected credit from which a point counts as covered, or partly covered."""


class Scorer(NamedTuple):
    """A logistic model over standardised features and products of features.

    Attributes:
        products: Pairs of feature names whose product is a feature too, after those of `FEATURES`.
        mean: By feature; `scale` likewise.
    """

    products: tuple[tuple[str, str], ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def credit(self, evidence: Evidence) -> float:
        """0..1: the share of the point that was made, as graders who are people would see it."""
        if evidence.window is None:
            return 0.0
        z = self.bias
        values = expand(evidence.values, self.products)
        for value, mean, scale, factor in zip(values, self.mean, self.scale, self.weights, strict=True):
            z += (value - mean) / scale * factor
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


def expand(values: Sequence[float], products: Sequence[tuple[str, str]]) -> list[float]:
    """The features followed by their products."""
    named = dict(zip(FEATURES, values, strict=True))
    return [*values, *(named[a] * named[b] for a, b in products)]


@lru_cache(maxsize=2)
def load_scorer(name: str) -> Scorer:
    """The scorer `encoder` (with vectors) or `words` (by spelling alone)."""
    text = files("interviewer.grading").joinpath("data/scorer.json").read_text(encoding="utf-8")
    stored = json.loads(text)[name]
    weights = stored["weights"]
    products = tuple((a, b) for a, _, b in (name.partition(" * ") for name in weights if " * " in name))
    order = [*FEATURES, *(f"{a} * {b}" for a, b in products)]
    return Scorer(
        products,
        tuple(stored["mean"][name] for name in order),
        tuple(stored["scale"][name] for name in order),
        tuple(weights[name] for name in order),
        stored["bias"],
    )


def verdict_of(credit: float) -> Verdict:
    if credit >= COVERED_FROM:
        return Verdict.COVERED
    return Verdict.PARTIAL if credit >= PARTIAL_FROM else Verdict.MISSING


def confidence_of(credit: float, verdict: Verdict) -> float:
    """0..1: how likely a person would give the same verdict, from how far the credit is from the next one's range."""
    if verdict == Verdict.COVERED:
        return round(0.55 + 0.4 * (credit - COVERED_FROM) / (1 - COVERED_FROM), 2)
    if verdict == Verdict.PARTIAL:
        middle = (COVERED_FROM + PARTIAL_FROM) / 2
        return round(0.55 - 0.1 * abs(credit - middle) / (COVERED_FROM - middle), 2)
    return round(0.95 - 0.4 * credit / PARTIAL_FROM, 2)
