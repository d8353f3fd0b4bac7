"""What candidates say about the grades they were given, folded into the question: marks, objections, decisions."""

from collections.abc import Mapping

from interviewer.interview import events as ev
from interviewer.interview.question_state import Dispute, Mark, QuestionState
from interviewer.models import Earned, Grade, PointGrade, Verdict

Contest = ev.Marked | ev.Disputed | ev.SecondOpinion | ev.Decided


def contested(question: QuestionState, event: Contest) -> QuestionState:
    """The question after one more of these events; a mark leaves its grade as it is."""
    match event:
        case ev.Marked():
            others = tuple(mark for mark in question.marks if mark.point_id != event.point_id)
            return question.model_copy(update={"marks": (*others, Mark(point_id=event.point_id, said=event.said))})
        case ev.Disputed():
            raised = Dispute(point_id=event.point_id, reason=event.reason)
            return question.model_copy(update={"disputes": (*question.disputes, raised)})
        case ev.SecondOpinion():
            update = {"looked": True, "second": event.grade, "note": event.note, "grader": event.grader}
            return _with_newest(question, event.point_id, update)
        case ev.Decided():
            update = {"decision": event.verdict, "by": event.by}
            return with_decisions(_with_newest(question, event.point_id, update))


def with_decisions(question: QuestionState) -> QuestionState:
    """The question with every decision in its grade, whichever grader spoke since."""
    decisions = {d.point_id: d.decision for d in question.disputes if d.decision is not None}
    if not decisions:
        return question
    update = {
        name: decided_grade(grade, decisions, question.helped)
        for name, grade in (("grade", question.grade), ("whole", question.whole))
        if grade is not None
    }
    return question.model_copy(update=update)


def without_decisions(grade: Grade) -> Grade:
    """The grade as it was given, for telling whether two are the same."""
    bare = {"decided": None, "before": None, "earned": "answer"}
    return grade.model_copy(update={"points": tuple(point.model_copy(update=bare) for point in grade.points)})


def decided_grade(grade: Grade, decisions: Mapping[str, Verdict], helped: Mapping[str, Earned]) -> Grade:
    """The grade with decisions in place of verdicts; `helped` says with what help each point was asked for."""
    points = tuple(
        _with_decision(point, decisions[point.id], helped.get(point.id)) if point.id in decisions else point
        for point in grade.points
    )
    return grade.model_copy(update={"points": points})


def _with_decision(point: PointGrade, decision: Verdict, help_given: Earned | None) -> PointGrade:
    """A point that only the decision won after it was asked for has the discount it would have had."""
    update: dict[str, object] = {"decided": decision}
    if help_given and point.before is None and decision.credit > point.verdict.credit:
        update |= {"before": point.verdict, "earned": help_given}
    return point.model_copy(update=update)


def _with_newest(question: QuestionState, point_id: str, update: Mapping[str, object]) -> QuestionState:
    """The question with its newest dispute on a point changed."""
    newest = max(at for at, dispute in enumerate(question.disputes) if dispute.point_id == point_id)
    changed = question.disputes[newest].model_copy(update=update)
    return question.model_copy(
        update={"disputes": (*question.disputes[:newest], changed, *question.disputes[newest + 1 :])}
    )
