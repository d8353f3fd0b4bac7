"""The report page and the lines of the history."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from interviewer.interview.service import InterviewSummary
from interviewer.interview.state import QuestionState
from interviewer.models import Grade, Language
from interviewer.reporting.report import Report, StudyItem
from ui.render.highlight import highlighted
from ui.render.markup import render
from ui.render.points import PointGroup, by_phase
from ui.texts import Texts


class ReportItem(NamedTuple):
    """One question of the report; `score` is 0..10 or None, `answers` are escaped and marked.

    `failed` says that the newest answers could not be graded and can be tried again.
    """

    id: str
    title: str
    why: str
    closed: str | None
    score: float | None
    answers: tuple[Markup, ...]
    grade: Grade | None
    groups: tuple[PointGroup, ...]
    reference: str
    failed: bool


def report_html(report: Report, export: str, t: Texts) -> str:
    """The report; `export` is the address its downloads stand under."""
    items = [_item(question, report.language, t) for question in report.questions]
    topics = {topic.topic: topic.title for topic in report.topics}
    return render("report", t, report=report, items=items, study=_study(report), topics=topics, export=export)


def history_html(rows: Sequence[InterviewSummary], confirm: str, t: Texts) -> str:
    """Every interview; the one with the id `confirm` asks whether to delete it."""
    return render("history", t, rows=rows, confirm=confirm)


def _study(report: Report) -> list[list[StudyItem]]:
    """What to study, one list a question, the heaviest gap first."""
    grouped: dict[str, list[StudyItem]] = {}
    for item in report.study:
        grouped.setdefault(item.question_id, []).append(item)
    return list(grouped.values())


def _item(state: QuestionState, language: Language, t: Texts) -> ReportItem:
    points = state.grade.points if state.grade else ()
    values: dict[str, Any] = {
        "id": state.question.id,
        "title": state.question.asked_in(language),
        "why": state.why,
        "closed": state.closed,
        "score": state.score,
        "answers": tuple(highlighted(answer, points, t) for answer in state.answers),
        "grade": state.grade,
        "groups": by_phase(points, state.question, language, tuple(phase.seconds for phase in state.phases)),
        "reference": state.question.reference_in(language),
        "failed": state.failed,
    }
    return ReportItem(**values)
