"""The report page and the lines of the history."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from interviewer.interview.service import InterviewSummary
from interviewer.interview.state import QuestionState
from interviewer.models import Grade, Language, PointGrade
from interviewer.reporting.report import PhaseFacts, QuestionFacts, Report, StudyItem
from ui.render.dispute import NOTHING_SAID, Contest, Place, about_point, marked_as_said
from ui.render.highlight import highlighted
from ui.render.markup import render
from ui.render.points import PointGroup, by_phase
from ui.render.timing import clock_text
from ui.texts import Texts


class ReportItem(NamedTuple):
    """One question of the report; `score` is 0..10 or None, `answers` are escaped and marked.

    Attributes:
        why: Key of the reason in a word; empty where a question took the place of the planned one.
        because: The reason in a sentence.
        moved: Key of how its difficulty differs from the planned one; empty where it doesn't.
        time: What it took, such as "4:07 of 5:00".
        failed: Whether the newest answers could not be graded and can be tried again.
        reference: Empty while it would be a help.
        about: What the candidate can say about the verdict on a point.
        marked: How many points they say they said.
        add: Where what was right beyond the reference can be made a point, up to that statement; empty for nowhere.
    """

    id: str
    title: str
    why: str
    because: str
    difficulty: int
    moved: str
    time: str
    closed: str | None
    score: float | None
    answers: tuple[Markup, ...]
    grade: Grade | None
    groups: tuple[PointGroup, ...]
    reference: str
    failed: bool
    about: Callable[[PointGrade], Markup]
    marked: int
    add: str


def report_html(
    report: Report,
    export: str,
    t: Texts,
    contest: Contest = NOTHING_SAID,
    shared: bool | None = None,
    addable: frozenset[str] = frozenset(),
) -> str:
    """The report; `export` is the address its downloads stand under, `shared` whether leads may read it, None where
    there are none, `addable` the questions that can be given points."""
    place = Place(f"r-{report.interview_id}", report.mode, report.ended_at is not None, contest)
    items = report_items(report, t, place, addable)
    if report.ended_at is None:
        items = [item if item.closed and report.mode != "mock" else item._replace(reference="") for item in items]
    topics = {topic.topic: topic.title for topic in report.topics}
    return render(
        "report",
        t,
        report=report,
        items=items,
        study=_study(report),
        topics=topics,
        export=export,
        shared=shared,
        time=_times(report, t),
        marked=sum(item.marked for item in items),
        decided=sum(bool(point.decided) for item in items if item.grade for point in item.grade.points),
    )


def report_items(
    report: Report, t: Texts, place: Place | None = None, addable: frozenset[str] = frozenset()
) -> list[ReportItem]:
    """The questions of a report; what the candidate can say about verdicts only where there is a `place` for it."""
    facts = zip(report.questions, report.facts, strict=True)
    return [
        _item(question, known, report.language, t, _about(place, index, question, t), addable)
        for index, (question, known) in enumerate(facts)
    ]


def _about(place: Place | None, index: int, question: QuestionState, t: Texts) -> Callable[[PointGrade], Markup]:
    if place is None:
        return lambda _: Markup("")
    return partial(about_point, place, index, question, t=t)


def history_html(rows: Sequence[InterviewSummary], confirm: str, t: Texts, shared: frozenset[str] | None = None) -> str:
    """Every interview; the one with the id `confirm` asks whether to delete it; leads may read those in `shared`."""
    return render("history", t, rows=rows, confirm=confirm, shared=shared)


def _study(report: Report) -> list[list[StudyItem]]:
    """What to study, one list a question, the heaviest gap first."""
    grouped: dict[str, list[StudyItem]] = {}
    for item in report.study:
        grouped.setdefault(item.question_id, []).append(item)
    return list(grouped.values())


def _times(report: Report, t: Texts) -> list[str]:
    """What is to be said about time: used, pauses, and what it did not reach to."""
    lines = [time_line(report.seconds, report.planned_seconds, t)]
    if report.paused_times:
        lines.append(t("report.paused", n=report.paused_times, time=clock_text(report.paused_seconds)))
    if report.ended == "time" and report.unasked:
        lines.append(t("report.unasked", n=report.unasked))
    return lines


def time_line(seconds: float, planned: float | None, t: Texts) -> str:
    """The time something took, of the time it had if it was timed."""
    used = clock_text(seconds)
    return used if planned is None else t("report.time_of", used=used, planned=clock_text(planned))


def _phase_note(phase: PhaseFacts, t: Texts) -> str:
    if not phase.begun:
        return t("report.not_reached")
    score = "" if phase.score is None else f" · {phase.score:.1f} / 10"
    return time_line(phase.seconds, phase.planned_seconds, t) + score


def _add(question_id: str, language: Language) -> str:
    return f"bank/questions/{quote(question_id, safe='')}?in={language}&point="


def _item(
    state: QuestionState,
    facts: QuestionFacts,
    language: Language,
    t: Texts,
    about: Callable[[PointGrade], Markup],
    addable: frozenset[str],
) -> ReportItem:
    points = state.grade.points if state.grade else ()
    values: dict[str, Any] = {
        "id": state.question.id,
        "title": state.question.asked_in(language),
        "why": state.why if not state.shift or state.why == "focus" else "",
        "because": facts.because,
        "difficulty": facts.difficulty,
        "moved": "harder" if state.shift > 0 else "easier" if state.shift < 0 else "",
        "time": time_line(facts.seconds, facts.planned_seconds, t),
        "closed": state.closed,
        "score": state.score,
        "answers": tuple(highlighted(answer, points, t) for answer in state.answers),
        "grade": state.grade,
        "groups": by_phase(points, state.question, language, [_phase_note(phase, t) for phase in facts.phases]),
        "reference": state.question.reference_in(language),
        "failed": state.failed,
        "about": about,
        "marked": marked_as_said(state),
        "add": _add(state.question.id, language) if state.question.id in addable else "",
    }
    return ReportItem(**values)
