"""The report as a file: self-contained HTML that prints well, Markdown, JSON."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from interviewer.grading.quotes import highlights
from interviewer.interview.state import QuestionState
from interviewer.models import Grade, GraderInfo, Language, PointGrade, Verdict
from interviewer.reporting.report import Report
from interviewer.wording import say

if TYPE_CHECKING:
    from jinja2 import Template

MARK = {Verdict.COVERED: "✓", Verdict.PARTIAL: "◐", Verdict.MISSING: "○", Verdict.CONTRADICTED: "✗"}
"""A sign for each verdict, so that it can be told apart without colour."""


class Piece(NamedTuple):
    """A stretch of an answer: plain, or evidence for the point with number `point` (1-based)."""

    text: str
    verdict: Verdict | None = None
    point: int | None = None


def pieces(answer: str, points: Sequence[PointGrade]) -> list[Piece]:
    """An answer cut into plain and highlighted stretches; joined, they are the answer again."""
    numbers = {point.id: number for number, point in enumerate(points, 1)}
    cut, position = [], 0
    for span in highlights(answer, points):
        if span.start > position:
            cut.append(Piece(answer[position : span.start]))
        cut.append(Piece(answer[span.start : span.end], span.verdict, numbers[span.point_id]))
        position = span.end
    if position < len(answer):
        cut.append(Piece(answer[position:]))
    return cut


def grader_name(info: GraderInfo, language: Language) -> str:
    """Who graded, in words; empty where nobody had to."""
    if info.name == "none":
        return ""
    return say(f"grader_{info.name}", language, model=info.model or "")


def not_scored_reason(question: QuestionState, language: Language) -> str:
    """Why a question has no score; empty if it has one."""
    if question.score is not None:
        return ""
    if question.closed in ("skipped", "revealed"):
        return say(f"report_{question.closed}", language)
    return say("report_ungraded" if question.ungraded else "report_open", language)


def to_html(report: Report) -> str:
    """One HTML page without scripts or anything to load from elsewhere."""
    return _template().render(report=report, w=_words(report.language), date=_date(report.started_at))


def to_json(report: Report) -> str:
    """Everything, as data: the report's fields, and each question's score."""
    data = report.model_dump(mode="json")
    for entry, question in zip(data["questions"], report.questions, strict=True):
        entry["score"] = question.score
    return json.dumps(data, ensure_ascii=False, indent=2)


def to_markdown(report: Report) -> str:
    """The report as Markdown; what the candidate wrote stands in quotes, its markup switched off."""
    w = _words(report.language)
    total = f"**{report.score} / 10**" if report.score is not None else w("report_not_scored")
    lines = [f"# {w('report_title')}", "", _heading_line(report), "", f"{w('report_overall')}: {total}", ""]
    lines += [f"## {w('report_topics')}", ""]
    lines += [f"- {_flat(t.title)}: {_score(t.score, w)}" for t in report.topics]
    lines += ["", w("report_score_rule"), ""]
    for number, question in enumerate(report.questions, 1):
        lines += _question_markdown(number, question, report.language)
    lines += [f"## {w('report_study')}", ""]
    lines += [_study_markdown(item) for item in report.study] or [w("report_study_none")]
    return "\n".join(lines) + "\n"


def _heading_line(report: Report) -> str:
    key = "report_asked_on_one" if len(report.questions) == 1 else "report_asked_on"
    return say(key, report.language, count=len(report.questions), date=_date(report.started_at))


def _question_markdown(number: int, question: QuestionState, language: Language) -> list[str]:
    w = _words(language)
    lines = [f"## {number}. {_flat(question.question.asked_in(language))}", ""]
    lines += [not_scored_reason(question, language) or f"**{question.score} / 10**", ""]
    lines += [f"*{w('why_' + question.why)}*", "", f"### {w('report_your_answer')}", ""]
    lines += [_quoted(answer) for answer in question.answers] or [w("report_no_answer"), ""]
    if question.grade is not None and question.grade.points:
        lines += _points_markdown(question.grade, language)
    lines += [f"### {w('report_reference')}", "", question.question.reference_in(language), ""]
    if question.question.further:
        lines += [f"{w('report_further')}: " + "; ".join(map(_flat, question.question.further)), ""]
    return lines


def _points_markdown(grade: Grade, language: Language) -> list[str]:
    w = _words(language)
    name = grader_name(grade.grader, language)
    lines = [f"### {w('report_points')}", ""]
    for point in grade.points:
        line = f"- {MARK[point.verdict]} **{w('verdict_' + point.verdict)}** {_flat(point.text)}"
        if point.earned != "answer":
            line += f" ({w('earned_' + point.earned)})"
        if point.quote:
            line += f" — {w('report_quote')}: “{_flat(point.quote)}”"
        lines.append(line + (f" → {_flat(point.correction)}" if point.correction else ""))
    lines += [f"- + {w('report_beyond')}: “{_flat(b.quote)}”" for b in grade.beyond]
    return [*lines, "", w("report_graded_by", grader=name) if name else "", ""]


def _study_markdown(item: Any) -> str:
    more = f" → {_flat(item.correction)}" if item.correction else ""
    return f"- {MARK[item.verdict]} {_flat(item.point)}{more} — *{_flat(item.question)}*"


def _quoted(answer: str) -> str:
    fence = "`" * max(3, _longest_run(answer, "`") + 1)
    return f"{fence}text\n{answer}\n{fence}\n"


def _longest_run(text: str, character: str) -> int:
    longest = run = 0
    for c in text:
        run = run + 1 if c == character else 0
        longest = max(longest, run)
    return longest


def _flat(text: str) -> str:
    """One line in which no character starts markup."""
    flat = " ".join(text.split())
    return "".join("\\" + c if c in r"\`*_[]<>#|~" else c for c in flat)


def _score(score: float | None, w: Any) -> str:
    return f"{score} / 10" if score is not None else w("report_not_scored")


def _date(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _words(language: Language) -> Any:
    return lambda key, **values: say(key, language, **values)


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from interviewer.reporting.markup import render_markdown

    environment = Environment(
        loader=PackageLoader("interviewer.reporting"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["markdown"] = lambda text: Markup(render_markdown(text))
    environment.globals.update(pieces=pieces, mark=MARK, grader_name=grader_name, not_scored_reason=not_scored_reason)
    return environment.get_template("report.html.j2")
