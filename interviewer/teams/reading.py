"""What people typed or chose, as the services take it."""

from collections.abc import Mapping
from datetime import date

from pydantic import ValidationError

from interviewer.accounts.errors import MissingError, RefusedError
from interviewer.models import PlanRequest, Verdict


def read_date(text: str) -> date:
    """A day written as year-month-day.

    Raises:
        RefusedError: if it is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("teams_bad_date") from error


def read_request(fields: Mapping[str, object]) -> PlanRequest:
    """What to draw a plan from; `fields` are those of `PlanRequest`, as text or not.

    Raises:
        RefusedError: where a field holds what can't be.
    """
    try:
        return PlanRequest.model_validate(fields)
    except ValidationError as error:
        raise RefusedError("teams_bad_choice") from error


def read_verdict(text: str) -> Verdict:
    """A verdict by its name.

    Raises:
        MissingError: if there is none of that name.
    """
    if text not in list(Verdict):
        raise MissingError("teams_no_verdict")
    return Verdict(text)


def read_index(text: str) -> int:
    """Which question of an interview, from 0.

    Raises:
        MissingError: if it is no such number.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise MissingError("teams_no_verdict")
    return int(text)
