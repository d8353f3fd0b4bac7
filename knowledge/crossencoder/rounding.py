"""Rounds what a layer is given to 8 bits, for each token in steps of its own.

Of what a feed-forward layer is given a few numbers are twenty times as large as the others, and most of these belong
to one token or another: in steps of the largest number of all tokens the others are hardly told apart. So every token's
numbers are divided by the largest of them before the matrix, and what comes out is multiplied by it (as in LLM.int8,
Dettmers and others, 2022). The steps are then the same for whatever is read, and nothing depends on what else is read
with it.
"""

import copy
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from knowledge.crossencoder.train import Network

_LEAST = 1e-9
_STEPS, _MIDDLE = 127, 128


class Scaled(nn.Linear):
    """A linear layer that sees each token's inputs between -1 and 1; what comes out stays the same.

    Args:
        layer: As it was trained.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__(layer.in_features, layer.out_features)
        self.weight = nn.Parameter(layer.weight.detach().clone())
        self.bias = nn.Parameter(layer.bias.detach().clone())

    def forward(self, input: Tensor) -> Tensor:
        largest = input.abs().amax(-1, keepdim=True).clamp_min(_LEAST)
        return functional.linear(input / largest, self.weight) * largest + self.bias


def scale_inputs(network: Network) -> Network:
    """The same network with `Scaled` layers, in evaluation mode."""
    scaled = copy.deepcopy(network).eval()
    owners = [(owner, name, layer) for owner in scaled.modules() for name, layer in owner.named_children()]
    for owner, name, layer in owners:
        if isinstance(layer, nn.Linear):
            setattr(owner, name, Scaled(layer))
    return scaled


def round_evenly(source: Path, path: Path) -> None:
    """Writes an ONNX graph of `Scaled` layers with its matrices in 8 bits, and what they are given in steps of 1/127.

    Of matrices each column has steps of its own.
    """
    import onnx
    from onnx import helper, numpy_helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source,
        path,
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )
    model = onnx.load(path)
    step, middle = "step_of_inputs", "middle_of_inputs"
    renamed: dict[str, str] = {}
    for node in model.graph.node:
        if node.op_type == "DynamicQuantizeLinear":
            # Its steps are those of the largest number of whatever is read together.
            values, its_step, its_middle = node.output
            renamed |= {its_step: step, its_middle: middle}
            node.CopyFrom(helper.make_node("QuantizeLinear", [node.input[0], step, middle], [values], node.name))
    for node in model.graph.node:
        for at, name in enumerate(node.input):
            node.input[at] = renamed.get(name, name)
    model.graph.initializer.extend(
        [
            numpy_helper.from_array(_array(1 / _STEPS, "float32"), step),
            numpy_helper.from_array(_array(_MIDDLE, "uint8"), middle),
        ]
    )
    onnx.save(model, path)


def _array(value: float, kind: str) -> Any:
    import numpy as np

    return np.array(value, kind)
