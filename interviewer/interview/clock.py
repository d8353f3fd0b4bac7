"""How much time was used and how much is left, from the stored events and the moment alone."""

from datetime import datetime
from typing import NamedTuple

from interviewer.interview.state import InterviewState, QuestionState, with_time

TOLERANCE = 2.0
"""Seconds by which a page's clock may be ahead of the server's."""


class Clock(NamedTuple):
    """Seconds used, and the limits where the interview is timed (None where it is not).

    Attributes:
        question_seconds: The candidate's time on the question under way or the last one; no grading, no pauses.
        overall_seconds: The same on all questions.
        running: Whether it is the candidate's time that passes.
        paused_seconds: All pauses together, the one under way included.
        phase_seconds: Time in the phase under way, of a question that has phases.
        phase_limit: Its limit; None also where the question has no phases.
    """

    question_seconds: float = 0.0
    question_limit: float | None = None
    overall_seconds: float = 0.0
    overall_limit: float | None = None
    running: bool = False
    paused_seconds: float = 0.0
    paused_times: int = 0
    phase_seconds: float = 0.0
    phase_limit: float | None = None

    @property
    def left(self) -> float | None:
        """Seconds until the question or its phase is over, below 0 when it is; None where nothing is timed."""
        parts = ((self.question_limit, self.question_seconds), (self.phase_limit, self.phase_seconds))
        return min((limit - used for limit, used in parts if limit is not None), default=None)

    @property
    def overall_left(self) -> float | None:
        """Seconds until no further question is asked, below 0 when that is so; None where nothing is timed."""
        return None if self.overall_limit is None else self.overall_limit - self.overall_seconds


def clock(state: InterviewState, now: datetime) -> Clock:
    """The clock of an interview at `now`; a moment before the last event counts as that event's."""
    state = with_time(state, now)
    current = state.current
    phase = current.phases[-1] if current is not None and current.phases else None
    return Clock(
        question_seconds=current.seconds if current is not None else 0.0,
        question_limit=question_limit(state, current) if state.timed and current is not None else None,
        overall_seconds=state.seconds,
        overall_limit=state.plan.minutes * 60 if state.timed else None,
        running=state.phase == "answering",
        paused_seconds=state.paused_seconds,
        paused_times=state.paused_times,
        phase_seconds=phase.seconds if phase is not None else 0.0,
        phase_limit=phase_limit(state, current, len(current.phases) - 1) if state.timed and current and phase else None,
    )


def question_limit(state: InterviewState, question: QuestionState) -> float:
    """The seconds planned for a question."""
    planned = state.plan.questions
    # A question of an older interview may stand nowhere in its plan.
    return planned[min(question.planned, len(planned) - 1)].minutes * 60 if planned else 0.0


def phase_limit(state: InterviewState, question: QuestionState, index: int) -> float:
    """The seconds planned for the phase at `index`: its share of the question's."""
    phases = question.question.phases
    return question_limit(state, question) * phases[index].minutes / sum(phase.minutes for phase in phases)


def part_over(state: InterviewState, now: datetime) -> bool:
    """Whether the time for the question, or for the phase under way, has run out."""
    left = clock(state, now).left
    return left is not None and left <= TOLERANCE


def question_over(state: InterviewState, now: datetime) -> bool:
    """Whether the time for the whole question has run out."""
    now_is = clock(state, now)
    return now_is.question_limit is not None and now_is.question_limit - now_is.question_seconds <= TOLERANCE


def overall_over(state: InterviewState, now: datetime) -> bool:
    """Whether the time for the whole interview has run out."""
    left = clock(state, now).overall_left
    return left is not None and left <= 0
