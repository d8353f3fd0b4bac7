"""Putting text that others wrote into a prompt so that it can't pass for the prompt's own words."""

import re
from typing import NamedTuple

from interviewer.language import clean

MARGIN = "> "
"""Stands before every line of foreign text: no line of it can look like a line of the prompt."""

_LINE_ENDS = re.compile(r"[\u0085\u2028\u2029\u001c-\u001e]|\x0b|\x0c")
INVISIBLE = re.compile(
    "[\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKET_TOKEN = re.compile(
    r"\[(?=/?\s*"
    r"(?:INST|SYS|SYSTEM(?:_PROMPT)?|USER|ASSISTANT|TOOL(?:_CALLS|_RESULTS|_CONTENT)?|AVAILABLE(?:_TOOLS)?|THINK)\b)",
    re.IGNORECASE,
)
_MARGINS = re.compile(r"^[ \t]*> ?", re.MULTILINE)
_BLANK_RUN = re.compile(r"[ \t\u00a0\u3000]{200,}")


class Bounded(NamedTuple):
    """A text short enough to send; `cut` is how many characters were left out of its middle."""

    text: str
    cut: int


def bounded(text: str, limit: int) -> Bounded:
    """The first three quarters of `limit` characters and the last quarter, with the gap named, where it is longer.

    The end is kept because what was said to a follow-up stands there.
    """
    if len(text) <= limit:
        return Bounded(text, 0)
    head, tail = limit * 3 // 4, limit // 4
    cut = len(text) - head - tail
    return Bounded(f"{text[:head]}\n[… {cut} characters left out …]\n{text[len(text) - tail :]}", cut)


def neutral(text: str) -> str:
    """`text` without invisible characters, and with nothing a server could take for a tag or a control token.

    `<` becomes its full-width form, which quote checking folds back: `<|im_end|>` and `</answer>` stay readable and
    lose their power.
    """
    visible = INVISIBLE.sub("", clean(_LINE_ENDS.sub("\n", text)))
    whole = _SURROGATE.sub("\ufffd", visible)
    return _BRACKET_TOKEN.sub("［", whole.replace("<", "＜"))


def fenced(text: str) -> str:
    """`text` neutralised, every line behind `MARGIN`; an empty text is one empty fenced line."""
    lines = _BLANK_RUN.sub(" ", neutral(text)).split("\n")
    return "\n".join(f"{MARGIN}{line}".rstrip() for line in lines)


def unfenced(quote: str) -> str:
    """A model's quote without the margins it may have copied along."""
    return _MARGINS.sub("", quote).strip()


def one_line(text: str, limit: int) -> str:
    """`text` neutralised, on one line, at most `limit` characters."""
    line = " ".join(neutral(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
