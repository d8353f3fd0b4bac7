"""From evidence to a verdict: a small calibrated model, stored as readable numbers, evaluated by plain arithmetic."""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from interviewer.grading.evidence import FEATURES, Evidence
from interviewer.models import Verdict

COVERED_FROM = 0.6
PARTIAL_FROM = 0.4
"""Expected credit from which a point counts as covered, or partly covered."""

_LONGEST_LOGIT = 30.0
_LEAST_SURE, _SURER, _HALF_SURE = 0.05, 0.87, 0.4


class Linear(NamedTuple):
    """A weighted sum of standardised features and of products of features.

    Attributes:
        products: Pairs of feature names whose product is a feature too, after those of `FEATURES`.
        mean: By feature; `scale` and `weights` likewise.
    """

    products: tuple[tuple[str, str], ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def logit(self, values: Sequence[float]) -> float:
        rows = zip(expand(values, self.products), self.mean, self.scale, self.weights, strict=True)
        return self.bias + sum((value - mean) / scale * factor for value, mean, scale, factor in rows)


class Tree(NamedTuple):
    """A decision tree as parallel lists; node 0 is the root, and a node with feature -1 is a leaf.

    Attributes:
        feature: Place in `FEATURES` that is compared with `at`; `below` and `above` are the next nodes.
        value: What a leaf adds to the logit.
    """

    feature: tuple[int, ...]
    at: tuple[float, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    value: tuple[float, ...]

    def logit(self, values: Sequence[float]) -> float:
        node = 0
        while self.feature[node] >= 0:
            node = self.below[node] if values[self.feature[node]] <= self.at[node] else self.above[node]
        return self.value[node]


class Scorer(NamedTuple):
    """A linear model and boosted trees, averaged in logits by `linear_share`."""

    linear: Linear
    trees: tuple[Tree, ...]
    start: float
    linear_share: float

    def credit(self, evidence: Evidence) -> float:
        """0..1: the share of the point that was made, as graders who are people would see it."""
        if evidence.window is None:
            return 0.0
        boosted = self.start + sum(tree.logit(evidence.values) for tree in self.trees)
        z = self.linear_share * self.linear.logit(evidence.values) + (1 - self.linear_share) * boosted
        return 1 / (1 + math.exp(-max(-_LONGEST_LOGIT, min(_LONGEST_LOGIT, z))))


def expand(values: Sequence[float], products: Sequence[tuple[str, str]]) -> list[float]:
    """The features followed by their products."""
    named = dict(zip(FEATURES, values, strict=True))
    return [*values, *(named[a] * named[b] for a, b in products)]


@lru_cache(maxsize=2)
def load_scorer(name: str) -> Scorer:
    """The scorer `encoder` (with vectors) or `words` (by spelling alone)."""
    text = files("interviewer.grading").joinpath("data/scorer.json").read_text(encoding="utf-8")
    return read_scorer(json.loads(text)[name])


def read_scorer(stored: dict[str, Any]) -> Scorer:
    """A scorer as `python -m evals.grading fit` writes it."""
    weights = stored["linear"]["weights"]
    products = tuple((a, b) for a, _, b in (name.partition(" * ") for name in weights if " * " in name))
    order = [*FEATURES, *(f"{a} * {b}" for a, b in products)]

    def column(name: str) -> tuple[float, ...]:
        return tuple(stored["linear"][name][feature] for feature in order)

    linear = Linear(products, column("mean"), column("scale"), column("weights"), stored["linear"]["bias"])
    trees = tuple(_read_tree(tree) for tree in stored["trees"])
    return Scorer(linear, trees, stored["start"], stored["linear_share"])


def _read_tree(stored: dict[str, list[Any]]) -> Tree:
    places = tuple(FEATURES.index(name) if name else -1 for name in stored["feature"])
    return Tree(places, tuple(stored["at"]), tuple(stored["below"]), tuple(stored["above"]), tuple(stored["value"]))


def verdict_of(credit: float) -> Verdict:
    if credit >= COVERED_FROM:
        return Verdict.COVERED
    return Verdict.PARTIAL if credit >= PARTIAL_FROM else Verdict.MISSING


def confidence_of(credit: float, verdict: Verdict) -> float:
    """0..1: how likely a person would give the same verdict, calibrated; figures in docs/grading.md."""
    if verdict == Verdict.PARTIAL:
        return _HALF_SURE
    likely = credit if verdict == Verdict.COVERED else 1 - credit
    return round(_LEAST_SURE + _SURER * likely, 2)
