"""Writes a trained cross-encoder as it is shipped: an ONNX graph with small integers for weights, and the tokenizer."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from knowledge.crossencoder.rounding import round_evenly, scale_inputs
from knowledge.crossencoder.train import Network

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_BLOCK = 32


def save_model(network: Network, tokenizer: Any, folder: Path) -> None:
    """`model.onnx`, its matrices in 8 bits and its word vectors in 4, and `tokenizer.json`.

    The word vectors come in 4 bits and are not trained, so they lose nothing; in 4 bits the matrices would take half
    of the room and twice the time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        whole, small = Path(scratch) / "whole.onnx", Path(scratch) / "small.onnx"
        _export(scale_inputs(network), whole)
        round_evenly(whole, small)
        _quantize_words(small, folder / "model.onnx")
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"))


def _export(network: Network, path: Path) -> None:
    tokens = torch.ones((2, 16), dtype=torch.long)
    shape = {0: "pairs", 1: "tokens"}
    with torch.inference_mode(), warnings.catch_warnings():
        # The exporter that needs no more packages is an old one and says so; the branch it warns of is a constant.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (tokens, tokens, torch.zeros_like(tokens)),
            str(path),
            input_names=list(_INPUTS),
            output_names=["logits"],
            dynamic_axes={name: shape for name in _INPUTS} | {"logits": {0: "pairs"}},
            dynamo=False,
            opset_version=18,
        )


def _quantize_words(source: Path, path: Path) -> None:
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    config = DefaultWeightOnlyQuantConfig(
        block_size=_BLOCK,
        is_symmetric=True,
        op_types_to_quantize=("Gather",),
        quant_axes=(("MatMul", 0), ("Gather", 1)),
    )
    quantizer = MatMulNBitsQuantizer(onnx.load(source), algo_config=config)
    quantizer.process()
    quantizer.model.save_model_to_file(str(path), False)
