"""One's own account: name, password, where one is signed in, API tokens. At home: how to host for a team."""

from collections.abc import Callable
from typing import Any, cast

from fastapi import FastAPI
from fastapi.responses import Response

from interviewer.accounts.credentials import PASSWORD_LENGTH
from interviewer.accounts.errors import RefusedError
from interviewer.accounts.values import SCOPES, NewApiToken
from interviewer.accounts.values import Scope as Right
from ui.site.sign_in import (
    address_of,
    browser_of,
    cookie_of,
    problem,
    session_token,
    signed_in,
    status_of,
)
from ui.site.visit import Form, Posted, Visit, Visiting

DAYS = (30, 90, 365)
# Several call themselves by each other's names: the first mark found counts.
_BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
_DONE = ("name", "password", "ended", "others", "revoked", "connected", "disconnected")


def add_account(web: FastAPI) -> None:
    """Serves `/{language}/account`."""

    @web.get("/{language}/account")
    def page(visit: Visiting, done: str = "") -> Response:
        return _page(visit, done=done if done in _DONE else "")

    @web.post("/{language}/account")
    def change(visit: Visiting, form: Form) -> Response:
        action = _ACTIONS.get(form["do"])
        if action is None:
            return visit.go("account")
        try:
            return action(visit, form)
        except RefusedError as error:
            return _page(visit, status=status_of(error), failed=form["do"], error=problem(visit, error))


def _rename(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.people.rename(visit.person, visit.person.id, form["name"])
    return visit.go("account?done=name")


def _change_password(visit: Visit, form: Posted) -> Response:
    """Everybody with the old one is out; this browser comes in again."""
    sign_ins = visit.app.accounts.sign_ins
    sign_ins.change_password(visit.person, form["old"], form["password"], address=address_of(visit.request))
    token = sign_ins.start(visit.person, browser=browser_of(visit.request))
    response = visit.go("account?done=password")
    cookie_of(visit).put(response, token)
    return response


def _end(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.sign_ins.end(visit.person, form["id"])
    return visit.go("account?done=ended")


def _end_others(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.sign_ins.sign_out_everywhere(visit.person, but=session_token(visit))
    return visit.go("account?done=others")


def _end_all(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.sign_ins.sign_out_everywhere(visit.person)
    response = visit.go("sign-in")
    cookie_of(visit).remove(response)
    return response


def _create_token(visit: Visit, form: Posted) -> Response:
    """Shown in this reply and never again."""
    days = int(form["days"]) if form["days"].isdecimal() and len(form["days"]) < 5 else 0
    scopes = cast("list[Right]", form.all("scope"))
    return _page(visit, made=visit.app.accounts.tokens.create(visit.person, form["name"], scopes, days=days))


def _revoke_token(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.tokens.revoke(visit.person, form["id"])
    return visit.go("account?done=revoked")


def _disconnect(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.provider.unlink_subject(visit.person)
    return visit.go("account?done=disconnected")


def _host(visit: Visit, form: Posted) -> Response:
    """The person at home becomes the owner; what they have stays theirs."""
    accounts = visit.app.accounts
    person = accounts.links.claim(visit.person, login=form["login"], name=form["name"], password=form["password"])
    return signed_in(visit, accounts.sign_ins.start(person, browser=browser_of(visit.request)), "", to="people")


_ACTIONS: dict[str, Callable[[Visit, Posted], Response]] = {
    "rename": _rename,
    "password": _change_password,
    "end": _end,
    "others": _end_others,
    "everywhere": _end_all,
    "token": _create_token,
    "revoke": _revoke_token,
    "disconnect": _disconnect,
    "host": _host,
}


def _page(
    visit: Visit,
    *,
    status: int = 200,
    done: str = "",
    failed: str = "",
    error: str = "",
    made: NewApiToken | None = None,
) -> Response:
    accounts, settings = visit.app.accounts, visit.app.settings
    values: dict[str, Any] = {"account": accounts.people.me(visit.person), "sign_ins": (), "cohort": ""}
    if visit.person.team:
        values |= {
            "sign_ins": accounts.sign_ins.mine(visit.person, session_token(visit)),
            "cohort": accounts.cohorts.name_of(visit.person),
        }
    return visit.page(
        "account",
        current="account",
        status=status,
        done=done,
        failed=failed,
        error=error,
        made=made,
        tokens=accounts.tokens.mine(visit.person),
        scopes=SCOPES,
        days=DAYS,
        shortest=PASSWORD_LENGTH[0],
        provider=settings.oidc_name if settings.oidc_issuer else "",
        browser_name=browser_name,
        **values,
    )


def browser_name(said: str) -> str:
    """A browser as people call it, such as `Firefox · Windows`; what it says itself where we don't know it."""
    name = next((name for mark, name in _BROWSERS if mark in said), said[:40] or "–")
    system = next((name for mark, name in _SYSTEMS if mark in said), "")
    return f"{name} · {system}" if system else name
