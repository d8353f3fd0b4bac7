"""What a phrase is: a named rule by which a candidate asks for something."""

import re
from typing import Literal, NamedTuple

Intent = Literal[
    "answer",
    "clarify",
    "hint",
    "skip",
    "repeat",
    "concede",
    "reveal",
    "stop",
    "next",
    "phase",
    "retry",
    "pause",
    "resume",
    "note",
]


class Rule(NamedTuple):
    """A phrase with its meaning; `pattern` is matched against folded text at the start of a phrase."""

    name: str
    intent: Intent
    pattern: re.Pattern[str]


def rule(name: str, intent: Intent, *patterns: str) -> Rule:
    """A rule that any of `patterns` fulfils. Repeated groups are possessive (`*+`), so that no text is read slowly."""
    return Rule(name, intent, re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE))
