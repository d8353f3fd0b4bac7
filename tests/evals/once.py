"""A grader that does the same work once."""

from interviewer.grading.protocol import Grader, GradingContext, OnProgress
from interviewer.models import Grade, Question


class Once:
    """Grades an answer once, however often it is asked for: attacks share what they are hidden in.

    Args:
        grader: Gives the same answer the same grade, which other tests see to, and knows nothing of objections.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._grades: dict[str, Grade] = {}

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        key = repr((question, answer, context.model_copy(update={"only": "", "objection": ""})))
        if key not in self._grades:
            self._grades[key] = self._grader.grade(question, answer, context, on_progress)
        return self._grades[key]
