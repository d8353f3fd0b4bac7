"""The conversation as the chat component takes it: one piece of our own HTML a message, nothing it would interpret."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import gradio as gr
from gradio.components.chatbot import ComponentMessage

from interviewer.interview.transcript import Message
from ui.render.message import message_html, progress_html
from ui.screens import InterviewScreen
from ui.texts import Texts


def chat_messages(screen: InterviewScreen, t: Texts) -> list[dict[str, Any]]:
    """All messages of an interview, and the grader's progress while it works."""
    rows = [
        _row(_role(message), message_html(message, screen.view.state, screen.topics, t, screen.contest, screen.view.id))
        for message in screen.view.messages
    ]
    return [*rows, _row("assistant", progress_html(screen.progress, t))] if screen.progress else rows


def anchor(messages: Sequence[Message]) -> str:
    """The key of the message to begin with after a reload: the first reply to what the candidate said last."""
    said = [position for position, message in enumerate(messages) if message.role == "candidate"]
    if not said:
        return messages[0].key if messages else ""
    return messages[min(said[-1] + 1, len(messages) - 1)].key


def _role(message: Message) -> str:
    return "user" if message.role == "candidate" else "assistant"


def _row(role: str, html: str) -> dict[str, Any]:
    """Plain strings would go through the chat's own HTML and formula rendering; a component's value doesn't."""
    return {"role": role, "content": message_component().model_copy(update={"value": html})}


@cache
def message_component() -> ComponentMessage:
    """The component a message is shown in. It must be made while a page is built: in a handler gradio makes updates."""
    arguments = {"js_on_load": None, "apply_default_css": False, "render": False}
    config = gr.HTML(**arguments).get_config()  # type: ignore[arg-type]
    return ComponentMessage(component="html", value="", constructor_args=arguments, props=config)
