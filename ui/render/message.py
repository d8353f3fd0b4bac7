"""The conversation as one piece of HTML a message."""

from collections.abc import Mapping
from functools import partial

from markupsafe import Markup, escape

from interviewer.grading.protocol import Progress
from interviewer.interview.contested import without_decisions
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.interview.transcript import Message
from interviewer.language import clean
from interviewer.models import Grade, Question, Verdict
from ui.render.dispute import NOTHING_SAID, Contest, Place, about_point, marked_as_said
from ui.render.highlight import highlighted
from ui.render.markup import render
from ui.render.points import by_phase
from ui.texts import Texts


def message_html(
    message: Message,
    state: InterviewState,
    topics: Mapping[str, str],
    t: Texts,
    contest: Contest = NOTHING_SAID,
    interview_id: str = "",
) -> str:
    """One message; an answer carries the marks of the last grade of its question. `topics` are titles by id."""
    if message.grade is not None:
        return feedback_html(message, message.grade, state, t, contest)
    body = _candidate_text(message, state, t) if message.role == "candidate" else Markup("")
    topic = topics.get(message.question.topic, message.question.topic) if message.question else ""
    return render("message", t, message=message, body=body, topic=topic, interview=interview_id)


def feedback_html(
    message: Message, grade: Grade, state: InterviewState, t: Texts, contest: Contest = NOTHING_SAID
) -> str:
    """The verdicts. While the question is open, points that were not covered keep their text to themselves.

    The newest ones of a question have all that was said about them since.
    """
    standing, question = _standing(message, state), _state(message, state)
    latest = standing is not None and without_decisions(grade) == without_decisions(standing)
    grade = standing if latest and standing is not None else grade
    index = message.question_index or 0
    place = Place(f"c-{state.started_at:%Y%m%d%H%M%S%f}", state.mode, state.phase == "ended", contest)
    return render(
        "feedback",
        t,
        key=message.key,
        grade=grade,
        latest=latest,
        about=partial(about_point, place, index, question, t=t) if question else None,
        marked=marked_as_said(question) if question else 0,
        revealed=is_closed(message, state),
        groups=by_phase(grade.points, _asked(message, state), state.language),
        tally=tally(grade, t),
        again=question.question.id if question and question.closed else "",
        language=state.language,
    )


def progress_html(progress: Progress, t: Texts) -> str:
    """What the grader is doing, in a message that keeps its height while it changes."""
    return render("progress", t, **progress._asdict())


def tally(grade: Grade, t: Texts) -> str:
    """Such as "3 covered, 1 partial, 2 missing"; verdicts nobody got are left out, and missing points not needed."""
    told = [point for point in grade.points if not grade.passes_over(point)]
    counts = {verdict: sum(p.counted == verdict for p in told) for verdict in Verdict}
    return t("list.comma").join(t(f"tally.{verdict.value}", n=n) for verdict, n in counts.items() if n)


def is_closed(message: Message, state: InterviewState) -> bool:
    index = message.question_index
    return index is None or index >= len(state.questions) or state.questions[index].closed is not None


def _asked(message: Message, state: InterviewState) -> Question | None:
    question = _state(message, state)
    return question.question if question else None


def _state(message: Message, state: InterviewState) -> QuestionState | None:
    index = message.question_index
    return state.questions[index] if index is not None and index < len(state.questions) else None


def _standing(message: Message, state: InterviewState) -> Grade | None:
    index = message.question_index
    if index is None or index >= len(state.questions):
        return message.grade
    return state.questions[index].grade


def _candidate_text(message: Message, state: InterviewState, t: Texts) -> Markup:
    grade = _standing(message, state)
    hidden = state.mode == "mock" and state.phase != "ended"
    if message.kind != "answer" or grade is None or hidden:
        return escape(clean(message.text))
    return highlighted(message.text, grade.points, t)
