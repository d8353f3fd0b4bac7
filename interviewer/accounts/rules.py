"""Who may act as an owner, looked up in the transaction of the action: rights may have changed meanwhile."""

from collections.abc import Callable
from datetime import datetime

from interviewer.accounts.errors import ForbiddenError, MissingError, TakenError
from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.values import Account
from interviewer.storage.accounts import AccountRows

Clock = Callable[[], datetime]

OPERATOR = Person(id="operator", name="command line", role="owner")
"""Whoever runs commands on the machine itself. No account has this id."""


def require_owner(rows: AccountRows, person: Person) -> None:
    """Lets owners pass, and the operator.

    Raises:
        ForbiddenError: for everybody else, and for the local person until they gave themself a login.
    """
    if person.id == OPERATOR.id or person.id in rows.owners():
        return
    if person == LOCAL and not rows.any_account():
        raise ForbiddenError("accounts_claim_first")
    raise ForbiddenError("accounts_owners_only")


def the_account(rows: AccountRows, user_id: str) -> Account:
    """The account with that id.

    Raises:
        MissingError: if there is none.
    """
    account = rows.account(user_id)
    if account is None:
        raise MissingError("accounts_no_person")
    return account


def cohort_name(rows: AccountRows, cohort_id: str) -> str:
    """What a cohort is called.

    Raises:
        MissingError: if there is none with that id.
    """
    name = rows.cohort_name(cohort_id)
    if name is None:
        raise MissingError("accounts_no_cohort")
    return name


def keep_an_owner(rows: AccountRows, user_id: str) -> None:
    """Refuses to lose the last owner who can sign in.

    Raises:
        TakenError: if `user_id` is the last one.
    """
    if rows.owners() == {user_id}:
        raise TakenError("accounts_last_owner")
