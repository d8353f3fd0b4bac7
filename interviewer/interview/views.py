"""What the interview shows to the page and the terminal."""

from datetime import datetime
from typing import NamedTuple

from interviewer.grading.protocol import Progress
from interviewer.interview.clock import Clock
from interviewer.interview.state import InterviewState
from interviewer.interview.transcript import Message
from interviewer.models import Frozen, Language


class InterviewView(NamedTuple):
    """What a page shows of an interview; `clock` stands as at the moment of the view."""

    id: str
    state: InterviewState
    messages: tuple[Message, ...]
    clock: Clock = Clock()


class Update(NamedTuple):
    """One step of the reaction to a command.

    Attributes:
        view: The interview after everything stored so far.
        stored: Whether what the candidate wrote is in the record; a page may clear its box then, and only then.
        progress: How grading stands, while it runs.
        notice: One sentence about something that did not go as asked; empty if all went well.
    """

    view: InterviewView
    stored: bool = True
    progress: Progress | None = None
    notice: str = ""


class InterviewSummary(Frozen):
    """A line of the history page; `asked` of `planned` questions were put.

    Attributes:
        score: 0..10; None where nothing is scored, and while a mock interview goes on.
    """

    id: str
    started_at: datetime
    updated_at: datetime
    language: Language
    mode: str
    phase: str
    asked: int
    planned: int
    score: float | None
    topics: tuple[str, ...]


def summary(interview_id: str, state: InterviewState) -> InterviewSummary:
    """The line of an interview."""
    return InterviewSummary(
        id=interview_id,
        started_at=state.started_at,
        updated_at=state.updated_at,
        language=state.language,
        mode=state.mode,
        phase=state.phase,
        asked=len(state.questions),
        planned=len(state.plan.questions),
        score=None if state.mode == "mock" and state.phase != "ended" else state.score,
        topics=state.plan.topics,
    )
