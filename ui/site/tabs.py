"""Gradio's own routes behind the gate: only those the page uses, and every tab, event and upload for one person."""

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from interviewer.models import LANGUAGES
from ui.site.claims import Claims

LARGEST_BODY = 2_000_000
"""Bytes of an event; what a person types or uploads for it is far smaller or comes by another way."""
_API = "gradio_api/"
_OPEN = ("info", "info/", "app_id", "startup-events", "theme.css", "queue/status", "reset", "reset/")
_CLOSED = ("login", "logout", "monitoring", "pwa_icon", "custom_component")
_EVENT = ("session_hash", "data", "event_data", "fn_index", "trigger_id")
"""What the page sends of an event. `batched` and `event_id` are gradio's own to set."""


class Refused(Exception):  # noqa: N818 - it is an answer, not an error
    """This is not for them: nothing there (404), somebody else's (403), too large (413) or unreadable (400)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Passage(NamedTuple):
    """How a request goes on to gradio."""

    scope: Scope
    receive: Receive
    send: Send


class Tabs:
    """Who may use which of gradio's names."""

    def __init__(self, claims: Claims) -> None:
        self._claims = claims

    async def admit(self, path: str, person: str, scope: Scope, receive: Receive, send: Send) -> Passage:
        """The request as gradio may have it.

        Args:
            path: The address below the installation's root.
            person: The id of who asks.

        Raises:
            Refused: if it is not for them.
        """
        here = Passage(scope, receive, send)
        below = _below_language(path)
        if below is None or below.split("/")[0] in _CLOSED:
            if below is not None:
                raise Refused(404)
            return here
        if not below.startswith(_API.rstrip("/")):
            return here
        route = below.removeprefix(_API)
        if route in _OPEN:
            return here
        handler = self._handlers.get(route)
        if handler is not None:
            return await handler(self, person, here)
        for kind, name in (("session", "heartbeat/"), ("file", "file=")):
            if route.startswith(name):
                self._need(person, kind, route.removeprefix(name), new=kind == "session")
                return here
        raise Refused(404)

    async def _join(self, person: str, here: Passage) -> Passage:
        event = await _read_json(here)
        self._need(person, "session", event.get("session_hash"), new=True)
        for path in _paths(event.get("data")):
            self._need(person, "file", path)
        body = json.dumps({key: event[key] for key in _EVENT if key in event}).encode()
        answered = self._hear(person, here, lambda reply: [("event", reply.get("event_id"))])
        return answered._replace(scope=_with_length(answered.scope, len(body)), receive=_replay(body, here.receive))

    async def _cancel(self, person: str, here: Passage) -> Passage:
        event = await _read_json(here)
        self._need(person, "session", event.get("session_hash"))
        self._need(person, "event", event.get("event_id"))
        body = json.dumps({key: event.get(key) for key in ("session_hash", "fn_index", "event_id")}).encode()
        return here._replace(scope=_with_length(here.scope, len(body)), receive=_replay(body, here.receive))

    async def _data(self, person: str, here: Passage) -> Passage:
        self._need(person, "session", _parameter(here.scope, "session_hash"), new=True)
        return here

    async def _upload(self, person: str, here: Passage) -> Passage:
        if b"upload_id" in here.scope["query_string"]:
            await self._upload_progress(person, here)
        return self._hear(person, here, lambda reply: [("file", path) for path in reply])

    async def _upload_progress(self, person: str, here: Passage) -> Passage:
        self._need(person, "upload", _parameter(here.scope, "upload_id"), new=True)
        return here

    _handlers: dict[str, Callable[["Tabs", str, Passage], Awaitable[Passage]]] = {
        "queue/join": _join,
        "queue/data": _data,
        "cancel": _cancel,
        "upload": _upload,
        "upload_progress": _upload_progress,
    }

    def _need(self, person: str, kind: str, name: Any, *, new: bool = False) -> None:
        if not isinstance(name, str) or not name:
            raise Refused(400)
        # Two people who upload the same document share its place.
        full = f"{kind} {person} {name}" if kind == "file" else f"{kind} {name}"
        allowed = self._claims.claim(person, full) if new else self._claims.has(person, full)
        if not allowed:
            raise Refused(403)

    def _hear(self, person: str, here: Passage, names: Callable[[Any], list[tuple[str, Any]]]) -> Passage:
        """Makes what gradio answers with the person's before they know it."""
        status, heard = 0, b""

        async def send(message: Message) -> None:
            nonlocal status, heard
            if message["type"] == "http.response.start":
                status = message["status"]
            elif status == 200:
                heard += message.get("body", b"")
                if not message.get("more_body"):
                    for kind, name in names(json.loads(heard)):
                        self._need(person, kind, name, new=True)
            await here.send(message)

        plain = [(key, value) for key, value in here.scope["headers"] if key != b"accept-encoding"]
        return here._replace(scope={**here.scope, "headers": plain}, send=send)


def _below_language(path: str) -> str | None:
    return next((path[len(name) + 2 :] for name in LANGUAGES if path.startswith(f"/{name}/")), None)


def _parameter(scope: Scope, name: str) -> str:
    values = parse_qs(scope["query_string"].decode("latin-1")).get(name, [])
    if len(values) != 1:
        raise Refused(400)
    return str(values[0])


def _paths(value: Any) -> Iterator[Any]:
    """The files an event speaks of, however deep."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            if "path" in part:
                yield part["path"]
            left.extend(part.values())
        elif isinstance(part, list):
            left.extend(part)


async def _read_json(here: Passage) -> dict[str, Any]:
    body = b""
    more = True
    while more:
        message = await here.receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > LARGEST_BODY:
            raise Refused(413)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400) from None
    if not isinstance(found, dict):
        raise Refused(400)
    return found


def _replay(body: bytes, then: Receive) -> Receive:
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            return await then()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _with_length(scope: Scope, length: int) -> Scope:
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers["content-length"] = str(length)
    return {**scope, "headers": headers.raw}
