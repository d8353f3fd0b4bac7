"""Question sets: who owns them, and who may see them."""

from sqlalchemy import ColumnElement, or_, select

from interviewer.accounts.person import LOCAL, Person
from interviewer.sharing.readable import BANK, EVERYTHING, Readable
from interviewer.storage import tables as t
from interviewer.storage.database import Database


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
