"""Cards: when each point is due again, a fold of its reviews by FSRS in whole days."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, tzinfo
from typing import NamedTuple

import fsrs

from interviewer.memory.reviews import PointKey, Review, unaided
from interviewer.models import Earned, Verdict

RETENTION = 0.9
"""How likely a point is still known when it is due."""

LONGEST_DAYS = 365
"""No point rests longer."""

_NO_ID = 0
"""Without an id the library would wait for the clock to give it one."""


class Card(NamedTuple):
    """Where a person stands with one point.

    Attributes:
        verdict: Of the latest review, as `earned`.
        due_at: When the day begins on which it is due.
        stability: Days until it is known with the likelihood `RETENTION` only.
        difficulty: 1..10.
        reviews: How many there were.
    """

    question_id: str
    point_id: str
    topic: str
    verdict: Verdict
    earned: Earned
    reviewed_at: datetime
    due_at: datetime
    stability: float
    difficulty: float
    reviews: int

    @property
    def key(self) -> PointKey:
        return PointKey(self.question_id, self.point_id)

    @property
    def weak(self) -> bool:
        """Whether the point is a weak spot: not covered without help since it was last missed."""
        return not unaided(self.verdict, self.earned)


class Schedule:
    """FSRS without chance and without steps of minutes: a point is due on a day, from its first moment on.

    Args:
        zone: Where days begin; None for the machine's own zone.
    """

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone
        self._fsrs = fsrs.Scheduler(
            desired_retention=RETENTION,
            learning_steps=(),
            relearning_steps=(),
            maximum_interval=LONGEST_DAYS,
            enable_fuzzing=False,
        )

    def card(self, reviews: Iterable[Review]) -> Card:
        """The card of one point; at least one review, in any order."""
        ordered = in_order(reviews)
        card: Card | None = None
        for review in ordered:
            card = self.after(card, review)
        assert card is not None, "a card comes from a review"
        return card

    def after(self, card: Card | None, review: Review) -> Card:
        """The card after one more review of its point; None for a point that had none."""
        known = self._record(card) if card is not None else fsrs.Card(card_id=_NO_ID)
        reviewed, _ = self._fsrs.review_card(known, fsrs.Rating(review.rating), _noon(self.day(review.at)))
        assert reviewed.stability is not None
        assert reviewed.difficulty is not None
        return Card(
            question_id=review.question_id,
            point_id=review.point_id,
            topic=review.topic,
            verdict=review.verdict,
            earned=review.earned,
            reviewed_at=review.at,
            due_at=self._begin(reviewed.due.date()),
            stability=reviewed.stability,
            difficulty=reviewed.difficulty,
            reviews=card.reviews + 1 if card is not None else 1,
        )

    def known(self, card: Card, at: datetime) -> float:
        """0..1, how likely the point is known at a moment."""
        return self._fsrs.get_card_retrievability(self._record(card), _noon(self.day(at)))

    def day(self, at: datetime) -> date:
        """The day a moment falls on."""
        return at.astimezone(self._zone).date()

    def _record(self, card: Card) -> fsrs.Card:
        """The card as the scheduler knows it; without steps of minutes none is ever in learning."""
        return fsrs.Card(
            card_id=_NO_ID,
            state=fsrs.State.Review,
            stability=card.stability,
            difficulty=card.difficulty,
            due=card.due_at,
            last_review=_noon(self.day(card.reviewed_at)),
        )

    def _begin(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._zone).astimezone(UTC)


def in_order(reviews: Iterable[Review]) -> list[Review]:
    """By time; what happened at one moment in an order that is always the same."""
    return sorted(reviews, key=lambda review: (review.at, review.interview_id, review.question_index, review.key))


def _noon(day: date) -> datetime:
    """The moment that stands for a day in the scheduler, so that two days are whole days apart."""
    return datetime.combine(day, time(12), UTC)
