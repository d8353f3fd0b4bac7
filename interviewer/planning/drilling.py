"""Drawing a drill: only the points that are due, grouped by the question that asks for them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from interviewer.interview.ports import outline
from interviewer.models import Plan, PlannedQuestion, PlanRequest, Question, Wording
from interviewer.planning.editing import MOST_QUESTIONS, planned

LEAST_MINUTES = 5
"""The shortest session that is of use."""

USUAL_MINUTES = 15
"""How long a drill is where the request does not say."""

QUESTION_MINUTES = 1.0
"""The time to read a question, and `POINT_MINUTES` to say one of its points, a follow-up included."""

POINT_MINUTES = 1.5

MOST_PROBES = 2
"""More points of one question are asked for by the question itself."""


class Due(Protocol):
    """A point that is due, in the question that asks for it.

    Attributes:
        alone: Whether no other question asks for the same idea, so that its probe is the only other way to ask.
    """

    @property
    def question(self) -> Question: ...

    @property
    def point_id(self) -> str: ...

    @property
    def alone(self) -> bool: ...


class _Part(NamedTuple):
    question: Question
    point_ids: list[str]
    alone: list[bool]


def draw_drill(request: PlanRequest, due: Sequence[Due]) -> Plan:
    """A plan of the due points, in their order, as far as they fit into the minutes; at least one of them.

    A point of a question that is asked anyway takes less time than one that needs a question of its own.
    """
    minutes = float(max(LEAST_MINUTES, request.minutes or USUAL_MINUTES))
    parts: dict[str, _Part] = {}
    for each in due:
        known = parts.get(each.question.id)
        cost = POINT_MINUTES if known else QUESTION_MINUTES + POINT_MINUTES
        if parts and (cost > minutes or (known is None and len(parts) == MOST_QUESTIONS)):
            continue
        minutes -= cost
        part = known or parts.setdefault(each.question.id, _Part(each.question, [], []))
        part.point_ids.append(each.point_id)
        part.alone.append(each.alone)
    return Plan(request=request, questions=tuple(_planned(part) for part in parts.values()))


def _planned(part: _Part) -> PlannedQuestion:
    return planned(outline(part.question), 0, why="due").model_copy(
        update={
            "points": tuple(part.point_ids),
            "wording": _wording(part),
            "minutes": QUESTION_MINUTES + POINT_MINUTES * len(part.point_ids),
        }
    )


def _wording(part: _Part) -> Wording:
    """By the probes of a few points that no other question asks for; else the question stands for itself."""
    if len(part.point_ids) > MOST_PROBES or not all(part.alone):
        return "question"
    probes = [part.question.point(point_id).probe for point_id in part.point_ids]
    return "probe" if all(probe.keys() >= part.question.question.keys() for probe in probes) else "question"
