"""What a person remembers: weak spots, what is due, and the drill that asks for it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from interviewer.errors import NothingDueError
from interviewer.memory.cards import Card, Schedule
from interviewer.memory.ideas import EMPTY, Catalog, Encoder, Groups, Ideas, Questions
from interviewer.memory.ports import MemoryRecords
from interviewer.memory.reviews import PointKey, Review
from interviewer.memory.spots import Idea, ideas_of, seen_together, shared_keys
from interviewer.memory.ways import Way, ways_to_ask
from interviewer.models import Earned, Localized, Plan, PlanRequest, Question, Verdict
from interviewer.planning.drilling import draw_drill
from interviewer.sharing.readable import EVERYTHING, Readable
from interviewer.wording import say

SOON = timedelta(days=7)


class Spot(NamedTuple):
    """An idea that is due or weak: one point, or points of several questions that state the same.

    Attributes:
        question_id: Of the point that is due first, which the other fields describe, as `point_id`.
        points: All points that stand for the idea, that one first.
        question: What was asked, by language, and `text` the point.
        weak: Whether it was missed and not covered without help since.
        due_at: When the day begins on which it is due; it stays due until it is asked.
        reviewed_at: When the idea was last asked for.
        retrievability: 0..1, how likely it is known now.
    """

    question_id: str
    point_id: str
    points: tuple[PointKey, ...]
    question: Localized
    text: Localized
    topic: str
    verdict: Verdict
    earned: Earned
    weak: bool
    due_at: datetime
    reviewed_at: datetime
    retrievability: float


class Counts(NamedTuple):
    """How much there is to do.

    Attributes:
        due: Ideas that are due now.
        soon: Ideas that come due within seven days.
        covered: Points that were covered without help when last asked for.
        weak: Ideas that are weak spots, due or not.
        next_day: The day on which something is due next; today where something is, None where nothing ever is.
    """

    due: int = 0
    soon: int = 0
    covered: int = 0
    weak: int = 0
    next_day: date | None = None


class Overview(NamedTuple):
    """All of what is remembered of a person at one moment; see the methods of `Memory` of the same names.

    Attributes:
        due: Only the point of each idea that is due first.
    """

    cards: tuple[Card, ...]
    due: tuple[PointKey, ...]
    weak_spots: tuple[Spot, ...]
    counts: Counts


class _Standing(NamedTuple):
    """What is known of one person: their cards seen together, their own cards, and the ideas that can be asked."""

    cards: tuple[Card, ...]
    own: tuple[Card, ...]
    ideas: tuple[Idea, ...]
    groups: Groups


class Memory:
    """Weak spots and what is due, for any number of people; everything follows from the stored events.

    Args:
        records: Reviews and cards, brought up to date whenever they are read.
        questions: What can be asked; a point whose question is gone is not due.
        readable: What a person may read; nothing else is due for them.
        encoder: Tells which points state one idea.
        now: The clock.
        schedule: Also used by `records`.
    """

    def __init__(
        self,
        records: MemoryRecords,
        questions: Questions,
        encoder: Encoder,
        now: Callable[[], datetime],
        schedule: Schedule,
        readable: Callable[[str], Readable] = lambda _: EVERYTHING,
    ) -> None:
        self._records = records
        self._questions = questions
        self._ideas = Ideas(questions, encoder)
        self._now = now
        self._schedule = schedule
        self._readable = readable

    def due(self, user_id: str, at: datetime | None = None) -> tuple[Spot, ...]:
        """What is due at a moment, now unless one is given: weak spots first, then by when they came due."""
        standing, at = self._standing(user_id), at or self._now()
        return self._spots(_due(standing.ideas, at), at)

    def weak_spots(self, user_id: str) -> tuple[Spot, ...]:
        """Everything that was missed and not covered without help since, in the order it comes due."""
        standing = self._standing(user_id)
        return self._spots(_weak(standing.ideas), self._now())

    def counts(self, user_id: str) -> Counts:
        """How much is due, soon due, covered and weak."""
        return self._counts(self._standing(user_id), self._now())

    def overview(self, user_id: str) -> Overview:
        """All of it for the price of one."""
        standing, at = self._standing(user_id), self._now()
        return Overview(
            cards=standing.cards,
            due=tuple(idea.first.key for idea in _due(standing.ideas, at)),
            weak_spots=self._spots(_weak(standing.ideas), at),
            counts=self._counts(standing, at),
        )

    def _counts(self, standing: _Standing, at: datetime) -> Counts:
        upcoming = [idea.first.due_at for idea in standing.ideas]
        return Counts(
            due=sum(due_at <= at for due_at in upcoming),
            soon=sum(at < due_at <= at + SOON for due_at in upcoming),
            covered=sum(not card.weak for card in standing.cards),
            weak=sum(idea.weak for idea in standing.ideas),
            next_day=self._schedule.day(max(at, min(upcoming))) if upcoming else None,
        )

    def cards(self, user_id: str) -> tuple[Card, ...]:
        """Where a person stands with each point they were asked for, by question and point."""
        return self.cards_of([user_id])[user_id]

    def reviews(self, user_id: str) -> tuple[Review, ...]:
        """What every closed question showed of each of its points, oldest first."""
        return self.reviews_of([user_id])[user_id]

    def cards_of(self, user_ids: Collection[str]) -> Mapping[str, tuple[Card, ...]]:
        """The cards of each of these people."""
        own = self._records.cards(user_ids)
        return self._together(own, self._catalog(own.values()).groups)

    def reviews_of(self, user_ids: Collection[str]) -> Mapping[str, tuple[Review, ...]]:
        """The reviews of each of these people."""
        return self._records.reviews(user_ids)

    def weak_questions(self, user_id: str) -> frozenset[str]:
        """Ids of the questions with a point that was missed and not covered itself since; loads no encoder."""
        return frozenset(card.question_id for card in self._records.cards([user_id])[user_id] if card.weak)

    def plan_drill(self, user_id: str, request: PlanRequest) -> Plan:
        """A plan of only what is due, as far as it fits into the minutes.

        Raises:
            NothingDueError: if nothing is due; it says when something will be.
        """
        standing = self._standing(user_id)
        due = _due(standing.ideas, self._now())
        if not due:
            raise self._nothing_due(standing, request)
        return draw_drill(request, self._ways(user_id, standing, due))

    def rebuild(self, user_id: str) -> None:
        """Makes everything remembered of a person anew from their stored events."""
        self._records.rebuild(user_id)

    def warm_up(self) -> None:
        """Works out which points state one idea, so that nobody waits for it."""
        self._ideas.catalog()

    def _standing(self, user_id: str) -> _Standing:
        own = self._records.cards([user_id])
        groups, homes = self._catalog(own.values())
        cards = self._together(own, groups)[user_id]
        readable = self._readable(user_id)
        open_to = {id_: home.points for id_, home in homes.items() if readable.allows(home.set)}
        askable = [card for card in cards if card.point_id in open_to.get(card.question_id, ())]
        return _Standing(cards, own[user_id], ideas_of(askable, groups), groups)

    def _catalog(self, cards: Iterable[Sequence[Card]]) -> Catalog:
        """All points there are; nothing has to be worked out for people who were asked nothing."""
        return self._ideas.catalog() if any(cards) else EMPTY

    def _together(self, own: Mapping[str, tuple[Card, ...]], groups: Groups) -> dict[str, tuple[Card, ...]]:
        """The cards of each person, points of one idea seen together."""
        shared = {user_id: shared_keys(cards, groups) for user_id, cards in own.items()}
        sharing = [user_id for user_id, keys in shared.items() if keys]
        keys = {key for user_id in sharing for key in shared[user_id]}
        reviews = self._records.reviews(sharing, keys) if sharing else {}
        return {
            user_id: seen_together(cards, reviews.get(user_id, ()), groups, self._schedule)
            for user_id, cards in own.items()
        }

    def _spots(self, ideas: Sequence[Idea], at: datetime) -> tuple[Spot, ...]:
        ids = dict.fromkeys(idea.first.question_id for idea in ideas)
        questions = {question.id: question for question in self._questions.many(list(ids))} if ids else {}
        found = (self._spot(questions.get(idea.first.question_id), idea, at) for idea in ideas)
        return tuple(spot for spot in found if spot is not None)

    def _spot(self, question: Question | None, idea: Idea, at: datetime) -> Spot | None:
        """None for a question that changed this very moment."""
        card = idea.first
        if question is None or not any(point.id == card.point_id for point in question.points):
            return None
        return Spot(
            question_id=card.question_id,
            point_id=card.point_id,
            points=tuple(each.key for each in idea.cards),
            question=question.question,
            text=question.point(card.point_id).text,
            topic=question.topic,
            verdict=card.verdict,
            earned=card.earned,
            weak=idea.weak,
            due_at=card.due_at,
            reviewed_at=max(each.reviewed_at for each in idea.cards),
            retrievability=self._schedule.known(card, at),
        )

    def _ways(self, user_id: str, standing: _Standing, ideas: Sequence[Idea]) -> tuple[Way, ...]:
        keys = {key for idea in ideas for key in standing.groups.get(idea.first.key, (idea.first.key,))}
        readable = self._readable(user_id)
        found = self._questions.many(sorted({key.question_id for key in keys}))
        questions = {question.id: question for question in found if readable.allows(question.set)}
        return ways_to_ask(ideas, standing.groups, questions, {card.key: card.reviewed_at for card in standing.own})

    def _nothing_due(self, standing: _Standing, request: PlanRequest) -> NothingDueError:
        upcoming = min((idea.first.due_at for idea in standing.ideas), default=None)
        if upcoming is None:
            message, following = (say(f"drill_{key}", request.language) for key in ("empty", "empty_next"))
            return NothingDueError(message, next_step=following)
        day = self._schedule.day(upcoming)
        message = say("drill_rest", request.language, day=day.isoformat())
        return NothingDueError(message, next_step=say("drill_rest_next", request.language), day=day)


def _due(ideas: Iterable[Idea], at: datetime) -> list[Idea]:
    return [idea for idea in ideas if idea.first.due_at <= at]


def _weak(ideas: Iterable[Idea]) -> list[Idea]:
    return [idea for idea in ideas if idea.weak]
