"""Who asks, and whether their token allows it."""

from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Query, Request
from fastapi.security import HTTPBearer

from interviewer.accounts.person import Person
from interviewer.accounts.values import Scope
from interviewer.compose import App
from interviewer.errors import AccessError, InterviewerError
from ui.users import current_person

LARGEST_PAGE = 100
_FAR = 1_000_000
_TOKEN = HTTPBearer(auto_error=False, description="A token of your own, made on the page Account.")


class NotSignedInError(InterviewerError):
    """Nobody is asking, as far as this request tells."""


class Asking(NamedTuple):
    """What every handler is told."""

    app: App
    person: Person
    scopes: frozenset[Scope]


class Scoped:
    """A dependency that lets pass who has a scope; None asks only for a person.

    Raises:
        NotSignedInError: for nobody.
        AccessError: for a token without the scope.
    """

    def __init__(self, scope: Scope | None) -> None:
        self.scope = scope

    def __call__(self, request: Request, _: Annotated[Any, Depends(_TOKEN)]) -> Asking:
        person = current_person(request)
        scopes = frozenset(request.scope["state"].get("scopes", ()))
        if not person.id:
            raise NotSignedInError("This needs a token.", next_step="Send it as `Authorization: Bearer …`.")
        if self.scope is not None and self.scope not in scopes:
            raise AccessError(
                f"This token does not have the scope {self.scope}.",
                next_step="Make a token that has, on the page Account.",
            )
        return Asking(request.app.state.interviewer, person, scopes)


Anybody = Annotated[Asking, Depends(Scoped(None))]
ReadsQuestions = Annotated[Asking, Depends(Scoped("questions:read"))]
WritesQuestions = Annotated[Asking, Depends(Scoped("questions:write"))]
ReadsInterviews = Annotated[Asking, Depends(Scoped("interviews:read"))]
WritesInterviews = Annotated[Asking, Depends(Scoped("interviews:write"))]
ReadsReports = Annotated[Asking, Depends(Scoped("reports:read"))]
Exports = Annotated[Asking, Depends(Scoped("export:read"))]

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Items of one page.")]
Offset = Annotated[int, Query(ge=0, le=_FAR, description="Items to leave out.")]
