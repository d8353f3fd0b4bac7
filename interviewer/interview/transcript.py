"""The conversation as messages, made from the stored events, so that a reload shows just what was there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from interviewer.interview import events as ev
from interviewer.models import Frozen, Grade, Question

MessageKind = Literal[
    "greeting",
    "question",
    "answer",
    "said",
    "feedback",
    "followup",
    "hint",
    "clarification",
    "reference",
    "note",
    "closing",
]


class Message(Frozen):
    """One message of the conversation.

    Attributes:
        key: Stable within the interview: the event's position and a suffix where one event gives two messages.
        role: Who says it. What the candidate says is plain text; what the interviewer says is Markdown.
        question_index: 0-based number of the question it belongs to; None before the first.
        question: The question, for kinds `question` and `reference`.
        grade: The verdicts, for kind `feedback`.
        answers: All that was said on the question so far, for kind `feedback`: quotes are found in these.
        point_id: The point asked for, for kinds `followup` and `hint`.
    """

    key: str
    role: Literal["interviewer", "candidate"]
    kind: MessageKind
    text: str
    at: datetime
    question_index: int | None = None
    question: Question | None = None
    grade: Grade | None = None
    answers: tuple[str, ...] = ()
    point_id: str | None = None


def transcript(events: Sequence[ev.InterviewEvent]) -> tuple[Message, ...]:
    """The messages of an interview; in mock mode feedback and references appear only once it has ended."""
    raise NotImplementedError
