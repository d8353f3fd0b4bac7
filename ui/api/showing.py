"""An interview as the API shows it: no more of it than the page would."""

from interviewer.interview.state import InterviewState
from interviewer.interview.transcript import Message
from interviewer.interview.views import InterviewView
from interviewer.models import Grade, PointGrade, Verdict
from ui.api.values import AskedOut, ClockOut, InterviewOut, MessageOut

PENDING = ("asking", "grading")
"""Phases in which it is the server's turn."""


def interview_out(view: InterviewView, *, working: bool = False, notice: str = "") -> InterviewOut:
    """The interview; `working` says that something is under way for it."""
    state = view.state
    return InterviewOut(
        id=view.id,
        mode=state.mode,
        language=state.language,
        phase=state.phase,
        pending=working or state.phase in PENDING,
        version=state.version,
        started_at=state.started_at,
        updated_at=state.updated_at,
        planned=len(state.plan.questions),
        asked=len(state.questions),
        score=None if _silent(state) else state.score,
        question=_asked(state),
        clock=ClockOut(
            question_seconds=view.clock.question_seconds,
            overall_seconds=view.clock.overall_seconds,
            left=view.clock.left,
            overall_left=view.clock.overall_left,
        ),
        messages=tuple(_message(message, state) for message in view.messages),
        notice=notice,
    )


def _silent(state: InterviewState) -> bool:
    """Whether verdicts are kept back until the end."""
    return state.mode == "mock" and state.phase != "ended"


def _asked(state: InterviewState) -> AskedOut | None:
    current = state.current
    if current is None:
        return None
    return AskedOut(
        index=len(state.questions) - 1,
        id=current.question.id,
        text=current.question.asked_in(state.language),
        closed=current.closed,
        score=None if _silent(state) or current.closed is None else current.score,
    )


def _message(message: Message, state: InterviewState) -> MessageOut:
    index = message.question_index
    is_open = index is not None and index < len(state.questions) and state.questions[index].closed is None
    grade = message.grade
    return MessageOut(
        key=message.key,
        role=message.role,
        kind=message.kind,
        text=message.text,
        intro=message.intro,
        at=message.at,
        question_index=index,
        grade=_kept_back(grade) if grade is not None and is_open else grade,
    )


def _kept_back(grade: Grade) -> Grade:
    points = tuple(point if point.counted is Verdict.COVERED else _without_text(point) for point in grade.points)
    return grade.model_copy(update={"points": points})


def _without_text(point: PointGrade) -> PointGrade:
    return point.model_copy(update={"text": "", "reason": "", "correction": ""})
