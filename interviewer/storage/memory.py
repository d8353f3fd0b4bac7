"""Reviews and cards, kept in step with the events they follow from."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, or_, select

from interviewer.interview.events import EVENT
from interviewer.memory.cards import Card, Schedule
from interviewer.memory.reviews import EVENT_TYPES, PointKey, Review, reviews_of
from interviewer.models import Verdict
from interviewer.storage import tables as t
from interviewer.storage.database import Database

RULES = 1
"""The version of the rules behind reviews and cards; raising it has all of them made anew."""

BATCH = 20
"""Interviews caught up with in one transaction, so that others need not wait long to write."""

_LISTED = 400
"""Points named one by one in a query; for more all are read."""


class _Behind(NamedTuple):
    """An interview that went on since its reviews were derived, or that never had any derived."""

    user_id: str
    interview_id: str


class MemoryStore:
    """Reads reviews and cards, after making good whatever happened since they were written.

    They are derived when they are read, from the events alone, so that no crash, no import, no deletion and no second
    process can leave them wrong.

    Args:
        schedule: Makes cards of reviews.
    """

    def __init__(self, database: Database, schedule: Schedule) -> None:
        self._database = database
        self._schedule = schedule

    def cards(self, user_ids: Collection[str]) -> Mapping[str, tuple[Card, ...]]:
        """The cards of each of these people, by question and point."""
        self.catch_up(user_ids)
        c = t.cards.c
        query = select(t.cards).where(c.user_id.in_(user_ids)).order_by(c.user_id, c.question_id, c.point_id)
        found: dict[str, list[Card]] = {user_id: [] for user_id in user_ids}
        with self._database.read() as connection:
            for row in connection.execute(query).mappings():
                values = {name: row[name] for name in Card._fields}
                found[row["user_id"]].append(Card(**values | {"verdict": Verdict(row["verdict"])}))
        return {user_id: tuple(cards) for user_id, cards in found.items()}

    def reviews(
        self, user_ids: Collection[str], keys: Collection[PointKey] | None = None
    ) -> Mapping[str, tuple[Review, ...]]:
        """The reviews of each of these people, oldest first; with `keys` at least those of these points."""
        self.catch_up(user_ids)
        c = t.reviews.c
        query = select(t.reviews).where(c.user_id.in_(user_ids))
        if keys is not None and len(keys) <= _LISTED:
            query = query.where(c.question_id.in_({key.question_id for key in keys}))
        order = query.order_by(c.user_id, c.at, c.interview_id, c.index, c.question_id, c.point_id)
        found: dict[str, list[Review]] = {user_id: [] for user_id in user_ids}
        with self._database.read() as connection:
            for row in connection.execute(order).mappings():
                found[row["user_id"]].append(_review(row))
        return {user_id: tuple(reviews) for user_id, reviews in found.items()}

    def rebuild(self, user_id: str) -> None:
        """Makes all reviews and cards of a person anew from their events."""
        with self._database.write() as connection:
            _hold(connection, user_id)
            for table in (t.cards, t.reviews, t.remembered):
                connection.execute(delete(table).where(table.c.user_id == user_id))
        self.catch_up([user_id])

    def catch_up(self, user_ids: Collection[str]) -> None:
        """Makes good whatever happened since the reviews and cards of these people were written."""
        with self._database.read() as connection:
            behind = _behind(connection, user_ids)
        waiting: dict[str, list[str]] = defaultdict(list)
        for each in behind:
            waiting[each.user_id].append(each.interview_id)
        for user_id, interview_ids in waiting.items():
            for start in range(0, len(interview_ids), BATCH):
                self._derive(user_id, interview_ids[start : start + BATCH])
        with self._database.read() as connection:
            wrong = _wrong_cards(connection, user_ids)
        for user_id, keys in wrong.items():
            with self._database.write() as connection:
                _hold(connection, user_id)
                self._refold(connection, user_id, keys)

    def _derive(self, user_id: str, interview_ids: Collection[str]) -> None:
        """Puts the reviews that follow from these interviews now in place of those they had."""
        with self._database.write() as connection:
            _hold(connection, user_id)
            touched: set[PointKey] = set()
            for interview_id in interview_ids:
                touched |= _replace_reviews(connection, user_id, interview_id)
            self._refold(connection, user_id, touched)

    def _refold(self, connection: Connection, user_id: str, keys: Iterable[PointKey]) -> None:
        """Makes the cards of these points anew from their reviews."""
        c, r = t.cards.c, t.reviews.c
        by_key: dict[PointKey, list[Review]] = defaultdict(list)
        wanted = sorted(set(keys))
        questions = sorted({key.question_id for key in wanted})
        for start in range(0, len(questions), _LISTED):
            part = questions[start : start + _LISTED]
            query = select(t.reviews).where(r.user_id == user_id, r.question_id.in_(part))
            for row in connection.execute(query).mappings():
                review = _review(row)
                by_key[review.key].append(review)
        for key in wanted:
            same = (c.user_id == user_id, c.question_id == key.question_id, c.point_id == key.point_id)
            connection.execute(delete(t.cards).where(*same))
        rows = [{"user_id": user_id, **self._schedule.card(by_key[key])._asdict()} for key in wanted if key in by_key]
        if rows:
            connection.execute(insert(t.cards), rows)


def _hold(connection: Connection, user_id: str) -> None:
    """Keeps other processes from deriving for the same person; on SQLite the transaction does so by itself."""
    connection.execute(select(t.users.c.id).where(t.users.c.id == user_id).with_for_update())


def _behind(connection: Connection, user_ids: Collection[str]) -> list[_Behind]:
    """The interviews whose reviews are not those that follow from their events."""
    e, m = t.events.c, t.remembered.c
    counted = (
        select(e.user_id, e.interview_id, func.count().label("events"))
        .where(e.user_id.in_(user_ids), e.type.in_(EVENT_TYPES))
        .group_by(e.user_id, e.interview_id)
        .subquery()
    )
    query = (
        select(counted.c.user_id, counted.c.interview_id)
        .outerjoin(t.remembered, m.interview_id == counted.c.interview_id)
        .where(or_(m.interview_id.is_(None), m.events != counted.c.events, m.rules != RULES))
        .order_by(counted.c.user_id, counted.c.interview_id)
    )
    return [_Behind(*row) for row in connection.execute(query)]


def _wrong_cards(connection: Connection, user_ids: Collection[str]) -> Mapping[str, list[PointKey]]:
    """Cards with more or fewer reviews than there are, as after an interview was deleted."""
    c, r = t.cards.c, t.reviews.c
    same = and_(r.user_id == c.user_id, r.question_id == c.question_id, r.point_id == c.point_id)
    there_are = select(func.count()).where(same).correlate(t.cards).scalar_subquery()
    query = select(c.user_id, c.question_id, c.point_id).where(c.user_id.in_(user_ids), c.reviews != there_are)
    wrong: dict[str, list[PointKey]] = defaultdict(list)
    for row in connection.execute(query):
        wrong[row.user_id].append(PointKey(row.question_id, row.point_id))
    return wrong


def _replace_reviews(connection: Connection, user_id: str, interview_id: str) -> set[PointKey]:
    """Derives an interview's reviews; gives the points that have other reviews than before, or had some."""
    e, r = t.events.c, t.reviews.c
    query = select(e.type, e.payload).where(e.interview_id == interview_id, e.user_id == user_id).order_by(e.seq)
    stored = list(connection.execute(query))
    if not stored:
        return set()
    derived = reviews_of(interview_id, (EVENT.validate_python(row.payload) for row in stored))
    old = connection.execute(select(r.question_id, r.point_id).where(r.interview_id == interview_id))
    touched = {PointKey(*row) for row in old} | {review.key for review in derived}
    connection.execute(delete(t.reviews).where(r.interview_id == interview_id))
    if derived:
        connection.execute(insert(t.reviews), [_row(user_id, review) for review in derived])
    counted = sum(row.type in EVENT_TYPES for row in stored)
    values = {"interview_id": interview_id, "user_id": user_id, "events": counted, "rules": RULES}
    connection.execute(delete(t.remembered).where(t.remembered.c.interview_id == interview_id))
    connection.execute(insert(t.remembered).values(values))
    return touched


def _review(row: RowMapping) -> Review:
    values = {name: row[name] for name in Review._fields if name != "question_index"}
    return Review(**values | {"question_index": row["index"], "verdict": Verdict(row["verdict"])})


def _row(user_id: str, review: Review) -> dict[str, object]:
    values = review._asdict()
    return {"user_id": user_id, "index": values.pop("question_index"), **values}
