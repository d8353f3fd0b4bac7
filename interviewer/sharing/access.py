"""Which question sets a person may read. Every read of questions for a person goes through this."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select

from interviewer.accounts.person import LOCAL, Person
from interviewer.storage import tables as t
from interviewer.storage.database import Database

BANK = "bank"
"""The shipped set, which everyone may read."""

_NONE = ("",)
"""No set has an empty name, so that this filters everything away where no name at all would filter nothing."""


class Readable(NamedTuple):
    """The sets somebody may read; `None` is every one there is."""

    sets: frozenset[str] | None

    def allows(self, name: str) -> bool:
        return self.sets is None or name in self.sets

    def narrow(self, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
        """What to filter by to see no more than is allowed of `wanted`; an empty `wanted` asks for everything."""
        if self.sets is None:
            return wanted
        return tuple(sorted(self.sets.intersection(wanted) if wanted else self.sets)) or _NONE


EVERYTHING = Readable(None)


class SetAccess:
    """Decides by the sets' visibility as it is at this moment."""

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
        query = select(t.question_sets.c.name).where(may_read(user_id, cohort))
        with self._database.read() as connection:
            return Readable(frozenset((BANK, *connection.scalars(query))))


def may_read(user_id: str, cohort: str | None) -> ColumnElement[bool]:
    """The condition on `question_sets` for somebody of a cohort."""
    c = t.question_sets.c
    shared = c.visibility == "everyone"
    if cohort is not None:
        shared = or_(shared, (c.visibility == "cohort") & (c.cohort_id == cohort))
    return or_(shared, c.owner_id == user_id)
