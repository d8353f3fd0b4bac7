"""Keeping model answers: from an interview as the question was then, or from the question list as it is now."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from interviewer.accounts.person import Person
from interviewer.errors import AccessError, InterviewerError, NotFoundError
from interviewer.interview.events import InterviewEvent
from interviewer.interview.state import InterviewState, fold
from interviewer.library import Library
from interviewer.models import Language, Question
from interviewer.storage.kept import Kept, KeptStore
from interviewer.wording import say

MOST_KEPT = 1000
"""Answers one person can keep."""


class Interviews(Protocol):
    def load(self, user_id: str, interview_id: str) -> tuple[InterviewEvent, ...]: ...


class Keeping:
    """What people keep; everybody sees only their own.

    Args:
        now: The clock.
    """

    def __init__(self, store: KeptStore, library: Library, interviews: Interviews, now: Callable[[], datetime]) -> None:
        self._store = store
        self._library = library
        self._interviews = interviews
        self._now = now

    def all(self, person: Person) -> tuple[Kept, ...]:
        """What this person kept, the newest first."""
        return self._store.all(person.id)

    def keep(self, person: Person, question_id: str, language: Language) -> Kept:
        """Keeps the model answer of a question as it is now.

        Raises:
            NotFoundError: if there is no such question this person may read.
        """
        return self._save(person, self._library.get(person, question_id), language)

    def keep_from(self, person: Person, interview_id: str, index: int, language: Language) -> Kept:
        """Keeps the model answer to the question at `index` (0-based) of an interview, as it was asked there.

        Raises:
            NotFoundError: if this person has no such interview or question.
            AccessError: as long as the answer is not shown there.
        """
        state = fold(self._interviews.load(person.id, interview_id))
        if not 0 <= index < len(state.questions):
            raise NotFoundError(say("kept_no_question", language), next_step=say("kept_no_question_next", language))
        if not _shown(state, index):
            raise AccessError(say("kept_not_shown", language), next_step=say("kept_not_shown_next", language))
        return self._save(person, state.questions[index].question, state.language)

    def remove(self, person: Person, question_id: str, language: str) -> None:
        """Lets go of an answer."""
        self._store.remove(person.id, question_id, language)

    def _save(self, person: Person, question: Question, language: Language) -> Kept:
        if self._store.count(person.id) >= MOST_KEPT:
            message, following = (say(key, language, most=MOST_KEPT) for key in ("kept_full", "kept_full_next"))
            raise InterviewerError(message, next_step=following)
        spoken = language if language in question.reference else question.languages[0]
        kept = Kept(question.id, spoken, question.asked_in(spoken), question.reference_in(spoken), self._now())
        self._store.save(person.id, kept)
        return kept


def _shown(state: InterviewState, index: int) -> bool:
    """Whether the model answer may be read: the question is closed, and no mock interview goes on."""
    return state.questions[index].closed is not None and (state.mode != "mock" or state.phase == "ended")
