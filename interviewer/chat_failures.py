"""What went wrong with a chat model, as one sentence and a next step that never contain the key."""

import email.utils
import re
import time
from collections.abc import Mapping
from typing import NamedTuple

from interviewer.chat_levels import Extra
from interviewer.errors import ChatModelError
from interviewer.fencing import one_line

MAX_RETRY_AFTER = 5.0
_BACKOFF = 0.5
_SECRET = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][\w*.\-]{6,}", re.IGNORECASE)
_EXTRAS: tuple[tuple[str, Extra], ...] = (
    ("temperature", "temperature"),
    ("stream_options", "usage"),
    ("stream", "streams"),
)
"""Words by which a server names what it does not take, the longer of two alike first."""
_STRUCTURE_WORDS = ("response_format", "json_schema", "json schema", "grammar", "tool_choice", "tool use", "tools")
_LENGTH_WORDS = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long")
_FILTER_WORDS = ("content_filter", "content filter", "content_policy", "content management policy", "inspection_failed")
_KEY_WORDS = ("api key", "api_key", "apikey", "unauthorized", "authentication")
_ABSENT_WORDS = ("not exist", "not found", "does not exist", "unknown model", "no such model", "not loaded")
_QUOTA_WORDS = ("insufficient_quota", "exceeded your current quota", "quota exceeded", "insufficient balance")


class Target(NamedTuple):
    """What was asked, as it may be shown: the model's name, the endpoint without credentials, and the key to hide."""

    model: str
    endpoint: str
    key: str


class Failure(NamedTuple):
    """A failed request.

    Attributes:
        retry_in: Seconds after which one retry makes sense; None if it does not.
        rejected: The server did not take the way it was asked; a plainer way may work.
        extra: The optional parameter it rejected by name.
    """

    error: ChatModelError
    retry_in: float | None = None
    rejected: bool = False
    extra: Extra | None = None


def status_failure(status: int, body: str, headers: Mapping[str, str], target: Target) -> Failure:
    """What an HTTP error status means; `body` is what the server said, in any form."""
    said = body.lower()
    if status in (401, 403) or (status == 400 and any(word in said for word in _KEY_WORDS)):
        return _auth(status, target)
    if status == 402:
        return _used_up(target)
    if status == 429:
        return _limited(said, headers, target)
    if status in (400, 404) and "model" in said and any(word in said for word in _ABSENT_WORDS):
        return _not_found(target)
    if status == 413 or any(word in said for word in _LENGTH_WORDS):
        return _too_long(target)
    if status == 400 and any(word in said for word in _FILTER_WORDS):
        return refused(target)
    if status in (400, 422, 501) or any(word in said for word in _STRUCTURE_WORDS):
        return _rejected(status, body, target)
    if status == 404:
        return _not_found(target)
    if status >= 500 or status in (408, 409):
        return _server(status, body, target)
    message = f"{_who(target)} answered with status {status}{_said(body, target)}."
    return Failure(ChatModelError(message, kind="other", next_step="Check INTERVIEWER_CHAT_BASE_URL."))


def stalled(seconds: float, target: Target) -> Failure:
    """No byte arrived for that long."""
    return _timeout(f"{_who(target)} sent nothing for {seconds:g} seconds.", "INTERVIEWER_CHAT_TIMEOUT")


def overdue(seconds: float, target: Target) -> Failure:
    """The whole reply took longer than that."""
    return _timeout(f"{_who(target)} did not finish within {seconds:g} seconds.", "INTERVIEWER_CHAT_DEADLINE")


def unreachable(target: Target, *, under_way: bool) -> Failure:
    """No connection, or one that broke before (or, `under_way`, within) the reply."""
    if under_way:
        message, step = f"{_who(target)} broke off within its reply.", "Try again."
    else:
        message = f"{_who(target)} can't be reached."
        step = "Check that it is running and that INTERVIEWER_CHAT_BASE_URL is right."
    return Failure(ChatModelError(message, kind="connection", next_step=step), None if under_way else _BACKOFF)


def stream_failure(code: str, body: str, target: Target) -> Failure:
    """The server reported an error within the stream."""
    if code == "429" or "rate_limit" in body.lower():
        return _limited(body.lower(), {}, target)
    if any(word in body.lower() for word in _STRUCTURE_WORDS):
        return _rejected(None, body, target)
    return _server(None, body, target)


def unusable(message: str, target: Target, next_step: str) -> Failure:
    """The reply came and is no JSON object; `message` is what follows the model's name."""
    return Failure(ChatModelError(f"{_who(target)} {message}", kind="invalid_output", next_step=next_step))


def truncated(target: Target) -> Failure:
    """The reply reached the most that the model may write; one that thinks aloud may have spent it on that."""
    step = "Let it write longer replies, or think less."
    return Failure(
        ChatModelError(f"{_who(target)} stopped before its reply was whole.", kind="truncated", next_step=step)
    )


def refused(target: Target) -> Failure:
    """The model or a filter before it declined to reply."""
    step = "Rephrase the answer, or use another model."
    return Failure(ChatModelError(f"{_who(target)} declined to reply.", kind="refused", next_step=step))


def unexpected(error_type: str, target: Target) -> Failure:
    """The client could not make sense of what came; only the error's type is told, its text may hold anything."""
    step = "Check that INTERVIEWER_CHAT_BASE_URL is an OpenAI-compatible address; most end in /v1."
    message = f"{_who(target)} sent a reply that can't be read ({error_type})."
    return Failure(ChatModelError(message, kind="other", next_step=step))


def missing_key(target: Target) -> ChatModelError:
    """A public service was configured without a key."""
    step = "Set OPENAI_API_KEY, or INTERVIEWER_CHAT_BASE_URL for a local server."
    return ChatModelError(f"{_who(target)} needs a key and none is set.", kind="auth", next_step=step)


def bad_address(target: Target) -> ChatModelError:
    """The base URL is no HTTP address."""
    step = "Set INTERVIEWER_CHAT_BASE_URL to one such as http://127.0.0.1:11434/v1."
    return ChatModelError("The chat model's base URL is not an HTTP address.", kind="connection", next_step=step)


def _auth(status: int, target: Target) -> Failure:
    step = "Check OPENAI_API_KEY (or INTERVIEWER_CHAT_API_KEY) and that it is meant for this endpoint."
    return Failure(ChatModelError(f"{_who(target)} refused the key (status {status}).", kind="auth", next_step=step))


def _limited(said: str, headers: Mapping[str, str], target: Target) -> Failure:
    if any(word in said for word in _QUOTA_WORDS):
        return _used_up(target)
    wait = retry_after(headers)
    when = f" and asks to wait {wait:.0f} seconds" if wait is not None else ""
    step = f"Try again in {wait:.0f} seconds." if wait is not None else "Try again in a minute."
    error = ChatModelError(f"{_who(target)} is over its rate limit{when}.", kind="rate_limit", next_step=step)
    return Failure(error, wait if wait is not None and wait <= MAX_RETRY_AFTER else None)


def _used_up(target: Target) -> Failure:
    message, step = f"The quota of {_who(target)} is used up.", "Check the account's plan, or use another model."
    return Failure(ChatModelError(message, kind="rate_limit", next_step=step))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; None if unsaid."""
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(header, "")
        if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
            return float(value) / unit
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _not_found(target: Target) -> Failure:
    step = "Check INTERVIEWER_CHAT_MODEL, and INTERVIEWER_CHAT_BASE_URL; most addresses end in /v1."
    message = f"{target.endpoint} has no model {target.model!r}, or no chat at this address."
    return Failure(ChatModelError(message, kind="not_found", next_step=step))


def _too_long(target: Target) -> Failure:
    message = f"The answer with its question is too long for {_who(target)}."
    step = "Give the server a longer context, or use another model."
    return Failure(ChatModelError(message, kind="other", next_step=step))


def _rejected(status: int | None, body: str, target: Target) -> Failure:
    message = f"{_who(target)} rejected the request{_status(status)}{_said(body, target)}."
    extra = next((name for word, name in _EXTRAS if word in body.lower()), None)
    error = ChatModelError(message, kind="other", next_step="Check that the model can chat.")
    return Failure(error, rejected=True, extra=extra)


def _server(status: int | None, body: str, target: Target) -> Failure:
    message = f"{_who(target)} failed{_status(status)}{_said(body, target)}."
    error = ChatModelError(message, kind="server", next_step="Try again; look at the server's log if it stays.")
    return Failure(error, _BACKOFF)


def _timeout(message: str, setting: str) -> Failure:
    step = f"Try again, or raise {setting} for a slow machine."
    return Failure(ChatModelError(message, kind="timeout", next_step=step))


def _status(status: int | None) -> str:
    return f" (status {status})" if status else ""


def _who(target: Target) -> str:
    return f"The model {target.model!r} at {target.endpoint}"


def _said(body: str, target: Target) -> str:
    """What the server said, bounded, on one line, without the key or anything like one; it may echo the request."""
    hidden = body.replace(target.key, "***") if len(target.key) >= 4 else body
    text = one_line(_SECRET.sub("***", hidden), 160).rstrip(".")
    return f": {text}" if text else ""
