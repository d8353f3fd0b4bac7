"""Where an interview stands: a fold over its events."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

from interviewer.errors import InterviewerError
from interviewer.interview import events as ev
from interviewer.interview.contested import Contest, contested, with_decisions
from interviewer.interview.question_state import FollowUp, PhaseTime, QuestionState
from interviewer.models import Frozen, Grade, Language, Mode, Plan

__all__ = ["FollowUp", "InterviewState", "Phase", "PhaseTime", "QuestionState", "apply", "fold", "with_time"]

Phase = Literal["asking", "answering", "grading", "reviewing", "paused", "ended"]
"""asking: the next question is due; answering: the candidate's turn; grading: an answer waits for its grade;
reviewing: the question is closed and the candidate reads the feedback; paused; ended."""


class InterviewState(Frozen):
    """The whole interview.

    Attributes:
        updated_at: The latest moment of any event but those about a grade that was given; it never goes back,
            whatever clocks do.
        version: Number of events folded; the next event is stored at this position or not at all.
        timed: Whether the clock decides when a question and the interview are over.
        paused_seconds: How long all finished pauses took.
        paused_times: How often the interview was paused.
    """

    plan: Plan
    started_at: datetime
    questions: tuple[QuestionState, ...] = ()
    phase: Phase = "asking"
    resumes_to: Phase | None = None
    ended: ev.EndReason | None = None
    updated_at: datetime
    version: int = 1
    timed: bool = False
    paused_seconds: float = 0.0
    paused_times: int = 0

    @property
    def language(self) -> Language:
        return self.plan.request.language

    @property
    def mode(self) -> Mode:
        return self.plan.request.mode

    @property
    def current(self) -> QuestionState | None:
        return self.questions[-1] if self.questions else None

    @property
    def remaining(self) -> int:
        """Planned questions not come to yet."""
        return len(self.plan.questions) - self.next_planned

    @property
    def next_planned(self) -> int:
        """Index of the planned question that is due next; their number where all were come to."""
        return self.questions[-1].planned + 1 if self.questions else 0

    @property
    def seconds(self) -> float:
        """The candidate's time on all questions."""
        return sum(q.seconds for q in self.questions)

    @property
    def scores(self) -> tuple[float, ...]:
        return tuple(q.score for q in self.questions if q.score is not None)

    @property
    def score(self) -> float | None:
        """0..10, the mean over scored questions; None before the first."""
        return round(sum(self.scores) / len(self.scores), 1) if self.scores else None


def fold(events: Iterable[ev.InterviewEvent]) -> InterviewState:
    """The state after `events`.

    Raises:
        InterviewerError: if the first event is not `started`.
    """
    iterator = iter(events)
    first = next(iterator, None)
    if not isinstance(first, ev.Started):
        raise InterviewerError("The stored interview does not begin with its start.", next_step="Start a new one.")
    state = InterviewState(plan=first.plan, started_at=first.at, updated_at=first.at, timed=first.timed)
    for event in iterator:
        state = apply(state, event)
    return state


def apply(state: InterviewState, event: ev.InterviewEvent) -> InterviewState:
    """The state after one more event."""
    if isinstance(event, Contest):
        return _contested(state, event)
    timed = with_time(state, event.at)
    changed = _APPLY[event.type](timed, event) if event.type in _APPLY else timed
    return changed.model_copy(update={"version": state.version + 1})


def _contested(state: InterviewState, event: Contest) -> InterviewState:
    """What is said about a grade takes no time and moves the interview nowhere."""
    questions = list(state.questions)
    questions[event.index] = contested(questions[event.index], event)
    return state.model_copy(update={"questions": tuple(questions), "version": state.version + 1})


def with_time(state: InterviewState, now: datetime) -> InterviewState:
    """The state at `now`, the time since the last event given to whoever it belongs to."""
    passed = (now - state.updated_at).total_seconds()
    if passed <= 0:
        return state
    state = state.model_copy(update={"updated_at": now})
    if state.phase == "paused":
        return state.model_copy(update={"paused_seconds": state.paused_seconds + passed})
    if state.phase != "answering" or state.current is None:
        return state
    phases = state.current.phases
    if phases:
        phases = (*phases[:-1], phases[-1].model_copy(update={"seconds": phases[-1].seconds + passed}))
    return _with_current(state, seconds=state.current.seconds + passed, phases=phases)


def _with_current(state: InterviewState, phase: Phase | None = None, **update: object) -> InterviewState:
    current = state.questions[-1].model_copy(update=update)
    return state.model_copy(update={"questions": (*state.questions[:-1], current), "phase": phase or state.phase})


def _asked(state: InterviewState, event: ev.Asked) -> InterviewState:
    asked = QuestionState(
        question=event.question,
        why=event.why,
        asked_at=event.at,
        planned=_planned(state, event),
        shift=event.shift,
        round=event.round,
        sentence=event.sentence,
        frequency=event.frequency,
    )
    return state.model_copy(update={"questions": (*state.questions, asked), "phase": "answering"})


def _planned(state: InterviewState, event: ev.Asked) -> int:
    """Where the plan has the question; the place after the last where it was not kept and is not found."""
    if event.planned is not None:
        return event.planned
    places = (i for i, q in enumerate(state.plan.questions) if q.question_id == event.question.id)
    return next(places, state.next_planned)


def _phase_began(state: InterviewState, event: ev.PhaseBegan) -> InterviewState:
    current = state.questions[-1]
    phases = (*current.phases, PhaseTime(text=event.text, said_before=len(current.answers)))
    return _with_current(state, "answering", phases=phases, conceded=0)


def _answered(state: InterviewState, event: ev.Answered) -> InterviewState:
    return _with_current(state, "grading", answers=(*state.questions[-1].answers, event.text), failed=False)


def _graded(state: InterviewState, event: ev.Graded) -> InterviewState:
    graded = _with_grade(state.questions[event.index], event)
    questions = tuple(graded if i == event.index else q for i, q in enumerate(state.questions))
    done = graded.failed or not graded.ungraded
    phase = "answering" if state.phase == "grading" and done else state.phase
    return state.model_copy(update={"questions": questions, "phase": phase})


def _with_grade(question: QuestionState, event: ev.Graded) -> QuestionState:
    if event.grade.status == "graded":
        update = {"graded_answers": event.covers, "failed": False}
        if not question.phases:
            return with_decisions(question.model_copy(update={"grade": event.grade, **update}))
        so_far = event.grade if question.closed else _so_far(question, event.grade)
        return with_decisions(question.model_copy(update={"grade": so_far, "whole": event.grade, **update}))
    standing = event.grade if question.grade is None else question.grade
    return question.model_copy(update={"grade": standing, "failed": len(question.answers) == event.covers})


def _so_far(question: QuestionState, grade: Grade) -> Grade:
    begun = {point_id for phase in question.question.phases[: len(question.phases)] for point_id in phase.points}
    return grade.model_copy(update={"points": tuple(point for point in grade.points if point.id in begun)})


def _said(state: InterviewState, event: ev.Said) -> InterviewState:
    if event.intent != "concede" or not state.questions:
        return state
    return _with_current(state, conceded=state.questions[-1].conceded + 1)


def _followed_up(state: InterviewState, event: ev.FollowedUp) -> InterviewState:
    followup = FollowUp(point_id=event.point_id, text=event.text)
    return _with_current(state, "answering", followups=(*state.questions[-1].followups, followup))


def _hinted(state: InterviewState, event: ev.Hinted) -> InterviewState:
    if not event.point_id:
        return state
    hint = FollowUp(point_id=event.point_id, text=event.text)
    return _with_current(state, hints=(*state.questions[-1].hints, hint))


def _closed(state: InterviewState, event: ev.Closed) -> InterviewState:
    phase: Phase = "asking" if state.mode == "mock" else "reviewing"
    grade = state.questions[-1].full_grade
    return _with_current(state, phase, closed=event.reason, closed_at=event.at, grade=grade)


def _paused(state: InterviewState, event: ev.Paused) -> InterviewState:
    update = {"phase": "paused", "resumes_to": state.phase, "paused_times": state.paused_times + 1}
    return state.model_copy(update=update)


def _resumed(state: InterviewState, event: ev.Resumed) -> InterviewState:
    return state.model_copy(update={"phase": state.resumes_to or "answering", "resumes_to": None})


def _ended(state: InterviewState, event: ev.Ended) -> InterviewState:
    return state.model_copy(update={"phase": "ended", "ended": event.reason})


_APPLY: dict[str, Callable[[InterviewState, Any], InterviewState]] = {
    "asked": _asked,
    "phase_began": _phase_began,
    "answered": _answered,
    "graded": _graded,
    "said": _said,
    "followed_up": _followed_up,
    "hinted": _hinted,
    "closed": _closed,
    "paused": _paused,
    "resumed": _resumed,
    "ended": _ended,
}
