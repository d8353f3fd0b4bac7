"""What sets and questions of a file are called here, where their own names are another's already."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_LONGEST_SET = 80
_LONGEST_ID = 200
_MOST_TRIES = 1000


def set_names(name: str) -> Iterator[str]:
    """The name itself, then `name (2)` and so on."""
    yield name
    for number in range(2, _MOST_TRIES):
        ending = f" ({number})"
        yield name[: _LONGEST_SET - len(ending)] + ending


def question_ids(question_id: str, user_id: str, set_name: str) -> Iterator[str]:
    """The id itself, then one that the same person's file always gets in the same set."""
    yield question_id
    ending = f"~{_digest(user_id, set_name, question_id)[:12]}"
    yield question_id[: _LONGEST_ID - len(ending)] + ending


def interview_ids(interview_id: str, user_id: str, content: str) -> Iterator[str]:
    """The id itself; one for this person's copy of it; one for this very course of it."""
    yield interview_id
    yield _digest(user_id, interview_id)[:24]
    yield _digest(user_id, interview_id, content)[:24]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class Renamed(NamedTuple):
    """What is called otherwise here, old name to new."""

    sets: Mapping[str, str]
    questions: Mapping[str, str]

    def question(self, question_id: str) -> str:
        return self.questions.get(question_id, question_id)

    def within(self, value: Any) -> Any:
        """A stored event in which questions and sets are called as they are here."""
        return self._within(value) if self.sets or self.questions else value

    def _within(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._within(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {name: self._field(name, item) for name, item in value.items()}

    def _field(self, name: str, value: Any) -> Any:
        if name == "question_id" and isinstance(value, str):
            return self.question(value)
        if name == "question_ids" and isinstance(value, list):
            return [self.question(item) for item in value]
        if name == "sets" and isinstance(value, list):
            return [self.sets.get(item, item) for item in value]
        inner = self._within(value)
        if name == "question" and isinstance(inner, dict) and "id" in inner and "set" in inner:
            set_name = self.sets.get(inner["set"], inner["set"])
            return {**inner, "id": self.question(inner["id"]), "set": set_name}
        return inner
