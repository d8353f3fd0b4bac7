"""From evidence to a verdict: a small calibrated model, stored as readable numbers, evaluated by plain arithmetic."""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from interviewer.grading.asides import ASIDE_FEATURES
from interviewer.grading.evidence import FEATURES, Evidence
from interviewer.grading.nearness import NEARNESS
from interviewer.grading.overlap import OVERLAP
from interviewer.grading.suspicion import PAIR_FEATURES
from interviewer.models import Verdict

COVERED_FROM = 0.6
PARTIAL_FROM = 0.4
"""Expected credit from which a point counts as covered, or partly covered."""
COVERED_FOUND_FROM = 0.7
"""The same for a point found in a reference that has several: a higher bar comes nearer to people's grades."""

GIVEN_FEATURES = (*FEATURES, *NEARNESS, "doubt", "doubt_beside")
"""What points that people wrote are graded by: evidence, nearness, and how suspicious the answer is about the point and
about the worst of the others, as logits."""
FOUND_FEATURES = (*FEATURES, *OVERLAP, "suspicion", "clash")
"""What points found in a reference are graded by: evidence, overlap, the chance that the answer contradicts the point,
and how much of it a rule found contradicted."""

_LONGEST_LOGIT = 30.0
_SURE = 1e-4
ALONE = -4.0
"""The suspicion of a point that nothing is said about, and of the other points where there are none, as a logit."""


class Linear(NamedTuple):
    """A weighted sum of standardised features and of products of features.

    Attributes:
        products: Pairs of feature names whose product is a feature too, after those of `features`.
        mean: By feature; `scale` and `weights` likewise.
    """

    products: tuple[tuple[str, str], ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    features: tuple[str, ...] = FEATURES

    def logit(self, values: Sequence[float]) -> float:
        rows = zip(expand(values, self.products, self.features), self.mean, self.scale, self.weights, strict=True)
        return self.bias + sum((value - mean) / scale * factor for value, mean, scale, factor in rows)


class Tree(NamedTuple):
    """A decision tree as parallel lists; node 0 is the root, and a node with feature -1 is a leaf.

    Attributes:
        feature: Place in the names of the values that is compared with `at`; `below` and `above` are the next nodes.
        value: What a leaf adds to the logit.
    """

    feature: tuple[int, ...]
    at: tuple[float, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    value: tuple[float, ...]


class Forest:
    """Boosted trees, whose logits add up from `start`; all trees are walked at once, a level at a time."""

    def __init__(self, trees: Sequence[Tree], start: float) -> None:
        self._start = start
        self._roots = np.cumsum([0, *(len(tree.feature) for tree in trees)])[:-1]
        pairs = list(zip(self._roots.tolist(), trees, strict=True))
        leaf = np.array([feature < 0 for tree in trees for feature in tree.feature], np.bool_)
        here = np.arange(len(leaf))
        self._feature = np.where(leaf, 0, [feature for tree in trees for feature in tree.feature]).astype(np.intp)
        self._at = np.array([at for tree in trees for at in tree.at], np.float64)
        below = np.array([root + node for root, tree in pairs for node in tree.below], np.intp)
        above = np.array([root + node for root, tree in pairs for node in tree.above], np.intp)
        self._below, self._above = np.where(leaf, here, below), np.where(leaf, here, above)
        self._value = np.array([value for tree in trees for value in tree.value], np.float64)

    def logit(self, values: Sequence[float]) -> float:
        given = np.asarray(values, np.float64)
        nodes = self._roots
        while True:
            low = given[self._feature[nodes]] <= self._at[nodes]
            following = np.where(low, self._below[nodes], self._above[nodes])
            if np.array_equal(following, nodes):
                return self._start + float(self._value[nodes].sum())
            nodes = following


class Chance(NamedTuple):
    """How likely a verdict is right: weights of the credit as a logit and of the suspicion as a chance, and a bias."""

    credit: float
    suspicion: float
    bias: float

    def of(self, credit: float, suspicion: float) -> float:
        """0..1, by the credit and the suspicion, 0..1 both."""
        return _chance(self.credit * logit(credit) + self.suspicion * suspicion + self.bias)


class Company(NamedTuple):
    """A wrong statement seldom comes alone: how a point's suspicion and the highest of the others weigh, in logits."""

    own: float
    others: float
    bias: float


class Reading(NamedTuple):
    """How what a cross-encoder reads is joined with everything else that is known of a point; all in logits.

    Attributes:
        credit: Weights of the credit so far, of what the cross-encoder reads, and a bias.
        wrong: Weights of the suspicion so far, of the cross-encoder's own, of its credit, of what the whole answer
            earns (0..1, no logit), and a bias.
        surely: The joint suspicion from which a point is contradicted, 0..1.
        least: The logit below which the credit so far counts for no less: whoever says a point in a picture says few of
            its words, and that they are absent is no more against it than this.
    """

    credit: tuple[float, float, float]
    wrong: tuple[float, float, float, float, float]
    surely: float
    least: float

    def credit_of(self, before: float, said: float) -> float:
        """0..1: the joint credit.

        Args:
            before: 0..1, the credit so far.
            said: Logit that the point is said.
        """
        own, read, bias = self.credit
        return _chance(own * max(self.least, logit(before)) + read * said + bias)

    def suspicion_of(self, before: float, wrong: float, said: float, earned: float) -> float:
        """0..1: the joint suspicion.

        Args:
            before: 0..1, the suspicion so far.
            wrong: Logit that the point is contradicted; `said` that it is said.
            earned: 0..1, the joint credit of all points by their weights: who is right about the rest is more likely
                right about this one too.
        """
        own, read, credit, rest, bias = self.wrong
        return _chance(own * logit(before) + read * wrong + credit * said + rest * earned + bias)


class Joint(NamedTuple):
    """What decides where a cross-encoder reads too.

    Attributes:
        usual: For points that people wrote, and those found in a reference that has more than `few` of them.
        few: Where one or two points were found in a reference.
        chances: As `Scorer.chances`, by the joint credit and suspicion.
    """

    usual: Reading
    few: Reading
    chances: dict[Verdict, Chance]


class Scorer(NamedTuple):
    """What the built-in grader decides with.

    Attributes:
        given: For points that people wrote, by `GIVEN_FEATURES`.
        linear: With `boosted`, averaged in logits by `linear_share`: one view of points found in a reference by its
            structure.
        found: The other, by `FOUND_FEATURES`.
        serves: Tells by `ASIDE_FEATURES` whether a sentence serves the question.
        suspicion: Tells by `PAIR_FEATURES` whether a sentence contradicts the point it is about.
        chances: For each verdict, how likely it is right.
        joint: None where no cross-encoder was measured with it.
    """

    given: Forest
    linear: Linear
    boosted: Forest
    linear_share: float
    found: Forest
    serves: Linear
    suspicion: Forest
    company: Company
    chances: dict[Verdict, Chance]
    joint: Joint | None = None

    def credit_given(self, evidence: Evidence, more: Sequence[float], doubted: bool = True) -> float:
        """0..1: the share of the point that was made and is right, as labelled answers have it.

        Args:
            more: The numbers of `GIVEN_FEATURES` that follow the evidence.
            doubted: False to ask how much of the point was made, right or wrong.
        """
        if evidence.window is None:
            return 0.0
        if not doubted:
            more = (*more[:-2], ALONE, ALONE)
        return _chance(self.given.logit((*evidence.values, *more)))

    def credit_found(self, evidence: Evidence, more: Sequence[float]) -> float:
        """0..1: the share of a point found in a reference that was made, as graders who are people would see it: the
        mean of both views in logits.

        What is shared counts for less in the one that was fitted on points, so that saying it all in other words
        still earns something.

        Args:
            more: The numbers of `FOUND_FEATURES` that follow the evidence.
        """
        if evidence.window is None:
            return 0.0
        return _chance((self._logit(evidence) + self.found.logit((*evidence.values, *more))) / 2)

    def _logit(self, evidence: Evidence) -> float:
        boosted = self.boosted.logit(evidence.values)
        return self.linear_share * self.linear.logit(evidence.values) + (1 - self.linear_share) * boosted

    def suspect(self, logits: Sequence[float | None]) -> list[float]:
        """0..1 for each point of an answer: the chance that it is contradicted.

        Args:
            logits: For each point what `suspicion` says of its most suspicious sentence; None where there is none.
        """
        found: list[float] = []
        for at, logit in enumerate(logits):
            own, beside = beside_others(logits, at)
            company = self.company.own * own + self.company.others * beside + self.company.bias
            found.append(0.0 if logit is None else _chance(company))
        return found

    def confidence(self, verdict: Verdict, credit: float, suspicion: float, joint: bool = False) -> float:
        """0..1: how likely the labels or a person would give the same verdict; figures in docs/grading.md.

        Args:
            credit: 0..1; `suspicion` likewise.
            joint: Whether a cross-encoder had its say.
        """
        chances = self.joint.chances if joint and self.joint else self.chances
        return round(chances[verdict].of(credit, suspicion), 2)


def beside_others(logits: Sequence[float | None], at: int) -> tuple[float, float]:
    """The logit of the point `at` and the highest of the others, `ALONE` where there is none."""
    others = [other for i, other in enumerate(logits) if i != at and other is not None]
    own = logits[at]
    return ALONE if own is None else own, max(others, default=ALONE)


def _chance(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-_LONGEST_LOGIT, min(_LONGEST_LOGIT, logit))))


def logit(chance: float) -> float:
    """Of a chance of 0..1, which is kept off both ends."""
    chance = min(1 - _SURE, max(_SURE, chance))
    return math.log(chance / (1 - chance))


def expand(
    values: Sequence[float], products: Sequence[tuple[str, str]], features: Sequence[str] = FEATURES
) -> list[float]:
    """The features followed by their products."""
    named = dict(zip(features, values, strict=True)) if products else {}
    return [*values, *(named[a] * named[b] for a, b in products)]


@lru_cache(maxsize=2)
def load_scorer(name: str) -> Scorer:
    """The scorer `encoder` (with vectors) or `words` (by spelling alone)."""
    text = files("interviewer.grading").joinpath("data/scorer.json").read_text(encoding="utf-8")
    return read_scorer(json.loads(text)[name])


def read_scorer(stored: dict[str, Any]) -> Scorer:
    """A scorer as `python -m evals.grading fit` writes it."""
    return Scorer(
        read_forest(stored["given"], GIVEN_FEATURES),
        read_linear(stored["linear"], FEATURES),
        read_forest(stored, FEATURES),
        stored["linear_share"],
        read_forest(stored["found"], FOUND_FEATURES),
        read_linear(stored["serves"], ASIDE_FEATURES),
        read_forest(stored["suspicion"], PAIR_FEATURES),
        Company(**stored["company"]),
        _read_chances(stored["chances"]),
        _read_joint(stored["joint"]) if stored.get("joint") else None,
    )


def _read_chances(stored: dict[str, list[float]]) -> dict[Verdict, Chance]:
    return {Verdict(name): Chance(*weights) for name, weights in stored.items()}


def _read_joint(stored: dict[str, Any]) -> Joint:
    usual, few = (
        Reading(tuple(each["credit"]), tuple(each["wrong"]), each["surely"], each["least"])
        for each in (stored["usual"], stored["few"])
    )
    return Joint(usual, few, _read_chances(stored["chances"]))


def read_linear(stored: dict[str, Any], features: tuple[str, ...]) -> Linear:
    """A weighted sum as it is stored.

    Args:
        features: The names that it uses, in the order of the values it is given.
    """
    products = tuple((a, b) for a, _, b in (name.partition(" * ") for name in stored["weights"] if " * " in name))
    order = [*features, *(f"{a} * {b}" for a, b in products)]

    def column(name: str) -> tuple[float, ...]:
        return tuple(stored[name][feature] for feature in order)

    return Linear(products, column("mean"), column("scale"), column("weights"), stored["bias"], features)


def read_forest(stored: dict[str, Any], features: tuple[str, ...]) -> Forest:
    """Boosted trees as they are stored.

    Args:
        features: The names that the trees use, in the order of the values they are given.
    """
    places = {name: at for at, name in enumerate(features)}
    return Forest(tuple(_read_tree(tree, places) for tree in stored["trees"]), stored["start"])


def _read_tree(stored: dict[str, list[Any]], places: dict[str, int]) -> Tree:
    compared = tuple(places[name] if name else -1 for name in stored["feature"])
    return Tree(compared, tuple(stored["at"]), tuple(stored["below"]), tuple(stored["above"]), tuple(stored["value"]))


def verdict_of(credit: float, covered_from: float = COVERED_FROM) -> Verdict:
    """The verdict for an expected credit of 0..1."""
    if credit >= covered_from:
        return Verdict.COVERED
    return Verdict.PARTIAL if credit >= PARTIAL_FROM else Verdict.MISSING
