"""Everything about accounts, put together."""

from collections.abc import Collection
from datetime import UTC, datetime

from interviewer.accounts.audit import AuditLog
from interviewer.accounts.cohorts import Cohorts
from interviewer.accounts.links import Links
from interviewer.accounts.passwords import Passwords
from interviewer.accounts.people import People
from interviewer.accounts.provider import ProviderSignIn
from interviewer.accounts.rules import Clock
from interviewer.accounts.sign_ins import SignIns
from interviewer.accounts.tokens import Tokens
from interviewer.storage.accounts import AccountStore


def _utc() -> datetime:
    return datetime.now(UTC)


class Accounts:
    """The services of accounts; each checks who acts.

    Args:
        team: Whether accounts are asked for by a setting.
        domains: Whose people an OpenID provider may bring without an invitation.

    Attributes:
        links: Coming in by a link: `owner_link`, `invite`, `reset_link`, `look_at`, `accept`, `reset`, `claim`.
        sign_ins: `sign_in`, `person_of`, `sign_out`.
        provider: Coming in through OpenID.
        people, cohorts, tokens, audit: As they say.
    """

    def __init__(
        self,
        store: AccountStore,
        *,
        team: bool = False,
        domains: Collection[str] = (),
        passwords: Passwords | None = None,
        now: Clock = _utc,
    ) -> None:
        hashing = passwords or Passwords()
        self._store = store
        self._team = team
        self._owned = False
        self.links = Links(store, hashing, now)
        self.sign_ins = SignIns(store, hashing, now)
        self.provider = ProviderSignIn(store, self.links, self.sign_ins, domains, now)
        self.people = People(store, now)
        self.cohorts = Cohorts(store, now)
        self.tokens = Tokens(store, now, lambda: self.team)
        self.audit = AuditLog(store, now)

    @property
    def team(self) -> bool:
        """Whether people have to sign in: a setting says so, or somebody has a login."""
        return self._team or self.owned

    @property
    def owned(self) -> bool:
        """Whether there is an account, and so an owner; once there is one there always will be."""
        if not self._owned:
            with self._store.read() as rows:
                self._owned = rows.any_account()
        return self._owned
