"""Cards of points that state one idea seen together, and the spots that come of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from interviewer.memory.cards import Card, Schedule, in_order
from interviewer.memory.ideas import Groups
from interviewer.memory.reviews import GOOD, PointKey, Review


class Idea(NamedTuple):
    """The cards of one idea that stand for it, the first due first: the weak ones, or all where none is weak."""

    cards: tuple[Card, ...]

    @property
    def first(self) -> Card:
        return self.cards[0]

    @property
    def weak(self) -> bool:
        return self.first.weak


def shared_keys(cards: Iterable[Card], groups: Groups) -> frozenset[PointKey]:
    """Points whose idea a person was asked for in another question too."""
    keys = {card.key for card in cards}
    return frozenset(key for key in keys if any(other != key and other in keys for other in groups.get(key, ())))


def seen_together(
    cards: Sequence[Card], reviews: Iterable[Review], groups: Groups, schedule: Schedule
) -> tuple[Card, ...]:
    """The cards, each also reviewed by what was said on the other points of its idea.

    Once a point was asked for, another point of its idea counts for it where it was covered without help, and, as long
    as the point is weak, whatever came of it. What counts so is at most good: the two are alike, not the same.

    Args:
        reviews: At least those of all points in `shared_keys`.
    """
    by_key: dict[PointKey, list[Review]] = {}
    for review in reviews:
        by_key.setdefault(review.key, []).append(review)
    shared = shared_keys(cards, groups)
    return tuple(_together(card, by_key, groups, schedule) if card.key in shared else card for card in cards)


def _together(own: Card, by_key: Mapping[PointKey, list[Review]], groups: Groups, schedule: Schedule) -> Card:
    card: Card | None = None
    for review in in_order(review for key in groups[own.key] for review in by_key.get(key, ())):
        if review.key == own.key:
            card = schedule.after(card, review)
        elif card is not None and (review.unaided or card.weak):
            card = schedule.after(card, _as_if(own, card, review))
    return card._replace(reviews=own.reviews) if card is not None else own


def _as_if(own: Card, card: Card, review: Review) -> Review:
    """The review of another point as one of this one, which keeps its own verdict unless the idea was covered."""
    verdict, earned = (review.verdict, review.earned) if review.unaided else (card.verdict, card.earned)
    rating = min(review.rating, GOOD)
    return review._replace(
        question_id=own.question_id,
        point_id=own.point_id,
        topic=own.topic,
        verdict=verdict,
        earned=earned,
        rating=rating,
    )


def ideas_of(cards: Iterable[Card], groups: Groups) -> tuple[Idea, ...]:
    """The ideas behind cards that were `seen_together`, weak ones first, then by when they are due."""
    found: dict[PointKey, list[Card]] = {}
    for card in cards:
        found.setdefault(groups.get(card.key, (card.key,))[0], []).append(card)
    ideas = (Idea(tuple(sorted(_standing(members), key=_order))) for members in found.values())
    return tuple(sorted(ideas, key=lambda idea: (not idea.weak, _order(idea.first))))


def _standing(members: Sequence[Card]) -> Sequence[Card]:
    return [card for card in members if card.weak] or members


def _order(card: Card) -> tuple[object, ...]:
    return card.due_at, card.stability, card.key
