"""Signing in with a password, who is signed in, and signing out."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple

from interviewer.accounts.audit import named, record
from interviewer.accounts.credentials import LOGIN_LENGTH, check_password, fold_login, plain_line
from interviewer.accounts.errors import ForbiddenError, MissingError, WrongSignInError
from interviewer.accounts.keys import hash_of, id_of, new_token
from interviewer.accounts.passwords import Passwords
from interviewer.accounts.person import Person
from interviewer.accounts.rules import Clock, the_account
from interviewer.accounts.throttle import begin_attempt, end_attempt
from interviewer.accounts.values import Account, SignIn
from interviewer.storage.accounts import AccountRows, AccountStore

LASTS = timedelta(days=30)
SLEEPS = timedelta(days=7)
"""Unused for so long, a sign-in ends."""
SEEN_EVERY = timedelta(minutes=1)
BROWSER_LENGTH = 200


class Proven(NamedTuple):
    """Whose password was right, in the transaction that makes use of it."""

    rows: AccountRows
    account: Account


class SignIns:
    """A sign-in is a random token in a cookie; its hash and whose it is are kept here."""

    def __init__(self, store: AccountStore, passwords: Passwords, now: Clock) -> None:
        self._store = store
        self._passwords = passwords
        self._now = now

    def sign_in(self, login: str, password: str, *, address: str, browser: str = "") -> str:
        """The token of a new sign-in.

        Args:
            address: Where the request came from.
            browser: What the browser says it is.

        Raises:
            ThrottledError: after too many wrong passwords for this login or from this address.
            WrongSignInError: if the login is unknown or the password wrong.
            ForbiddenError: if the password is right and the person disabled.
        """
        with self._proven(fold_login(login), login, password, address) as (rows, account):
            return self.start_in(rows, account.id, browser)

    def confirm(self, person: Person, password: str, *, address: str) -> None:
        """Checks the own password once more, before something that can't be undone.

        Raises:
            ThrottledError: as for `sign_in`.
            WrongSignInError: if it is wrong.
        """
        with self._store.read() as rows:
            account = the_account(rows, person.id)
        with self._proven(account.login, person.id, password, address):
            pass

    def change_password(self, person: Person, old: str, new: str, *, address: str) -> None:
        """Sets the own password and signs out everywhere, also here.

        Raises:
            ThrottledError: as for `sign_in`.
            WrongSignInError: if the old one is wrong.
            RefusedError: if the new one can't be taken.
        """
        with self._store.read() as rows:
            account = the_account(rows, person.id)
        folded = check_password(new, login=account.login or "", name=account.name)
        hashed = self._passwords.hash(folded)
        with self._proven(account.login, person.id, old, address) as (rows, _):
            rows.change(account.id, password=hashed)
            rows.sign_ins.end_all(account.id)
            rows.links.revoke_resets(account.id)

    def start(self, person: Person, *, browser: str = "") -> str:
        """The token of a new sign-in for who has just proven to be `person` in another way, as by an invitation.

        Raises:
            MissingError: if they have no account.
            ForbiddenError: if they are disabled.
        """
        with self._store.write() as rows:
            return self.start_in(rows, person.id, browser)

    def start_in(self, rows: AccountRows, user_id: str, browser: str) -> str:
        """As `start`, in the transaction of `rows`."""
        account = the_account(rows, user_id)
        if account.disabled:
            raise ForbiddenError("accounts_disabled")
        token, now = new_token(), self._now()
        rows.sign_ins.forget(now, now - SLEEPS)
        rows.sign_ins.add(hash_of(token), account.id, now, now + LASTS, plain_line(browser[:1000])[:BROWSER_LENGTH])
        if account.role == "owner":
            record(rows, now, account, "owner signed in", named(account.name, account.id))
        return token

    def person_of(self, token: str) -> Person | None:
        """Who is signed in with this token, with the role and cohort they have now; None for nobody."""
        now, key = self._now(), hash_of(token)
        with self._store.read() as rows:
            found = rows.sign_ins.find(key, now, now - SLEEPS)
        if found is None:
            return None
        if now - found.seen_at >= SEEN_EVERY:
            with self._store.write() as rows:
                rows.sign_ins.touch(key, now)
        return found.person

    def sign_out(self, token: str) -> None:
        """Ends this sign-in."""
        with self._store.write() as rows:
            rows.sign_ins.end(hash_of(token))

    def sign_out_everywhere(self, person: Person, *, but: str | None = None) -> None:
        """Ends all of one's own sign-ins, but the one with the token `but`."""
        with self._store.write() as rows:
            rows.sign_ins.end_all(person.id, but=hash_of(but) if but is not None else None)

    def mine(self, person: Person, token: str = "") -> tuple[SignIn, ...]:
        """One's own sign-ins, the last used first; the one of `token` is marked."""
        now, own = self._now(), hash_of(token)
        with self._store.read() as rows:
            found = rows.sign_ins.of(person.id, now, now - SLEEPS)
        return tuple(
            SignIn(
                id=id_of(row.hash),
                created_at=row.created_at,
                seen_at=row.seen_at,
                browser=row.browser,
                current=row.hash == own,
            )
            for row in found
        )

    def end(self, person: Person, sign_in_id: str) -> None:
        """Ends one of one's own sign-ins.

        Raises:
            MissingError: if there is none with that id.
        """
        with self._store.write() as rows:
            if not rows.sign_ins.end_one(person.id, sign_in_id):
                raise MissingError("accounts_no_sign_in")

    @contextmanager
    def _proven(self, login: str | None, key: str, password: str, address: str) -> Iterator[Proven]:
        """The transaction for what a right password allows; what can't be a login counts and costs as much as a wrong
        password."""
        with self._store.write() as rows:
            attempt = begin_attempt(rows, login or key[: LOGIN_LENGTH[1]], address, self._now())
        with self._store.read() as rows:
            account = rows.by_login(login) if login else None
            stored = rows.password_of(account.id) if account else None
        check = self._passwords.check(stored, password)
        if account is None or not check.right:
            raise WrongSignInError("accounts_wrong_sign_in")
        with self._store.write() as rows:
            end_attempt(rows, attempt)
            # A reset may have come in between: only the hash that was looked at is proof.
            if rows.password_of(account.id) != stored:
                raise WrongSignInError("accounts_wrong_sign_in")
            if check.renewed:
                rows.change(account.id, password=check.renewed)
            yield Proven(rows, account)
