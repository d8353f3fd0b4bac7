"""How time is told: a clock for the card that the browser keeps going, minutes and seconds everywhere else."""

from typing import Any, NamedTuple

from interviewer.interview.clock import phase_limit
from interviewer.interview.service import InterviewView
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import pick


class PhaseStep(NamedTuple):
    """A phase of the question under way: how it is called, its minutes, and whether it is done, now or todo."""

    title: str
    minutes: int
    state: str


def clock_text(seconds: float) -> str:
    """Such as 4:07 or 1:02:30; never below 0:00."""
    whole = max(0, int(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def clock_signal(view: InterviewView) -> dict[str, Any]:
    """The clock as the browser goes on with it, in seconds; limits are None where nothing is timed.

    `part` changes with every question and phase, so that what was said and sent for one is not held against the next.
    """
    clock, current = view.clock, view.state.current
    return {
        "part": f"{view.id}/{len(view.state.questions)}/{len(current.phases) if current else 0}",
        "left": clock.left,
        "limit": clock.question_limit if clock.phase_limit is None else clock.phase_limit,
        "overall": clock.overall_left,
        "used": clock.question_seconds,
        "running": clock.running,
        "paused": clock.paused_seconds,
        "pausing": view.state.phase == "paused",
    }


def clock_level(left: float | None, limit: float | None) -> str:
    """`over`, `soon` in the last fifth, or nothing."""
    if left is None or limit is None:
        return ""
    return "over" if left <= 0 else "soon" if left <= limit / 5 else ""


def phase_steps(state: InterviewState) -> list[PhaseStep]:
    """The phases of the question under way; empty where it has none."""
    current = state.current
    if current is None or not current.phases:
        return []
    begun = len(current.phases) - (current.closed is None)
    return [
        PhaseStep(
            title=pick(phase.title, state.language) or phase.id,
            minutes=max(1, round(phase_limit(state, current, index) / 60)),
            state="done" if index < begun else "now" if index < len(current.phases) else "todo",
        )
        for index, phase in enumerate(current.question.phases)
    ]


def round_line(state: InterviewState) -> tuple[int, int, str] | None:
    """Which round it is (from 1), of how many, and its title; None where the plan has no rounds."""
    rounds = state.plan.rounds
    if not rounds or state.current is None:
        return None
    index = min(state.current.round, len(rounds) - 1)
    return index + 1, len(rounds), rounds[index].title


def skips_to_phase(current: QuestionState | None) -> bool:
    """Whether skipping leads to another phase of the same question."""
    return current is not None and 0 < len(current.phases) < len(current.question.phases)
