"""What a user was asked before and how it went, recalled from the stored events."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from interviewer.interview.events import Asked, Decided, Graded
from interviewer.interview.ports import StoredInterview
from interviewer.models import Verdict

REMEMBERED_INTERVIEWS = 100
EVENT_TYPES = ("asked", "graded", "decided")


class AskedBefore(NamedTuple):
    """When a question was last asked, and whether the answer then left a gap."""

    at: datetime
    weak: bool


def recall(interviews: Iterable[StoredInterview]) -> dict[str, AskedBefore]:
    """By question id, the last time it was asked; only events of `EVENT_TYPES` are looked at."""
    remembered: dict[str, AskedBefore] = {}
    for interview in interviews:
        asked: list[Asked] = []
        verdicts: dict[int, dict[str, Verdict]] = {}
        decided: dict[int, dict[str, Verdict]] = {}
        for event in interview.events:
            if isinstance(event, Asked):
                asked.append(event)
            elif isinstance(event, Graded):
                verdicts[event.index] = {p.id: p.verdict for p in event.grade.points}
            elif isinstance(event, Decided):
                decided.setdefault(event.index, {})[event.point_id] = event.verdict
        for index, event in enumerate(asked):
            known = remembered.get(event.question.id)
            if known is None or event.at > known.at:
                counted = verdicts.get(index, {}) | decided.get(index, {})
                weak = any(verdict is not Verdict.COVERED for verdict in counted.values())
                remembered[event.question.id] = AskedBefore(event.at, weak)
    return remembered
