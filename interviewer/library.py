"""The questions a candidate can be asked: sets, topics, browsing and search, over the bank and imported sets."""

from typing import NamedTuple

from interviewer.models import Language, Question


class SetInfo(NamedTuple):
    """A question set: its name, a title to show, how many questions, and in which languages."""

    name: str
    title: str
    questions: int
    languages: tuple[Language, ...]


class TopicInfo(NamedTuple):
    """A topic: its id in questions, a title to show, how many questions."""

    id: str
    title: str
    questions: int


class Found(NamedTuple):
    """A question found by search; `score` as the retriever ranks it."""

    question: Question
    score: float


class Library:
    """Read access to all questions."""

    def sets(self, language: Language) -> tuple[SetInfo, ...]:
        """The shipped bank first, then imported sets by name."""
        raise NotImplementedError

    def topics(self, sets: tuple[str, ...], language: Language) -> tuple[TopicInfo, ...]:
        """Topics of these sets (all if empty) that have a question in `language`... largest first."""
        raise NotImplementedError

    def browse(
        self,
        *,
        sets: tuple[str, ...] = (),
        topics: tuple[str, ...] = (),
        difficulties: tuple[int, ...] = (),
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Question, ...]:
        """Questions that fit the filters, by set and topic, a page at a time."""
        raise NotImplementedError

    def count(
        self, *, sets: tuple[str, ...] = (), topics: tuple[str, ...] = (), difficulties: tuple[int, ...] = ()
    ) -> int:
        """How many questions fit the filters."""
        raise NotImplementedError

    def get(self, question_id: str) -> Question:
        """One question.

        Raises:
            NotFoundError: if there is none with that id.
        """
        raise NotImplementedError

    def search(self, query: str, *, limit: int = 10, sets: tuple[str, ...] = ()) -> tuple[Found, ...]:
        """Questions by meaning and words, best first."""
        raise NotImplementedError
