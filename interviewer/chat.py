"""The port to a chat model. The adapter in `interviewer/chat_model.py` is the one home of langchain and openai."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol


class ChatMessage(NamedTuple):
    """One message of a request; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


class ChatModel(Protocol):
    """Any model that can be asked."""

    @property
    def name(self) -> str:
        """The model's name as configured; stored with every grade it makes."""
        ...

    def stream_json(self, messages: list[ChatMessage], schema: dict[str, Any]) -> Iterator[str]:
        """The reply to `messages` as JSON text for `schema`, in pieces as they arrive.

        Uses JSON-schema output where the server has it, and falls back to a tool call, JSON mode and plain text.

        Raises:
            ChatModelError: with a `kind`; also when the deadline passes or the stream stalls.
        """
        ...
