"""The application service behind the page and the terminal: commands in, stored events and messages out."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from interviewer.grading.protocol import Progress
from interviewer.interview.commands import Command
from interviewer.interview.state import InterviewState
from interviewer.interview.transcript import Message
from interviewer.models import Frozen, Language, PlanRequest
from interviewer.reporting.report import Report


class InterviewView(NamedTuple):
    """What a page shows of an interview."""

    id: str
    state: InterviewState
    messages: tuple[Message, ...]


class Update(NamedTuple):
    """One step of the reaction to a command.

    Attributes:
        view: The interview after everything stored so far.
        progress: How grading stands, while it runs.
        notice: One sentence about something that did not go as asked; empty if all went well.
    """

    view: InterviewView
    progress: Progress | None = None
    notice: str = ""


class InterviewSummary(Frozen):
    """A line of the history page; `score` is 0..10 or None, `asked` of `planned` questions were put."""

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


class InterviewService:
    """Runs interviews for any number of users at once; holds no state of its own between calls."""

    def start(self, user_id: str, request: PlanRequest) -> InterviewView:
        """Draws a plan and asks the first question.

        Raises:
            NotFoundError: if no question fits the request, saying which filter to loosen.
        """
        raise NotImplementedError

    def view(self, user_id: str, interview_id: str) -> InterviewView:
        """The interview as stored.

        Raises:
            NotFoundError: if this user has no such interview.
        """
        raise NotImplementedError

    def act(self, user_id: str, interview_id: str, command: Command) -> Iterator[Update]:
        """Carries out a command. What the candidate wrote is stored before the first update is given."""
        raise NotImplementedError

    def resume(self, user_id: str, interview_id: str) -> Iterator[Update]:
        """Finishes what was under way when the page or the server went away, such as a grade; may give nothing."""
        raise NotImplementedError

    def history(self, user_id: str, limit: int = 50) -> tuple[InterviewSummary, ...]:
        """This user's interviews, newest first."""
        raise NotImplementedError

    def latest_open(self, user_id: str) -> InterviewSummary | None:
        """The newest interview that has not ended."""
        raise NotImplementedError

    def delete(self, user_id: str, interview_id: str) -> None:
        """Removes an interview and all its events for good."""
        raise NotImplementedError

    def report(self, user_id: str, interview_id: str) -> Report:
        """The report so far; complete once the interview has ended."""
        raise NotImplementedError
