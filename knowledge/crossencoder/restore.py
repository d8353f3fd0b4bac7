"""Reads shipped weights back, to train them further: their matrices come in the 256 steps that they were rounded to."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import torch

from interviewer.errors import InterviewerError
from knowledge.crossencoder.base import Base
from knowledge.crossencoder.train import Network
from knowledge.crossencoder.vocabulary import Kept

_LAYER = re.compile(r"/layer\.(\d+)/(.+)/MatMul")
_ROUNDED = "_quantized"


def restore_pieces(folder: Path, base: Base) -> Kept:
    """The pieces of the tokenizer in `folder`, and their places in the base's.

    Raises:
        InterviewerError: if the base lacks one: the weights started from another.
    """
    stored = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    pieces = [piece for piece, _ in stored["model"]["vocab"]]
    place = {piece: at for at, piece in enumerate(base.pieces)}
    if not place.keys() >= set(pieces):
        raise InterviewerError(
            f"The tokenizer in {folder} has pieces that the base does not have.",
            next_step="Name the file that these weights were trained from with --base.",
        )
    rows = np.array([place[piece] for piece in pieces], np.int64)
    return Kept(pieces, [base.scores[row] for row in rows], rows)


def restore_weights(network: Network, folder: Path) -> None:
    """Sets what was trained in `network` to what `model.onnx` in `folder` holds; word vectors are the base's as ever.

    Raises:
        InterviewerError: if the file is an export of a network with other layers.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(folder / "model.onnx")).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        # The exporter keeps equal vectors once.
        if node.op_type == "Identity" and node.input[0] in stored:
            stored[node.output[0]] = stored[node.input[0]]
    weights = network.state_dict()
    found: dict[str, Any] = {
        name: stored[name] for name, values in weights.items() if stored.get(name, np.empty(0)).shape == values.shape
    }
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            found[_name_of(node.name)] = _read(stored, node.input[1]).T
    trained, exported = ({name for name in names if "embeddings" not in name} for names in (weights, found))
    strange = sorted(trained ^ exported)
    if strange:
        raise InterviewerError(
            f"{folder / 'model.onnx'} is no export of this network: one of them has {strange[0]}, the other has not.",
            next_step="Name the file that these weights were trained from with --base.",
        )
    for name, values in found.items():
        weights[name].copy_(torch.tensor(values))


def _name_of(node: str) -> str:
    """The network's name of the matrix that a node multiplies by."""
    layer = _LAYER.search(node)
    if layer:
        return f"encoder.encoder.layer.{layer[1]}.{layer[2].replace('/', '.')}.weight"
    return "head.weight" if "/head/" in node else "dense.weight"


def _read(stored: dict[str, Any], name: str) -> Any:
    own = name.removesuffix(_ROUNDED)
    return (stored[name].astype(np.float32) - stored[f"{own}_zero_point"]) * stored[f"{own}_scale"]
