"""The gate in front of everything: who asks, from where, and whether they may. Without accounts it lets everyone on
this machine in as the one local person; with them, it asks for a sign-in."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette._utils import get_route_path
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.service import Accounts
from interviewer.accounts.values import SCOPES
from interviewer.accounts.values import Scope as Right
from interviewer.compose import App
from interviewer.models import LANGUAGES, Language
from ui.preference import preferred_language
from ui.site.claims import Claims
from ui.site.cookie import SessionCookie
from ui.site.origins import Origins
from ui.site.tabs import Refused, Tabs
from ui.site.visit import visit
from ui.texts import Texts
from ui.users import NOBODY

_T = TypeVar("_T")
_AT_ONCE = 8
"""Threads for asking the database who somebody is: apart from the pages' own, so that nobody waits for an import."""
_PUBLIC = ("/healthz", "/favicon.ico", "/favicon.svg", "/manifest.json", "/robots.txt", "/join", "/openid/callback")
_PUBLIC_PAGES = ("sign-in", "join", "openid/start", "openid/join", "openid/finish")
_API = "/api/"
_API_PAGES = ("/api/v1/docs", "/api/v1/openapi.json")
"""Read in a browser, so a cookie will do."""
_SAFE = ("GET", "HEAD")
_LONGEST_FORM = 100_000
"""Bytes of what somebody may send before signing in."""


class Asking(NamedTuple):
    """Who asks.

    Attributes:
        person: `NOBODY` for who has not signed in.
        rights: What an API token allows; everything at home.
    """

    person: Person
    rights: frozenset[Right] = frozenset()


def add_gate(web: FastAPI, app: App) -> None:
    """Puts the gate in front of what `web` has so far."""
    cookie = SessionCookie(app.settings)
    web.state.cookie = cookie
    web.add_middleware(
        Gate,
        accounts=lambda: app.accounts,
        cookie=cookie,
        origins=Origins(app.settings.public_url),
        tabs=Tabs(Claims()),
    )


class Gate:
    """Plain ASGI, because a wrapped response would hold back streamed ones."""

    def __init__(
        self, app: ASGIApp, accounts: Callable[[], Accounts], cookie: SessionCookie, origins: Origins, tabs: Tabs
    ) -> None:
        self._app = app
        self._accounts = accounts
        self._cookie = cookie
        self._origins = origins
        self._tabs = tabs
        self._limiter: CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._let_in(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, headers = get_route_path(scope), Headers(scope=scope)
        asking = await self._in_thread(lambda: self._who(path, headers))
        if self._origins.foreign(headers, scope["method"]) or (
            not asking.person.team and self._origins.misled(headers)
        ):
            await _refusal(scope, 403, "foreign")(scope, receive, send)
            return
        if asking.person == NOBODY and not _is_public(path):
            await _sent_away(scope, path, headers)(scope, receive, send)
            return
        if asking.person == NOBODY and scope["method"] not in _SAFE and not _is_short(headers):
            await _refusal(scope, 413, "too_large")(scope, receive, send)
            return
        scope.setdefault("state", {}).update(person=asking.person, scopes=asking.rights)
        try:
            passage = await self._tabs.admit(path, asking.person.id, scope, receive, send)
        except Refused as refused:
            await _refusal(scope, refused.status, _REFUSALS[refused.status])(scope, receive, send)
            return
        await self._app(*passage)

    def _who(self, path: str, headers: Headers) -> Asking:
        accounts = self._accounts()
        bearer = headers.get("authorization") if path.startswith(_API) else None
        if bearer is not None:
            kind, _, secret = bearer.partition(" ")
            found = accounts.tokens.person_of(secret.strip()) if kind.lower() == "bearer" else None
            return Asking(found.person, found.scopes) if found else Asking(NOBODY)
        if not accounts.team:
            return Asking(LOCAL, frozenset(SCOPES))
        if path.startswith(_API) and path not in _API_PAGES:
            return Asking(NOBODY)
        token = self._cookie.token(headers.get("cookie", ""))
        return Asking((accounts.sign_ins.person_of(token) if token else None) or NOBODY)

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        if self._limiter is None:
            self._limiter = CapacityLimiter(_AT_ONCE)
        return await to_thread.run_sync(work, limiter=self._limiter)


_REFUSALS = {400: "unreadable", 403: "not_yours", 404: "nothing", 413: "too_large"}


def _is_public(path: str) -> bool:
    _, language, *below = path.split("/", 2)
    return path in _PUBLIC or (language in LANGUAGES and "".join(below) in _PUBLIC_PAGES)


def _is_short(headers: Headers) -> bool:
    """Whether a body says beforehand how long it is, and that it is no longer than a form of people coming in."""
    length = headers.get("content-length", "0")
    return (
        "transfer-encoding" not in headers and len(length) < 10 and length.isdecimal() and int(length) <= _LONGEST_FORM
    )


def _sent_away(scope: Scope, path: str, headers: Headers) -> Response:
    """Pages lead to the sign-in and back; everything else is told."""
    is_page = "text/html" in headers.get("accept", "") and not path.startswith(_API) and "/gradio_api/" not in path
    if not is_page:
        return _refusal(scope, 401, "sign_in")
    up = "../" * (path.count("/") - 1) or "./"
    address = f"{up}{_language(scope, path)}/sign-in"
    if scope["method"] in _SAFE:
        query = scope["query_string"].decode("latin-1")
        wanted = quote(path + (f"?{query}" if query else ""), safe="/")
        return RedirectResponse(f"{address}?next={wanted}", 303, headers={"Cache-Control": "no-store"})
    scope.setdefault("state", {})["person"] = NOBODY
    return visit(Request(scope), _language(scope, path)).page("signed_out", status=401, address=address)


def _refusal(scope: Scope, status: int, reason: str) -> Response:
    t = Texts(_language(scope, get_route_path(scope)))
    told = {"error": t(f"gate.{reason}"), "next_step": t(f"gate.{reason}_next")}
    # Gradio shows what it finds under `detail`.
    headers = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "Bearer"} if status == 401 else {})
    return JSONResponse({**told, "detail": f"{told['error']} {told['next_step']}"}, status, headers=headers)


def _language(scope: Scope, path: str) -> Language:
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return next((name for name in LANGUAGES if name == first), None) or preferred_language(Request(scope))
