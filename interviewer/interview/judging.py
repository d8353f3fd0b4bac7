"""Having an answer graded with what a grader may know. What breaks down on the way is an ungraded answer, with why."""

import logging
from collections.abc import Callable

from interviewer.grading.protocol import Grader, GradingContext, OnProgress, Retriever
from interviewer.interview.question_state import QuestionState
from interviewer.models import Grade, GraderInfo, Language
from interviewer.sharing.readable import Readable
from interviewer.wording import say

log = logging.getLogger(__name__)

PASSAGES = 6
"""Related passages a grader is given."""


class Judge:
    """Grades the answers of one question; never raises.

    Args:
        readable: What a user may read; passages come from nowhere else, since a report may show them.
    """

    def __init__(self, grader: Grader, retriever: Retriever, readable: Callable[[str], Readable]) -> None:
        self._grader = grader
        self._retriever = retriever
        self._readable = readable

    def grade(
        self, user_id: str, question: QuestionState, language: Language, on_progress: OnProgress, **more: str
    ) -> Grade:
        """The grade of everything said to `question`; `more` are further fields of the context."""
        try:
            context = self._context(user_id, question, language, **more)
            return self._grader.grade(question.question, question.union, context, on_progress)
        except Exception:
            log.exception("grading %s failed", question.question.id)
            reason = say("reason_internal", language)
            return Grade(status="ungraded", reason=reason, grader=GraderInfo(name="none"), language=language)

    def _context(self, user_id: str, question: QuestionState, language: Language, **more: str) -> GradingContext:
        passages = self._retriever.related(
            question.union,
            limit=PASSAGES,
            exclude=frozenset({question.question.id}),
            sets=self._readable(user_id).narrow(),
        )
        told = (*(p.text for p in question.phases), *(f.text for f in (*question.followups, *question.hints)))
        asked = (*question.question.question.values(), *told)
        return GradingContext(language=language, passages=passages, asked=asked, user=user_id, **more)
