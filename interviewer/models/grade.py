"""Verdicts on points, and the grade computed from them. No score is ever taken from a model."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from interviewer.models.base import Frozen, Language
from interviewer.models.question import Choice

Earned = Literal["answer", "probe", "hint"]
"""What the candidate needed to win the point: nothing, a follow-up, or a hint."""

CREDIT_SHARE: dict[Earned, float] = {"answer": 1.0, "probe": 0.8, "hint": 0.6}
"""Share of the gain that counts when a point was won only after a probe or a hint."""


class Verdict(StrEnum):
    COVERED = "covered"
    PARTIAL = "partial"
    MISSING = "missing"
    CONTRADICTED = "contradicted"

    @property
    def credit(self) -> float:
        return _CREDIT[self]


_CREDIT = {Verdict.COVERED: 1.0, Verdict.PARTIAL: 0.5, Verdict.MISSING: 0.0, Verdict.CONTRADICTED: -0.25}


class PromptRef(Frozen):
    """The exact prompt behind a grade."""

    name: str
    version: int
    sha256: str


class GraderInfo(Frozen):
    """Who graded.

    Attributes:
        name: `builtin` or `model`; `none` where nobody graded.
        model: The chat model's name, or the built-in grader's version.
        note: One sentence for the candidate where something went other than planned.
    """

    name: Literal["builtin", "model", "none"]
    model: str | None = None
    prompt: PromptRef | None = None
    note: str | None = None


class PointGrade(Frozen):
    """The verdict on one point.

    Attributes:
        text: The point as graded, so that a report does not change when the question is edited.
        quote: The candidate's own words, verbatim; empty for a missing point.
        confidence: 0..1, how sure the grader is of the verdict.
        reason: One sentence why, in the language of the interview.
        correction: What is right, for a contradicted point.
        before: The verdict before the follow-ups, where they changed it.
        earned: What the candidate needed to win it.
        decided: What was decided after an objection; it counts in place of `verdict`, which stays to be seen.
        unsure: Whether the verdict is doubtful, so that the candidate may be asked: did you say this?
        nearest: For a doubtful verdict, the sentence of the answer that comes nearest to the point, verbatim.
    """

    id: str
    text: str
    weight: float = Field(gt=0)
    verdict: Verdict
    quote: str = ""
    confidence: float = Field(default=1.0, ge=0, le=1)
    reason: str = ""
    correction: str = ""
    before: Verdict | None = None
    earned: Earned = "answer"
    decided: Verdict | None = None
    unsure: bool = False
    nearest: str = ""

    @property
    def counted(self) -> Verdict:
        """The verdict that counts: the one decided on, else the grader's."""
        return self.decided or self.verdict

    @property
    def credit(self) -> float:
        """-0.25..1: the counted verdict's credit, its gain over `before` discounted by what was needed to win it."""
        if self.before is None:
            return self.counted.credit
        gain = self.counted.credit - self.before.credit
        share = CREDIT_SHARE[self.earned] if gain > 0 else 1.0
        return self.before.credit + gain * share


class Beyond(Frozen):
    """Something right that the reference does not say.

    Attributes:
        quote: The candidate's own words.
        passage: The passage of the bank that supports it.
        question_id: The question that passage belongs to.
    """

    quote: str
    passage: str
    question_id: str = ""


class Grade(Frozen):
    """The verdicts of one question, or the reason why there are none.

    Attributes:
        choices: Of which points some are enough, as the question had it when it was graded.
    """

    status: Literal["graded", "ungraded"]
    reason: str | None = Field(default=None, description="why it is ungraded, as one sentence")
    points: tuple[PointGrade, ...] = ()
    choices: tuple[Choice, ...] = ()
    beyond: tuple[Beyond, ...] = ()
    comment: str = Field(default="", description="on clarity and structure; never scored")
    grader: GraderInfo
    language: Language = "en"

    @property
    def needed(self) -> tuple[PointGrade, ...]:
        """The points that the score is out of: of a choice the best ones, as many as are enough."""
        passed_over = {point.id for choice in self.choices for point in self._ranked(choice)[choice.enough :]}
        return tuple(point for point in self.points if point.id not in passed_over)

    @property
    def spare(self) -> frozenset[str]:
        """Ids of points that are not covered and need not be, since others of their choice count."""
        needed = {point.id for point in self.needed}
        open_to_choice = (Verdict.MISSING, Verdict.PARTIAL)
        return frozenset(p.id for p in self.points if p.id not in needed and p.counted in open_to_choice)

    def passes_over(self, point: PointGrade) -> bool:
        """Whether a point is missing and need not be said."""
        return point.counted is Verdict.MISSING and point.id in self.spare

    @property
    def earned(self) -> float:
        """The credit of the points needed, by weight; what is wrong costs its credit, needed or not."""
        needed = {point.id for point in self.needed}
        return sum(p.weight * (p.credit if p.id in needed else min(0.0, p.credit)) for p in self.points)

    @property
    def total(self) -> float:
        """The weight of the points needed: what a full answer earns."""
        return sum(point.weight for point in self.needed)

    @property
    def score(self) -> float | None:
        """0..10 with one decimal; None where ungraded."""
        if self.status == "ungraded" or not self.points:
            return None
        return round(max(0.0, self.earned / self.total * 10), 1)

    def _ranked(self, choice: Choice) -> list[PointGrade]:
        """The points of a choice, best first; of equally good ones the weightiest, then the first."""
        among = [point for point in self.points if point.id in choice.points]
        return sorted(among, key=lambda point: (-point.credit, -point.weight))
