"""Reviews: what an interview showed of each point, derived from its events and nothing else."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from interviewer.interview.events import InterviewEvent
from interviewer.interview.question_state import QuestionState
from interviewer.interview.state import fold
from interviewer.models import Earned, Grade, PointGrade, Verdict

EVENT_TYPES = ("graded", "closed", "decided")
"""What can change the reviews of an interview."""

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
"""The ratings of FSRS."""

_COVERED: dict[Earned, int] = {"answer": EASY, "probe": GOOD, "hint": HARD}
_COVERED_IN_DRILL: dict[Earned, int] = {"answer": GOOD, "probe": HARD, "hint": HARD}
_SHORT = {Verdict.PARTIAL: HARD, Verdict.MISSING: AGAIN, Verdict.CONTRADICTED: AGAIN}


class PointKey(NamedTuple):
    """A point of a question."""

    question_id: str
    point_id: str


class Review(NamedTuple):
    """What one closed question of an interview showed of one point.

    Attributes:
        question_index: Which question of the interview, from 0.
        at: When the question was closed.
        verdict: The one that counts, decisions included.
        earned: What was needed to win it.
        rating: 1 again, 2 hard, 3 good, 4 easy.
    """

    interview_id: str
    question_index: int
    question_id: str
    point_id: str
    topic: str
    at: datetime
    verdict: Verdict
    earned: Earned
    rating: int

    @property
    def key(self) -> PointKey:
        return PointKey(self.question_id, self.point_id)

    @property
    def unaided(self) -> bool:
        """Whether the point was covered without help."""
        return unaided(self.verdict, self.earned)


def unaided(verdict: Verdict, earned: Earned) -> bool:
    """Whether a verdict stands for a point that was covered without help."""
    return verdict is Verdict.COVERED and earned == "answer"


def rate(verdict: Verdict, earned: Earned, *, drill: bool = False) -> int:
    """The rating of a verdict: a point that was only partly said is hard however it was won.

    Args:
        drill: Whether the point was asked for by a drill, where covering it says less than bringing it up by oneself.
    """
    if verdict is Verdict.COVERED:
        return (_COVERED_IN_DRILL if drill else _COVERED)[earned]
    return _SHORT[verdict]


def reviews_of(interview_id: str, events: Iterable[InterviewEvent]) -> tuple[Review, ...]:
    """The reviews of an interview as it stands.

    A question gives none while it is open, where its reference was seen first, and where nobody could grade it; nor do
    points of phases that were not come to, or that others of a choice count for.
    """
    state = fold(events)
    drill = state.mode == "drill"
    return tuple(
        review
        for index, question in enumerate(state.questions)
        for review in _of_question(interview_id, index, question, drill)
    )


def _of_question(interview_id: str, index: int, question: QuestionState, drill: bool) -> Iterator[Review]:
    grade = question.full_grade
    if question.closed_at is None or question.closed == "revealed" or grade is None or grade.status == "ungraded":
        return
    for point in _asked(question, grade):
        yield Review(
            interview_id=interview_id,
            question_index=index,
            question_id=question.question.id,
            point_id=point.id,
            topic=question.question.topic,
            at=question.closed_at,
            verdict=point.counted,
            earned=point.earned,
            rating=rate(point.counted, point.earned, drill=drill),
        )


def _asked(question: QuestionState, grade: Grade) -> tuple[PointGrade, ...]:
    """Each point once, without those of phases that were not come to and those that are spare."""
    unasked = {point_id for phase in question.question.phases[len(question.phases) :] for point_id in phase.points}
    left_out = unasked | grade.spare
    return tuple({point.id: point for point in grade.points if point.id not in left_out}.values())
