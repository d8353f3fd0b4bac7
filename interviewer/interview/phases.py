"""Going through a question: from phase to phase where it has some, until it is closed."""

from datetime import datetime

from interviewer.followup import next_gap, probe_text
from interviewer.interview import events as ev
from interviewer.interview.clock import overall_over, part_over, question_over
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import Language, Question, pick


def begin_phase(question: Question, index: int, language: Language, at: datetime) -> ev.PhaseBegan:
    """The phase at `index` (0-based) of a question."""
    return ev.PhaseBegan(at=at, index=index, text=pick(question.phases[index].prompt, language) or "")


def move_on(
    state: InterviewState, current: QuestionState, at: datetime, unsaid: ev.CloseReason
) -> tuple[ev.InterviewEvent, ...]:
    """The next phase, or the close of the question where there is none or no time for one.

    Args:
        unsaid: Why it is closed if nothing was answered.
    """
    following = len(current.phases)
    time_is_over = question_over(state, at) or overall_over(state, at)
    if current.phases and following < len(current.question.phases) and not time_is_over:
        return (begin_phase(current.question, following, state.language, at),)
    return (ev.Closed(at=at, reason="answered" if current.answers else unsaid),)


def out_of_time(state: InterviewState, at: datetime) -> tuple[ev.InterviewEvent, ...]:
    """What follows if the time for the question or phase under way has run out; nothing if it has not."""
    current = state.current
    if state.phase != "answering" or current is None or current.closed or not part_over(state, at):
        return ()
    return move_on(state, current, at, "time")


def follow_up(state: InterviewState, current: QuestionState, at: datetime) -> ev.FollowedUp | None:
    """A probe of the weightiest gap in what is under way; None where none is left, allowed, or in time."""
    here = asked_about(current)
    probed = {f.point_id for f in current.followups}
    if len(probed & here) >= state.plan.request.followups or part_over(state, at) or overall_over(state, at):
        return None
    point = next_gap(current.question, current.full_grade, probed | _elsewhere(current))
    if point is None:
        return None
    text = probe_text(current.question, point, state.language, current.union)
    return ev.FollowedUp(at=at, point_id=point.id, text=text)


def point_to_hint(current: QuestionState) -> str | None:
    """Id of the point a hint is due for: the one just asked for, or else the weightiest gap in what is under way."""
    hinted = {hint.point_id for hint in current.hints}
    probed = current.open_followup
    if probed is not None and probed.point_id not in hinted:
        return probed.point_id
    gap = next_gap(current.question, current.full_grade, hinted | _elsewhere(current))
    return gap.id if gap is not None else None


def asked_about(current: QuestionState) -> frozenset[str]:
    """Ids of the points under way: those of the phase, or all."""
    phase = current.phase
    return frozenset(phase.points) if phase is not None else frozenset(p.id for p in current.question.points)


def last_put(current: QuestionState, language: Language) -> str:
    """What the candidate is to answer: the follow-up, the phase or the question."""
    followup = current.open_followup
    if followup is not None:
        return followup.text
    return current.phases[-1].text if current.phases else current.question.asked_in(language)


def _elsewhere(current: QuestionState) -> frozenset[str]:
    return frozenset(p.id for p in current.question.points) - asked_about(current)
