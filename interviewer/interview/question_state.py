"""Where one question of an interview stands."""

from datetime import datetime

from interviewer.interview import events as ev
from interviewer.models import Earned, Frozen, Grade, GraderInfo, PointGrade, Question, QuestionPhase, Verdict
from interviewer.models.plan import Reason


class FollowUp(Frozen):
    point_id: str
    text: str


class PhaseTime(Frozen):
    """A phase of a question.

    Attributes:
        text: How the interviewer began it.
        said_before: How many answers there were when it began.
        seconds: The candidate's time.
    """

    text: str
    said_before: int = 0
    seconds: float = 0.0


class Mark(Frozen):
    """What the candidate says themselves of a point: whether they said it. It changes no score."""

    point_id: str
    said: bool


class Dispute(Frozen):
    """An objection to the verdict on a point, and what came of it.

    Attributes:
        reason: The candidate's own words.
        looked: Whether a second grading has ended, well or not.
        second: The second grade; None before it, and where it failed.
        note: How the second grade came about, or why there is none.
        grader: Who gave it.
        decision: What counts; None until it is decided.
        by: Who decided.
    """

    point_id: str
    reason: str
    looked: bool = False
    second: PointGrade | None = None
    note: str = ""
    grader: GraderInfo | None = None
    decision: Verdict | None = None
    by: str = ""


class QuestionState(Frozen):
    """One question of the interview and what came of it.

    Attributes:
        answers: What the candidate said on it, in order.
        grade: The grade of the union of the answers; None before the first. While a question goes through its phases
            it has the points of the phases begun, as far as they were graded; all once it is closed.
        whole: The grade on all points, where there are phases.
        graded_answers: How many of the answers the grade covers.
        failed: Whether grading was tried and failed for the newest answers; it can be tried again.
        conceded: How often the candidate said "I don't know", in the phase under way where there are phases.
        planned: Index of the planned question it is, or whose place it takes.
        shift: How much harder than planned it is.
        round: Index into the plan's rounds.
        sentence: What a job description or résumé says, where that is the reason.
        seconds: The candidate's time: neither grading nor pauses.
        phases: The phases begun; empty where the question has none.
        marks: The newest of each point.
        disputes: In the order they were raised; several on one point where a decision was disputed again.
    """

    question: Question
    why: Reason
    asked_at: datetime
    planned: int = 0
    shift: int = 0
    round: int = 0
    sentence: str = ""
    frequency: int = 0
    answers: tuple[str, ...] = ()
    grade: Grade | None = None
    whole: Grade | None = None
    graded_answers: int = 0
    failed: bool = False
    followups: tuple[FollowUp, ...] = ()
    hints: tuple[FollowUp, ...] = ()
    conceded: int = 0
    closed: ev.CloseReason | None = None
    closed_at: datetime | None = None
    seconds: float = 0.0
    phases: tuple[PhaseTime, ...] = ()
    marks: tuple[Mark, ...] = ()
    disputes: tuple[Dispute, ...] = ()

    @property
    def union(self) -> str:
        """All answers, turns joined by blank lines."""
        return "\n\n".join(self.answers)

    @property
    def ungraded(self) -> bool:
        """Whether there are answers that no grade covers, because grading is under way or failed."""
        return len(self.answers) > self.graded_answers

    @property
    def score(self) -> float | None:
        """0..10; None where it does not count: not graded, or the reference was seen first."""
        return None if self.closed == "revealed" or self.grade is None else self.grade.score

    @property
    def phase(self) -> QuestionPhase | None:
        """The phase under way, or the last one begun; None where the question has none."""
        return self.question.phases[len(self.phases) - 1] if self.phases else None

    @property
    def full_grade(self) -> Grade | None:
        """The grade on all points, those of later phases included."""
        return self.whole or self.grade

    @property
    def open_followup(self) -> FollowUp | None:
        """The newest follow-up, of the phase under way where there are phases."""
        newest = self.followups[-1] if self.followups else None
        phase = self.phase
        return newest if newest is None or phase is None or newest.point_id in phase.points else None

    @property
    def helped(self) -> dict[str, Earned]:
        """For each point that was asked for, what help the candidate had: a probe, or a hint as well.

        Who is asked for one more of a choice may name any.
        """
        asked_for: dict[str, Earned] = {}
        for followup in self.followups:
            choice = self.question.choice_of(followup.point_id)
            asked_for |= dict.fromkeys(choice.points if choice else (followup.point_id,), "probe")
        return asked_for | {hint.point_id: "hint" for hint in self.hints}

    def mark(self, point_id: str) -> bool | None:
        """What the candidate says of a point themselves; None where they say nothing."""
        return next((mark.said for mark in self.marks if mark.point_id == point_id), None)

    def dispute(self, point_id: str) -> Dispute | None:
        """The newest dispute on a point."""
        return next((d for d in reversed(self.disputes) if d.point_id == point_id), None)
