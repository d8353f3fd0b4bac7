"""What the interview needs from the outside."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from interviewer.interview.events import InterviewEvent
from interviewer.models import Plan, PlanRequest, Question


class StoredInterview(NamedTuple):
    """An interview's id and its events, in order."""

    id: str
    events: tuple[InterviewEvent, ...]


class Outline(NamedTuple):
    """What planning needs of a question."""

    id: str
    topic: str
    difficulty: int
    frequency: int
    kind: str = "concept"
    phases: int = 0


def outline(question: Question) -> Outline:
    """What planning needs of `question`."""
    return Outline(
        question.id, question.topic, question.difficulty, question.frequency, question.kind, len(question.phases)
    )


class Interviews(Protocol):
    """Append-only events by user and interview; see `interviewer.storage.interviews` for the errors."""

    def create(self, user_id: str, events: Sequence[InterviewEvent]) -> str: ...

    def append(self, user_id: str, interview_id: str, events: Sequence[InterviewEvent], *, at: int) -> None: ...

    def load(self, user_id: str, interview_id: str) -> tuple[InterviewEvent, ...]: ...

    def recent(self, user_id: str, *, limit: int, types: Sequence[str] = ()) -> tuple[StoredInterview, ...]: ...

    def delete(self, user_id: str, interview_id: str) -> None: ...


class Questions(Protocol):
    """The questions there are."""

    def get(self, question_id: str) -> Question | None: ...

    def current_id(self, question_id: str) -> str:
        """The id itself, or that of the question it was merged into."""
        ...

    def outlines(
        self, *, sets: tuple[str, ...], topics: tuple[str, ...], difficulties: tuple[int, ...], language: str
    ) -> tuple[Outline, ...]: ...


class Remembered(Protocol):
    """What a person remembers of earlier interviews; see `interviewer.memory.service.Memory`."""

    def plan_drill(self, user_id: str, request: PlanRequest) -> Plan: ...

    def weak_questions(self, user_id: str) -> frozenset[str]: ...
