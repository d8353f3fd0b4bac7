"""Runs the cross-encoder by onnxruntime, without torch; nothing is read before the first pair."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.crossencoder import weights_path

LONGEST = 288
"""Tokens of a pair that are read."""

_BATCH_TOKENS = 512
"""What is worked on then stays in a core's cache: with one thread a sixth faster than 4,096, with two the same."""


def session_options() -> Any:
    """How onnxruntime reads the weights: the same on every processor, and without taking it from others."""
    from onnxruntime import SessionOptions

    options = SessionOptions()
    options.log_severity_level = 3
    # Threads that wait by spinning take a third more of the processor, which others need on a shared machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Older x64 processors (those without VNNI) else add products in 16 bits and cut off what does not fit: every tenth
    # grade was another one there. The exact way takes a fifth more time, and on those processors alone.
    options.add_session_config_entry("session.x64quantprecision", "1")
    return options


class OnnxCrossEncoder:
    """An `interviewer.grading.reading.CrossEncoder`. Safe to use from several threads.

    Args:
        folder: Where the weights are; the shipped ones by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or weights_path()
        self._lock = Lock()

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Logits, float32 (len(pairs), 2): that the second text says what the first says; that it contradicts it."""
        found = np.zeros((len(pairs), 2), np.float32)
        if not pairs:
            return found
        session, tokenizer = self._loaded
        read = tokenizer.encode_batch(list(pairs))
        order = sorted(range(len(read)), key=lambda at: len(read[at].ids))
        for batch in _batches(order, [len(each.ids) for each in read]):
            found[batch] = _run(session, [read[at] for at in batch])
        return found

    def warm_up(self) -> None:
        """Reads the weights, so that the first answer need not wait for them."""
        self.predict([("warm", "up")])

    @property
    def _loaded(self) -> tuple[Any, Any]:
        with self._lock:
            return self._session, self._tokenizer

    @cached_property
    def _session(self) -> Any:
        from onnxruntime import InferenceSession

        return InferenceSession(self._folder / "model.onnx", session_options(), providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(LONGEST)
        return tokenizer


def _batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """`order`, by rising length, cut so that no batch holds more tokens than fit, padded."""
    batches: list[list[int]] = [[]]
    for at in order:
        if batches[-1] and (len(batches[-1]) + 1) * lengths[at] > _BATCH_TOKENS:
            batches.append([])
        batches[-1].append(at)
    return batches


def _run(session: Any, read: Sequence[Any]) -> NDArray[np.float32]:
    shape = len(read), max(len(each.ids) for each in read)
    fed = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, each in enumerate(read):
        size = len(each.ids)
        fed["input_ids"][row, :size] = each.ids
        fed["attention_mask"][row, :size] = 1
        fed["token_type_ids"][row, :size] = each.type_ids
    logits: NDArray[np.float32] = session.run(None, fed)[0]
    return logits
