"""People: listing them, their role, cohort and name; disabling and deleting them."""

from datetime import datetime

from interviewer.accounts.audit import Action, named, record
from interviewer.accounts.credentials import clean_name
from interviewer.accounts.errors import MissingError
from interviewer.accounts.person import ROLES, Person, Role
from interviewer.accounts.rules import Clock, cohort_name, keep_an_owner, require_owner, the_account
from interviewer.accounts.values import Account
from interviewer.storage.accounts import AccountRows, AccountStore


class People:
    """Every method that changes somebody else asks for an owner.

    Raises (all of them):
        ForbiddenError: if the acting person may not do that.
        MissingError: if there is no such person or cohort.
        TakenError: where the last owner would be lost.
    """

    def __init__(self, store: AccountStore, now: Clock) -> None:
        self._store = store
        self._now = now

    def all(self, person: Person) -> tuple[Account, ...]:
        """Everybody, by name; for owners."""
        with self._store.read() as rows:
            require_owner(rows, person)
            return rows.accounts()

    def seen(self, person: Person) -> dict[str, datetime]:
        """When each person who is signed in somewhere was there last; for owners."""
        with self._store.read() as rows:
            require_owner(rows, person)
            return rows.sign_ins.last_seen()

    def in_cohort(self, person: Person, cohort_id: str) -> tuple[Account, ...]:
        """Who is in a cohort, by name; for its leads and for owners. To others it is not there."""
        with self._store.read() as rows:
            acting = rows.account(person.id)
            allowed = acting is not None and not acting.disabled
            if not allowed or not (acting and (acting.person.owns or acting.person.leads(cohort_id))):
                raise MissingError("accounts_no_cohort")
            cohort_name(rows, cohort_id)
            return rows.accounts(cohort=cohort_id)

    def me(self, person: Person) -> Account | None:
        """The own account; None at home."""
        with self._store.read() as rows:
            return rows.account(person.id)

    def set_role(self, person: Person, user_id: str, role: Role) -> None:
        """Who is no longer an owner loses the open links they made."""
        if role not in ROLES:
            raise MissingError("accounts_no_role")
        with self._store.write() as rows:
            require_owner(rows, person)
            account = the_account(rows, user_id)
            if account.role == role:
                return
            if account.role == "owner":
                keep_an_owner(rows, user_id)
                rows.links.revoke_of(user_id)
            rows.change(user_id, role=role)
            self._record(rows, person, "role changed", account, before=account.role, after=role)

    def set_cohort(self, person: Person, user_id: str, cohort_id: str | None) -> None:
        """None takes them out of theirs."""
        with self._store.write() as rows:
            require_owner(rows, person)
            account = the_account(rows, user_id)
            after = cohort_name(rows, cohort_id) if cohort_id is not None else ""
            before = (rows.cohort_name(account.cohort) or "") if account.cohort else ""
            if account.cohort == cohort_id:
                return
            rows.change(user_id, cohort_id=cohort_id)
            self._record(rows, person, "cohort changed", account, before=before, after=after)

    def rename(self, person: Person, user_id: str, name: str) -> None:
        """Oneself, or as an owner anybody. Also raises RefusedError for a name that is none."""
        cleaned = clean_name(name)
        with self._store.write() as rows:
            if user_id != person.id:
                require_owner(rows, person)
            account = the_account(rows, user_id)
            rows.change(user_id, name=cleaned)
            if user_id != person.id:
                self._record(rows, person, "renamed", account, before=account.name, after=cleaned)

    def disable(self, person: Person, user_id: str) -> None:
        """They are signed out everywhere and can't come in; what is theirs stays. Links they made or that set their
        password are revoked."""
        with self._store.write() as rows:
            require_owner(rows, person)
            account = the_account(rows, user_id)
            if account.disabled:
                return
            keep_an_owner(rows, user_id)
            rows.change(user_id, disabled_at=self._now())
            rows.sign_ins.end_all(user_id)
            rows.links.revoke_of(user_id)
            self._record(rows, person, "disabled", account)

    def enable(self, person: Person, user_id: str) -> None:
        """Lets them in again."""
        with self._store.write() as rows:
            require_owner(rows, person)
            account = the_account(rows, user_id)
            if account.disabled:
                rows.change(user_id, disabled_at=None)
                self._record(rows, person, "enabled", account)

    def delete(self, person: Person, user_id: str) -> None:
        """Removes a person with everything theirs, for good: oneself, or as an owner anybody but the last owner."""
        with self._store.write() as rows:
            if user_id != person.id:
                require_owner(rows, person)
            account = the_account(rows, user_id)
            keep_an_owner(rows, user_id)
            rows.links.revoke_of(user_id)
            rows.remove(user_id)
            self._record(rows, person, "deleted", account)

    def clear(self, person: Person) -> None:
        """Removes everything that is one's own but the account: interviews, what is remembered, answers kept, private
        sets, API tokens. Also for the person at home."""
        with self._store.write() as rows:
            rows.clear(person.id)

    def _record(self, rows: AccountRows, person: Person, action: Action, account: Account, **details: str) -> None:
        record(rows, self._now(), person, action, named(account.name, account.id), **details)
