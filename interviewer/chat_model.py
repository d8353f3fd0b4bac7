"""The adapter to any OpenAI-compatible chat model: the one home of langchain and openai, both loaded on first use."""

import asyncio
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import aclosing, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from interviewer import chat_failures as failures
from interviewer.chat import ChatMessage
from interviewer.chat_failures import Failure, Target
from interviewer.chat_levels import Learned, instructed, learned, remember, request_options
from interviewer.chat_reply import MAX_CHARACTERS, Reply
from interviewer.errors import ChatModelError
from interviewer.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

OPENAI_URL = "https://api.openai.com/v1"
_NO_KEY = "none"
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1", "host.docker.internal")
_AFTER_THE_OBJECT = 2.0
"""Seconds. After half a second a server of llama-cpp-python may still be storing what it has read; one ended then."""
_LONGEST_CONNECT = 10.0
_PING_SECONDS = 10.0
_SHAPE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError)

_loop_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


class ChatUsage(NamedTuple):
    """What one adapter has used so far: requests sent, and tokens where the server counts them."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatStatus(NamedTuple):
    """What `interviewer doctor` shows.

    Attributes:
        endpoint: The address, without credentials.
        listed: Whether the server names the model; None if it names none.
        problem: One sentence and a next step; empty if all is well.
    """

    model: str
    endpoint: str
    reachable: bool
    listed: bool | None
    problem: str


class LangChainChatModel:
    """A chat model at an OpenAI-compatible endpoint. Making one opens no connection and loads no library.

    Implements `interviewer.chat.ChatModel`; safe for use from many threads at once.
    """

    def __init__(self, settings: Settings) -> None:
        key = settings.chat_api_key.get_secret_value().strip()
        self._url = settings.chat_base_url.strip() or OPENAI_URL
        self._target = Target(settings.chat_model, _shown(self._url), key)
        self._timeout = _patience(settings, self._url)
        self._deadline = settings.chat_deadline
        self._lock = threading.Lock()
        self._client: ChatOpenAI | None = None
        self._usage = ChatUsage()

    @property
    def name(self) -> str:
        """The model's name as configured."""
        return self._target.model

    @property
    def usage(self) -> ChatUsage:
        """Requests and tokens since this adapter was made."""
        return self._usage

    def describe(self) -> str:
        """The model and where it is, such as `qwen3 at http://127.0.0.1:11434/v1`."""
        return f"{self._target.model} at {self._target.endpoint}"

    def warm(self) -> None:
        """Loads the client libraries (about two seconds), so that the first answer does not wait; opens nothing."""
        self._ready()

    def stream_json(self, messages: list[ChatMessage], schema: dict[str, Any]) -> Iterator[str]:
        """The reply to `messages` as JSON text for `schema`, in pieces as they arrive.

        The object is whole when the iterator ends. Nothing is sent before the first `next`; closing the iterator
        early closes the connection.

        Raises:
            ChatModelError: also for a reply without a whole JSON object (`invalid_output`).
        """
        client = self._ready()
        pieces: SimpleQueue[str | Future[None]] = SimpleQueue()
        reply = self._reply(client, messages, schema, pieces.put)
        future = asyncio.run_coroutine_threadsafe(reply, _loop())
        future.add_done_callback(pieces.put)
        try:
            while isinstance(piece := pieces.get(), str):
                yield piece
            piece.result()
        finally:
            future.cancel()

    def ping(self) -> ChatStatus:
        """Asks the server for its models. Never raises for what the server does."""
        import openai

        target = self._target
        try:
            listed = self._ready().root_client.models.list(timeout=_PING_SECONDS)
            names = {str(model.id).removeprefix("models/") for model in listed.data or ()}
        except ChatModelError as error:
            return ChatStatus(target.model, target.endpoint, False, None, str(error))
        except openai.NotFoundError:
            return ChatStatus(target.model, target.endpoint, True, None, self._no_chat())
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            problem = self._explain(error, under_way=False).error
            return ChatStatus(target.model, target.endpoint, False, None, str(problem))
        if not names:
            return ChatStatus(target.model, target.endpoint, True, None, self._no_chat())
        if target.model.removeprefix("models/") in names or f"{target.model}:latest" in names:
            return ChatStatus(target.model, target.endpoint, True, True, "")
        problem = failures.status_failure(404, "model not found", {}, target).error
        return ChatStatus(target.model, target.endpoint, True, False, str(problem))

    def _no_chat(self) -> str:
        """What is wrong with a server that lists no models: an address without chat; empty where it has one.

        A request without messages is sent, which any chat refuses.
        """
        import openai

        try:
            sent = {"model": self._target.model, "messages": []}
            options = {"timeout": _PING_SECONDS}
            said = self._ready().root_client.post("/chat/completions", cast_to=object, body=sent, options=options)
        except openai.NotFoundError:
            said = {"error": "not found"}
        except (openai.OpenAIError, ValueError, TypeError, AttributeError):
            return ""
        absent = isinstance(said, dict) and "error" in said and "choices" not in said
        return str(failures.status_failure(404, "", {}, self._target).error) if absent else ""

    async def _reply(
        self, client: "ChatOpenAI", messages: list[ChatMessage], schema: dict[str, Any], emit: Callable[[str], None]
    ) -> None:
        """One reply under the deadline. What fails is raised outside of `except`, so that no log shows its cause."""
        try:
            async with asyncio.timeout(self._deadline):
                failure = await self._negotiate(client, messages, schema, emit)
        except TimeoutError:
            failure = failures.overdue(self._deadline, self._target)
        if failure:
            raise failure.error

    async def _negotiate(
        self, client: "ChatOpenAI", messages: list[ChatMessage], schema: dict[str, Any], emit: Callable[[str], None]
    ) -> Failure | None:
        """Asks in the best way known, and in plainer ways while the server rejects them."""
        way: Learned | None = learned(self._url, self.name)
        failure = None
        while way is not None:
            attempt = await self._attempt(client, way, messages, schema, emit)
            failure = attempt.failure
            if failure is None or not failure.rejected:
                if failure is None or attempt.received:
                    remember(self._url, self.name, attempt.lesson)
                return failure
            named = failure.extra if failure.extra and getattr(way, failure.extra) else None
            way = way.without(named) if named else way.lower()
        return failure

    async def _attempt(
        self,
        client: "ChatOpenAI",
        way: Learned,
        messages: list[ChatMessage],
        schema: dict[str, Any],
        emit: Callable[[str], None],
    ) -> Reply:
        """One way of asking, with one retry where that makes sense and nothing has arrived yet."""
        options = request_options(way, schema)
        sent = [(message.role, message.content) for message in instructed(way, messages, schema)]
        attempt = Reply(way, schema.get("required", ()), emit)
        await self._once(client, attempt, sent, options)
        failure = attempt.failure
        if failure and failure.retry_in is not None and not attempt.received:
            await asyncio.sleep(failure.retry_in)
            attempt = Reply(way, schema.get("required", ()), emit)
            await self._once(client, attempt, sent, options)
        return attempt

    async def _once(
        self, client: "ChatOpenAI", attempt: Reply, sent: list[tuple[str, str]], options: dict[str, Any]
    ) -> None:
        """Sends one request and feeds what comes to `attempt`, which ends with or without a failure."""
        import openai
        from langchain_core.exceptions import LangChainException

        self._count(ChatUsage(requests=1))
        failure = None
        try:
            if attempt.way.streams:
                await self._stream(client, attempt, sent, options)
            else:
                self._take(attempt, await client.ainvoke(sent, **options))
        except (openai.OpenAIError, LangChainException, *_SHAPE_ERRORS) as error:
            failure = self._explain(error, under_way=attempt.received > 0)
            if isinstance(error, ValueError) and attempt.way.streams and not attempt.received:
                failure = Failure(failure.error, rejected=True, extra="streams")
        attempt.end(failure, self._target)

    async def _stream(
        self, client: "ChatOpenAI", attempt: Reply, sent: list[tuple[str, str]], options: dict[str, Any]
    ) -> None:
        """Feeds the reply to `attempt` as it arrives; what follows the whole object is waited for only a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(None) as patience, aclosing(client.astream(sent, **options)) as chunks:  # type: ignore[type-var]
                async for chunk in chunks:
                    self._take(attempt, chunk)
                    if attempt.received > MAX_CHARACTERS:
                        break
                    if attempt.whole and patience.when() is None:
                        patience.reschedule(asyncio.get_running_loop().time() + _AFTER_THE_OBJECT)

    def _take(self, attempt: Reply, message: "AIMessage") -> None:
        counted = message.usage_metadata
        if counted:
            self._count(ChatUsage(0, counted["input_tokens"], counted["output_tokens"]))
        text = message.content if isinstance(message.content, str) else ""
        attempt.take(text, _arguments(message), message.response_metadata.get("finish_reason") or "")

    def _ready(self) -> "ChatOpenAI":
        """The client, made on first use."""
        with self._lock:
            if self._client is None:
                self._client = self._made()
                weakref.finalize(self, _close, self._client)
            return self._client

    def _made(self) -> "ChatOpenAI":
        parts = _parts(self._url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise failures.bad_address(self._target)
        if not self._target.key and self._url == OPENAI_URL:
            raise failures.missing_key(self._target)
        import openai
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        return ChatOpenAI(
            model=self._target.model,
            base_url=self._url,
            api_key=SecretStr(self._target.key or _NO_KEY),
            timeout=openai.Timeout(self._timeout, connect=min(self._timeout, _LONGEST_CONNECT)),
            max_retries=0,
            stream_chunk_timeout=None,
            stream_usage=False,
            use_responses_api=False,
        )

    def _count(self, more: ChatUsage) -> None:
        with self._lock:
            self._usage = ChatUsage(*(a + b for a, b in zip(self._usage, more, strict=True)))

    def _explain(self, error: Exception, *, under_way: bool) -> Failure:
        """What an exception of the client means; its own text is told only where it is the server's message."""
        import openai

        if isinstance(error, openai.APIStatusError):
            said = json.dumps(error.body, ensure_ascii=False, default=str) if error.body else ""
            message = error.body.get("message") if isinstance(error.body, dict) else None
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            return failures.status_failure(error.status_code, str(message or said), headers, self._target)
        if isinstance(error, openai.APITimeoutError):
            return failures.stalled(self._timeout, self._target)
        if isinstance(error, openai.APIConnectionError):
            return failures.unreachable(self._target, under_way=under_way)
        if isinstance(error, openai.APIError):
            return failures.stream_failure(str(error.code or ""), error.message, self._target)
        return failures.unexpected(type(error).__name__, self._target)


def _arguments(message: "AIMessage") -> str:
    """The arguments of the first tool call, as the JSON text or the piece of it that arrived."""
    from langchain_core.messages import AIMessageChunk

    if isinstance(message, AIMessageChunk):
        return "".join(call["args"] or "" for call in message.tool_call_chunks if not call["index"])
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    return message.invalid_tool_calls[0]["args"] or "" if message.invalid_tool_calls else ""


def _loop() -> asyncio.AbstractEventLoop:
    """The event loop all requests of this process run on, in a thread of its own, begun with the first of them.

    An own loop is what makes deadlines hold: a cancelled task closes its connection at once, wherever it waits.
    A forked process has none of its parent's threads, so it begins one of its own.
    """
    with _loop_lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="chat-model", daemon=True).start()
        return loop


def _patience(settings: Settings, url: str) -> float:
    """Seconds to wait for a byte: unless somebody has set them, as long as the deadline for a model on this machine,
    which may read a prompt for a minute before it says anything.
    """
    parts = _parts(url)
    local = parts and parts.hostname in _THIS_MACHINE and "chat_timeout" not in settings.model_fields_set
    return settings.chat_deadline if local else settings.chat_timeout


def _close(client: "ChatOpenAI") -> None:
    """Closes the kept-alive connections of an adapter nobody uses any more, on the loop they belong to."""
    asyncio.run_coroutine_threadsafe(client.root_async_client.close(), _loop())


def _shown(url: str) -> str:
    """The address without user name, password and query."""
    parts = _parts(url)
    if parts is None or not parts.hostname:
        return "the configured address"
    host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    return f"{parts.scheme}://{host}{parts.path}".rstrip("/")


def _parts(url: str) -> SplitResult | None:
    """The parts of an address; None where it is none, or has no port that there can be."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def chat_model_of(settings: Settings) -> LangChainChatModel | None:
    """The configured chat model; None where none is configured."""
    return LangChainChatModel(settings) if settings.chat_model.strip() else None
