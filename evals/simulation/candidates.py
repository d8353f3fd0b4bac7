"""Simulated candidates: what each knows is drawn first, so that it is known what a probe should have asked."""

import random
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from interviewer.models import Language, Question

Name = Literal["strong", "medium", "weak", "evasive", "nonsense"]


class Candidate(NamedTuple):
    """How a candidate answers.

    Attributes:
        knows: Chance of knowing a point of a question of difficulty 3, 0..1.
        harder: What each step of difficulty takes from that.
        at_once: Share of what is known that is said before a follow-up asks for it, 0..1.
        pace: Share of a question's time that a first answer takes, on average; above 1 it overruns.
    """

    name: Name
    knows: float
    harder: float
    at_once: float
    pace: float


CANDIDATES: tuple[Candidate, ...] = (
    Candidate("strong", 0.95, 0.03, 0.8, 0.5),
    Candidate("medium", 0.6, 0.12, 0.7, 0.6),
    Candidate("weak", 0.2, 0.08, 0.7, 0.4),
    Candidate("evasive", 0.0, 0.0, 0.0, 0.9),
    Candidate("nonsense", 0.0, 0.0, 0.0, 0.3),
)

_EVASIVE: Mapping[Language, Sequence[str]] = {
    "zh": (
        "这个要看具体情况，不同的团队有不同的做法，关键还是要结合业务来看。",
        "我们之前也遇到过类似的问题，后来大家一起讨论，最后处理得还不错。",
        "我觉得这个方向很重要，行业里也有很多成熟的方案，可以多参考参考。",
        "总的来说就是要平衡各方面的因素，没有绝对的答案。",
    ),
    "en": (
        "It depends on the situation; every team does it a little differently and context matters most.",
        "We had something like that once, we sat together and in the end it went quite well.",
        "I think this is a very important area and there are many mature solutions one can look at.",
        "In general you have to balance many factors, there is no single right answer.",
    ),
}
_UNKNOWING: Mapping[Language, Sequence[str]] = {
    "zh": ("不知道", "这个我不会", "没了解过"),
    "en": ("I don't know", "no idea", "I haven't looked into that"),
}


class Mind:
    """A candidate in one interview: what they know of each question, and what they have said.

    Attributes:
        said: By question id, the points said so far: the truth a follow-up is measured against.
    """

    def __init__(self, candidate: Candidate, language: Language, rng: random.Random) -> None:
        self.candidate = candidate
        self.said: dict[str, set[str]] = {}
        self._known: dict[str, set[str]] = {}
        self._language = language
        self._rng = rng

    def answer(self, question: Question, part: Sequence[str]) -> str:
        """The first words on a question, or on the phase of it that holds the points `part`."""
        known = self._known.setdefault(question.id, set()) | self._learn(question, part)
        self._known[question.id] = known
        chosen = [i for i in part if i in known and self._rng.random() < self.candidate.at_once]
        return self._tell(question, chosen)

    def follow(self, question: Question, point_id: str) -> str:
        """The reply to a probe."""
        fresh = point_id in self._known.get(question.id, set()) and point_id not in self.said[question.id]
        return self._tell(question, [point_id] if fresh else [])

    def seconds(self, limit: float, *, first: bool) -> float:
        """How long the next words take, of a time of `limit` seconds."""
        share = self.candidate.pace * (1.0 if first else 0.3)
        return limit * share * self._rng.uniform(0.6, 1.4)

    def _learn(self, question: Question, part: Sequence[str]) -> set[str]:
        chance = self.candidate.knows - self.candidate.harder * (question.difficulty - 3)
        return {point_id for point_id in part if self._rng.random() < chance}

    def _tell(self, question: Question, point_ids: Sequence[str]) -> str:
        said = self.said.setdefault(question.id, set())
        if self.candidate.name == "nonsense":
            letters = "asdfqwerzxcvjkl"
            return " ".join("".join(self._rng.choices(letters, k=self._rng.randint(3, 9))) for _ in range(12))
        if self.candidate.name == "evasive":
            return self._rng.choice(_EVASIVE[self._language])
        if not point_ids:
            return self._rng.choice(_UNKNOWING[self._language])
        said.update(point_ids)
        return "\n".join(question.point(point_id).in_language(self._language) for point_id in point_ids)
