"""What comes back from one request to a chat model, and what it shows about the server."""

import json
from collections.abc import Callable, Iterable

from interviewer import chat_failures as failures
from interviewer.chat_failures import Failure, Target
from interviewer.chat_json import JsonPieces
from interviewer.chat_levels import Learned

MAX_CHARACTERS = 200_000
"""A reply longer than this will not come to an end."""


class Reply:
    """What comes back from one request, and what it shows about the server."""

    def __init__(self, way: Learned, required: Iterable[str], emit: Callable[[str], None]) -> None:
        self.way = way
        self.failure: Failure | None = None
        self.received = 0
        self._required = frozenset(required)
        self._object: list[str] = []
        self._emit = emit
        self._pieces = JsonPieces()
        self._finish = ""
        self._aside: list[str] = []

    @property
    def whole(self) -> bool:
        """Whether the JSON object has been passed on whole."""
        return self._pieces.complete

    @property
    def lesson(self) -> Learned:
        """The way to ask next time: a plainer one, if this one was accepted and then ignored."""
        ignored = self.way.level != "plain" and self.received and self._finish not in ("length", "content_filter")
        return (self.way.lower() if ignored and self._off_form() else None) or self.way

    def take(self, text: str, arguments: str, finish: str) -> None:
        """Passes on what a piece adds to the object: its text, or its tool arguments where a tool was asked for."""
        self._finish = finish or self._finish
        self.received += len(text) + len(arguments)
        if self.way.level == "tool":
            self._aside.append(text)
            text = arguments
        self._pass_on(self._pieces.feed(text))

    def end(self, failure: Failure | None, target: Target) -> None:
        """The reply is over: a whole object is a success, whatever came behind it."""
        if not self._pieces.started:
            self._pass_on(self._pieces.feed("".join(self._aside)))
            self._pass_on(self._pieces.finish())
        if not self.whole:
            self.failure = failure or self._incomplete(target)

    def _off_form(self) -> bool:
        """Whether the reply is no object, or one without the fields the schema demands."""
        if not self.whole:
            return not self._pieces.started
        try:
            return not self._required <= json.loads("".join(self._object), strict=False).keys()
        except ValueError:
            return True

    def _pass_on(self, piece: str) -> None:
        if piece:
            self._object.append(piece)
            self._emit(piece)

    def _incomplete(self, target: Target) -> Failure:
        if self._finish == "content_filter":
            return failures.refused(target)
        if self.received > MAX_CHARACTERS:
            return failures.unusable("wrote without coming to an end.", target, "Try again, or use another model.")
        if self._finish == "length":
            return failures.truncated(target)
        if not self.received:
            return failures.unusable("sent an empty reply.", target, "Try again, or use another model.")
        if self._pieces.started and not self._finish:
            return failures.unreachable(target, under_way=True)
        return failures.unusable("did not reply in the form asked for.", target, "Try again, or use a larger model.")
