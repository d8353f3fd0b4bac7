"""Everything that can happen in an interview. Stored as it happens; the state is a fold over these and nothing else."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from interviewer.models import Frozen, Grade, GraderInfo, Plan, PointGrade, Question, Verdict
from interviewer.models.plan import Reason

CloseReason = Literal["answered", "conceded", "skipped", "revealed", "stopped", "time"]
"""time: the time was over before anything was said."""

EndReason = Literal["finished", "stopped", "time"]
"""time: the time was over with questions left."""

REASON_LIMIT = 1000
"""Characters of an objection to a verdict."""

SaidIntent = Literal[
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
    "late",
]
"""late: an answer to a question that was closed already."""


class Event(Frozen):
    """Something that happened, at a moment in UTC."""

    at: datetime


class Started(Event):
    """The plan is fixed.

    Attributes:
        timed: Whether the clock decides; interviews from before there was one are not timed.
    """

    type: Literal["started"] = "started"
    plan: Plan
    timed: bool = False


class Asked(Event):
    """A question was put; it is stored as it was put, so that a later edit does not change what was graded.

    Asked only for some of its points, it holds only these.

    Attributes:
        planned: Index of the planned question it is, or whose place it takes; None where that was not kept.
        shift: How much harder than planned it is.
        round: Index into the plan's rounds.
        sentence: What a job description or résumé says, where that is the reason.
        frequency: How often it is asked, 1..5; 0 where that is not known.
    """

    type: Literal["asked"] = "asked"
    question: Question
    why: Reason
    planned: int | None = None
    shift: int = 0
    round: int = 0
    sentence: str = ""
    frequency: int = 0


class PhaseBegan(Event):
    """The question went on to its phase at `index` (0-based); `text` is how the interviewer began it."""

    type: Literal["phase_began"] = "phase_began"
    index: int
    text: str


class Said(Event):
    """The candidate wrote something that is not an answer."""

    type: Literal["said"] = "said"
    text: str
    intent: SaidIntent


class Answered(Event):
    """The candidate answered the question, or the follow-up that was open."""

    type: Literal["answered"] = "answered"
    text: str


class Graded(Event):
    """The union of the first `covers` answers to the question at `index` (0-based) was graded.

    A second one for the same answers is a retry.
    """

    type: Literal["graded"] = "graded"
    index: int
    covers: int
    grade: Grade


class FollowedUp(Event):
    type: Literal["followed_up"] = "followed_up"
    point_id: str
    text: str


class Hinted(Event):
    """A hint was given; an empty point id and text say that there was none left."""

    type: Literal["hinted"] = "hinted"
    point_id: str
    text: str


class Repeated(Event):
    type: Literal["repeated"] = "repeated"


class Clarified(Event):
    """The interviewer answered a question back without giving anything away."""

    type: Literal["clarified"] = "clarified"
    text: str


class Closed(Event):
    """No more answers are taken on this question; the reference may be shown now."""

    type: Literal["closed"] = "closed"
    reason: CloseReason


class Paused(Event):
    type: Literal["paused"] = "paused"


class Resumed(Event):
    type: Literal["resumed"] = "resumed"


class Ended(Event):
    type: Literal["ended"] = "ended"
    reason: EndReason


class Marked(Event):
    """The candidate says of a point of the question at `index` (0-based) that they said it, or that they did not.

    It changes no score.
    """

    type: Literal["marked"] = "marked"
    index: int = Field(ge=0)
    point_id: str
    said: bool


class Disputed(Event):
    """The candidate objects to a verdict, with a reason."""

    type: Literal["disputed"] = "disputed"
    index: int = Field(ge=0)
    point_id: str
    reason: str = Field(min_length=1, max_length=REASON_LIMIT)


class SecondOpinion(Event):
    """The newest disputed verdict on a point was looked at again.

    Attributes:
        grade: What came of it; None where nobody could grade it, and it can be tried again.
        note: One sentence on how it came about, or why there is none.
    """

    type: Literal["second_opinion"] = "second_opinion"
    index: int = Field(ge=0)
    point_id: str
    grade: PointGrade | None = None
    note: str = ""
    grader: GraderInfo


class Decided(Event):
    """The newest dispute on a point is settled: `verdict` counts from now on.

    Attributes:
        by: The id of the person who decided; at home the candidate.
    """

    type: Literal["decided"] = "decided"
    index: int = Field(ge=0)
    point_id: str
    verdict: Verdict
    by: str


InterviewEvent = Annotated[
    Started
    | Asked
    | PhaseBegan
    | Said
    | Answered
    | Graded
    | FollowedUp
    | Hinted
    | Repeated
    | Clarified
    | Closed
    | Paused
    | Resumed
    | Ended
    | Marked
    | Disputed
    | SecondOpinion
    | Decided,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[InterviewEvent] = TypeAdapter(InterviewEvent)
"""Reads and writes any event as JSON."""
