"""Every plain page. They are added before gradio takes everything below `/zh` and `/en`."""

from fastapi import FastAPI

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


def add_site(web: FastAPI, app: App) -> None:
    """Adds the plain pages for `app`."""
    web.state.interviewer = app
    add_problems(web)
    add_api(web, app)
    add_api_page(web)
    add_sign_in(web)
    add_account(web)
    add_openid(web)
    add_my_data(web)
    add_people(web)
    add_evidence(web)
    add_bank(web)
    add_progress(web)
    add_again(web)
    add_team(web)
    add_share(web)
    add_assignments(web)
