"""Graded points under the phases they belong to, numbered as in the grade."""

from collections.abc import Sequence
from typing import NamedTuple

from interviewer.models import Language, PointGrade, Question, pick


class PointGroup(NamedTuple):
    """The points of one phase with their numbers; the title is empty where the question has no phases.

    Attributes:
        note: What else is to be said of the phase, such as its time.
    """

    title: str
    points: tuple[tuple[int, PointGrade], ...]
    note: str = ""


def by_phase(
    points: Sequence[PointGrade], question: Question | None, language: Language, notes: Sequence[str] = ()
) -> tuple[PointGroup, ...]:
    """The points phase by phase, phases without any left out; all in one group where there are no phases.

    Args:
        notes: What is to be said of each phase.
    """
    numbered = tuple(enumerate(points, 1))
    phases = question.phases if question else ()
    if not phases:
        return (PointGroup("", numbered),)
    groups = [
        PointGroup(
            title=pick(phase.title, language) or phase.id,
            points=tuple(pair for pair in numbered if pair[1].id in phase.points),
            note=notes[index] if index < len(notes) else "",
        )
        for index, phase in enumerate(phases)
    ]
    placed = {point_id for phase in phases for point_id in phase.points}
    rest = tuple(pair for pair in numbered if pair[1].id not in placed)
    return tuple(group for group in (*groups, PointGroup("", rest)) if group.points)
