"""The conversation as messages, made from the stored events, so that a reload shows just what was there."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from interviewer.interview import events as ev
from interviewer.interview.clock import part_over, phase_limit
from interviewer.interview.phases import asked_about
from interviewer.interview.state import InterviewState, apply, fold
from interviewer.models import Frozen, Grade, Question, pick
from interviewer.wording import say

MessageKind = Literal[
    "greeting",
    "question",
    "phase",
    "answer",
    "said",
    "feedback",
    "followup",
    "hint",
    "clarification",
    "reference",
    "note",
    "closing",
]
TOPICS_NAMED = 4


class Message(Frozen):
    """One message of the conversation.

    Attributes:
        key: Stable within the interview: the event's position and a letter where one event gives several messages.
        role: Who says it. What the candidate says is plain text; what the interviewer says is Markdown.
        intro: A short line before the text, such as "A follow-up:"; may be empty.
        question_index: 0-based number of the question it belongs to; None before the first.
        question: The question, for kinds `question` and `reference`.
        grade: The verdicts, for kind `feedback`.
        answers: All that was said on the question so far, for kind `feedback`: quotes are found in these.
        point_id: The point asked for, for kinds `followup` and `hint`.
    """

    key: str
    role: Literal["interviewer", "candidate"]
    kind: MessageKind
    text: str
    at: datetime
    intro: str = ""
    question_index: int | None = None
    question: Question | None = None
    grade: Grade | None = None
    answers: tuple[str, ...] = ()
    point_id: str | None = None


class _Line(Frozen):
    """A message before it gets its key, moment and question."""

    kind: MessageKind
    text: str
    role: Literal["interviewer", "candidate"] = "interviewer"
    intro: str = ""
    question: Question | None = None
    grade: Grade | None = None
    answers: tuple[str, ...] = ()
    point_id: str | None = None


def transcript(
    events: Sequence[ev.InterviewEvent], topic_title: Callable[[str], str] = lambda topic: topic
) -> tuple[Message, ...]:
    """The messages of an interview; a mock interview has no feedback and no references in its conversation.

    Args:
        topic_title: How a topic is called in the interview's language.
    """
    messages: list[Message] = []
    state = fold(events[:1])
    for position, event in enumerate(events):
        before = state
        if position:
            state = apply(state, event)
        lines = _LINES[event.type](before, state, event, topic_title)
        messages.extend(
            _message(line, state, event, position, letter) for letter, line in zip("abcd", lines, strict=False)
        )
    return tuple(messages)


def _message(line: _Line, state: InterviewState, event: ev.InterviewEvent, position: int, letter: str) -> Message:
    last = len(state.questions) - 1 if state.questions else None
    index = event.index if isinstance(event, ev.Graded) else last  # a grade may come after the next question
    fields = {name: getattr(line, name) for name in _Line.model_fields}
    return Message(key=f"{position}{letter}", at=event.at, question_index=index, **fields)


_Lines = Iterator[_Line]
_Title = Callable[[str], str]


def _started(before: InterviewState, state: InterviewState, event: ev.Started, title: _Title) -> _Lines:
    count = len(event.plan.questions)
    named = [title(topic) for topic in event.plan.topics]
    joint = say("topics_joint", state.language)
    topics = joint.join(named[:TOPICS_NAMED])
    if len(named) > TOPICS_NAMED:
        topics = topics + joint + say("topics_more", state.language)
    key = f"greeting_{state.mode}" + ("_one" if count == 1 else "")
    words = [say(key, state.language, count=count, topics=topics)]
    if event.plan.track and event.plan.rounds:
        rounds = joint.join(part.title for part in event.plan.rounds)
        words.append(say("greeting_track", state.language, track=event.plan.track, rounds=rounds))
    if state.timed:
        words.append(say("greeting_timed", state.language, minutes=round(event.plan.minutes)))
    yield _Line(kind="greeting", text=_gap(state).join(words))


def _asked(before: InterviewState, state: InterviewState, event: ev.Asked, title: _Title) -> _Lines:
    number, count = len(state.questions), max(len(state.plan.questions), len(state.questions))
    intro = say("question_intro", state.language, number=number, count=count)
    text = event.question.asked_in(state.language)
    yield _Line(kind="question", intro=_round_intro(before, state, event) + intro, text=text, question=event.question)


def _round_intro(before: InterviewState, state: InterviewState, event: ev.Asked) -> str:
    """Which round begins with a question; empty within a round and where there is only one."""
    rounds = state.plan.rounds
    going_on = before.current is not None and before.current.round == event.round
    if going_on or len(rounds) < 2 or event.round >= len(rounds):
        return ""
    number, title = event.round + 1, rounds[event.round].title
    return say("round_intro", state.language, number=number, count=len(rounds), title=title) + " · "


def _phase_began(before: InterviewState, state: InterviewState, event: ev.PhaseBegan, title: _Title) -> _Lines:
    current = state.questions[-1]
    phases = current.question.phases
    if event.index and part_over(before, event.at):
        yield _Line(kind="note", text=say("phase_time", state.language))
    values = {"number": event.index + 1, "count": len(phases), "title": pick(phases[event.index].title, state.language)}
    intro = say("phase_intro", state.language, **values)
    if state.timed:
        minutes = phase_limit(state, current, event.index) / 60
        intro += " · " + say("phase_minutes", state.language, minutes=f"{minutes:.3g}")
    yield _Line(kind="phase", intro=intro, text=event.text)


def _said(before: InterviewState, state: InterviewState, event: ev.Said, title: _Title) -> _Lines:
    if event.text:
        yield _Line(kind="said", role="candidate", text=event.text)
    if event.intent == "late":
        yield _Line(kind="note", text=say("note_late", state.language))
    elif event.intent == "note":
        waiting = before.phase in ("answering", "grading")
        yield _Line(kind="note", text=say("note_waiting" if waiting else "note_kept", state.language))


def _answered(before: InterviewState, state: InterviewState, event: ev.Answered, title: _Title) -> _Lines:
    yield _Line(kind="answer", role="candidate", text=event.text)


def _graded(before: InterviewState, state: InterviewState, event: ev.Graded, title: _Title) -> _Lines:
    grade = event.grade
    if grade.status == "ungraded":
        yield _Line(kind="note", text=say("ungraded", state.language, reason=grade.reason or ""), grade=grade)
    elif event.covers and state.mode != "mock":
        answers = state.questions[event.index].answers[: event.covers]
        shown = state.questions[event.index].grade or grade
        yield _Line(kind="feedback", text=grade.comment, grade=shown, answers=answers)


def _followed_up(before: InterviewState, state: InterviewState, event: ev.FollowedUp, title: _Title) -> _Lines:
    current = state.questions[-1]
    here = [f for f in current.followups if f.point_id in asked_about(current)]
    if current.conceded and len(current.answers) == (current.phases[-1].said_before if current.phases else 0):
        key = "followup_step"
    else:
        key = "followup_intro" if len(here) == 1 else "followup_next"
    yield _Line(kind="followup", intro=say(key, state.language), text=event.text, point_id=event.point_id)


def _hinted(before: InterviewState, state: InterviewState, event: ev.Hinted, title: _Title) -> _Lines:
    if event.point_id:
        intro = say("hint_intro", state.language)
        yield _Line(kind="hint", intro=intro, text=event.text, point_id=event.point_id)
    else:
        yield _Line(kind="hint", text=say("hint_none", state.language))


def _repeated(before: InterviewState, state: InterviewState, event: ev.Repeated, title: _Title) -> _Lines:
    current = state.questions[-1]
    followup = current.open_followup
    if followup is not None and current.closed is None:
        yield _Line(kind="followup", intro=say("repeat_followup", state.language), text=followup.text)
        return
    text = current.question.asked_in(state.language)
    yield _Line(kind="question", intro=say("repeat_question", state.language), text=text, question=current.question)
    if current.phases and current.closed is None:
        yield _Line(kind="phase", text=current.phases[-1].text)


def _clarified(before: InterviewState, state: InterviewState, event: ev.Clarified, title: _Title) -> _Lines:
    yield _Line(kind="clarification", text=event.text)


def _closed(before: InterviewState, state: InterviewState, event: ev.Closed, title: _Title) -> _Lines:
    mock = state.mode == "mock"
    current = state.questions[-1]
    key = f"closed_{event.reason}"
    if event.reason == "answered" or (mock and event.reason == "conceded"):
        late = part_over(before, event.at) and before.phase == "answering"
        key = ("mock_time" if late else "mock_thanks") if mock else ""
    elif mock and event.reason == "revealed":
        key = "closed_revealed_mock"
    if key:
        yield _Line(kind="note", text=say(key, state.language))
    if mock or event.reason in ("skipped", "stopped"):
        return
    intro = say("reference_intro", state.language)
    reference = current.question.reference_in(state.language)
    yield _Line(kind="reference", intro=intro, text=reference, question=current.question)
    yield _Line(kind="note", text=say("next_ready" if state.remaining else "next_last", state.language))


def _paused(before: InterviewState, state: InterviewState, event: ev.Paused, title: _Title) -> _Lines:
    yield _Line(kind="note", text=say("paused", state.language))


def _resumed(before: InterviewState, state: InterviewState, event: ev.Resumed, title: _Title) -> _Lines:
    yield _Line(kind="note", text=say("resumed", state.language))


def _ended(before: InterviewState, state: InterviewState, event: ev.Ended, title: _Title) -> _Lines:
    key = f"ended_{event.reason}" + ("" if state.score is not None else "_unscored")
    counts = {"scored": len(state.scores), "asked": len(state.questions), "score": state.score}
    yield _Line(kind="closing", text=say(key, state.language, **counts))


def _silent(before: InterviewState, state: InterviewState, event: ev.InterviewEvent, title: _Title) -> _Lines:
    """Marks and disputes stand beside the grade they are about, not in the conversation."""
    yield from ()


def _gap(state: InterviewState) -> str:
    """What stands between two sentences."""
    return "" if state.language == "zh" else " "


_LINES: dict[str, Callable[[InterviewState, InterviewState, Any, _Title], _Lines]] = {
    "started": _started,
    "asked": _asked,
    "phase_began": _phase_began,
    "said": _said,
    "answered": _answered,
    "graded": _graded,
    "followed_up": _followed_up,
    "hinted": _hinted,
    "repeated": _repeated,
    "clarified": _clarified,
    "closed": _closed,
    "paused": _paused,
    "resumed": _resumed,
    "ended": _ended,
    "marked": _silent,
    "disputed": _silent,
    "second_opinion": _silent,
    "decided": _silent,
}
