"""The questions a candidate can be asked: sets, topics, browsing and search, over the bank and imported sets."""

from collections.abc import Callable
from typing import NamedTuple

from interviewer.accounts.person import Person
from interviewer.models import LANGUAGES, Language, Question
from interviewer.sharing.readable import BANK
from interviewer.storage.questions import Filter, QuestionStore
from interviewer.storage.sets import SetStore
from interviewer.worded import UnknownError

__all__ = ["BANK", "Found", "Library", "Ranked", "SetInfo", "TopicInfo"]


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


class Ranked(NamedTuple):
    """A search hit: a question's id and its score, comparable within one result only."""

    question_id: str
    score: float


class Library:
    """Read access to the questions a person may see; what they may not see is not there.

    Args:
        known_sets: Says which sets a person may read.
        find: Search over the index: query, limit, sets.
        topic_title: How a topic is called in a language.
        set_title: How a set is called in a language.
    """

    def __init__(
        self,
        questions: QuestionStore,
        known_sets: SetStore,
        find: Callable[[str, int, tuple[str, ...]], tuple[Ranked, ...]],
        topic_title: Callable[[str, Language], str],
        set_title: Callable[[str, Language], str],
    ) -> None:
        self._questions = questions
        self._sets = known_sets
        self._find = find
        self._topic_title = topic_title
        self._set_title = set_title

    def sets(self, person: Person, language: Language) -> tuple[SetInfo, ...]:
        """The shipped bank first, then imported sets by name."""
        readable = self._sets.readable(person)
        infos = [
            SetInfo(
                s.name,
                self._set_title(s.name, language),
                s.questions,
                tuple(x for x in LANGUAGES if getattr(s, x)),
            )
            for s in self._questions.sets()
            if readable.allows(s.name)
        ]
        return tuple(sorted(infos, key=lambda info: (info.name != BANK, info.name)))

    def topics(self, person: Person, sets: tuple[str, ...], language: Language) -> tuple[TopicInfo, ...]:
        """Topics of these sets (all if empty), largest first, titled in `language`."""
        counts = self._questions.topics(Filter(sets=self._readable(person, sets)))
        return tuple(TopicInfo(topic, self._topic_title(topic, language), count) for topic, count in counts.items())

    def topic_title(self, topic: str, language: Language) -> str:
        """How a topic is called."""
        return self._topic_title(topic, language)

    def browse(
        self,
        person: Person,
        *,
        sets: tuple[str, ...] = (),
        topics: tuple[str, ...] = (),
        difficulties: tuple[int, ...] = (),
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Question, ...]:
        """Questions that fit the filters, by set and topic, a page at a time."""
        wanted = Filter(self._readable(person, sets), topics, difficulties)
        return self._questions.page(wanted, limit=limit, offset=offset)

    def count(
        self,
        person: Person,
        *,
        sets: tuple[str, ...] = (),
        topics: tuple[str, ...] = (),
        difficulties: tuple[int, ...] = (),
        language: Language | None = None,
    ) -> int:
        """How many questions fit the filters, and can be asked in `language` if one is given."""
        return self._questions.count(Filter(self._readable(person, sets), topics, difficulties, language or ""))

    def get(self, person: Person, question_id: str) -> Question:
        """One question; where it was merged into another, that one.

        Raises:
            NotFoundError: if there is none with that id that this person may see.
        """
        question = self._questions.get(self._questions.current_id(question_id))
        if question is None or not self._sets.readable(person).allows(question.set):
            raise UnknownError("error_no_question", id=question_id)
        return question

    def search(self, person: Person, query: str, *, limit: int = 10, sets: tuple[str, ...] = ()) -> tuple[Found, ...]:
        """Questions by meaning and words, best first."""
        return self.search_among(query, limit=limit, sets=self._readable(person, sets))

    def search_among(self, query: str, *, limit: int, sets: tuple[str, ...]) -> tuple[Found, ...]:
        """The same within `sets`, all if empty; what the caller may read is the caller's to know."""
        hits = self._find(query, limit, sets)
        found = {q.id: q for q in self._questions.many([hit.question_id for hit in hits])}
        found = {id_: q for id_, q in found.items() if not sets or q.set in sets}
        return tuple(Found(found[hit.question_id], hit.score) for hit in hits if hit.question_id in found)

    def _readable(self, person: Person, sets: tuple[str, ...]) -> tuple[str, ...]:
        return self._sets.readable(person).narrow(sets)
