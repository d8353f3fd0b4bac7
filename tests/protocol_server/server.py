"""The socket side: routes, rejections, streaming, stalling and cutting."""

import json
import select
import socket
import threading
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.protocol_server.actions import Action, Behaviour, Body, Cut, Fail, Request, Say, Slow, Stall
from tests.protocol_server.behaviours import graduate

_REJECTIONS = {
    "json_schema": "'response_format' of type 'json_schema' is not supported",
    "json_mode": "unsupported response_format",
    "tools": "this model does not support tools",
    "temperature": "Unsupported value: 'temperature' does not support 0 with this model",
    "stream_options": "unknown field stream_options",
}


class ProtocolServer:
    """Serves on 127.0.0.1 while it is entered.

    Attributes:
        behaviour: Answers when the queue is empty.
        rejects: Parts of a request answered with status 400: the keys of `_REJECTIONS`.
        ignores: Parts acted on as if they had not been sent: `tools`, `stream`.
        models: What `/v1/models` lists; None for a server without that route.
        key: Requests with another bearer token get 401; empty to take any.
        history: Every request to `/v1/chat/completions`, in order of arrival.
        left: How many clients went away before their reply was over.
    """

    def __init__(self, behaviour: Behaviour = graduate, port: int = 0) -> None:
        self.behaviour = behaviour
        self.rejects: frozenset[str] = frozenset()
        self.ignores: frozenset[str] = frozenset()
        self.reject_status = 400
        self.models: list[str] | None = ["mock"]
        self.key = ""
        self.history: list[Request] = []
        self.left = 0
        self.stopping = threading.Event()
        self._queue: deque[Action] = deque()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL to configure."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def enqueue(self, *actions: Action) -> None:
        """What to do with the next requests, one each."""
        self._queue.extend(actions)

    def next_action(self, request: Request) -> Action:
        """The next of the queue, else what the behaviour makes of the request."""
        return self._queue.popleft() if self._queue else self.behaviour(request)

    @property
    def waiting(self) -> int:
        """Actions queued and not used; a test that leaves some did not do what it meant to."""
        return len(self._queue)

    def start(self) -> "ProtocolServer":
        self._thread.start()
        return self

    def stop(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> "ProtocolServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _handler(server: ProtocolServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"owner": server})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ProtocolServer

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: the history tells what came in."""

    def do_GET(self) -> None:
        if self.path != "/v1/models" or self.owner.models is None:
            self._fail(Fail(404, "404 page not found"))
        elif not self._key_fits():
            self._fail(Fail(401, "Incorrect API key provided"))
        else:
            models = [{"id": m, "object": "model", "created": 0, "owned_by": "test"} for m in self.owner.models]
            self._json(200, {"object": "list", "data": models})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/v1/chat/completions":
            self._fail(Fail(404, "404 page not found"))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(raw))
        self.owner.history.append(request)
        try:
            self._act(self._rejection(request) or self.owner.next_action(request), request)
        except (BrokenPipeError, ConnectionResetError):
            self._gone()

    def _key_fits(self) -> bool:
        return not self.owner.key or self.headers.get("Authorization") == f"Bearer {self.owner.key}"

    def _rejection(self, request: Request) -> Fail | None:
        if not self._key_fits():
            return Fail(401, f"Incorrect API key provided: {self.headers.get('Authorization')}", "invalid_api_key")
        asked = {
            "json_schema": request.body.get("response_format", {}).get("type") == "json_schema",
            "json_mode": request.body.get("response_format", {}).get("type") == "json_object",
            "tools": "tools" in request.body,
            "temperature": "temperature" in request.body,
            "stream_options": "stream_options" in request.body,
        }
        for part, present in asked.items():
            if present and part in self.owner.rejects:
                return Fail(self.owner.reject_status, _REJECTIONS[part])
        return None

    def _act(self, action: Action, request: Request) -> None:
        if isinstance(action, Slow):
            if self._silent(action.seconds):
                self._act(action.then, request)
        elif isinstance(action, Fail):
            self._fail(action)
        elif isinstance(action, Body):
            self._send(200, action.content, action.content_type)
        elif isinstance(action, Say) and (not request.body.get("stream") or "stream" in self.owner.ignores):
            self._json(200, _completion(action, request, self._tool(request, action)))
        else:
            self._stream(action, request)

    def _tool(self, request: Request, action: Say) -> str:
        forced = request.body.get("tool_choice", {})
        usable = isinstance(forced, dict) and "tools" not in self.owner.ignores and not action.as_content
        return str(forced.get("function", {}).get("name", "")) if usable else ""

    def _stream(self, action: Say | Stall | Cut, request: Request) -> None:
        chunked = not isinstance(action, Cut) or action.chunked
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
        self.end_headers()
        tool = self._tool(request, action) if isinstance(action, Say) else ""
        for event in _events(action, request, tool):
            self._write(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode(), chunked)
            if isinstance(action, Say) and action.pace and not self._silent(action.pace):
                return
        if isinstance(action, Stall):
            self._stall(action)
        if isinstance(action, Say):
            if action.keep_open and not self._silent(action.keep_open):
                return
            self._write(b"data: [DONE]\n\n", chunked)
            self.wfile.write(b"0\r\n\r\n")
        else:
            self._hang_up()

    def _stall(self, action: Stall) -> None:
        waited = 0.0
        while waited < action.seconds and self._silent(0.1):
            waited += 0.1
            if action.comments:
                self._write(b": still thinking\n\n", True)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _silent(self, seconds: float) -> bool:
        """Waits without a byte; False when the client went away or the server stops meanwhile."""
        for _ in range(max(1, round(seconds / 0.05))):
            if self.owner.stopping.wait(min(seconds, 0.05)):
                return False
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                self._gone()
                return False
        return True

    def _gone(self) -> None:
        self.owner.left += 1
        self.close_connection = True

    def _write(self, data: bytes, chunked: bool) -> None:
        self.wfile.write(b"%X\r\n%s\r\n" % (len(data), data) if chunked else data)
        self.wfile.flush()

    def _fail(self, action: Fail) -> None:
        error = {"message": action.message, "type": "error", "param": None, "code": action.code or None}
        self._json(action.status, {"error": error}, dict(action.headers))

    def _json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value, ensure_ascii=False).encode(), "application/json", headers)

    def _send(self, status: int, content: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _events(action: Say | Stall | Cut, request: Request, tool: str) -> Iterator[dict[str, Any]]:
    yield _chunk(request, {"role": "assistant", "content": "" if not tool else None})
    if isinstance(action, Say):
        if action.reasoning:
            yield _chunk(request, {"reasoning_content": action.reasoning})
        for i, piece in enumerate(_pieces(action.text, action.piece)):
            yield _chunk(request, _tool_delta(tool, piece, first=i == 0) if tool else {"content": piece})
        if action.finish:
            yield _chunk(request, {}, "tool_calls" if tool else action.finish)
        if request.body.get("stream_options", {}).get("include_usage"):
            yield {**_chunk(request, {}), "choices": [], "usage": _usage(request, action.text)}
        return
    for piece in _pieces(action.text[: action.after], 12):
        yield _chunk(request, {"content": piece})
    if isinstance(action, Cut) and action.error:
        yield {"error": {"message": action.error, "type": "server_error", "code": None}}


def _pieces(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _tool_delta(name: str, piece: str, *, first: bool) -> dict[str, Any]:
    function: dict[str, Any] = {"arguments": piece}
    if not first:
        return {"tool_calls": [{"index": 0, "function": function}]}
    return {"tool_calls": [{"index": 0, "id": "call-1", "type": "function", "function": {"name": name, **function}}]}


def _chunk(request: Request, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chat-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": request.body.get("model", ""),
        "choices": [choice],
    }


def _completion(action: Say, request: Request, tool: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None if tool else action.text}
    if tool:
        function = {"name": tool, "arguments": action.text}
        message["tool_calls"] = [{"id": "call-1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": action.finish or None}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model", ""),
        "choices": [choice],
        "usage": _usage(request, action.text),
    }


def _usage(request: Request, text: str) -> dict[str, int]:
    prompt, completion = len(request.text) // 4 + 1, len(text) // 4 + 1
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
