"""Interviews as append-only events."""

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from interviewer.interview.events import EVENT, InterviewEvent
from interviewer.interview.ports import StoredInterview
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.worded import OvertakenError, UnknownError


class InterviewStore:
    """Reads and appends events; every call names the user, and another user's interview does not exist for them."""

    def __init__(self, database: Database, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._now = now

    def create(self, user_id: str, events: Sequence[InterviewEvent]) -> str:
        """Stores a new interview with its first events; gives its id."""
        with self._database.write() as connection:
            return insert_interview(connection, user_id, events, self._now())

    def append(self, user_id: str, interview_id: str, events: Sequence[InterviewEvent], *, at: int) -> None:
        """Stores `events` from position `at` on, all or none.

        Raises:
            ConflictError: if something is stored at that position already.
            NotFoundError: if this user has no such interview.
        """
        if not events:
            return
        try:
            with self._database.write() as connection:
                owner = select(t.interviews.c.id).where(
                    t.interviews.c.id == interview_id, t.interviews.c.user_id == user_id
                )
                if connection.scalar(owner) is None:
                    raise _not_found(interview_id)
                connection.execute(insert(t.events), _rows(user_id, interview_id, events, at=at))
        except IntegrityError as error:
            raise OvertakenError("error_other_window") from error

    def load(self, user_id: str, interview_id: str) -> tuple[InterviewEvent, ...]:
        """All events of an interview.

        Raises:
            NotFoundError: if this user has no such interview.
        """
        query = (
            select(t.events.c.payload)
            .where(t.events.c.interview_id == interview_id, t.events.c.user_id == user_id)
            .order_by(t.events.c.seq)
        )
        with self._database.read() as connection:
            events = tuple(EVENT.validate_python(payload) for payload in connection.scalars(query))
        if not events:
            raise _not_found(interview_id)
        return events

    def recent(self, user_id: str, *, limit: int, types: Sequence[str] = ()) -> tuple[StoredInterview, ...]:
        """The user's newest interviews, newest first, with their events (only of `types`, if given)."""
        newest = (
            select(t.interviews.c.id)
            .where(t.interviews.c.user_id == user_id)
            .order_by(t.interviews.c.created_at.desc(), t.interviews.c.id)
            .limit(limit)
        )
        with self._database.read() as connection:
            ids = list(connection.scalars(newest))
        return self._with_events(user_id, ids, types)

    def some(self, user_id: str, interview_ids: Collection[str]) -> tuple[StoredInterview, ...]:
        """These interviews as far as they are this user's, in one query."""
        return tuple(each for each in self._with_events(user_id, interview_ids, ()) if each.events)

    def _with_events(
        self, user_id: str, interview_ids: Collection[str], types: Sequence[str]
    ) -> tuple[StoredInterview, ...]:
        e = t.events.c
        query = select(e.interview_id, e.payload).where(e.interview_id.in_(interview_ids), e.user_id == user_id)
        if types:
            query = query.where(e.type.in_(types))
        found: dict[str, list[InterviewEvent]] = {key: [] for key in interview_ids}
        with self._database.read() as connection:
            for row in connection.execute(query.order_by(e.interview_id, e.seq)):
                found[row.interview_id].append(EVENT.validate_python(row.payload))
        return tuple(StoredInterview(key, tuple(events)) for key, events in found.items())

    def delete(self, user_id: str, interview_id: str) -> None:
        """Removes an interview for good.

        Raises:
            NotFoundError: if this user has no such interview.
        """
        mine = (t.interviews.c.id == interview_id) & (t.interviews.c.user_id == user_id)
        with self._database.write() as connection:
            if not connection.execute(delete(t.interviews).where(mine)).rowcount:
                raise _not_found(interview_id)


def insert_interview(connection: Connection, user_id: str, events: Sequence[InterviewEvent], now: datetime) -> str:
    """A new interview with its first events, within a transaction; gives its id."""
    interview_id = secrets.token_hex(12)
    known = connection.scalar(select(t.users.c.id).where(t.users.c.id == user_id))
    if known is None:
        connection.execute(insert(t.users).values(id=user_id, created_at=now))
    connection.execute(insert(t.interviews).values(id=interview_id, user_id=user_id, created_at=events[0].at))
    connection.execute(insert(t.events), _rows(user_id, interview_id, events, at=0))
    return interview_id


def _rows(user_id: str, interview_id: str, events: Sequence[InterviewEvent], *, at: int) -> list[dict[str, object]]:
    return [
        {
            "interview_id": interview_id,
            "seq": at + offset,
            "user_id": user_id,
            "type": event.type,
            "at": event.at,
            "payload": event.model_dump(mode="json"),
        }
        for offset, event in enumerate(events)
    ]


def _not_found(interview_id: str) -> UnknownError:
    return UnknownError("error_no_interview", id=interview_id)
