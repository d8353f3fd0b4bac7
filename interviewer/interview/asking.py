"""What is asked next: the next planned question, an easier or harder one in its place, or nothing more."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from interviewer.interview import events as ev
from interviewer.interview.adapting import choose, difficulty_shift
from interviewer.interview.clock import overall_over
from interviewer.interview.phases import begin_phase
from interviewer.interview.reducing import as_planned
from interviewer.interview.state import InterviewState
from interviewer.models import Alternative, PlannedQuestion, Question

Find = Callable[[str], Question | None]


class _Due(NamedTuple):
    """The planned question at `place`, and what is asked for it."""

    place: int
    planned: PlannedQuestion
    chosen: Alternative
    question: Question


def ask_next(state: InterviewState, find: Find, at: datetime) -> tuple[ev.InterviewEvent, ...]:
    """The next question that still exists, or the end of the interview: no more questions, or no more time."""
    due = _due(state, find)
    if due is None:
        return (ev.Ended(at=at, reason="finished"),)
    if overall_over(state, at):
        return (ev.Ended(at=at, reason="time"),)
    asked = ev.Asked(
        at=at,
        question=due.question,
        why=due.planned.why,
        planned=due.place,
        shift=due.chosen.difficulty - due.planned.difficulty,
        round=due.planned.round,
        sentence=due.planned.sentence,
        frequency=due.question.frequency,
    )
    if not due.question.phases:
        return (asked,)
    return (asked, begin_phase(due.question, 0, state.language, at))


def _due(state: InterviewState, find: Find) -> _Due | None:
    shift = difficulty_shift(state) if state.plan.request.adaptive else 0
    taken = {q.question.id for q in state.questions}
    for place, planned in enumerate(state.plan.questions[state.next_planned :], state.next_planned):
        while (chosen := choose(planned, shift, taken)) is not None:
            question = find(chosen.question_id)
            if question is not None and (asked := as_planned(question, planned)) is not None:
                return _Due(place, planned, chosen, asked)
            taken.add(chosen.question_id)
    return None
