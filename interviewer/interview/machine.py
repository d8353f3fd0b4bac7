"""What happens next: pure functions from a state and an intent to events. No model is asked here."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from interviewer.followup import hint_text, next_gap, probe_text
from interviewer.interview import events as ev
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import Earned, Grade, GraderInfo, Language, Point, PointGrade, Question, Verdict
from interviewer.wording import say

Intent = Literal["answer", "time_up"] | ev.SaidIntent
ENOUGH_CONCESSIONS = 2
"""After this many "I don't know" on one question the interviewer moves on."""


class Reaction(NamedTuple):
    """What a command leads to.

    Attributes:
        events: To be stored, in order.
        notice: Key of a sentence saying why nothing happened; empty if something did.
        ask_next: Whether the next question (or the end) is due.
        regrade: Whether answers that could not be graded should be tried again.
    """

    events: tuple[ev.InterviewEvent, ...] = ()
    notice: str = ""
    ask_next: bool = False
    regrade: bool = False


def react(state: InterviewState, intent: Intent, text: str, at: datetime) -> Reaction:
    """The reaction to what the candidate said or pressed, or to the page's clock.

    Args:
        text: What was typed; empty for a button.
    """
    if intent == "time_up":
        return Reaction()
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
    return _REACTIONS[intent](state, state.current, text, at)


def after_grade(state: InterviewState, at: datetime) -> tuple[ev.InterviewEvent, ...]:
    """A follow-up, the close of the question, or nothing where it could not be graded and may be tried again."""
    current = state.current
    if current is None or current.closed or current.ungraded:
        return ()
    return (_followup(state, current, at) or ev.Closed(at=at, reason="answered"),)


def helped_points(current: QuestionState) -> Mapping[str, Earned]:
    """For each point that was asked for, what help the candidate had: a probe, or a hint as well."""
    helped: dict[str, Earned] = {f.point_id: "probe" for f in current.followups}
    return helped | {hint.point_id: "hint" for hint in current.hints}


def conceded_grade(question: Question, language: Language) -> Grade:
    """The grade of "I don't know": no point is covered. Nobody had to judge that."""
    points = tuple(
        PointGrade(id=p.id, text=p.in_language(language), weight=p.weight, verdict=Verdict.MISSING)
        for p in question.points
    )
    return Grade(status="graded", points=points, grader=GraderInfo(name="none"), language=language)


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
    awake = state.model_copy(update={"phase": state.resumes_to or "answering"})
    reaction = react(awake, intent, text, at)
    return reaction._replace(events=(resumed, *reaction.events))


def _while_reviewing(intent: Intent, text: str, at: datetime) -> Reaction:
    if intent in ("next", "skip", "resume"):
        return Reaction(_said("next", text, at), ask_next=True)
    if intent == "repeat":
        return Reaction((*_said("repeat", text, at), ev.Repeated(at=at)))
    if intent == "retry":
        return Reaction(_said("retry", text, at), regrade=True)
    return Reaction(_said("note", text, at))


def _answer(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction((ev.Answered(at=at, text=text),))


def _clarify(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    asked = current.followups[-1].text if current.followups else current.question.asked_in(state.language)
    reply = say(f"clarify_{current.question.kind.value}", state.language, question=asked)
    return Reaction((*_said("clarify", text, at), ev.Clarified(at=at, text=reply)))


def _hint(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    point = _point_to_hint(current)
    if point is None:
        return Reaction((*_said("hint", text, at), ev.Hinted(at=at, point_id="", text="")))
    words = hint_text(current.question, point, state.language, current.union)
    return Reaction((*_said("hint", text, at), ev.Hinted(at=at, point_id=point.id, text=words)))


def _point_to_hint(current: QuestionState) -> Point | None:
    hinted = {hint.point_id for hint in current.hints}
    if current.followups and current.followups[-1].point_id not in hinted:
        return current.question.point(current.followups[-1].point_id)
    return next_gap(current.question, current.grade, hinted)


def _repeat(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction((*_said("repeat", text, at), ev.Repeated(at=at)))


def _skip(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    closed = ev.Closed(at=at, reason="answered" if current.answers else "skipped")
    return Reaction((*_said("skip", text, at), closed), ask_next=not current.answers)


def _concede(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    # A button press has no words, but the concession must be in the record all the same.
    said = ev.Said(at=at, text=text, intent="concede")
    if current.conceded + 1 < ENOUGH_CONCESSIONS:
        smaller_step = _followup(state, current, at)
        if smaller_step is not None:
            return Reaction((said, smaller_step))
    if current.answers:
        return Reaction((said, ev.Closed(at=at, reason="answered")))
    grade = conceded_grade(current.question, state.language)
    graded = ev.Graded(at=at, index=len(state.questions) - 1, covers=0, grade=grade)
    return Reaction((said, graded, ev.Closed(at=at, reason="conceded")))


def _reveal(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    scored = current.grade is not None and current.grade.status == "graded"
    closed = ev.Closed(at=at, reason="answered" if scored else "revealed")
    return Reaction((*_said("reveal", text, at), closed))


def _retry(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    if not current.ungraded:
        return Reaction(_said("retry", text, at), notice="notice_no_retry")
    return Reaction(_said("retry", text, at), regrade=True)


def _resume(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction(_said("resume", text, at))


def _note(state: InterviewState, current: QuestionState, text: str, at: datetime) -> Reaction:
    return Reaction(_said("note", text, at))


def _followup(state: InterviewState, current: QuestionState, at: datetime) -> ev.FollowedUp | None:
    if len(current.followups) >= state.plan.request.followups:
        return None
    point = next_gap(current.question, current.grade, {f.point_id for f in current.followups})
    if point is None:
        return None
    text = probe_text(current.question, point, state.language, current.union)
    return ev.FollowedUp(at=at, point_id=point.id, text=text)


_REACTIONS: dict[Intent, Callable[[InterviewState, QuestionState, str, datetime], Reaction]] = {
    "answer": _answer,
    "clarify": _clarify,
    "hint": _hint,
    "repeat": _repeat,
    "skip": _skip,
    "next": _skip,
    "phase": _skip,
    "concede": _concede,
    "reveal": _reveal,
    "retry": _retry,
    "resume": _resume,
    "note": _note,
}
