"""Coming in by a link: the first owner, invited people, and a new password."""

from datetime import timedelta
from typing import Any

from interviewer.accounts.audit import Action, named, record
from interviewer.accounts.credentials import check_password, clean_login, clean_name
from interviewer.accounts.errors import BadLinkError, ForbiddenError, MissingError, RefusedError, TakenError
from interviewer.accounts.keys import hash_of, id_of, new_id, new_token
from interviewer.accounts.passwords import Passwords
from interviewer.accounts.person import LOCAL, ROLES, Person, Role
from interviewer.accounts.rules import OPERATOR, Clock, cohort_name, require_owner, the_account
from interviewer.accounts.values import Account, Link, LinkKind, NewLink
from interviewer.errors import ConflictError
from interviewer.storage.accounts import AccountRows, AccountStore

INVITATION_LASTS = timedelta(days=7)
RESET_LASTS = timedelta(hours=24)
OWNER_LINK_LASTS = timedelta(hours=24)
_KEPT_AFTERWARDS = timedelta(days=30)


class Links:
    """Links are shown once, kept as hashes, expire, and work once."""

    def __init__(self, store: AccountStore, passwords: Passwords, now: Clock) -> None:
        self._store = store
        self._passwords = passwords
        self._now = now

    def owner_link(self) -> NewLink:
        """The link that creates the first owner, for 24 hours; only for the machine's own command line to show.

        Raises:
            TakenError: if there are accounts already.
        """
        with self._store.write() as rows:
            if rows.any_account():
                raise TakenError("accounts_owner_exists")
            record(rows, self._now(), OPERATOR, "owner link made", "")
            return self._add(rows, "owner", "owner", OWNER_LINK_LASTS)

    def invite(self, person: Person, role: Role = "member", cohort_id: str | None = None) -> NewLink:
        """An invitation for 7 days.

        Raises:
            ForbiddenError: if `person` is no owner, or nobody is yet.
            MissingError: if there is no such role or cohort.
        """
        if role not in ROLES:
            raise MissingError("accounts_no_role")
        with self._store.write() as rows:
            require_owner(rows, person)
            if not rows.owners():
                raise ForbiddenError("accounts_no_owner")
            rows.links.forget(self._now() - _KEPT_AFTERWARDS)
            cohort = cohort_name(rows, cohort_id) if cohort_id is not None else ""
            new = self._add(rows, "invite", role, INVITATION_LASTS, cohort_id=cohort_id, created_by=_author(person))
            record(rows, self._now(), person, "invitation made", new.link.id, role=role, cohort=cohort)
        return new

    def reset_link(self, person: Person, user_id: str) -> NewLink:
        """A link that sets somebody's password, for 24 hours; earlier ones stop working.

        Raises:
            ForbiddenError: if `person` is no owner.
            MissingError: if there is no such person.
            RefusedError: if they are disabled or have no login.
        """
        with self._store.write() as rows:
            require_owner(rows, person)
            account = the_account(rows, user_id)
            if account.disabled or account.login is None:
                raise RefusedError("accounts_no_reset")
            rows.links.revoke_resets(user_id)
            author = _author(person)
            new = self._add(rows, "reset", account.role, RESET_LASTS, user_id=user_id, created_by=author)
            record(rows, self._now(), person, "reset link made", named(account.name, account.id))
        return new

    def open(self, person: Person) -> tuple[Link, ...]:
        """Open invitations and reset links, the newest first; for owners.

        Raises:
            ForbiddenError: if `person` is no owner.
        """
        with self._store.read() as rows:
            require_owner(rows, person)
            return rows.links.open(self._now())

    def revoke(self, person: Person, link_id: str) -> None:
        """Makes an open link worthless.

        Raises:
            ForbiddenError: if `person` is no owner.
            MissingError: if no such link is open.
        """
        with self._store.write() as rows:
            require_owner(rows, person)
            if not rows.links.revoke(link_id):
                raise MissingError("accounts_no_link")
            record(rows, self._now(), person, "link revoked", link_id)

    def look_at(self, token: str) -> Link:
        """What an open link is for.

        Raises:
            BadLinkError: if it is not open.
        """
        with self._store.read() as rows:
            return self._open(rows, token)

    def accept(self, token: str, *, login: str, name: str, password: str) -> Person:
        """Creates the person an owner link or an invitation is for; the link works no more.

        Raises:
            BadLinkError: if it is not open, or sets a password.
            RefusedError: for a login, name or password that can't be taken; the link stays open.
            TakenError: if the login is in use; the link stays open.
        """
        if self.look_at(token).kind == "reset":
            raise BadLinkError("accounts_bad_link")
        values = self._new_login(login, name, password)
        try:
            with self._store.write() as rows:
                return self.admit(rows, token, **values).person
        except ConflictError as error:
            raise error if isinstance(error, RefusedError) else TakenError("accounts_login_taken") from error

    def claim(self, person: Person, *, login: str, name: str, password: str) -> Person:
        """Gives the local person a login, which switches accounts on; what they have stays theirs.

        Raises:
            TakenError: if there are accounts already, or `person` is not the local one.
            RefusedError: for a login, name or password that can't be taken.
        """
        values = self._new_login(login, name, password)
        if person != LOCAL:
            raise TakenError("accounts_owner_exists")
        with self._store.write() as rows:
            return self._first_owner(rows, values).person

    def admit(self, rows: AccountRows, token: str, **values: Any) -> Account:
        """Uses up an owner link or an invitation for a new person with these columns, in the transaction of `rows`.

        Raises:
            BadLinkError: if it is not open.
            ConflictError: at the transaction's end, if the login or subject is in use.
        """
        link = self._open(rows, token)
        if link.kind == "reset" or not rows.links.use(hash_of(token), self._now()):
            raise BadLinkError("accounts_bad_link")
        if link.kind == "owner":
            return self._first_owner(rows, values)
        user_id = new_id()
        rows.add(user_id, self._now(), role=link.role, cohort_id=link.cohort, **values)
        return self._came(rows, user_id, "invitation used", link=link.id)

    def reset(self, token: str, password: str) -> Person:
        """Sets the password a reset link is for, and signs them out everywhere.

        Raises:
            BadLinkError: if it is not open or for something else.
            RefusedError: for a password that can't be taken; the link stays open.
        """
        with self._store.read() as rows:
            account = self._whose(rows, self._open(rows, token))
        hashed = self._passwords.hash(check_password(password, login=account.login or "", name=account.name))
        with self._store.write() as rows:
            account = self._whose(rows, self._open(rows, token))
            if not rows.links.use(hash_of(token), self._now()):
                raise BadLinkError("accounts_bad_link")
            rows.change(account.id, password=hashed)
            rows.sign_ins.end_all(account.id)
            record(rows, self._now(), account, "reset link used", named(account.name, account.id))
        return account.person

    def _new_login(self, login: str, name: str, password: str) -> dict[str, str]:
        kept, called = clean_login(login), clean_name(name)
        folded = check_password(password, login=kept, name=called)
        return {"login": kept, "name": called, "password": self._passwords.hash(folded)}

    def _first_owner(self, rows: AccountRows, values: dict[str, Any]) -> Account:
        """The row of the local person becomes theirs, with all that hangs on it."""
        if rows.any_account():
            raise TakenError("accounts_owner_exists")
        if not rows.has(LOCAL.id):
            rows.add(LOCAL.id, self._now())
        rows.change(LOCAL.id, role="owner", **values)
        rows.links.revoke_owner_links()
        return self._came(rows, LOCAL.id, "owner created")

    def _came(self, rows: AccountRows, user_id: str, action: Action, **details: str) -> Account:
        account = the_account(rows, user_id)
        target = named(account.name, account.id)
        record(rows, self._now(), account, action, target, role=account.role, **details)
        return account

    def _open(self, rows: AccountRows, token: str) -> Link:
        link = rows.links.find(hash_of(token), self._now())
        if link is None:
            raise BadLinkError("accounts_bad_link")
        return link

    def _whose(self, rows: AccountRows, link: Link) -> Account:
        account = rows.account(link.user_id) if link.kind == "reset" and link.user_id else None
        if account is None or account.disabled:
            raise BadLinkError("accounts_bad_link")
        return account

    def _add(self, rows: AccountRows, kind: LinkKind, role: Role, lasts: timedelta, **values: str | None) -> NewLink:
        token, now = new_token(), self._now()
        rows.links.add(hash_of(token), kind, role, now, now + lasts, **values)
        link = Link(
            id=id_of(hash_of(token)),
            kind=kind,
            role=role,
            cohort=values.get("cohort_id"),
            user_id=values.get("user_id"),
            created_by=values.get("created_by"),
            created_at=now,
            expires_at=now + lasts,
        )
        return NewLink(token, link)


def _author(person: Person) -> str | None:
    """The command line is nobody in the table of people."""
    return None if person.id == OPERATOR.id else person.id
