"""Finding the one JSON object in what a model writes: reasoning, code fences and small talk around it are dropped."""

import json
import re
from typing import Literal

_THINKING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_THINKING_OPEN = re.compile(r"\A\s*<(think|thinking|reasoning)>")
_THINKING_END = re.compile(r"</(?:think|thinking|reasoning)>")
_FENCE = re.compile(r"\A\s*```[A-Za-z]*[ \t]*\n")
_PREFIXES = ("<thinking>", "<reasoning>", "```")


class JsonPieces:
    """Passes on a reply's JSON object while it arrives.

    A reply that opens with the object (after closed reasoning or a code fence) is passed on piece by piece. One that
    opens with anything else is held until it has ended, because words before the object may contain braces too.
    """

    def __init__(self) -> None:
        self._state: Literal["opening", "inside", "held", "done"] = "opening"
        self._text = ""
        self._depth = 0
        self._in_string = False
        self._escaped = False

    @property
    def complete(self) -> bool:
        """Whether the object has been passed on whole."""
        return self._state == "done"

    @property
    def started(self) -> bool:
        """Whether any of the object has been passed on."""
        return self._state in ("inside", "done")

    def feed(self, text: str) -> str:
        """What of the object can be passed on now that `text` has arrived; often all of it, sometimes nothing."""
        if self._state == "inside":
            return self._until_end(text)
        if self._state == "done":
            return ""
        self._text += text
        return self._open() if self._state == "opening" else ""

    def finish(self) -> str:
        """What is left to pass on when the reply has ended."""
        if self._state not in ("opening", "held"):
            return ""
        found = _largest_object(_THINKING_END.split(self._text)[-1])
        self._state = "done" if found else self._state
        return found

    def _open(self) -> str:
        rest = _FENCE.sub("", _THINKING.sub("", self._text)).lstrip()
        if rest.startswith("{"):
            self._state = "inside"
            return self._until_end(rest)
        waiting = not rest or _THINKING_OPEN.match(rest) or (rest.startswith("```") and "\n" not in rest)
        if not waiting and not any(prefix.startswith(rest) for prefix in _PREFIXES):
            self._state = "held"
        return ""

    def _until_end(self, text: str) -> str:
        for position, character in enumerate(text):
            if self._in_string:
                self._string_character(character)
            elif character == '"':
                self._in_string = True
            elif character in "{[":
                self._depth += 1
            elif character in "}]":
                self._depth -= 1
                if self._depth == 0:
                    self._state = "done"
                    return text[: position + 1]
        return text

    def _string_character(self, character: str) -> None:
        if self._escaped:
            self._escaped = False
        elif character == "\\":
            self._escaped = True
        elif character == '"':
            self._in_string = False


def _largest_object(text: str) -> str:
    """The longest JSON object in `text`; empty where there is none."""
    decoder = json.JSONDecoder(strict=False)
    found, at = "", text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found = text[at:end] if isinstance(value, dict) and end - at > len(found) else found
        at = text.find("{", end)
    return found
