"""A question asked only for some of its points: what it is graded, probed and scored by."""

from interviewer.models import Language, PlannedQuestion, Question
from interviewer.wording import say


def as_planned(question: Question, planned: PlannedQuestion) -> Question | None:
    """The question as a plan has it asked; None where it has none of the planned points any more.

    It keeps only these points, the misconceptions about them, and no phases. Put by the probes of its points, these are
    its text from then on, after the original one, so that the record, the report and the grader know what was asked;
    and a follow-up finds other words.
    """
    if not planned.points:
        return question
    points = tuple(point for point in question.points if point.id in planned.points)
    if not points:
        return None
    kept = {point.id for point in points}
    reduced = question.model_copy(
        update={
            "points": points,
            "misconceptions": tuple(wrong for wrong in question.misconceptions if wrong.point in kept),
            "phases": (),
        }
    )
    if planned.wording == "question" or not all(language in p.probe for p in points for language in question.question):
        return reduced
    asked = {language: _by_probes(reduced, language) for language in question.question}
    unprobed = tuple(point.model_copy(update={"probe": {}}) for point in points)
    return reduced.model_copy(update={"question": asked, "points": unprobed})


def _by_probes(question: Question, language: Language) -> str:
    probes = ("" if language == "zh" else " ").join(point.probe[language] for point in question.points)
    return say("drill_probe", language, question=question.question[language], probes=probes)
