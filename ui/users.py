"""Who is asking."""

from typing import Any

from interviewer.accounts.person import Person
from interviewer.errors import AccessError

NOBODY = Person(id="")
"""Who looks at the few pages that are there without signing in. Nothing is theirs."""


def current_person(request: Any) -> Person:
    """The person behind a request (a gradio or FastAPI one); the gate in front of the pages says who that is.

    Raises:
        AccessError: for a request that did not come through the gate.
    """
    scope = getattr(getattr(request, "request", request), "scope", None) or {}
    found = scope.get("state", {}).get("person")
    if not isinstance(found, Person):
        raise AccessError("Nobody is signed in.", next_step="Sign in, then try again.")
    return found


def current_user(request: Any) -> str:
    """The id of the person behind a request."""
    return current_person(request).id
