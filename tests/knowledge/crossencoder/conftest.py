"""A very small encoder in place of multilingual-e5-small, and something it can learn."""

import numpy as np
import pytest

from knowledge.crossencoder.base import Base
from knowledge.crossencoder.runtime import LONGEST
from knowledge.crossencoder.train import Taught
from knowledge.crossencoder.vocabulary import SPECIAL, keep_pieces

WORDS = ("▁cache", "▁grows", "▁shrinks", "▁queue", "▁waits", "▁runs", "▁lock", "▁free")
HIDDEN, INNER, LAYERS = 32, 64, 2


def in_4_bits(values: np.ndarray) -> np.ndarray:
    """Rows of one block each, as the real ones come, which lose nothing when they are written."""
    largest = np.take_along_axis(values, np.abs(values).argmax(1)[:, None], 1)
    step = largest / -8
    return (np.clip(np.round(values / step), -8, 7) * step).astype(np.float32)


@pytest.fixture(scope="session")
def base() -> Base:
    pieces = [*SPECIAL, "▁", *WORDS, "▁缓存", "缓", "存", "，"]
    draw = np.random.default_rng(0)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return draw.normal(0, 0.1, (rows, columns)).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": in_4_bits(draw.normal(0, 1, (len(pieces) + 2, HIDDEN))),
        "embeddings.position_embeddings.weight": matrix(LONGEST, HIDDEN),
        "embeddings.token_type_embeddings.weight": matrix(2, HIDDEN),
        "embeddings.LayerNorm.weight": np.ones(HIDDEN, np.float32),
        "embeddings.LayerNorm.bias": np.zeros(HIDDEN, np.float32),
    }
    shapes = {
        "attention.self.query": (HIDDEN, HIDDEN),
        "attention.self.key": (HIDDEN, HIDDEN),
        "attention.self.value": (HIDDEN, HIDDEN),
        "attention.output.dense": (HIDDEN, HIDDEN),
        "intermediate.dense": (INNER, HIDDEN),
        "output.dense": (HIDDEN, INNER),
    }
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            tensors[f"encoder.layer.{layer}.{name}.weight"] = matrix(*shape)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = np.zeros(shape[0], np.float32)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            tensors[f"encoder.layer.{layer}.{name}.weight"] = np.ones(HIDDEN, np.float32)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = np.zeros(HIDDEN, np.float32)
    scores = [0.0] * len(SPECIAL) + [-8.0] + [-3.0] * len(WORDS) + [-4.0, -6.0, -6.0, -6.0]
    return Base(tensors, pieces, scores, HIDDEN, LAYERS, 4, INNER)


@pytest.fixture(scope="session")
def kept(base):
    return keep_pieces(base.pieces, base.scores, ["cache"], 100)


@pytest.fixture(scope="session")
def taught() -> list[Taught]:
    """A point is said where the second text has its word."""
    found: list[Taught] = []
    for at in range(240):
        words = [WORDS[(at * 5 + step) % len(WORDS)][1:] for step in range(4)]
        point, said = words[0], " ".join(words[1:] if at % 2 else words)
        label = float(at % 2 == 0)
        if at % 3:
            found.append(Taught(((point, said),), (1.0,), (label,), (1 - label,), None, 1.0))
        else:
            found.append(Taught(((point, said),), (1.0,), None, None, label, 1.0))
    return found
