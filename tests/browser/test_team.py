"""A lead and members in browsers of their own: an assignment given, done, shared, read and taken back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from interviewer.accounts.service import Accounts
from interviewer.settings import Settings
from interviewer.storage.accounts import AccountStore
from interviewer.storage.database import Database
from tests.browser.conftest import MakeServer, MakeVisitor
from tests.browser.server import ServerProcess
from tests.browser.visitor import Visitor

PASSWORD = "four unrelated words"
PEOPLE = {"rita": ("lead", "Red"), "bert": ("lead", "Blue"), "anna": ("member", "Red")}


@pytest.fixture(scope="module")
def team_server(new_server: MakeServer) -> ServerProcess:
    """A server with accounts: two cohorts with a lead each, and a member."""
    server = new_server(INTERVIEWER_TEAM="1")
    database = Database(Settings(home=server.home, _env_file=None).database)
    accounts = Accounts(AccountStore(database), team=True)
    token = accounts.links.owner_link().token
    owner = accounts.links.accept(token, login="olga", name="Olga", password=PASSWORD)
    cohorts = {name: accounts.cohorts.create(owner, name).id for name in ("Red", "Blue")}
    for login, (role, cohort) in PEOPLE.items():
        link = accounts.links.invite(owner, role, cohorts[cohort])
        accounts.links.accept(link.token, login=login, name=login.title(), password=PASSWORD)
    database.close()
    return server


@pytest.fixture
def signed_in(visitor: MakeVisitor, team_server: ServerProcess) -> Callable[[str], Visitor]:
    """Makes a visitor who has signed in."""

    def make(login: str) -> Visitor:
        who = visitor("en", url=team_server.url).open("/en/sign-in")
        who.page.locator("input[name=login]").fill(login)
        who.page.locator("input[name=password]").fill(PASSWORD)
        who.page.locator("main form button").first.click()
        expect(who.page.locator("#start")).to_be_visible()
        return who

    return make


def test_an_assignment_is_given_done_shared_read_and_taken_back(signed_in, well_said):
    rita, anna = signed_in("rita"), signed_in("anna")

    rita.open("/en/team").page.get_by_role("link", name="New assignment").click()
    form = rita.page
    form.get_by_label("Title").fill("Warm-up <b>")
    form.get_by_label("From topics").check()
    form.get_by_label("Number of questions").fill("1")
    form.get_by_role("button", name="Give to the cohort").click()
    expect(form.locator("h1")).to_have_text("Warm-up <b>")
    expect(form.get_by_role("row", name="Anna")).to_contain_text("not begun")
    given = form.url

    anna.open("/en/")
    strip = anna.page.locator(".iv-assigned")
    expect(strip).to_contain_text("Warm-up <b>")
    assert anna.overflow() == 0
    strip.get_by_role("button", name="Start").click()
    expect(anna.box).to_be_visible()
    interview = anna.interview
    said = well_said(anna.asked, "en")
    anna.answer(said)
    anna.finish_question()
    anna.press("next")
    anna.wait_for_phase("ended")

    anna.open("/en/assignments").page.get_by_role("link", name="Report").click()
    anna.page.get_by_role("link", name="Share with your leads").click()
    expect(anna.page.locator(".iv-who")).to_have_text("Rita")
    rita.page.goto(given)
    expect(form.get_by_role("row", name="Anna")).to_contain_text("done")
    shared = given.partition("/team/")[0] + f"/team/shared/{interview}"
    assert rita.page.goto(shared).status == 404

    anna.page.get_by_role("button", name="Share with these leads").click()
    rita.open("/en/team").page.get_by_role("link", name="Read").click()
    expect(rita.page.locator(".iv-said").first).to_contain_text(said[:20])
    bert = signed_in("bert")
    assert bert.page.goto(shared).status == 404
    assert anna.page.goto(shared).status == 403

    anna.page.go_back()
    anna.page.get_by_role("button", name="Take it back").click()
    expect(anna.page.get_by_role("button", name="Share with these leads")).to_be_visible()
    assert rita.page.reload().status == 404
