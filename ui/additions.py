"""Statements beyond the reference that can be made points, by whoever may edit the question."""

from collections.abc import Iterable

from interviewer.accounts.person import Person
from interviewer.compose import App
from interviewer.errors import NotFoundError
from interviewer.interview.question_state import QuestionState


def addable(app: App, person: Person, questions: Iterable[QuestionState]) -> frozenset[str]:
    """The ids of the questions to which something right beyond the reference was said and that `person` may edit."""
    said = {state.question.id for state in questions if state.grade is not None and state.grade.beyond}
    return frozenset(
        question.id for question in app.questions.many(sorted(said)) if _may_edit(app, person, question.set)
    )


def _may_edit(app: App, person: Person, name: str) -> bool:
    try:
        return app.shared_sets.view(person, name).writes
    except NotFoundError:
        return False
