"""How people come in, as rows: links, sign-ins, attempts and API tokens. Only hashes of secrets come here."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.values import ApiToken, Link, LinkKind, Scope
from interviewer.storage import tables as t

ID_LENGTH = 16
"""How many characters of a hash name a link or a sign-in on a page."""


class Links:
    """Invitations, reset links, and the owner's link."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection

    def add(self, hash: str, kind: LinkKind, role: str, at: datetime, expires: datetime, **values: str | None) -> None:
        """Columns as in the table `links`."""
        row = {"hash": hash, "kind": kind, "role": role, "created_at": at, "expires_at": expires}
        self._run.execute(insert(t.links).values(**row, **values))

    def find(self, hash: str, now: datetime) -> Link | None:
        """The link if it is open."""
        c = t.links.c
        query = select(t.links).where(c.hash == hash, c.used_at.is_(None), c.expires_at > now)
        row = self._run.execute(query).one_or_none()
        return _link(row) if row else None

    def use(self, hash: str, now: datetime) -> bool:
        """Marks an open link as used; False if it is not open, so that of two who try, one gets True."""
        c = t.links.c
        done = self._run.execute(
            update(t.links).where(c.hash == hash, c.used_at.is_(None), c.expires_at > now).values(used_at=now)
        )
        return done.rowcount == 1

    def open(self, now: datetime) -> tuple[Link, ...]:
        """Open invitations and reset links, the newest first."""
        c = t.links.c
        query = select(t.links).where(c.used_at.is_(None), c.expires_at > now, c.kind != "owner")
        return tuple(_link(row) for row in self._run.execute(query.order_by(c.created_at.desc(), c.hash)))

    def revoke(self, link_id: str) -> bool:
        c = t.links.c
        found = func.substr(c.hash, 1, ID_LENGTH) == link_id
        return self._run.execute(delete(t.links).where(found, c.used_at.is_(None), c.kind != "owner")).rowcount > 0

    def revoke_of(self, user_id: str) -> None:
        """Open links somebody made or that set their password."""
        c = t.links.c
        theirs = or_(c.created_by == user_id, c.user_id == user_id)
        self._run.execute(delete(t.links).where(theirs, c.used_at.is_(None)))

    def revoke_resets(self, user_id: str) -> None:
        """Open links that set somebody's password."""
        c = t.links.c
        self._run.execute(delete(t.links).where(c.user_id == user_id, c.used_at.is_(None)))

    def revoke_owner_links(self) -> None:
        self._run.execute(delete(t.links).where(t.links.c.kind == "owner", t.links.c.used_at.is_(None)))

    def forget(self, before: datetime) -> None:
        """Removes what expired before a moment."""
        self._run.execute(delete(t.links).where(t.links.c.expires_at < before))


class FoundSignIn(NamedTuple):
    """A living sign-in and who it is."""

    person: Person
    seen_at: datetime


# Built once, because every request asks it.
_LIVING = (
    select(t.sign_ins.c.seen_at, t.users.c.id, t.users.c.name, t.users.c.role, t.users.c.cohort_id)
    .join_from(t.sign_ins, t.users)
    .where(
        t.sign_ins.c.hash == bindparam("hash"),
        t.sign_ins.c.expires_at > bindparam("now"),
        t.sign_ins.c.seen_at > bindparam("seen_after"),
        t.users.c.disabled_at.is_(None),
    )
)


class SignIns:
    """Browsers people are signed in with."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection

    def add(self, hash: str, user_id: str, at: datetime, expires: datetime, browser: str) -> None:
        row = {"hash": hash, "user_id": user_id, "created_at": at, "seen_at": at, "expires_at": expires}
        self._run.execute(insert(t.sign_ins).values(**row, browser=browser))

    def find(self, hash: str, now: datetime, seen_after: datetime) -> FoundSignIn | None:
        """Who it is, as they are at this moment; None for what expired, slept too long, or is a disabled person's."""
        row = self._run.execute(_LIVING, {"hash": hash, "now": now, "seen_after": seen_after}).one_or_none()
        return FoundSignIn(_person(row), row.seen_at) if row else None

    def touch(self, hash: str, now: datetime) -> None:
        self._run.execute(update(t.sign_ins).where(t.sign_ins.c.hash == hash).values(seen_at=now))

    def of(self, user_id: str, now: datetime, seen_after: datetime) -> Sequence[Row[Any]]:
        """Those of one person that live, the last used first."""
        c = t.sign_ins.c
        query = select(t.sign_ins).where(c.user_id == user_id, c.expires_at > now, c.seen_at > seen_after)
        return self._run.execute(query.order_by(c.seen_at.desc(), c.hash)).all()

    def last_seen(self) -> dict[str, datetime]:
        """When each person who is signed in somewhere was there last."""
        c = t.sign_ins.c
        query = select(c.user_id, func.max(c.seen_at).label("seen_at")).group_by(c.user_id)
        return {row.user_id: row.seen_at for row in self._run.execute(query)}

    def end(self, hash: str) -> None:
        self._run.execute(delete(t.sign_ins).where(t.sign_ins.c.hash == hash))

    def end_one(self, user_id: str, sign_in_id: str) -> bool:
        c = t.sign_ins.c
        found = func.substr(c.hash, 1, ID_LENGTH) == sign_in_id
        return self._run.execute(delete(t.sign_ins).where(c.user_id == user_id, found)).rowcount > 0

    def end_all(self, user_id: str, *, but: str | None = None) -> None:
        """All of one person, but the one with the hash `but`."""
        c = t.sign_ins.c
        query = delete(t.sign_ins).where(c.user_id == user_id)
        self._run.execute(query if but is None else query.where(c.hash != but))

    def forget(self, now: datetime, seen_before: datetime) -> None:
        """Removes what expired or slept too long."""
        c = t.sign_ins.c
        self._run.execute(delete(t.sign_ins).where(or_(c.expires_at <= now, c.seen_at <= seen_before)))


class Attempts:
    """Wrong passwords, and those still being looked at, by the hash of a login or an address."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection

    def since(self, key: str, moment: datetime) -> tuple[datetime, ...]:
        """When, the oldest first."""
        c = t.sign_in_attempts.c
        return tuple(self._run.scalars(select(c.at).where(c.key == key, c.at > moment).order_by(c.at, c.id)))

    def add(self, key: str, at: datetime) -> int:
        """Gives the id of the attempt."""
        done = self._run.execute(insert(t.sign_in_attempts).values(key=key, at=at))
        assert done.inserted_primary_key is not None
        return int(done.inserted_primary_key[0])

    def remove(self, attempt_id: int) -> None:
        self._run.execute(delete(t.sign_in_attempts).where(t.sign_in_attempts.c.id == attempt_id))

    def clear(self, key: str) -> None:
        self._run.execute(delete(t.sign_in_attempts).where(t.sign_in_attempts.c.key == key))

    def forget(self, before: datetime) -> None:
        self._run.execute(delete(t.sign_in_attempts).where(t.sign_in_attempts.c.at <= before))


class FoundToken(NamedTuple):
    """A living API token."""

    person: Person
    scopes: tuple[Scope, ...]
    used_at: datetime | None


class Tokens:
    """API tokens."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection

    def add(self, hash: str, user_id: str, token: ApiToken) -> None:
        row = token.model_dump() | {"scopes": list(token.scopes)}
        self._run.execute(insert(t.tokens).values(hash=hash, user_id=user_id, **row))

    def of(self, user_id: str) -> tuple[ApiToken, ...]:
        """All of one person, also expired ones, the newest first."""
        c = t.tokens.c
        query = select(c.id, c.name, c.scopes, c.created_at, c.used_at, c.expires_at).where(c.user_id == user_id)
        rows = self._run.execute(query.order_by(c.created_at.desc(), c.id))
        return tuple(ApiToken.model_validate(dict(row._mapping)) for row in rows)

    def find(self, hash: str, now: datetime) -> FoundToken | None:
        """Who it stands for, as they are at this moment; at home, the local person."""
        c, u = t.tokens.c, t.users.c
        query = (
            select(c.scopes, c.used_at, u.id, u.name, u.role, u.cohort_id, u.login, u.subject)
            .join_from(t.tokens, t.users)
            .where(c.hash == hash, c.expires_at > now, u.disabled_at.is_(None))
        )
        row = self._run.execute(query).one_or_none()
        if row is None:
            return None
        person = LOCAL if row.login is None and row.subject is None else _person(row)
        return FoundToken(person, tuple(row.scopes), row.used_at)

    def touch(self, hash: str, now: datetime) -> None:
        self._run.execute(update(t.tokens).where(t.tokens.c.hash == hash).values(used_at=now))

    def revoke(self, user_id: str, token_id: str) -> bool:
        c = t.tokens.c
        return self._run.execute(delete(t.tokens).where(c.user_id == user_id, c.id == token_id)).rowcount > 0


def _person(row: Any) -> Person:
    return Person(id=row.id, name=row.name, role=row.role, cohort=row.cohort_id)


def _link(row: Row[Any]) -> Link:
    return Link(
        id=row.hash[:ID_LENGTH],
        kind=row.kind,
        role=row.role,
        cohort=row.cohort_id,
        user_id=row.user_id,
        created_by=row.created_by,
        created_at=row.created_at,
        expires_at=row.expires_at,
    )
