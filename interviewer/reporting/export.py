"""The report as a file: self-contained HTML that prints well, Markdown, JSON."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from interviewer.grading.quotes import highlights
from interviewer.interview.state import QuestionState
from interviewer.models import Grade, GraderInfo, Language, PointGrade, Verdict
from interviewer.reporting.contests import contest_lines, contest_summary
from interviewer.reporting.lines import (
    choice_lines,
    difficulty_line,
    end_line,
    path_line,
    pauses_line,
    round_begun,
    score_text,
    time_line,
)
from interviewer.reporting.report import PhaseFacts, QuestionFacts, Report, RoundScore
from interviewer.wording import say

if TYPE_CHECKING:
    from jinja2 import Template

MARK = {Verdict.COVERED: "✓", Verdict.PARTIAL: "◐", Verdict.MISSING: "○", Verdict.CONTRADICTED: "✗"}
"""A sign for each verdict, so that it can be told apart without colour."""
MARK_SPARE = "–"


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
    if question.closed in ("skipped", "revealed", "time"):
        return say("report_time_over" if question.closed == "time" else f"report_{question.closed}", language)
    return say("report_ungraded" if question.ungraded else "report_open", language)


def to_html(report: Report) -> str:
    """One HTML page without scripts or anything to load from elsewhere."""
    return _template().render(report=report, w=_words(report.language), date=_date(report.started_at))


def to_json(report: Report) -> str:
    """Everything, as data: the report's fields, and with each question its score and its facts."""
    data = report.model_dump(mode="json", exclude={"facts": True, "questions": {"__all__": {"whole"}}})
    for entry, question, facts in zip(data["questions"], report.questions, report.facts, strict=True):
        entry["score"] = question.score
        entry["facts"] = facts.model_dump(mode="json")
    return json.dumps(data, ensure_ascii=False, indent=2)


def to_markdown(report: Report) -> str:
    """The report as Markdown; what the candidate wrote stands in quotes, its markup switched off."""
    w = _words(report.language)
    total = f"**{report.score} / 10**" if report.score is not None else w("report_not_scored")
    lines = [f"# {w('report_title')}", "", _heading_line(report), "", f"{w('report_overall')}: {total}", ""]
    lines += [line for text in summary_lines(report) for line in (_flat(text), "")]
    if report.rounds:
        lines += [f"## {w('report_rounds')}", ""]
        lines += [f"- {_round_markdown(number, part, report.language)}" for number, part in enumerate(report.rounds, 1)]
        lines += [""]
    lines += [f"## {w('report_topics')}", ""]
    lines += [f"- {_flat(t.title)}: {score_text(t.score, report.language)}" for t in report.topics]
    lines += ["", w("report_score_rule"), ""]
    for index, (question, facts) in enumerate(zip(report.questions, report.facts, strict=True)):
        begun = round_begun(report, index)
        if begun is not None:
            lines += [f"# {_round_markdown(*begun, report.language)}", ""]
        lines += _question_markdown(index + 1, question, facts, report.language)
    lines += [f"## {w('report_study')}", ""]
    lines += [_study_markdown(item) for item in report.study] or [w("report_study_none")]
    return "\n".join(lines) + "\n"


def _heading_line(report: Report) -> str:
    key = "report_asked_on_one" if len(report.questions) == 1 else "report_asked_on"
    return say(key, report.language, count=len(report.questions), date=_date(report.started_at))


def summary_lines(report: Report) -> list[str]:
    """What holds for the whole interview, a line each: track, time, pauses, how it ended, how hard it was."""
    lines = [report.track, time_line(report, report.language), pauses_line(report), end_line(report), path_line(report)]
    lines.append(contest_summary(report))
    return [line for line in lines if line]


def _round_markdown(number: int, part: RoundScore, language: Language) -> str:
    title = say("report_round", language, number=number, title=_flat(part.title))
    return f"{title} — {score_text(part.score, language)} — {time_line(part, language)}"


def _question_markdown(number: int, question: QuestionState, facts: QuestionFacts, language: Language) -> list[str]:
    w = _words(language)
    lines = [f"## {number}. {_flat(question.question.asked_in(language))}", ""]
    lines += [not_scored_reason(question, language) or f"**{question.score} / 10**", ""]
    lines += [f"*{_flat(facts.because)}*", ""]
    lines += [
        f"{difficulty_line(facts, language)} · {time_line(facts, language)}",
        "",
        f"### {w('report_your_answer')}",
        "",
    ]
    lines += [_quoted(answer) for answer in question.answers] or [w("report_no_answer"), ""]
    if question.grade is not None and question.grade.points:
        lines += _points_markdown(question, question.grade, facts, language)
    lines += [f"### {w('report_reference')}", "", question.question.reference_in(language), ""]
    if question.question.further:
        lines += [f"{w('report_further')}: " + "; ".join(map(_flat, question.question.further)), ""]
    return lines


def _points_markdown(question: QuestionState, grade: Grade, facts: QuestionFacts, language: Language) -> list[str]:
    w = _words(language)
    name = grader_name(grade.grader, language)
    lines = [f"### {w('report_points')}", ""]
    for line in choice_lines([point.id for point in grade.points], grade.choices, language):
        lines += [_flat(line), ""]
    for heading, points in point_groups(grade, facts, language):
        lines += [f"**{_flat(heading)}**", ""] if heading else []
        for _, point in points:
            lines.append(_point_markdown(point, grade, language))
            lines += [f"  - {_flat(line)}" for line in contest_lines(question, point, language)]
        lines.append("")
    lines += [f"- + {w('report_beyond')}: “{_flat(b.quote)}”" for b in grade.beyond]
    return [*lines, "", w("report_graded_by", grader=name) if name else "", ""]


def verdict_words(point: PointGrade, grade: Grade, language: Language) -> tuple[str, str]:
    """The mark and the word of a verdict; a missing point that need not be covered is not needed."""
    if grade.passes_over(point):
        return MARK_SPARE, say("verdict_spare", language)
    return MARK[point.counted], say("verdict_" + point.counted, language)


def _point_markdown(point: PointGrade, grade: Grade, language: Language) -> str:
    w = _words(language)
    mark, word = verdict_words(point, grade, language)
    line = f"- {mark} **{word}** {_flat(point.text)}"
    if point.earned != "answer":
        line += f" ({w('earned_' + point.earned)})"
    if point.quote:
        line += f" — {w('report_quote')}: “{_flat(point.quote)}”"
    return line + (f" → {_flat(point.correction)}" if point.correction else "")


def point_groups(
    grade: Grade, facts: QuestionFacts, language: Language
) -> list[tuple[str, list[tuple[int, PointGrade]]]]:
    """The points with their numbers (from 1), under a heading for each phase; one bare group where there are none."""
    numbered = list(enumerate(grade.points, 1))
    if not facts.phases:
        return [("", numbered)]
    return [
        (_phase_heading(number, phase, language), [pair for pair in numbered if pair[1].id in phase.points])
        for number, phase in enumerate(facts.phases, 1)
    ]


def _phase_heading(number: int, phase: PhaseFacts, language: Language) -> str:
    title = say("report_phase", language, number=number, title=phase.title)
    if not phase.begun:
        return f"{title} — {say('report_phase_not_begun', language)}"
    return f"{title} — {score_text(phase.score, language)} — {time_line(phase, language)}"


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
    environment.globals.update(
        pieces=pieces,
        mark=MARK,
        verdict_words=verdict_words,
        choice_lines=choice_lines,
        grader_name=grader_name,
        not_scored_reason=not_scored_reason,
        summary_lines=summary_lines,
        point_groups=point_groups,
        contest_lines=contest_lines,
        time_line=time_line,
        difficulty_line=difficulty_line,
        score_text=score_text,
        round_begun=round_begun,
    )
    return environment.get_template("report.html.j2")
