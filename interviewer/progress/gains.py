"""Points that were missed once and are covered now, and what was said both times."""

from collections.abc import Iterable, Mapping, Sequence
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
        points: The verdicts on the points it is about, with their quotes.
    """

    interview_id: str
    at: datetime
    answers: tuple[str, ...]
    points: tuple[PointGrade, ...]


class Proof(NamedTuple):
    """What was missed in one answer and covered in a later one: both have the same points, in the same order.

    Attributes:
        question: As it was put the second time.
    """

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


def together(won: Iterable[Gain]) -> tuple[tuple[Gain, ...], ...]:
    """Gains that came from the same two answers, in the order of the first of each."""
    groups: dict[tuple[str, int, str, int], list[Gain]] = {}
    for gain in won:
        missed, covered = gain
        answers = (missed.interview_id, missed.question_index, covered.interview_id, covered.question_index)
        groups.setdefault(answers, []).append(gain)
    return tuple(tuple(group) for group in groups.values())


def proof(group: Sequence[Gain], states: Mapping[str, InterviewState], language: Language) -> Proof | None:
    """The two answers behind gains that belong together; None where one of the interviews is not there any more.

    Args:
        group: At least one.
        states: Interviews by id.
        language: Of the page; the question keeps the language it was asked in where it lacks this one.
    """
    before = _told([gain.missed for gain in group], states)
    after = _told([gain.covered for gain in group], states)
    if before is None or after is None:
        return None
    covered = group[0].covered
    question = states[covered.interview_id].questions[covered.question_index].question
    return Proof(question.id, question.topic, question.asked_in(language), before, after)


def _gain(history: list[Review]) -> Gain | None:
    if not history[-1].unaided:
        return None
    missed = max((at for at, review in enumerate(history) if review.verdict is not Verdict.COVERED), default=None)
    if missed is None:
        return None
    covered = next(review for review in history[missed + 1 :] if review.unaided)
    return Gain(history[missed], covered)


def _told(reviews: Sequence[Review], states: Mapping[str, InterviewState]) -> Told | None:
    """What was said in one answer, with the verdicts on the points of `reviews`."""
    first = reviews[0]
    state = states.get(first.interview_id)
    if state is None or first.question_index >= len(state.questions):
        return None
    question = state.questions[first.question_index]
    known = {point.id: point for point in question.full_grade.points} if question.full_grade else {}
    points = tuple(known[review.point_id] for review in reviews if review.point_id in known)
    return Told(first.interview_id, first.at, question.answers, points) if len(points) == len(reviews) else None
