"""What the candidate said about the grades, as the report's files say it; all of it plain text."""

from interviewer.interview.question_state import Dispute, QuestionState
from interviewer.models import Language, PointGrade, Verdict
from interviewer.reporting.report import Report
from interviewer.wording import say


def contest_summary(report: Report) -> str:
    """How many points were marked as said and how many verdicts decided, counted apart from the score."""
    marked = sum(mark.said for question in report.questions for mark in question.marks)
    grades = [question.grade for question in report.questions if question.grade is not None]
    decided = sum(point.decided is not None for grade in grades for point in grade.points)
    lines = [
        say(key, report.language, count=count)
        for key, count in (("report_marked", marked), ("report_decided", decided))
        if count
    ]
    return " ".join(lines)


def contest_lines(question: QuestionState, point: PointGrade, language: Language) -> list[str]:
    """What was said about one verdict, a line each: the mark, and each objection with both grades and the decision."""
    mark = question.mark(point.id)
    lines = [say("report_mark_said" if mark else "report_mark_unsaid", language)] if mark is not None else []
    first = point.verdict
    for dispute in question.disputes:
        if dispute.point_id == point.id:
            lines.append(_dispute_line(dispute, first, language))
            first = dispute.decision or first
    return lines


def _dispute_line(dispute: Dispute, first: Verdict, language: Language) -> str:
    none = say("report_second_none", language)
    return say(
        "report_dispute",
        language,
        reason=" ".join(dispute.reason.split()),
        first=say(f"verdict_{first}", language),
        second=say(f"verdict_{dispute.second.verdict}", language) if dispute.second else none,
        decided=say(f"verdict_{dispute.decision}", language) if dispute.decision else say("report_undecided", language),
    )
