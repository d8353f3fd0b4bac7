"""Who is asking."""

from typing import Any

from interviewer.accounts.person import LOCAL, Person


def current_person(request: Any) -> Person:
    """The person behind a request (a gradio or FastAPI one); what stands in front of the pages says who that is."""
    scope = getattr(getattr(request, "request", request), "scope", None) or {}
    found = scope.get("state", {}).get("person")
    return found if isinstance(found, Person) else LOCAL


def current_user(request: Any) -> str:
    """The id of the person behind a request."""
    return current_person(request).id
