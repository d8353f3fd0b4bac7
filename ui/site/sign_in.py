"""Signing in and out, and coming in by a link: an invitation, the owner's one, a new password."""

import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from interviewer.accounts.credentials import PASSWORD_LENGTH
from interviewer.accounts.errors import BadLinkError, RefusedError, ThrottledError, WrongSignInError
from ui.preference import preferred_language
from ui.site.cookie import SessionCookie
from ui.site.visit import Form, Visit, Visiting
from ui.users import NOBODY

_OWN_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]{0,2000}")
_STATUS: tuple[tuple[type[RefusedError], int], ...] = ((ThrottledError, 429), (WrongSignInError, 401))


def add_sign_in(web: FastAPI) -> None:
    """Serves `/{language}/sign-in`, `/{language}/sign-out`, `/join` and `/{language}/join`."""

    @web.get("/{language}/sign-in")
    def page(visit: Visiting, next: str = "") -> Response:
        if visit.person != NOBODY:
            return go_back(visit, next)
        return _sign_in_page(visit, next=next)

    @web.post("/{language}/sign-in")
    def sign_in(visit: Visiting, form: Form) -> Response:
        try:
            token = visit.app.accounts.sign_ins.sign_in(
                form["login"], form["password"], address=address_of(visit.request), browser=browser_of(visit.request)
            )
        except RefusedError as error:
            return _sign_in_page(visit, next=form["next"], login=form["login"], error=error)
        return signed_in(visit, token, form["next"])

    @web.post("/{language}/sign-out")
    def sign_out(visit: Visiting) -> Response:
        end_here(visit)
        response = visit.go("sign-in" if visit.app.accounts.team else "")
        cookie_of(visit).remove(response)
        return response

    _add_joining(web)


def _add_joining(web: FastAPI) -> None:
    @web.get("/join")
    def join(request: Request) -> Response:
        """The browser keeps what stands behind the `#`, which no server and no log gets to see."""
        return RedirectResponse(f"{preferred_language(request)}/join", 303)

    @web.get("/{language}/join")
    def page(visit: Visiting) -> Response:
        return visit.page("join", link=None, token="", error=None)

    @web.post("/{language}/join")
    def go_on(visit: Visiting, form: Form) -> Response:
        """From a link to its form, and from the form to where it leads. Only the password has to be typed again when
        something can't be taken."""
        links, token = visit.app.accounts.links, token_of(form["token"])
        fields = {"login": form["login"], "name": form["name"]}
        try:
            match form["do"]:
                case "accept":
                    person = links.accept(token, password=form["password"], **fields)
                case "reset":
                    person = links.reset(token, form["password"])
                case _:
                    return _join_page(visit, token)
        except RefusedError as error:
            return _join_page(visit, token, error=error, **fields)
        return signed_in(visit, visit.app.accounts.sign_ins.start(person, browser=browser_of(visit.request)))


def signed_in(visit: Visit, token: str, wanted: str = "", *, to: str = "") -> Response:
    """Lets the browser keep a new sign-in in the place of the one it had, and leads to where one wanted to go, else to
    the page `to`."""
    end_here(visit)
    response = go_back(visit, wanted, to)
    cookie_of(visit).put(response, token)
    return response


def end_here(visit: Visit) -> None:
    """Ends the sign-in this browser has, if any."""
    token = session_token(visit)
    if token:
        visit.app.accounts.sign_ins.sign_out(token)


def go_back(visit: Visit, wanted: str, to: str = "") -> Response:
    """To an own path, which begins with `/`; for anything else to the page `to`, the start page if not given."""
    if not _OWN_PATH.fullmatch(wanted):
        return visit.go(to)
    return RedirectResponse(f"{visit.base}..{wanted}", 303)


def cookie_of(visit: Visit) -> SessionCookie:
    """How this installation keeps sign-ins in browsers."""
    cookie: SessionCookie = visit.request.app.state.cookie
    return cookie


def session_token(visit: Visit) -> str:
    """The token of the sign-in that asks; empty for none."""
    return cookie_of(visit).token(visit.request.headers.get("cookie", "")) or ""


def address_of(request: Request) -> str:
    """Where a request came from; of a trusted proxy, what it says."""
    return request.client.host if request.client else ""


def browser_of(request: Request) -> str:
    """What the browser says it is."""
    return request.headers.get("user-agent", "")


def token_of(code: str) -> str:
    """The token in what somebody pasted: a whole link, or only its end."""
    return code.strip().rpartition("#")[2]


def problem(visit: Visit, error: RefusedError) -> str:
    """What went wrong and what to do, in the reader's language."""
    return " ".join(error.said(visit.language))


def status_of(error: RefusedError) -> int:
    """The status of a page that says `error`."""
    return next((code for kind, code in _STATUS if isinstance(error, kind)), 400)


def _sign_in_page(visit: Visit, *, next: str, login: str = "", error: RefusedError | None = None) -> Response:
    settings = visit.app.settings
    return visit.page(
        "sign_in",
        status=status_of(error) if error else 200,
        next=next,
        login=login,
        error=problem(visit, error) if error else "",
        provider=settings.oidc_name if settings.oidc_issuer else "",
        owned=visit.app.accounts.owned,
    )


def _join_page(visit: Visit, token: str, *, error: RefusedError | None = None, **fields: Any) -> Response:
    """The form a link is for; a link that is not open is told instead."""
    settings = visit.app.settings
    try:
        link = visit.app.accounts.links.look_at(token)
    except BadLinkError as bad:
        return visit.page("join", status=400, link=None, token="", error=problem(visit, bad))
    values = {"login": "", "name": ""} | fields
    return visit.page(
        "join",
        status=status_of(error) if error else 200,
        link=link,
        token=token,
        error=problem(visit, error) if error else "",
        provider=settings.oidc_name if settings.oidc_issuer else "",
        shortest=PASSWORD_LENGTH[0],
        **values,
    )
