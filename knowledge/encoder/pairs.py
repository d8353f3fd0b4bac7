"""Parallel text: reading it, and turning it into bags of feature numbers."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from knowledge.encoder.features import FeatureKind, feature_kind, list_features


class Pair(NamedTuple):
    """The same said in Chinese and in English."""

    zh: str
    en: str


class Bags(NamedTuple):
    """The features of N texts, end to end.

    Attributes:
        rows: int32, (n,): numbers of the vocabulary's features, distinct within a text.
        weights: float32, (n,): the root of how often each occurs in its text.
        starts: int64, (N + 1,): where each text begins, and the end.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    starts: NDArray[np.int64]


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a JSON Lines file (`.gz` too), or of a bank's YAML.

    A line is `{"zh": ..., "en": ...}`, each a text or a list of equivalents; of lists, every combination is a pair.
    """
    if path.suffix in {".yaml", ".yml"}:
        yield from bank_pairs(yaml.safe_load(path.read_text(encoding="utf-8")))
        return
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        for line in lines:
            if line.strip():
                row = json.loads(line)
                yield from (Pair(zh, en) for zh in _listed(row["zh"]) for en in _listed(row["en"]))


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def bank_pairs(node: object) -> Iterator[Pair]:
    """Whatever the bank says in both languages: questions, references, points, probes, hints, misconceptions."""
    if isinstance(node, dict) and isinstance(node.get("zh"), str) and isinstance(node.get("en"), str):
        zh, en = ([part for part in node[side].split("\n") if part.strip()] for side in ("zh", "en"))
        yield from map(Pair, zh, en) if len(zh) == len(en) else (Pair(node["zh"], node["en"]),)
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from bank_pairs(child)


def choose_vocabulary(texts: Iterable[Sequence[str]], minimum: Callable[[FeatureKind], int]) -> list[str]:
    """The features that occur in at least `minimum(kind)` of the texts, most frequent first.

    Args:
        texts: The features of each text.
        minimum: How many texts a feature of a kind (see `feature_kind`) must occur in.
    """
    counts: Counter[str] = Counter()
    for features in texts:
        counts.update(set(features))
    kept = [(-count, feature) for feature, count in counts.items() if count >= minimum(feature_kind(feature))]
    return [feature for _, feature in sorted(kept)]


def pack_bags(texts: Iterable[Sequence[str]], vocabulary: Sequence[str]) -> Bags:
    """The bags of texts given as features; features outside the vocabulary are left out."""
    rows = {feature: row for row, feature in enumerate(vocabulary)}
    counted = [Counter(rows[f] for f in features if f in rows) for features in texts]
    starts = np.zeros(len(counted) + 1, dtype=np.int64)
    np.cumsum([len(bag) for bag in counted], out=starts[1:])
    numbers = np.fromiter((row for bag in counted for row in bag), dtype=np.int32, count=int(starts[-1]))
    counts = np.fromiter((n for bag in counted for n in bag.values()), dtype=np.float32, count=int(starts[-1]))
    return Bags(numbers, np.sqrt(counts), starts)


def take_bags(bags: Bags, chosen: NDArray[np.int64], drop: float, random: np.random.Generator) -> Bags:
    """The bags of the chosen texts, each feature left out with probability `drop`."""
    lengths = bags.starts[chosen + 1] - bags.starts[chosen]
    ends = np.cumsum(lengths)
    places = np.arange(ends[-1]) + np.repeat(bags.starts[chosen] - (ends - lengths), lengths)
    owners = np.repeat(np.arange(len(chosen)), lengths)
    kept = random.random(len(places)) >= drop
    starts = np.searchsorted(owners[kept], np.arange(len(chosen) + 1))
    return Bags(bags.rows[places[kept]], bags.weights[places[kept]], starts)


def read_features(texts: Sequence[str]) -> list[list[str]]:
    """The features of each text; what is equal is shared, for there are tens of millions of them."""
    known: dict[str, str] = {}
    read: dict[str, list[str]] = {}
    for text in texts:
        if text not in read:
            read[text] = [known.setdefault(f, f) for f in list_features(text)]
    return [read[text] for text in texts]
