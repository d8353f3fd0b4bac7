"""What the server can be told to do with a request."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Request(NamedTuple):
    """A request as it came in; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All messages, joined."""
        return "\n".join(str(message.get("content", "")) for message in self.body.get("messages", ()))


class Say(NamedTuple):
    """A reply, in the form that was asked for.

    Attributes:
        text: What the model writes; the arguments of the tool call where a tool was forced.
        piece: Characters of one streamed piece.
        pace: Seconds between pieces.
        finish: `finish_reason`; empty for a server that never sends one.
        reasoning: Sent first, as `reasoning_content`.
        as_content: Written as plain content even where a tool was forced.
        keep_open: Seconds the stream stays open, silent, after the last piece.
    """

    text: str
    piece: int = 12
    pace: float = 0.0
    finish: str = "stop"
    reasoning: str = ""
    as_content: bool = False
    keep_open: float = 0.0


class Fail(NamedTuple):
    """An HTTP error with a JSON body as the usual servers write it."""

    status: int
    message: str = "something went wrong"
    code: str = ""
    headers: Mapping[str, str] = {}


class Body(NamedTuple):
    """Any body with status 200, such as a login page."""

    content: bytes
    content_type: str = "text/html"


class Slow(NamedTuple):
    """Nothing at all for `seconds`, then `then`."""

    seconds: float
    then: "Action"


class Stall(NamedTuple):
    """The first `after` characters of `text`, then silence, or comments that keep the connection alive."""

    text: str
    after: int
    seconds: float
    comments: bool = False


class Cut(NamedTuple):
    """The first `after` characters of `text`, then the connection ends; `chunked` ones notice that it was cut.

    With `error`, the server says so within the stream before it ends.
    """

    text: str
    after: int
    chunked: bool = True
    error: str = ""


Action = Say | Fail | Body | Slow | Stall | Cut
Behaviour = Callable[[Request], Action]
