"""The live card beside the conversation: how far, how well, and what the current question has yielded."""

from interviewer.grading.protocol import Progress
from interviewer.interview.service import InterviewView
from interviewer.interview.state import InterviewState, QuestionState
from ui.render.markup import render
from ui.render.points import by_phase
from ui.render.timing import clock_level, phase_steps, round_line
from ui.texts import Texts


def card_html(view: InterviewView, progress: Progress | None, grader: str, t: Texts) -> str:
    """The card of an interview; `grader` names who grades when nobody has yet."""
    state = view.state
    shown = _shown(state)
    grade = shown.grade if shown else None
    graded = grade is not None and grade.status == "graded"
    limit = view.clock.question_limit if view.clock.phase_limit is None else view.clock.phase_limit
    return render(
        "card",
        t,
        id=view.id,
        phase="grading" if progress else state.phase,
        mode=state.mode,
        clock=view.clock,
        level=clock_level(view.clock.left, limit) if view.clock.running else "",
        timed=view.clock.overall_limit is not None and state.phase != "ended",
        round=round_line(state),
        phases=phase_steps(state) if state.phase != "ended" else [],
        asked=len(state.questions),
        planned=len(state.plan.questions),
        done=sum(q.closed is not None for q in state.questions),
        overall=state.score if not _silent(state) else None,
        steps=[_step(state, i) for i in range(len(state.plan.questions))],
        groups=by_phase(grade.points, shown.question, state.language) if grade and graded and shown else [],
        grade=grade,
        revealed=bool(shown and shown.closed),
        grader=t(f"grader.{grade.grader.name}", model=grade.grader.model or "") if grade and graded else grader,
        note=(grade.grader.note or "") if grade else "",
    )


def _silent(state: InterviewState) -> bool:
    """Whether verdicts are kept back until the end."""
    return state.mode == "mock" and state.phase != "ended"


def _shown(state: InterviewState) -> QuestionState | None:
    return None if _silent(state) else state.current


def _step(state: InterviewState, index: int) -> str:
    if index >= len(state.questions):
        return "todo"
    question = state.questions[index]
    if question.closed is None:
        return "now"
    score = question.score
    if score is None or _silent(state):
        return "done"
    return "good" if score >= 7 else "fair" if score >= 4 else "weak"
