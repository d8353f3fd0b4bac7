"""What an interview will ask, and why."""

from typing import Literal

from pydantic import Field, model_validator

from interviewer.models.base import Frozen, Language

Mode = Literal["practice", "mock"]
Reason = Literal["requested", "new", "weak", "oldest"]
"""Why a question was chosen; the report says it in words."""


class PlanRequest(Frozen):
    """What the candidate chose.

    Attributes:
        sets: Names of the sets to draw from; empty for all.
        topics: Topics to draw from; empty for all.
        question_ids: Exactly these questions, in this order ("practise again"); the other filters are ignored.
        followups: Follow-ups allowed per question.
        seed: The same request and bank with the same seed give the same plan.
    """

    sets: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    question_ids: tuple[str, ...] = ()
    min_difficulty: int = Field(default=1, ge=1, le=5)
    max_difficulty: int = Field(default=5, ge=1, le=5)
    language: Language = "en"
    count: int = Field(default=5, ge=1, le=50)
    mode: Mode = "practice"
    followups: int = Field(default=2, ge=0, le=2)
    seed: int | None = None

    @model_validator(mode="after")
    def _difficulties_are_ordered(self) -> "PlanRequest":
        if self.min_difficulty > self.max_difficulty:
            raise ValueError("min_difficulty is above max_difficulty")
        return self


class PlannedQuestion(Frozen):
    """One question of a plan, with the reason shown in the report ("asked because …")."""

    question_id: str
    topic: str
    why: Reason


class Plan(Frozen):
    """The questions of one interview, in order."""

    request: PlanRequest
    questions: tuple[PlannedQuestion, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of its questions, each once, in the order they come up."""
        return tuple(dict.fromkeys(q.topic for q in self.questions))
