"""Coming in through an OpenID provider. Who somebody is is decided by issuer and subject, never by an address alone."""

from collections.abc import Collection

from interviewer.accounts.audit import named, record
from interviewer.accounts.credentials import NAME_LENGTH, fold_login, plain_line
from interviewer.accounts.errors import RefusedError, TakenError
from interviewer.accounts.keys import new_id
from interviewer.accounts.links import Links
from interviewer.accounts.person import Person
from interviewer.accounts.rules import Clock, the_account
from interviewer.accounts.sign_ins import SignIns
from interviewer.accounts.values import Account, Identity
from interviewer.errors import ConflictError
from interviewer.storage.accounts import AccountRows, AccountStore

_KEY_LENGTH = 400


class ProviderSignIn:
    """What happens after the provider has said who it is.

    Args:
        domains: Lower case; people with a verified address there come in without an invitation, as members.
    """

    def __init__(
        self, store: AccountStore, links: Links, sign_ins: SignIns, domains: Collection[str], now: Clock
    ) -> None:
        self._store = store
        self._links = links
        self._sign_ins = sign_ins
        self._domains = frozenset(domains)
        self._now = now

    def sign_in_with(self, identity: Identity, *, link_token: str | None = None, browser: str = "") -> str:
        """The token of a new sign-in: for the account with this identity; else for a new one by the owner link or
        invitation brought along; else for a new member where a setting lets their domain in.

        Raises:
            BadLinkError: if the link brought along is not open.
            ForbiddenError: if the account is disabled.
            TakenError: if an account has their address as its login: who has its password connects it to the provider.
            RefusedError: if nothing lets them in.
        """
        key = _key(identity)
        try:
            with self._store.write() as rows:
                account = rows.by_subject(key) or self._admit(rows, identity, key, link_token)
                return self._sign_ins.start_in(rows, account.id, browser)
        except ConflictError as error:
            raise error if isinstance(error, RefusedError) else TakenError("accounts_subject_taken") from error

    def link_subject(self, person: Person, identity: Identity) -> None:
        """Lets who is signed in come through the provider from now on.

        Raises:
            TakenError: if another account has this identity, or the person has another one.
        """
        key = _key(identity)
        try:
            with self._store.write() as rows:
                account = the_account(rows, person.id)
                other = rows.by_subject(key)
                if other is not None and other.id == account.id:
                    return
                if other is not None or account.provider:
                    raise TakenError("accounts_subject_taken")
                rows.change(account.id, subject=key)
        except ConflictError as error:
            raise error if isinstance(error, RefusedError) else TakenError("accounts_subject_taken") from error

    def unlink_subject(self, person: Person) -> None:
        """The password alone lets them in again.

        Raises:
            RefusedError: if they have none.
        """
        with self._store.write() as rows:
            account = the_account(rows, person.id)
            if not account.password:
                raise RefusedError("accounts_only_provider")
            rows.change(account.id, subject=None)

    def _admit(self, rows: AccountRows, identity: Identity, key: str, link_token: str | None) -> Account:
        name = (plain_line(identity.name[:1000]) or plain_line(identity.email[:1000]))[:NAME_LENGTH] or "OpenID"
        if link_token is not None:
            return self._links.admit(rows, link_token, name=name, subject=key)
        address = self._trusted_address(identity)
        if address is None or not rows.any_account():
            raise RefusedError("accounts_not_invited")
        login = fold_login(address)
        if login is not None and rows.by_login(login) is not None:
            raise TakenError("accounts_connect_first")
        user_id = new_id()
        rows.add(user_id, self._now(), role="member", name=name, subject=key)
        account = the_account(rows, user_id)
        record(rows, self._now(), account, "joined by domain", named(name, user_id))
        return account

    def _trusted_address(self, identity: Identity) -> str | None:
        """The address, if the provider vouches for it and a setting for its domain."""
        local, _, domain = identity.email.rpartition("@")
        plain = bool(local) and "@" not in local
        return identity.email if identity.verified and plain and domain.lower() in self._domains else None


def _key(identity: Identity) -> str:
    """Raises RefusedError for what can't be one."""
    parts = (identity.issuer, identity.subject)
    if not all(parts) or any(c.isspace() for part in parts for c in part) or len(identity.key) > _KEY_LENGTH:
        raise RefusedError("accounts_bad_identity")
    return identity.key
