"""How the scores of interviews went."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.models import Mode

SMOOTH_FROM = 5
"""Interviews from which a smoothed line says something."""
FADE = 0.7
"""What an interview weighs in the smoothed line against the one after it, with as many questions."""
LATEST = 5
"""Interviews that are compared with as many before them."""


class Scored(NamedTuple):
    """An interview that ended with a score.

    Attributes:
        track: Id of its track; empty where there was none.
        score: 0..10, the mean over its scored `questions`.
    """

    interview_id: str
    at: datetime
    mode: Mode
    track: str
    score: float
    questions: int


class TrendPoint(NamedTuple):
    """An interview's place in the trend; `smoothed` is 0..10, None where there are too few to smooth."""

    interview: Scored
    smoothed: float | None


class Trend(NamedTuple):
    """Scores from the oldest to the newest.

    Attributes:
        latest: The mean over the questions of the newest interviews, at most `LATEST`; None where there is none.
        before: The same of as many before them; None where there are fewer.
    """

    points: tuple[TrendPoint, ...] = ()
    latest: float | None = None
    before: float | None = None


def trend(scored: Sequence[Scored]) -> Trend:
    """The trend of interviews, given in any order."""
    ordered = sorted(scored, key=lambda interview: (interview.at, interview.interview_id))
    smoothed = _smoothed(ordered) if len(ordered) >= SMOOTH_FROM else [None] * len(ordered)
    points = tuple(TrendPoint(*pair) for pair in zip(ordered, smoothed, strict=True))
    before = ordered[-2 * LATEST : -LATEST]
    return Trend(points, _mean(ordered[-LATEST:]), _mean(before) if len(before) == LATEST else None)


def _smoothed(ordered: Sequence[Scored]) -> list[float | None]:
    """At each interview the mean so far, by questions, what is longer ago fading."""
    line: list[float | None] = []
    total = weight = 0.0
    for interview in ordered:
        total = total * FADE + interview.score * interview.questions
        weight = weight * FADE + interview.questions
        line.append(total / weight)
    return line


def _mean(interviews: Sequence[Scored]) -> float | None:
    questions = sum(interview.questions for interview in interviews)
    return sum(i.score * i.questions for i in interviews) / questions if questions else None
