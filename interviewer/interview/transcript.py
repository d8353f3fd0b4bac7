"""The conversation as messages, made from the stored events, so that a reload shows just what was there."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from interviewer.interview import events as ev
from interviewer.interview.state import InterviewState, apply, fold
from interviewer.models import Frozen, Grade, Question
from interviewer.wording import say

MessageKind = Literal[
    "greeting",
    "question",
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
    index = len(state.questions) - 1 if state.questions else None
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
    yield _Line(kind="greeting", text=say(key, state.language, count=count, topics=topics))


def _asked(before: InterviewState, state: InterviewState, event: ev.Asked, title: _Title) -> _Lines:
    number, count = len(state.questions), max(len(state.plan.questions), len(state.questions))
    intro = say("question_intro", state.language, number=number, count=count)
    text = event.question.asked_in(state.language)
    yield _Line(kind="question", intro=intro, text=text, question=event.question)


def _phase_began(before: InterviewState, state: InterviewState, event: ev.PhaseBegan, title: _Title) -> _Lines:
    yield _Line(kind="followup", text=event.text)


def _said(before: InterviewState, state: InterviewState, event: ev.Said, title: _Title) -> _Lines:
    if event.text:
        yield _Line(kind="said", role="candidate", text=event.text)
    if event.intent == "note":
        yield _Line(kind="note", text=say("note_kept", state.language))


def _answered(before: InterviewState, state: InterviewState, event: ev.Answered, title: _Title) -> _Lines:
    yield _Line(kind="answer", role="candidate", text=event.text)


def _graded(before: InterviewState, state: InterviewState, event: ev.Graded, title: _Title) -> _Lines:
    grade = event.grade
    if grade.status == "ungraded":
        yield _Line(kind="note", text=say("ungraded", state.language, reason=grade.reason or ""), grade=grade)
    elif event.covers and state.mode == "practice":
        answers = state.questions[event.index].answers[: event.covers]
        yield _Line(kind="feedback", text=grade.comment, grade=grade, answers=answers)


def _followed_up(before: InterviewState, state: InterviewState, event: ev.FollowedUp, title: _Title) -> _Lines:
    current = state.questions[-1]
    if current.conceded and not current.answers:
        key = "followup_step"
    else:
        key = "followup_intro" if len(current.followups) == 1 else "followup_next"
    yield _Line(kind="followup", intro=say(key, state.language), text=event.text, point_id=event.point_id)


def _hinted(before: InterviewState, state: InterviewState, event: ev.Hinted, title: _Title) -> _Lines:
    if event.point_id:
        intro = say("hint_intro", state.language)
        yield _Line(kind="hint", intro=intro, text=event.text, point_id=event.point_id)
    else:
        yield _Line(kind="hint", text=say("hint_none", state.language))


def _repeated(before: InterviewState, state: InterviewState, event: ev.Repeated, title: _Title) -> _Lines:
    current = state.questions[-1]
    if current.followups and current.closed is None:
        intro = say("repeat_followup", state.language)
        yield _Line(kind="followup", intro=intro, text=current.followups[-1].text)
    else:
        text = current.question.asked_in(state.language)
        intro = say("repeat_question", state.language)
        yield _Line(kind="question", intro=intro, text=text, question=current.question)


def _clarified(before: InterviewState, state: InterviewState, event: ev.Clarified, title: _Title) -> _Lines:
    yield _Line(kind="clarification", text=event.text)


def _closed(before: InterviewState, state: InterviewState, event: ev.Closed, title: _Title) -> _Lines:
    mock = state.mode == "mock"
    current = state.questions[-1]
    key = f"closed_{event.reason}"
    if event.reason == "answered" or (mock and event.reason == "conceded"):
        key = "mock_thanks" if mock else ""
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
}
