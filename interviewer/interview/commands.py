"""What a candidate can ask of an interview: by a button, or in words that mean the same."""

from typing import Literal, NamedTuple

Action = Literal["next", "hint", "skip", "repeat", "reveal", "stop", "retry", "pause", "resume", "time_up"]
"""time_up: the page's clock has run out; the service looks at its own before anything happens."""


class Say(NamedTuple):
    """The candidate wrote something; what it means is found out by `understand`.

    Attributes:
        question: Index (0-based) of the question it was written to, where the page knows it. An answer to one that was
            closed meanwhile, because its time was over or in another window, is kept and not taken for an answer to the
            next.
    """

    text: str
    question: int | None = None


class Press(NamedTuple):
    """The candidate pressed a button."""

    action: Action


Command = Say | Press
