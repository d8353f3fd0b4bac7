"""What happens next: pure functions from a state and an intent to events. No model is asked here."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from interviewer.followup import hint_text
from interviewer.interview import events as ev
from interviewer.interview.phases import follow_up, last_put, move_on, out_of_time, point_to_hint
from interviewer.interview.revealing import reveal_ends_scoring
from interviewer.interview.state import InterviewState, QuestionState, apply
from interviewer.models import Earned, Grade, GraderInfo, Language, PointGrade, Question, Verdict
from interviewer.wording import say

Intent = Literal["answer", "time_up"] | ev.SaidIntent
ENOUGH_CONCESSIONS = 2
"""After this many "I don't know" on one question, or one phase of it, the interviewer moves on."""

_TOO_LATE: Mapping[Intent, ev.SaidIntent] = {
    "hint": "hint",
    "clarify": "clarify",
    "repeat": "repeat",
    "note": "note",
    "resume": "resume",
}
"""What is no longer heard when the time is over; an answer always is."""


class Reaction(NamedTuple):
    """What a command leads to.

    Attributes:
        events: To be stored, in order.
        notice: Key of a sentence saying why nothing happened; empty if something did.
        ask_next: Whether the next question (or the end) is due.
        regrade: Whether answers that could not be graded should be tried again.
        known: Whether what was said stands in the record already.
    """

    events: tuple[ev.InterviewEvent, ...] = ()
    notice: str = ""
    ask_next: bool = False
    regrade: bool = False
    known: bool = False


def react(state: InterviewState, intent: Intent, text: str, at: datetime) -> Reaction:
    """The reaction to what the candidate said or pressed, or to the page's clock.

    Args:
        text: What was typed; empty for a button.
    """
    if intent == "time_up":
        return Reaction(out_of_time(state, at))
    if state.phase == "ended":
        return Reaction(notice="notice_ended")
    if intent == "stop":
        return _stop(state, text, at)
    if state.phase == "paused":
        return _while_paused(state, intent, text, at)
    if intent == "pause":
        if state.phase == "grading":
            return Reaction(notice="notice_grading")
        return Reaction((*_said(intent, text, at), ev.Paused(at=at)))
    if state.phase == "reviewing":
        return _while_reviewing(intent, text, at)
    if state.current is None or state.current.closed:
        return Reaction(_said("note", text, at), ask_next=True)
    if intent in _TOO_LATE:
        too_late = out_of_time(state, at)
        if too_late:
            return Reaction((*_said(_TOO_LATE[intent], text, at), *too_late))
    return _REACTIONS[intent](state, state.current, text, at)


def after_grade(state: InterviewState, at: datetime) -> tuple[ev.InterviewEvent, ...]:
    """A follow-up, the next phase or the close of the question; nothing where it is the candidate's turn already.

    So it is after an answer that could not be graded: it may be tried again.
    """
    current = state.current
    if current is None or current.closed or current.ungraded:
        return ()
    if current.phases and len(current.answers) == current.phases[-1].said_before:
        return ()
    followup = follow_up(state, current, at)
    return (followup,) if followup is not None else move_on(state, current, at, "answered")


def helped_points(current: QuestionState) -> Mapping[str, Earned]:
    """For each point that was asked for, what help the candidate had: a probe, or a hint as well."""
    return current.helped


def conceded_grade(question: Question, language: Language) -> Grade:
    """The grade of "I don't know": no point is covered. Nobody had to judge that."""
    points = tuple(
        PointGrade(id=p.id, text=p.in_language(language), weight=p.weight, verdict=Verdict.MISSING)
        for p in question.points
    )
    grader = GraderInfo(name="none")
    return Grade(status="graded", points=points, choices=question.choices, grader=grader, language=language)


def _said(intent: ev.SaidIntent, text: str, at: datetime) -> tuple[ev.InterviewEvent, ...]:
    return (ev.Said(at=at, text=text, intent=intent),) if text else ()


def _stop(state: InterviewState, text: str, at: datetime) -> Reaction:
    current = state.current
    done = state.phase == "reviewing" and state.remaining == 0
    events = _said("stop", text, at)
    if current is not None and current.closed is None:
        events += (ev.Closed(at=at, reason="answered" if current.answers else "stopped"),)
    return Reaction((*events, ev.Ended(at=at, reason="finished" if done else "stopped")))


def _while_paused(state: InterviewState, intent: Intent, text: str, at: datetime) -> Reaction:
    resumed = ev.Resumed(at=at)
    if intent in ("resume", "pause", "next"):
        return Reaction((*_said("resume", text, at), resumed))
    reaction = react(apply(state, resumed), intent, text, at)
    return reaction._replace(events=(resumed, *reaction.events))


def _while_reviewing(intent: Intent, text: str, at: datetime) -> Reaction:
    if intent in ("next", "skip", "phase", "resume"):
        return Reaction(_said("next", text, at), ask_next=True)
    if intent == "repeat":
        return Reaction((*_said("repeat", text, at), ev.Repeated(at=at)))
    if intent == "retry":
        return Reaction(_said("retry", text, at), regrade=True)
    return Reaction(_said("note", text, at))


def _answer(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    if state.phase == "grading" and current.answers[-1:] == (text,):  # sent by the keyboard and by the button
        return Reaction(known=True)
    return Reaction((ev.Answered(at=at, text=text),))


def _clarify(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    asked = last_put(current, state.language)
    reply = say(f"clarify_{current.question.kind.value}", state.language, question=asked)
    return Reaction((*_said("clarify", text, at), ev.Clarified(at=at, text=reply)))


def _hint(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    point_id = point_to_hint(current)
    if point_id is None:
        return Reaction((*_said("hint", text, at), ev.Hinted(at=at, point_id="", text="")))
    words = hint_text(current.question, current.question.point(point_id), state.language, current.union)
    return Reaction((*_said("hint", text, at), ev.Hinted(at=at, point_id=point_id, text=words)))


def _repeat(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction((*_said("repeat", text, at), ev.Repeated(at=at)))


def _skip(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    moved = move_on(state, current, at, "skipped")
    closing = any(isinstance(event, ev.Closed) for event in moved)
    return Reaction((*_said("skip", text, at), *moved), ask_next=closing and not current.answers)


def _phase(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    """Without phases the words must mean something else, so they are an answer."""
    return _skip(state, current, text, at) if current.phases else _answer(state, current, text, at)


def _concede(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    # A button press has no words, but the concession must be in the record all the same.
    said = ev.Said(at=at, text=text, intent="concede")
    if current.conceded + 1 < ENOUGH_CONCESSIONS:
        smaller_step = follow_up(state, current, at)
        if smaller_step is not None:
            return Reaction((said, smaller_step))
    moved = move_on(state, current, at, "conceded")
    if current.answers or not any(isinstance(event, ev.Closed) for event in moved):
        return Reaction((said, *moved))
    grade = conceded_grade(current.question, state.language)
    graded = ev.Graded(at=at, index=len(state.questions) - 1, covers=0, grade=grade)
    return Reaction((said, graded, *moved))


def _reveal(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    closed = ev.Closed(at=at, reason="revealed" if reveal_ends_scoring(state) else "answered")
    return Reaction((*_said("reveal", text, at), closed))


def _retry(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    if not current.ungraded:
        return Reaction(_said("retry", text, at), notice="notice_no_retry")
    return Reaction(_said("retry", text, at), regrade=True)


def _resume(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction(_said("resume", text, at))


def _note(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction(_said("note", text, at))


def _late(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction(_said("late", text, at))


_REACTIONS: dict[Intent, Callable[[InterviewState, QuestionState, str, datetime], Reaction]] = {
    "answer": _answer,
    "clarify": _clarify,
    "hint": _hint,
    "repeat": _repeat,
    "skip": _skip,
    "next": _skip,
    "phase": _phase,
    "concede": _concede,
    "reveal": _reveal,
    "retry": _retry,
    "resume": _resume,
    "note": _note,
    "late": _late,
}
