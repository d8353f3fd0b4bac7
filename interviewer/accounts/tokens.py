"""API tokens: a person's own, with scopes and an end."""

from collections.abc import Callable, Collection
from datetime import timedelta

from interviewer.accounts.credentials import clean_name
from interviewer.accounts.errors import MissingError, RefusedError
from interviewer.accounts.keys import hash_of, new_id, new_token
from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.rules import Clock, the_account
from interviewer.accounts.values import SCOPES, ApiToken, Bearer, NewApiToken, Scope
from interviewer.storage.accounts import AccountStore

PREFIX = "iv_"
"""So that a secret scanner and a person recognise one."""
LONGEST_DAYS = 365
MOST_TOKENS = 20
USED_EVERY = timedelta(minutes=1)


class Tokens:
    """Shown once, kept as hashes."""

    def __init__(self, store: AccountStore, now: Clock, team: Callable[[], bool]) -> None:
        self._store = store
        self._now = now
        self._team = team

    def create(self, person: Person, name: str, scopes: Collection[Scope], *, days: int = 90) -> NewApiToken:
        """A token of one's own.

        Args:
            days: How long it lasts, 1 to 365.

        Raises:
            RefusedError: for a name that is none, no scope or an unknown one, other days, or more than 20 tokens.
            MissingError: if `person` has no account; the person at home needs none.
        """
        cleaned = clean_name(name)
        chosen = tuple(scope for scope in SCOPES if scope in scopes)
        if not chosen or len(chosen) != len(set(scopes)):
            raise RefusedError("accounts_bad_scopes")
        if not 1 <= days <= LONGEST_DAYS:
            raise RefusedError("accounts_bad_days", limit=LONGEST_DAYS)
        secret, now = PREFIX + new_token(), self._now()
        token = ApiToken(
            id=new_id(),
            name=cleaned,
            scopes=chosen,
            created_at=now,
            used_at=None,
            expires_at=now + timedelta(days=days),
        )
        with self._store.write() as rows:
            if person != LOCAL:
                the_account(rows, person.id)
            elif not rows.has(person.id):
                rows.add(person.id, now)
            if len(rows.tokens.of(person.id)) >= MOST_TOKENS:
                raise RefusedError("accounts_too_many_tokens", limit=MOST_TOKENS)
            rows.tokens.add(hash_of(secret), person.id, token)
        return NewApiToken(secret, token)

    def mine(self, person: Person) -> tuple[ApiToken, ...]:
        """One's own, also expired ones, the newest first."""
        with self._store.read() as rows:
            return rows.tokens.of(person.id)

    def revoke(self, person: Person, token_id: str) -> None:
        """Ends one of one's own.

        Raises:
            MissingError: if there is none with that id.
        """
        with self._store.write() as rows:
            if not rows.tokens.revoke(person.id, token_id):
                raise MissingError("accounts_no_token")

    def person_of(self, secret: str) -> Bearer | None:
        """Who the token stands for, with the role and cohort they have now, and what it may do; None for nobody."""
        now, key = self._now(), hash_of(secret)
        with self._store.read() as rows:
            found = rows.tokens.find(key, now)
        if found is None or (found.person == LOCAL and self._team()):
            return None
        if found.used_at is None or now - found.used_at >= USED_EVERY:
            with self._store.write() as rows:
                rows.tokens.touch(key, now)
        return Bearer(found.person, frozenset(found.scopes))
