"""Question sets: who owns them, who may see them, and how much is in them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from interviewer.accounts.errors import TakenError
from interviewer.accounts.person import LOCAL, Person
from interviewer.sharing.readable import BANK, EVERYTHING, Readable
from interviewer.sharing.rights import QuestionSet, Visibility
from interviewer.storage import tables as t
from interviewer.storage.database import Database


class SetCounts(NamedTuple):
    """How many questions of a set are asked, and how many wait for review for the first time."""

    live: int = 0
    drafts: int = 0


class SetStore:
    """Sets by name; what may be read is decided by their visibility as it is at this moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def readable(self, person: Person) -> Readable:
        """What `person` may read: their own sets, those of their cohort, everyone's; at home all."""
        if not person.team:
            return EVERYTHING
        return self._sets(person.id, person.cohort)

    def readable_by(self, user_id: str) -> Readable:
        """The same where only an id is known, for work that goes on when the person has gone."""
        if user_id == LOCAL.id:
            return EVERYTHING
        query = select(t.users.c.cohort_id).where(t.users.c.id == user_id)
        with self._database.read() as connection:
            cohort = connection.scalar(query)
        return self._sets(user_id, cohort)

    def _sets(self, user_id: str, cohort: str | None) -> Readable:
        query = select(t.question_sets.c.name).where(_may_read(user_id, cohort))
        with self._database.read() as connection:
            return Readable(frozenset((BANK, *connection.scalars(query))))

    def get(self, name: str) -> QuestionSet | None:
        with self._database.read() as connection:
            row = connection.execute(_named().where(t.question_sets.c.name == name)).one_or_none()
        return QuestionSet.model_validate(row._asdict()) if row else None

    def all(self, readable: Readable) -> tuple[QuestionSet, ...]:
        """Every readable set, by name."""
        query = _named().order_by(t.question_sets.c.name)
        with self._database.read() as connection:
            found = [QuestionSet.model_validate(row._asdict()) for row in connection.execute(query)]
        return tuple(known for known in found if readable.allows(known.name))

    def counts(self) -> dict[str, SetCounts]:
        """By set, for those that have questions."""
        c = t.questions.c
        live, drafts = (func.count().filter(c.state == state) for state in ("live", "draft"))
        query = select(c.set, live, drafts).where(~c.retired).group_by(c.set)
        with self._database.read() as connection:
            return {name: SetCounts(*counts) for name, *counts in connection.execute(query)}

    def add(self, known: QuestionSet) -> None:
        """Keeps a new set.

        Raises:
            ConflictError: if somebody made one of that name in the meantime.
        """
        values = known.model_dump(exclude={"owner", "cohort", "owner_name", "cohort_name"})
        try:
            with self._database.write() as connection:
                if known.owner is not None:
                    ensure_user(connection, known.owner, known.created_at)
                row = insert(t.question_sets).values(owner_id=known.owner, cohort_id=known.cohort, **values)
                connection.execute(row)
        except IntegrityError as error:
            raise TakenError("sharing_just_made", name=known.name) from error

    def describe(self, name: str, *, source: str, licence: str) -> None:
        self._change(name, source=source, licence=licence)

    def show_to(self, name: str, visibility: Visibility, cohort: str | None) -> None:
        self._change(name, visibility=visibility, cohort_id=cohort)

    def hold_back(self, name: str, at: datetime) -> tuple[str, ...]:
        """Makes every question of a set wait for review; gives the ids of those that were asked until now."""
        c = t.questions.c
        asked = (c.set == name) & (c.state == "live")
        with self._database.write() as connection:
            ids = tuple(connection.scalars(select(c.id).where(asked, ~c.retired)))
            connection.execute(update(t.questions).where(asked).values(state="draft", updated_at=at))
        return ids

    def delete(self, name: str) -> tuple[str, ...]:
        """Removes a set with its questions, their versions and documents; gives the questions' ids."""
        c = t.questions.c
        with self._database.write() as connection:
            ids = tuple(connection.scalars(select(c.id).where(c.set == name)))
            connection.execute(delete(t.questions).where(c.set == name))
            connection.execute(delete(t.documents).where(t.documents.c.set == name))
            connection.execute(delete(t.question_sets).where(t.question_sets.c.name == name))
        return ids

    def _change(self, name: str, **values: Any) -> None:
        with self._database.write() as connection:
            connection.execute(update(t.question_sets).where(t.question_sets.c.name == name).values(**values))


def ensure_user(connection: Connection, user_id: str, at: datetime) -> None:
    """The person at home has no row before something of theirs is stored."""
    if connection.scalar(select(t.users.c.id).where(t.users.c.id == user_id)) is None:
        connection.execute(insert(t.users).values(id=user_id, created_at=at))


def people_names(connection: Connection, ids: Iterable[str | None]) -> dict[str, str]:
    """How people are called, by id; who is gone is not there."""
    query = select(t.users.c.id, t.users.c.name).where(t.users.c.id.in_({i for i in ids if i}))
    return {user_id: name for user_id, name in connection.execute(query)}


def _may_read(user_id: str, cohort: str | None) -> ColumnElement[bool]:
    """`interviewer.sharing.rights.may_read` as a condition, for somebody of a team."""
    c = t.question_sets.c
    shared = c.visibility == "everyone"
    if cohort is not None:
        shared = or_(shared, (c.visibility == "cohort") & (c.cohort_id == cohort))
    return or_(shared, c.owner_id == user_id)


def _named() -> Select[Any]:
    s, u, g = t.question_sets.c, t.users.c, t.cohorts.c
    tables = t.question_sets.outerjoin(t.users, u.id == s.owner_id).outerjoin(t.cohorts, g.id == s.cohort_id)
    return select(
        s.name,
        s.owner_id.label("owner"),
        s.visibility,
        s.cohort_id.label("cohort"),
        s.source,
        s.licence,
        s.created_at,
        func.coalesce(u.name, "").label("owner_name"),
        func.coalesce(g.name, "").label("cohort_name"),
    ).select_from(tables)
