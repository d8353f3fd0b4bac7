"""How a server is asked for JSON: what it may not understand, and what has been learned about it in this process."""

import json
import threading
from typing import Any, Literal, NamedTuple

from interviewer.chat import ChatMessage
from interviewer.language import detect
from interviewer.prompts import find_prompt

Level = Literal["json_schema", "tool", "json_mode", "plain"]
_NEXT: dict[Level, Level] = {"json_schema": "tool", "tool": "json_mode", "json_mode": "plain"}
Extra = Literal["temperature", "usage", "streams"]
TOOL_NAME = "reply"


class Learned(NamedTuple):
    """What one model at one endpoint is known to take.

    Attributes:
        level: The best way of asking for JSON that it has not rejected.
        temperature: Whether it takes `temperature=0`.
        usage: Whether it takes a request for token counts.
        streams: Whether it can stream.
    """

    level: Level = "json_schema"
    temperature: bool = True
    usage: bool = True
    streams: bool = True

    def without(self, extra: Extra) -> "Learned":
        """The same without an extra it rejected by name."""
        return Learned(**{**self._asdict(), extra: False})

    def lower(self) -> "Learned | None":
        """The next way to ask; bare at last; None when all have been rejected."""
        if self.level in _NEXT:
            return self._replace(level=_NEXT[self.level])
        if self.temperature or self.usage:
            return self._replace(temperature=False, usage=False)
        return None


_known: dict[tuple[str, str], Learned] = {}
_lock = threading.Lock()


def learned(endpoint: str, model: str) -> Learned:
    """What is known about `model` at `endpoint`; the best is assumed of one not met before."""
    with _lock:
        return _known.get((endpoint, model), Learned())


def remember(endpoint: str, model: str, what: Learned) -> None:
    """Keeps for this process what a model at an endpoint takes."""
    with _lock:
        _known[endpoint, model] = what


def request_options(what: Learned, schema: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments of the request. `response_format` goes into the body as it is.

    Given as its own argument it would switch the client to a helper that re-parses the whole reply and is strict about
    fields many servers leave out.
    """
    options: dict[str, Any] = {}
    if what.temperature:
        options["temperature"] = 0
    if what.usage and what.streams:
        options["stream_usage"] = True
    if what.level == "json_schema":
        options["extra_body"] = {"response_format": {"type": "json_schema", "json_schema": _named(schema)}}
    elif what.level == "json_mode":
        options["extra_body"] = {"response_format": {"type": "json_object"}}
    elif what.level == "tool":
        function = {"name": TOOL_NAME, "description": schema.get("description", ""), "parameters": schema}
        options["tools"] = [{"type": "function", "function": function}]
        options["tool_choice"] = {"type": "function", "function": {"name": TOOL_NAME}}
    return options


def instructed(what: Learned, messages: list[ChatMessage], schema: dict[str, Any]) -> list[ChatMessage]:
    """`messages`, with the schema in words behind the last one where the server is not given it otherwise."""
    if what.level in ("json_schema", "tool"):
        return messages
    text = json.dumps(schema, ensure_ascii=False)
    words = find_prompt("reply-in-json", detect(messages[0].content)).render({"schema": text})[0].content
    return [*messages[:-1], messages[-1]._replace(content=f"{messages[-1].content}\n\n{words}")]


def is_strict(schema: Any) -> bool:
    """Whether a schema keeps the rules of strict mode: every object closed, and every property required."""
    if isinstance(schema, list):
        return all(is_strict(item) for item in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        complete = set(schema.get("required", ())) == set(schema.get("properties", {}))
        if not (closed and complete):
            return False
    return all(is_strict(value) for value in schema.values())


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {"name": str(schema.get("title", TOOL_NAME)), "schema": schema}
    return {**named, "strict": True} if is_strict(schema) else named
