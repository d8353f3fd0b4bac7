"""Who may lead what."""

from collections.abc import Callable
from datetime import datetime

from interviewer.accounts.errors import ForbiddenError, MissingError
from interviewer.accounts.person import Person

Clock = Callable[[], datetime]


def led_cohort(person: Person) -> str:
    """The id of the cohort a person leads.

    Raises:
        MissingError: at home, where there are no cohorts, and for who is in none.
        ForbiddenError: for who leads none.
    """
    if not person.team:
        raise MissingError("teams_at_home")
    if person.role == "member":
        raise ForbiddenError("teams_leads_only")
    if person.cohort is None or not person.leads(person.cohort):
        raise MissingError("teams_no_cohort")
    return person.cohort


def own_cohort(person: Person) -> str:
    """The id of the cohort a person is in.

    Raises:
        MissingError: at home, and for who is in none.
    """
    if not person.team:
        raise MissingError("teams_at_home")
    if person.cohort is None:
        raise MissingError("teams_no_cohort")
    return person.cohort
