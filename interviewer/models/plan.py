"""What an interview will ask, and why."""

from typing import Literal

from pydantic import Field, model_validator

from interviewer.models.base import Frozen, Language
from interviewer.models.track import Level

Mode = Literal["practice", "mock", "drill"]
"""practice: feedback after each question; mock: timed, feedback at the end; drill: practice of only what is due."""

Wording = Literal["question", "probe"]
"""How a question is put: as it stands, or by the probes of the points it is asked for."""

Reason = Literal["requested", "focus", "weak", "frequent", "new", "oldest", "due", "assigned"]
"""Why a question was chosen; the report says it in words.

requested: by the candidate; focus: a job description or résumé speaks of it; weak: the last answer left gaps; frequent:
asked often in interviews; new: not asked yet; oldest: asked longest ago; due: some of its points are; assigned: by
a lead.
"""


class Focus(Frozen):
    """A topic that a job description or résumé speaks of, with the sentence that says so."""

    topic: str = Field(min_length=1)
    sentence: str = Field(default="", max_length=400)
    question_ids: tuple[str, ...] = ()


class PlanRequest(Frozen):
    """What the candidate chose.

    Attributes:
        sets: Names of the sets to draw from; empty for all.
        topics: Topics to draw from; empty for all.
        question_ids: Exactly these questions, in this order ("practise again"); the other filters are ignored.
        followups: Follow-ups allowed per question, or per phase of a question that has phases.
        seed: The same request, bank and past with the same seed give the same plan.
        track: Id of the track to draw from; empty for a free choice of `count` questions.
        level: The level interviewed for; decides the difficulty where there is a track.
        rounds: Ids of the track's rounds to run; empty for those of the level.
        minutes: What the rounds take together; None for what the track says.
        focus: What a job description or résumé asks for; such topics and questions are preferred.
        adaptive: Whether strong and weak answers change the difficulty.
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
    track: str = ""
    level: Level = "mid"
    rounds: tuple[str, ...] = ()
    minutes: int | None = Field(default=None, ge=5, le=480)
    focus: tuple[Focus, ...] = ()
    adaptive: bool = True

    @model_validator(mode="after")
    def _difficulties_are_ordered(self) -> "PlanRequest":
        if self.min_difficulty > self.max_difficulty:
            raise ValueError("min_difficulty is above max_difficulty")
        return self


class Alternative(Frozen):
    """A question that can take a planned one's place when the difficulty changes."""

    question_id: str
    difficulty: int = Field(ge=1, le=5)


class PlannedQuestion(Frozen):
    """One question of a plan.

    Attributes:
        why: The reason shown in the report ("asked because …").
        round: Index into the plan's rounds.
        difficulty: 1..5.
        frequency: How often it is asked in interviews, 1..5; 0 where it is not known.
        minutes: The time for it, follow-ups included.
        others: Easier and harder ones on the same topic; no question stands twice in a plan.
        sentence: What the job description or résumé says, where that is the reason.
        points: Ids of the points it is asked for, and graded by; empty for all.
        wording: How it is put.
    """

    question_id: str
    topic: str
    why: Reason
    round: int = Field(default=0, ge=0)
    difficulty: int = Field(default=3, ge=1, le=5)
    frequency: int = Field(default=0, ge=0, le=5)
    minutes: float = Field(default=6.0, gt=0, le=240)
    others: tuple[Alternative, ...] = ()
    sentence: str = ""
    points: tuple[str, ...] = ()
    wording: Wording = "question"


class PlannedRound(Frozen):
    """A round of a plan, titled in the interview's language."""

    id: str
    title: str


class Plan(Frozen):
    """The questions of one interview, in order.

    Attributes:
        rounds: In order; empty where the candidate chose freely.
        track: The track's title in the interview's language; empty where there is none.
    """

    request: PlanRequest
    questions: tuple[PlannedQuestion, ...]
    rounds: tuple[PlannedRound, ...] = ()
    track: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of its questions, each once, in the order they come up."""
        return tuple(dict.fromkeys(q.topic for q in self.questions))

    @property
    def minutes(self) -> float:
        """The time for all its questions."""
        return sum(q.minutes for q in self.questions)

    @property
    def timed(self) -> bool:
        """Whether the clock decides when a question and the interview are over."""
        return self.request.mode == "mock"
