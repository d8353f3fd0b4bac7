"""The cross-encoder of the built-in grader: reads a point and what was said about it together.

`python -m knowledge.crossencoder` trains it. Importing this package reads no weights and imports neither torch nor
onnxruntime.
"""

from pathlib import Path


def weights_path() -> Path:
    """The folder of the shipped weights: `model.onnx`, `tokenizer.json` and the model card."""
    return Path(__file__).resolve().parent / "weights"
