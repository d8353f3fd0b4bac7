"""What a user was asked before and how it went, recalled from the stored events."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from interviewer.interview.events import Asked, Graded
from interviewer.interview.ports import StoredInterview
from interviewer.models import Verdict

REMEMBERED_INTERVIEWS = 100
EVENT_TYPES = ("asked", "graded")


class AskedBefore(NamedTuple):
    """When a question was last asked, and whether the answer then left a gap."""

    at: datetime
    weak: bool


def recall(interviews: Iterable[StoredInterview]) -> dict[str, AskedBefore]:
    """By question id, the last time it was asked; only events of `EVENT_TYPES` are looked at."""
    remembered: dict[str, AskedBefore] = {}
    for interview in interviews:
        asked: list[Asked] = []
        weak: dict[int, bool] = {}
        for event in interview.events:
            if isinstance(event, Asked):
                asked.append(event)
            elif isinstance(event, Graded):
                weak[event.index] = any(p.verdict is not Verdict.COVERED for p in event.grade.points)
        for index, event in enumerate(asked):
            known = remembered.get(event.question.id)
            if known is None or event.at > known.at:
                remembered[event.question.id] = AskedBefore(event.at, weak.get(index, False))
    return remembered
