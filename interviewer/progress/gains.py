"""Points that were missed once and are covered now, and what was said both times."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from interviewer.interview.state import InterviewState
from interviewer.memory.cards import in_order
from interviewer.memory.reviews import PointKey, Review
from interviewer.models import Language, PointGrade, Verdict


class Gain(NamedTuple):
    """The review in which a point was last missed, and the first since in which it was covered without help."""

    missed: Review
    covered: Review


class Told(NamedTuple):
    """What was said on a question in one interview.

    Attributes:
        answers: The candidate's own words, in order; empty where they said that they don't know.
        point: The verdict on the point, with its quote.
    """

    interview_id: str
    at: datetime
    answers: tuple[str, ...]
    point: PointGrade


class Proof(NamedTuple):
    """A gain with the two answers; the question as it was put when the point was covered."""

    question_id: str
    topic: str
    question: str
    before: Told
    after: Told


def gains(reviews: Iterable[Review]) -> tuple[Gain, ...]:
    """One for each point that was missed and is covered without help since, the newest first.

    A point that was missed again afterwards, or needed help again, is no gain: the newest review counts.
    """
    by_point: dict[PointKey, list[Review]] = {}
    for review in in_order(reviews):
        by_point.setdefault(review.key, []).append(review)
    found = (_gain(history) for history in by_point.values())
    return tuple(
        sorted((gain for gain in found if gain), key=lambda gain: (gain.covered.at, gain.covered.key), reverse=True)
    )


def proof(gain: Gain, states: Mapping[str, InterviewState], language: Language) -> Proof | None:
    """The two answers of a gain; None where one of the interviews is not among `states` any more.

    Args:
        states: Interviews by id.
        language: Of the page; the question keeps the language it was asked in where it lacks this one.
    """
    before, after = _told(gain.missed, states), _told(gain.covered, states)
    if before is None or after is None:
        return None
    state = states[gain.covered.interview_id]
    question = state.questions[gain.covered.question_index].question
    return Proof(question.id, question.topic, question.asked_in(language), before, after)


def _gain(history: list[Review]) -> Gain | None:
    if not history[-1].unaided:
        return None
    missed = max((at for at, review in enumerate(history) if review.verdict is not Verdict.COVERED), default=None)
    if missed is None:
        return None
    covered = next(review for review in history[missed + 1 :] if review.unaided)
    return Gain(history[missed], covered)


def _told(review: Review, states: Mapping[str, InterviewState]) -> Told | None:
    state = states.get(review.interview_id)
    if state is None or review.question_index >= len(state.questions):
        return None
    question = state.questions[review.question_index]
    grade = question.full_grade
    point = next((p for p in grade.points if p.id == review.point_id), None) if grade else None
    return Told(review.interview_id, review.at, question.answers, point) if point else None
