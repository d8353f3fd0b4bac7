"""Signing in through an OpenID provider: there, back, and who that is here."""

import json
import secrets

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from itsdangerous import BadSignature
from starlette.requests import cookie_parser

from interviewer.accounts.errors import RefusedError
from interviewer.accounts.openid import Begun, NotBegunError, Provider, ProviderError
from interviewer.errors import NotFoundError
from interviewer.models import Frozen
from ui.preference import preferred_language
from ui.site.sign_in import browser_of, cookie_of, problem, signed_in, status_of, token_of
from ui.site.visit import Form, Visit, Visiting
from ui.users import NOBODY

_LASTS = 600
"""Seconds somebody may take at the provider."""
_LONGEST = 2000


class _Flow(Frozen):
    """What this browser began, kept by it until it comes back.

    Attributes:
        next: Where they wanted to go.
        link: The token of the link they came by; empty for none.
        connect: Whose account the identity is for; empty for a sign-in.
    """

    begun: Begun
    next: str = ""
    link: str = ""
    connect: str = ""


def add_openid(web: FastAPI) -> None:
    """Serves `/{language}/openid/...` and `/openid/callback`, which is the address the provider is told."""

    @web.get("/{language}/openid/start")
    def start(visit: Visiting, next: str = "") -> Response:
        begun = _provider(visit).begin(_redirect_uri(visit.request))
        response = RedirectResponse(begun.address, 303)
        _keep(visit, response, _Flow(begun=begun, next=next[:_LONGEST]))
        return response

    @web.post("/{language}/openid/join")
    def join(visit: Visiting, form: Form) -> Response:
        """A page that leads on: a form may not lead to another site, a page may."""
        begun = _provider(visit).begin(_redirect_uri(visit.request))
        response = visit.page("openid", address=begun.address, name=visit.app.settings.oidc_name)
        _keep(visit, response, _Flow(begun=begun, link=token_of(form["token"])[:_LONGEST]))
        return response

    @web.get("/{language}/openid/connect")
    def connect(visit: Visiting) -> Response:
        begun = _provider(visit).begin(_redirect_uri(visit.request))
        response = RedirectResponse(begun.address, 303)
        _keep(visit, response, _Flow(begun=begun, connect=visit.person.id))
        return response

    @web.get("/openid/callback")
    def callback(request: Request) -> Response:
        return RedirectResponse(f"../{preferred_language(request)}/openid/finish?{request.url.query}", 303)

    @web.get("/{language}/openid/finish")
    def finish(visit: Visiting, code: str = "", state: str = "", iss: str = "", error: str = "") -> Response:
        provider = _provider(visit)
        try:
            response = _finish(visit, provider, code=code, state=state, iss=iss, error=error)
        except RefusedError as refused:
            response = visit.page("openid_problem", status=status_of(refused), error=problem(visit, refused))
        cookie_of(visit).set(response, _name(visit), "", max_age=0)
        return response


def _finish(visit: Visit, provider: Provider, *, code: str, state: str, iss: str, error: str) -> Response:
    """Only what this browser began a moment ago is ended, and only once."""
    flow = _kept(visit)
    if flow is None or not secrets.compare_digest(flow.begun.state.encode(), state.encode()):
        raise NotBegunError
    if error or not code or len(code) > _LONGEST:
        raise ProviderError("openid_refused")
    identity = provider.finish(flow.begun, code, _redirect_uri(visit.request))
    if iss and iss != identity.issuer:
        raise ProviderError("openid_not_believed")
    accounts = visit.app.accounts
    if flow.connect:
        if visit.person.id != flow.connect:
            raise NotBegunError
        accounts.provider.link_subject(visit.person, identity)
        return visit.go("account?done=connected")
    link = flow.link or None
    token = accounts.provider.sign_in_with(identity, link_token=link, browser=browser_of(visit.request))
    return signed_in(visit, token, flow.next)


def _provider(visit: Visit) -> Provider:
    """The one of this installation, with what it was found to be.

    Raises:
        NotFoundError: if none is configured, or nobody signs in here.
    """
    if not visit.app.settings.oidc_issuer or not (visit.person.team or visit.person == NOBODY):
        raise NotFoundError(visit.t("openid.none"), next_step=visit.t("openid.none_next"))
    state = visit.request.app.state
    if not hasattr(state, "provider"):
        state.provider = Provider(visit.app.settings)
    found: Provider = state.provider
    return found


def _redirect_uri(request: Request) -> str:
    root = request.app.state.interviewer.settings.public_url or str(request.base_url)
    return f"{root.rstrip('/')}/openid/callback"


def _name(visit: Visit) -> str:
    return f"{cookie_of(visit).name}_openid"


def _keep(visit: Visit, response: Response, flow: _Flow) -> None:
    cookie = cookie_of(visit)
    value = cookie.signer("openid").sign(flow.model_dump_json().encode().hex()).decode()
    cookie.set(response, _name(visit), value, max_age=_LASTS)


def _kept(visit: Visit) -> _Flow | None:
    value = cookie_parser(visit.request.headers.get("cookie", "")).get(_name(visit), "")
    try:
        signed = cookie_of(visit).signer("openid").unsign(value, max_age=_LASTS)
        return _Flow.model_validate(json.loads(bytes.fromhex(signed.decode())))
    except (BadSignature, ValueError):
        return None
