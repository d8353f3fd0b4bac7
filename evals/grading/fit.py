"""Fits the built-in grader's scorer on graded answers; what it writes is read by `interviewer.grading.scoring`.

People grade whole answers, so the share of an answer's points is fitted to their grade: the loss is the cross entropy
between the weighted mean of the points' credits and the grade. Where points are labelled the loss is per point.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.grading.data import Graded
from interviewer.grading.evidence import FEATURES, Collector, Encoder, Reader, make_target
from interviewer.grading.naming import shared_by_names
from interviewer.grading.scoring import expand
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer

Array = NDArray[np.float64]

PRODUCTS = (
    ("soft_new", "used_new"),
    ("window_new", "similarity"),
    ("soft_new", "soft_new"),
    ("similarity", "similarity"),
    ("margin", "similarity"),
    ("window_used", "similarity"),
    ("soft_new", "point_length"),
    ("bigrams", "soft"),
    ("window_new", "soft_new"),
    ("similarity", "soft_new"),
)
_UNSIGNED = frozenset(
    {"echo", "answer_length", "point_length", "length_ratio", "has_numbers", "points", "relative_words"}
    | {"asked_similarity", "point_asked_similarity", "topic_similarity", "relative_similarity"}
)
_NEVER_NEGATIVE = frozenset(FEATURES) - _UNSIGNED
_SOURCE_WEIGHT = {
    "scientsbank_train": 0.7,
    "beetle_train": 0.7,
    "saf_en_train": 1.6,
    "ads_zh_dev": 1.2,
    "le_zh": 0.4,
    "off/scientsbank_train": 0.25,
    "off/beetle_train": 0.15,
    "off/saf_en_train": 0.35,
    "off/ads_zh_dev": 0.3,
    "off/le_zh": 0.1,
    "bank/same": 0.3,
    "bank/cross": 0.5,
    "bank/reference": 0.2,
    "bank/reference-cross": 0.2,
    "bank/off": 0.5,
    "bank/probe": 0.3,
    "bank/wrapped": 0.3,
    "battery/strong": 0.8,
    "battery/half": 0.8,
    "battery/weak": 0.3,
    "battery/short-strong": 0.4,
    "battery/cross": 0.4,
    "answers/strong": 1.0,
    "answers/short-strong": 1.0,
    "answers/half-a": 1.0,
    "answers/half-b": 1.0,
    "answers/weak": 1.0,
    "answers/cross": 0.8,
    "answers/wrong": 0.3,
    "answers/list": 0.4,
    "answers/copied": 0.8,
    "answers/off-topic": 0.6,
    "answers/dont-know": 0.3,
    "answers/attack": 0.5,
    "answers/other-language": 0.3,
    "honest/corrected": 0.7,
    "honest/compared": 0.7,
    "candidates/senior": 3.0,
    "candidates/junior": 3.0,
    "candidates/solid": 2.0,
    "candidates/brief": 2.0,
    "candidates/confused": 1.5,
    "candidates/plain": 2.0,
    "candidates/muddled": 1.5,
    "candidates/mistaken": 1.0,
}
_L2 = 1e-3
_TREE_L2 = 20.0
_START = -0.3
LINEAR_SHARE = 0.4


class Growth(NamedTuple):
    """How trees are boosted.

    Attributes:
        leaf: Fewest points of a leaf.
        tried: Share of the features that a split is chosen from.
    """

    trees: int
    depth: int
    leaf: int
    tried: float
    rate: float = 0.08


_GROWTH = Growth(trees=130, depth=4, leaf=60, tried=0.5)


class Table(NamedTuple):
    """The evidence of n answers with m points in all.

    Attributes:
        values: (m, features); `live` (m,) whether there was anything to look at.
        owner: (m,) the answer of each point; `share` (m,) the point's share of its answer's weight, 0 for a point that
            the answer contradicts, since its evidence is as good as that of a covered one.
        target: (m,) the label of the point, where its answer is labelled; else 0.
        score: (n,) the grade of the answer, where people gave one; else 0.
        labelled: (n,) whether the points are labelled.
        importance: (n,) weight in the loss; mean 1.
    """

    values: Array
    live: NDArray[np.bool_]
    owner: NDArray[np.int64]
    share: Array
    target: Array
    score: Array
    labelled: NDArray[np.bool_]
    importance: Array
    groups: NDArray[np.str_]
    sources: NDArray[np.str_]


class Evidenced(NamedTuple):
    """One answer's evidence: (points, features), (points,) weights and whether there was anything to look at."""

    row: Graded
    values: Array
    weights: Array
    live: bool


def gather(
    rows: Sequence[Graded], encoder: Encoder | None, progress: Callable[[int], None] | None = None
) -> list[Evidenced]:
    """The evidence of every answer, with or without vectors; answers to questions without points are left out."""
    reader = Reader(encoder)
    targets: dict[str, list[Any]] = {}
    found: list[Evidenced] = []
    for at, row in enumerate(rows):
        if progress and at % 500 == 0:
            progress(at)
        if not row.question.points:
            continue
        asked = row.question.asked_in(row.language)
        name = f"{row.group}/{row.language}"
        texts = [point.in_language(row.language) for point in row.question.points]
        if name not in targets:
            heard = frozenset(keys(asked)) | shared_by_names(texts)
            targets[name] = [
                make_target(reader, p.in_language(row.language), p.aliases.get(row.language, ()), heard)
                for p in row.question.points
            ]
        answer = read_answer(row.answer, (asked,), texts)
        collector = Collector(reader, answer, targets[name], asked)
        evidence = [collector.collect(i) for i in range(len(targets[name]))]
        values = np.array([each.values for each in evidence], np.float64)
        weights = np.array([p.weight for p in row.question.points], np.float64)
        found.append(Evidenced(row, values, weights / weights.sum(), evidence[0].window is not None))
    return found


def tabulate(found: Sequence[Evidenced]) -> Table:
    """The evidence as a table; how much a source counts was set by hand."""
    sources = [each.row.source for each in found]
    size = Counter(sources)
    return as_table(found, [_SOURCE_WEIGHT[source] / size[source] ** 0.7 for source in sources])


def as_table(found: Sequence[Evidenced], weights: Sequence[float]) -> Table:
    """The evidence of answers, each with its weight in the loss, as a table."""
    counts = np.array([len(each.weights) for each in found])
    sources = np.array([each.row.source for each in found])
    importance = np.array(weights)
    return Table(
        np.vstack([each.values for each in found]),
        np.repeat([each.live for each in found], counts),
        np.repeat(np.arange(len(found)), counts),
        np.concatenate([each.weights * _not_wrong(each) for each in found]),
        np.concatenate([each.row.labels or np.zeros(len(each.weights)) for each in found]).astype(np.float64),
        np.array([each.row.score or 0.0 for each in found]),
        np.array([each.row.labels is not None for each in found]),
        importance / importance.mean(),
        np.array([each.row.group for each in found]),
        sources,
    )


def _not_wrong(each: Evidenced) -> Array:
    letters = each.row.label if each.row.labels is not None and each.row.label else "c" * len(each.weights)
    return np.array([letter != "x" for letter in letters], np.float64)


def fit_scorer(table: Table, seed: int = 0) -> dict[str, Any]:
    """A scorer as plain data: `linear`, `trees`, `start` and `linear_share`."""
    return {
        "linear_share": LINEAR_SHARE,
        "linear": _fit_linear(table),
        **boost(table, FEATURES, _GROWTH, seed),
    }


class _Slope(NamedTuple):
    loss: float
    gradient: Array
    curvature: Array


def _slope(table: Table, logits: Array) -> _Slope:
    """The loss, and its gradient and curvature (m,) by the logit of each point."""
    credit = np.where(table.live, 1 / (1 + np.exp(-np.clip(logits, -30, 30))), 0.0)
    mean = np.clip(np.bincount(table.owner, table.share * credit, len(table.score)), 1e-3, 1 - 1e-3)
    own = table.importance[table.owner]
    labelled = table.labelled[table.owner]
    spread = credit * (1 - credit)
    by_answer = ((mean - table.score) / (mean * (1 - mean)))[table.owner] * table.share * spread
    by_point = (credit - table.target) * table.share
    sharp = (table.share * spread) ** 2 / (mean * (1 - mean))[table.owner]
    safe = np.clip(credit, 1e-6, 1 - 1e-6)
    entropy = -(table.target * np.log(safe) + (1 - table.target) * np.log(1 - safe)) * table.share
    whole = -(table.score * np.log(mean) + (1 - table.score) * np.log(1 - mean))
    loss = float((own * entropy)[labelled & table.live].sum() + (table.importance * whole)[~table.labelled].sum())
    gradient = np.where(table.live, own * np.where(labelled, by_point, by_answer), 0.0)
    return _Slope(loss, gradient, own * np.where(labelled, table.share * spread, sharp) + 1e-6)


def _fit_linear(table: Table) -> dict[str, Any]:
    from scipy.optimize import minimize

    names = [*FEATURES, *(f"{a} * {b}" for a, b in PRODUCTS)]
    wide = np.array([expand(row, PRODUCTS) for row in table.values.tolist()])
    mean, scale = wide[table.live].mean(axis=0), wide[table.live].std(axis=0)
    scale = np.where(scale < 1e-4, 1.0, scale)
    standard = (wide - mean) / scale
    count = len(table.score)

    def objective(theta: Array) -> tuple[float, Array]:
        found = _slope(table, standard @ theta[:-1] + theta[-1])
        ridge = _L2 * float((theta[:-1] ** 2).sum())
        slope = np.append(standard.T @ found.gradient / count + 2 * _L2 * theta[:-1], found.gradient.sum() / count)
        return found.loss / count + ridge, slope

    bounds = [(0.0, None) if name in _NEVER_NEGATIVE else (None, None) for name in names] + [(None, None)]
    start = np.zeros(len(names) + 1)
    theta = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300}).x

    def named(values: Array) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}

    return {
        "mean": named(mean),
        "scale": named(scale),
        "weights": named(theta[:-1]),
        "bias": round(float(theta[-1]), 4),
    }


def boost(table: Table, features: Sequence[str], growth: Growth, seed: int = 0) -> dict[str, Any]:
    """Boosted trees as plain data: `trees` and `start`.

    Args:
        features: Names of the table's columns.
    """
    from sklearn.tree import DecisionTreeRegressor

    choose = np.random.default_rng(seed)
    logits = np.full(len(table.values), _START)
    trees: list[dict[str, list[Any]]] = []
    for number in range(growth.trees):
        found = _slope(table, logits)
        used = table.live & (choose.random(len(logits)) < 0.7)
        tree = DecisionTreeRegressor(
            max_depth=growth.depth,
            min_samples_leaf=growth.leaf,
            max_features=growth.tried,
            random_state=seed + number,
        )
        step = -found.gradient[used] / found.curvature[used]
        tree.fit(table.values[used], np.clip(step, -8, 8), sample_weight=found.curvature[used])
        leaves = tree.apply(table.values.astype(np.float32))
        nodes = tree.tree_.node_count
        pull = np.bincount(leaves[used], found.gradient[used], nodes)
        hold = np.bincount(leaves[used], found.curvature[used], nodes) + _TREE_L2 * found.curvature[used].mean()
        value = np.round(growth.rate * np.clip(-pull / hold, -3, 3), 4)
        logits = logits + value[leaves]
        trees.append(_written(tree.tree_, value, features))
    return {"start": _START, "trees": trees}


def _written(tree: Any, value: Array, features: Sequence[str]) -> dict[str, list[Any]]:
    leaf = tree.feature < 0
    return {
        "feature": ["" if is_leaf else features[f] for f, is_leaf in zip(tree.feature, leaf, strict=True)],
        "at": [0.0 if is_leaf else round(float(t), 5) for t, is_leaf in zip(tree.threshold, leaf, strict=True)],
        "below": tree.children_left.tolist(),
        "above": tree.children_right.tolist(),
        "value": [float(v) if is_leaf else 0.0 for v, is_leaf in zip(value, leaf, strict=True)],
    }
