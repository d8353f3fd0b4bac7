"""Cohorts: people who practise together."""

from interviewer.accounts.audit import named, record
from interviewer.accounts.credentials import clean_name
from interviewer.accounts.errors import TakenError
from interviewer.accounts.keys import new_id
from interviewer.accounts.person import Person
from interviewer.accounts.rules import Clock, cohort_name, require_owner
from interviewer.accounts.values import Cohort
from interviewer.errors import ConflictError
from interviewer.storage.accounts import AccountStore


class Cohorts:
    """Kept by owners.

    Raises (all of them):
        ForbiddenError: if the acting person is no owner.
        MissingError: if there is no such cohort.
        TakenError: if another has that name.
        RefusedError: for a name that is none.
    """

    def __init__(self, store: AccountStore, now: Clock) -> None:
        self._store = store
        self._now = now

    def all(self, person: Person) -> tuple[Cohort, ...]:
        """All of them, by name."""
        with self._store.read() as rows:
            require_owner(rows, person)
            return rows.cohorts()

    def name_of(self, person: Person) -> str:
        """What the own cohort is called; empty for none."""
        with self._store.read() as rows:
            return (rows.cohort_name(person.cohort) or "") if person.cohort else ""

    def create(self, person: Person, name: str) -> Cohort:
        cohort = Cohort(id=new_id(), name=clean_name(name), people=0)
        try:
            with self._store.write() as rows:
                require_owner(rows, person)
                rows.add_cohort(cohort.id, cohort.name, self._now())
                record(rows, self._now(), person, "cohort created", named(cohort.name, cohort.id))
        except ConflictError as error:
            raise TakenError("accounts_cohort_taken") from error
        return cohort

    def rename(self, person: Person, cohort_id: str, name: str) -> None:
        after = clean_name(name)
        try:
            with self._store.write() as rows:
                require_owner(rows, person)
                before = cohort_name(rows, cohort_id)
                rows.rename_cohort(cohort_id, after)
                target = named(after, cohort_id)
                record(rows, self._now(), person, "cohort renamed", target, before=before, after=after)
        except ConflictError as error:
            raise TakenError("accounts_cohort_taken") from error

    def delete(self, person: Person, cohort_id: str) -> None:
        """Its people stay without a cohort; its open invitations and its assignments go with it."""
        with self._store.write() as rows:
            require_owner(rows, person)
            name = cohort_name(rows, cohort_id)
            rows.remove_cohort(cohort_id)
            record(rows, self._now(), person, "cohort deleted", named(name, cohort_id))
