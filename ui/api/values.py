"""What the API takes and gives."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field, model_validator

from interviewer.accounts.values import Scope
from interviewer.interview.commands import Action
from interviewer.interview.service import ANSWER_LIMIT
from interviewer.models import Frozen, Grade, Language, Localized, PlanRequest, Question

T = TypeVar("T")
MOST_CHOSEN = 100
"""Sets, topics or questions of one plan."""


class Page(Frozen, Generic[T]):
    """Some of many items.

    Attributes:
        total: How many there are; None where counting them would be dear.
        next_offset: What to send as `offset` for the next page; None on the last one.
    """

    items: tuple[T, ...]
    total: int | None = None
    limit: int
    offset: int
    next_offset: int | None = None


class Problem(Frozen):
    """What every error says."""

    error: str
    next_step: str


class Me(Frozen):
    """Who the token stands for, and what it may do."""

    id: str
    name: str
    role: str
    team: bool
    scopes: tuple[Scope, ...]


class SetOut(Frozen):
    """A set of questions that may be read."""

    name: str
    title: str
    questions: int
    languages: tuple[Language, ...]


class TopicOut(Frozen):
    """A topic of questions."""

    id: str
    title: str
    questions: int


class QuestionLine(Frozen):
    """A question without its reference and points."""

    id: str
    set: str
    topic: str
    kind: str
    difficulty: int
    frequency: int
    question: Localized

    @classmethod
    def of(cls, question: Question) -> "QuestionLine":
        return cls(**{name: getattr(question, name) for name in cls.model_fields})


class FoundOut(Frozen):
    """A question found; `score` is comparable within one search only."""

    question: QuestionLine
    score: float


class ImportOut(Frozen):
    """What came of an import.

    Attributes:
        report: As `interviewer import --json` writes it.
    """

    set: str
    questions: int
    report: dict[str, Any]


class Choices(PlanRequest):
    """What to be asked: a track, or sets, topics and difficulties, or exactly these questions."""

    @model_validator(mode="after")
    def _are_few(self) -> "Choices":
        if max(map(len, (self.sets, self.topics, self.question_ids, self.rounds, self.focus))) > MOST_CHOSEN:
            raise ValueError(f"more than {MOST_CHOSEN} of a kind are chosen")
        return self


class SayIn(Frozen):
    """What the candidate writes.

    Attributes:
        question: Index (0-based) of the question it is written to, so that a late answer is not taken for an answer to
            the next.
        version: The interview's version it was written at; where the interview went on since, nothing is stored and the
            reply is 409, so that the same request can safely be sent again.
    """

    text: str = Field(min_length=1, max_length=ANSWER_LIMIT)
    question: int | None = Field(default=None, ge=0, le=1000)
    version: int | None = Field(default=None, ge=1)


class PressIn(Frozen):
    """A button; `version` as for what is said."""

    action: Action
    version: int | None = Field(default=None, ge=1)


class MessageOut(Frozen):
    """One message of the conversation.

    Attributes:
        grade: For kind `feedback`. While the question is open, points that were not covered keep their text to
            themselves.
    """

    key: str
    role: Literal["interviewer", "candidate"]
    kind: str
    text: str
    intro: str
    at: datetime
    question_index: int | None
    grade: Grade | None


class AskedOut(Frozen):
    """The question under way, or the last one; `score` is 0..10 where it is told already."""

    index: int
    id: str
    text: str
    closed: str | None
    score: float | None


class ClockOut(Frozen):
    """Seconds the candidate has used, and how many are left where the interview is timed."""

    question_seconds: float
    overall_seconds: float
    left: float | None
    overall_left: float | None


class InterviewOut(Frozen):
    """An interview as it stands.

    Attributes:
        pending: Whether a grade or the next question is being worked out: ask again in a moment.
        version: Grows with everything that happens.
        score: 0..10, where it is told already.
        notice: Why something did not go as asked; empty if all went well.
    """

    id: str
    mode: str
    language: Language
    phase: str
    pending: bool
    version: int
    started_at: datetime
    updated_at: datetime
    planned: int
    asked: int
    score: float | None
    question: AskedOut | None
    clock: ClockOut
    messages: tuple[MessageOut, ...]
    notice: str = ""


class Brought(Frozen):
    """What came of a file of data: of each kind how many are new, go on further, and were here already."""

    interviews: dict[str, int]
    kept_answers: dict[str, int]
    questions: dict[str, int]
    edits: dict[str, int]
    sets: dict[str, str]
