"""People, cohorts and the audit log as rows; the rules are in `interviewer.accounts`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from interviewer.accounts.values import Account, AuditEntry, Cohort
from interviewer.errors import ConflictError
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.storage.sign_ins import Attempts, Links, SignIns, Tokens

GONE = "gone"
"""Stands where the id of a person stood who was removed."""

# Any number, the same for all processes; migrations have 7860.
_LOCK = 7861

u = t.users.c
# A row alone is no account: the local person, and whoever was only named by an interview, can't sign in.
_IS_ACCOUNT: ColumnElement[bool] = or_(u.login.is_not(None), u.subject.is_not(None))


def _goes_with_its_person(table: Table) -> bool:
    keys = table.c["user_id"].foreign_keys if "user_id" in table.c else ()
    return any(key.ondelete == "CASCADE" for key in keys)


_OWN = [table for table in t.metadata.sorted_tables if _goes_with_its_person(table)]
_OWN = [table for table in _OWN if table not in (t.sign_ins, t.links)]


class AccountStore:
    """Opens what the services of accounts work on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def read(self) -> Iterator["AccountRows"]:
        """For reading."""
        with self._database.read() as connection:
            yield AccountRows(connection)

    @contextmanager
    def write(self) -> Iterator["AccountRows"]:
        """One transaction: all of it or nothing. They come one after the other, as SQLite has it anyway, so that what
        one has read still holds when it writes.

        Raises:
            ConflictError: if something unique is there already.
        """
        try:
            with self._database.write() as connection:
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                yield AccountRows(connection)
        except IntegrityError as error:
            raise ConflictError("It is taken.", next_step="Choose another.") from error


class AccountRows:
    """People and cohorts in one transaction, with the rows of how they come in.

    Attributes:
        links, sign_ins, attempts, tokens: See `interviewer.storage.sign_ins`.
        audit: What was done.
    """

    def __init__(self, connection: Connection) -> None:
        self._run = connection
        self.links = Links(connection)
        self.sign_ins = SignIns(connection)
        self.attempts = Attempts(connection)
        self.tokens = Tokens(connection)
        self.audit = Audit(connection)

    def any_account(self) -> bool:
        return self._run.scalar(select(u.id).where(_IS_ACCOUNT).limit(1)) is not None

    def account(self, user_id: str) -> Account | None:
        """The account with that id; None for none, also where only a row without a login is there."""
        return self._one(u.id == user_id)

    def by_login(self, login: str) -> Account | None:
        return self._one(u.login == login)

    def by_subject(self, subject: str) -> Account | None:
        return self._one(u.subject == subject)

    def _one(self, condition: ColumnElement[bool]) -> Account | None:
        row = self._run.execute(select(t.users).where(condition, _IS_ACCOUNT)).one_or_none()
        return account_of(row) if row else None

    def accounts(self, *, cohort: str | None = None) -> tuple[Account, ...]:
        """All of them, or those of one cohort, by name."""
        query = select(t.users).where(_IS_ACCOUNT).order_by(func.lower(u.name), u.id)
        if cohort is not None:
            query = query.where(u.cohort_id == cohort)
        return tuple(account_of(row) for row in self._run.execute(query))

    def owners(self) -> frozenset[str]:
        """Ids of the owners who can sign in."""
        query = select(u.id).where(_IS_ACCOUNT, u.role == "owner", u.disabled_at.is_(None))
        return frozenset(self._run.scalars(query))

    def password_of(self, user_id: str) -> str | None:
        return self._run.scalar(select(u.password).where(u.id == user_id))

    def has(self, user_id: str) -> bool:
        """Whether there is a row, of an account or not."""
        return self._run.scalar(select(u.id).where(u.id == user_id)) is not None

    def add(self, user_id: str, at: datetime, **values: Any) -> None:
        """Adds a person; columns as in the table `users`."""
        self._run.execute(insert(t.users).values(id=user_id, created_at=at, **values))

    def change(self, user_id: str, **values: Any) -> None:
        self._run.execute(update(t.users).where(u.id == user_id).values(**values))

    def clear(self, user_id: str) -> None:
        """Removes every row of theirs, and the sets only they can see; the account and its sign-ins stay."""
        for table in _OWN:
            self._run.execute(delete(table).where(table.c.user_id == user_id))
        sets = t.question_sets.c
        private = list(
            self._run.scalars(select(sets.name).where(sets.owner_id == user_id, sets.visibility == "private"))
        )
        for table in (t.questions, t.documents):
            self._run.execute(delete(table).where(table.c.set.in_(private)))
        self._run.execute(delete(t.question_sets).where(sets.name.in_(private)))

    def remove(self, user_id: str) -> None:
        """Removes a person with everything theirs; versions of shared questions stay, made by `gone`."""
        self.clear(user_id)
        versions = t.question_versions
        self._run.execute(update(versions).where(versions.c.user_id == user_id).values(user_id=GONE))
        self._run.execute(delete(t.users).where(u.id == user_id))

    def cohorts(self) -> tuple[Cohort, ...]:
        """All of them, by name."""
        c = t.cohorts.c
        people = and_(u.cohort_id == c.id, _IS_ACCOUNT)
        query = (
            select(c.id, c.name, func.count(u.id).label("people"))
            .select_from(t.cohorts.outerjoin(t.users, people))
            .group_by(c.id, c.name)
            .order_by(func.lower(c.name), c.id)
        )
        return tuple(Cohort(id=row.id, name=row.name, people=row.people) for row in self._run.execute(query))

    def cohort_name(self, cohort_id: str) -> str | None:
        return self._run.scalar(select(t.cohorts.c.name).where(t.cohorts.c.id == cohort_id))

    def add_cohort(self, cohort_id: str, name: str, at: datetime) -> None:
        self._run.execute(insert(t.cohorts).values(id=cohort_id, name=name, created_at=at))

    def rename_cohort(self, cohort_id: str, name: str) -> None:
        self._run.execute(update(t.cohorts).where(t.cohorts.c.id == cohort_id).values(name=name))

    def remove_cohort(self, cohort_id: str) -> None:
        """Its people stay, without one; its invitations and assignments go; its sets become their owners' alone."""
        sets = t.question_sets.c
        shared = (sets.cohort_id == cohort_id) & (sets.visibility == "cohort")
        self._run.execute(update(t.question_sets).where(shared).values(visibility="private"))
        self._run.execute(update(t.users).where(u.cohort_id == cohort_id).values(cohort_id=None))
        self._run.execute(delete(t.cohorts).where(t.cohorts.c.id == cohort_id))


class Audit:
    """The audit log."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection

    def add(self, at: datetime, *, actor_id: str, actor_name: str, action: str, target: str, **details: str) -> None:
        values = {"at": at, "actor_id": actor_id, "actor_name": actor_name, "action": action}
        self._run.execute(insert(t.audit).values(**values, target=target[:200], details=details))

    def page(self, *, before: int | None, limit: int) -> Sequence[AuditEntry]:
        """The newest first, from below the id `before`."""
        query = select(t.audit).order_by(t.audit.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(t.audit.c.id < before)
        return tuple(AuditEntry.model_validate(dict(row._mapping)) for row in self._run.execute(query))


def account_of(row: Row[Any]) -> Account:
    """The account in a row of `users`."""
    return Account(
        id=row.id,
        name=row.name,
        login=row.login,
        role=row.role,
        cohort=row.cohort_id,
        disabled=row.disabled_at is not None,
        password=row.password is not None,
        provider=row.subject is not None,
        created_at=row.created_at,
    )
