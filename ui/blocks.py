"""Gradio's blocks, with less work for every event."""

from copy import copy
from typing import Any

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.state_holder import SessionState


class Page(gr.Blocks):
    """Blocks that touch only what an event changes.

    Gradio makes each output of an event anew, also those that nothing is said about: with our few dozen outputs that
    took a third of a busy server's time.
    """

    async def postprocess_data(
        self, block_fn: BlockFunction, predictions: list[Any] | dict[Any, Any], state: SessionState | None
    ) -> list[Any]:
        if not isinstance(predictions, dict) or not all(isinstance(key, gr.blocks.Block) for key in predictions):
            return await super().postprocess_data(block_fn, predictions, state)
        changed = [block for block in block_fn.outputs if block in predictions]
        part = copy(block_fn)
        part.outputs = changed
        values = [predictions[block] for block in changed]
        made = iter(await super().postprocess_data(part, values[0] if len(values) == 1 else values, state))
        return [next(made) if block in predictions else gr.skip() for block in block_fn.outputs]
