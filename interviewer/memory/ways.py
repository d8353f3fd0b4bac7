"""In which question a due idea is asked for: another one than last time where there is one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from interviewer.memory.ideas import Groups
from interviewer.memory.reviews import PointKey
from interviewer.memory.spots import Idea
from interviewer.models import Question

_NEVER = datetime.min.replace(tzinfo=UTC)


class Way(NamedTuple):
    """How an idea is asked for.

    Attributes:
        question: The question that is asked.
        point_id: Its point that states the idea.
        alone: Whether no other question asks for the idea.
    """

    question: Question
    point_id: str
    alone: bool


def ways_to_ask(
    ideas: Iterable[Idea], groups: Groups, questions: Mapping[str, Question], asked: Mapping[PointKey, datetime]
) -> tuple[Way, ...]:
    """For each idea the question that asks for it now: one that never did, or else the one that did longest ago.

    Args:
        questions: By id; a question that is not among them is not asked.
        asked: When each point was last asked for in its own question.
    """
    ways = (_way(_open_to(idea, groups, questions), questions, asked) for idea in ideas)
    return tuple(way for way in ways if way is not None)


def _way(keys: Sequence[PointKey], questions: Mapping[str, Question], asked: Mapping[PointKey, datetime]) -> Way | None:
    if not keys:
        return None
    chosen = min(keys, key=lambda key: (asked.get(key, _NEVER), key))
    return Way(questions[chosen.question_id], chosen.point_id, alone=len({key.question_id for key in keys}) == 1)


def _open_to(idea: Idea, groups: Groups, questions: Mapping[str, Question]) -> list[PointKey]:
    keys = {*(card.key for card in idea.cards), *groups.get(idea.first.key, ())}
    return sorted(key for key in keys if key.question_id in questions and _has(questions[key.question_id], key))


def _has(question: Question, key: PointKey) -> bool:
    return any(point.id == key.point_id for point in question.points)
