"""The grader that never leaves an answer ungraded while the built-in one can judge it."""

from interviewer.errors import ChatModelError
from interviewer.grading.model_notes import explained
from interviewer.grading.protocol import Grader, GradingContext, OnProgress, Progress
from interviewer.models import Grade, GraderInfo, Language, Question

_INSTEAD: dict[Language, str] = {
    "zh": "这次由内置评分给出。",
    "en": "The built-in grader took over.",
}


class FallbackGrader:
    """Asks the model's grader, and the built-in one where that gives nothing usable.

    Args:
        model: Grades with a chat model.
        builtin: Grades without one.
    """

    def __init__(self, model: Grader, builtin: Grader) -> None:
        self._model = model
        self._builtin = builtin

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        """The model's grade; else the built-in one with a note saying why; `ungraded`, to be retried, if both fail."""
        first = self._asked(question, answer, context, on_progress)
        if first.status == "graded":
            return first
        if on_progress:
            on_progress(Progress("fallback", 0, len(question.points)))
        reason = first.reason or ""
        second = self._builtin.grade(question, answer, context, on_progress)
        gap = "" if context.language == "zh" else " "
        if second.status == "ungraded":
            both = gap.join(part for part in (reason, second.reason or "") if part)
            info = GraderInfo(name="none", note=both)
            return Grade(status="ungraded", reason=both, grader=info, language=context.language)
        note = gap.join(part for part in (reason, _INSTEAD[context.language], second.grader.note) if part)
        return second.model_copy(update={"grader": second.grader.model_copy(update={"note": note})})

    def _asked(self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None) -> Grade:
        try:
            return self._model.grade(question, answer, context, on_progress)
        except ChatModelError as error:
            reason = explained(error, "", context.language)
            return Grade(status="ungraded", reason=reason, grader=GraderInfo(name="model"), language=context.language)
