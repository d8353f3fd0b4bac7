"""Every plain page. They are added before gradio takes everything below `/zh` and `/en`."""

from functools import cache

from fastapi import FastAPI
from starlette.routing import BaseRoute

from interviewer.compose import App
from ui.api.application import add_api
from ui.evidence import add_evidence
from ui.site.account import add_account
from ui.site.again import add_again
from ui.site.api import add_api_page
from ui.site.assignments import add_assignments
from ui.site.bank import add_bank
from ui.site.my_data import add_my_data
from ui.site.openid import add_openid
from ui.site.people import add_people
from ui.site.progress import add_progress
from ui.site.share import add_share
from ui.site.sign_in import add_sign_in
from ui.site.team import add_team
from ui.site.visit import add_problems

_PAGES = (
    add_api_page,
    add_sign_in,
    add_account,
    add_openid,
    add_my_data,
    add_people,
    add_evidence,
    add_bank,
    add_progress,
    add_again,
    add_team,
    add_share,
    add_assignments,
)


def add_site(web: FastAPI, app: App) -> None:
    """Adds the plain pages for `app`."""
    web.state.interviewer = app
    add_problems(web)
    add_api(web, app)
    web.router.routes.extend(_pages())


@cache
def _pages() -> tuple[BaseRoute, ...]:
    """The routes of all plain pages. They know no application but the one that is asked: any number may share them."""
    web = FastAPI(openapi_url=None)
    for add in _PAGES:
        add(web)
    return tuple(web.router.routes)
