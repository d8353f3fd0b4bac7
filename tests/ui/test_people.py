"""One's own account, and the pages owners have: invitations, roles, cohorts, the log."""

import re
from typing import get_args

import pytest
from fastapi.testclient import TestClient

from interviewer.accounts.audit import Action
from interviewer.accounts.rules import OPERATOR
from interviewer.models import LANGUAGES
from tests.ui.conftest import make_desk
from tests.ui.test_sign_in import PASSWORD, join, owner_link, sign_in
from ui.app import build_site
from ui.site.account import browser_name
from ui.texts import load

LINK = re.compile(r'id="link" readonly value="([^"]+)"')


class Team:
    """An installation with accounts, and the browsers of its people."""

    def __init__(self, desk):
        self.desk = desk
        self.accounts = desk.accounts
        self.web = build_site(desk)
        self.ann = self.browser()
        assert join(self.ann, owner_link(desk)).status_code == 303

    def browser(self):
        return TestClient(self.web, follow_redirects=False, headers={"accept": "text/html"})

    def add(self, name, role="member"):
        token = self.accounts.links.invite(OPERATOR, role).token
        made = self.browser()
        assert join(made, token, login=f"{name.lower()}@example.org", name=name).status_code == 303
        return made

    def account(self, name):
        return next(account for account in self.accounts.people.all(OPERATOR) if account.name == name)


@pytest.fixture
def team(tmp_path):
    return Team(make_desk(tmp_path, team=True))


def person_page(team, name):
    return f"/en/people/person/{team.account(name).id}"


def test_an_owner_invites_with_role_and_cohort_and_the_link_is_shown_once(team):
    cohort = team.accounts.cohorts.create(OPERATOR, "Autumn <b>")
    page = team.ann.post("/en/people", data={"do": "invite", "role": "lead", "cohort": cohort.id}).text
    link = LINK.search(page).group(1)
    assert link.startswith("http://testserver/join#")
    assert link.rpartition("#")[2] not in team.ann.get("/en/people").text
    assert "Autumn &lt;b&gt;" in page
    bob = team.browser()
    assert join(bob, link.rpartition("#")[2], login="bob", name="Bob").status_code == 303
    assert (team.account("Bob").role, team.account("Bob").cohort) == ("lead", cohort.id)


def test_an_open_invitation_can_be_revoked(team):
    page = team.ann.post("/en/people", data={"do": "invite", "role": "member", "cohort": ""}).text
    (id_,) = re.findall(r'name="id" value="([^"]+)"', page)
    assert team.ann.post("/en/people", data={"do": "revoke", "id": id_}).status_code == 303
    assert (
        join(team.browser(), LINK.search(page).group(1).rpartition("#")[2], login="eve", name="Eve").status_code == 400
    )
    assert team.ann.post("/en/people", data={"do": "revoke", "id": id_}).status_code == 400


def test_role_cohort_and_name_are_changed(team):
    bob = team.add("Bob")
    cohort = team.accounts.cohorts.create(OPERATOR, "Autumn")
    page = person_page(team, "Bob")
    fields = {"do": "change", "name": "Robert", "role": "lead", "cohort": cohort.id}
    assert team.ann.post(page, data=fields).headers["location"].endswith("?done=changed")
    account = team.account("Robert")
    assert (account.role, account.cohort) == ("lead", cohort.id)
    assert bob.get("/en/account").text.count("Lead · Autumn") == 1
    assert team.ann.post(page, data=fields | {"role": "god"}).status_code == 400


def test_the_last_owner_stays_one(team):
    page = person_page(team, "Ann")
    reply = team.ann.post(page, data={"do": "change", "name": "Ann", "role": "member", "cohort": ""})
    assert "This is the last owner" in reply.text
    assert "This is the last owner" in team.ann.post(page, data={"do": "disable"}).text
    assert "This is the last owner" in team.ann.post(page, data={"do": "delete", "confirm": "Ann"}).text
    assert team.account("Ann").role == "owner"


def test_a_reset_link_a_stop_and_a_return(team):
    bob = team.add("Bob")
    page = person_page(team, "Bob")
    token = LINK.search(team.ann.post(page, data={"do": "reset"}).text).group(1).rpartition("#")[2]
    assert "Set a new password" in team.browser().post("/en/join", data={"token": token}).text
    assert team.ann.post(page, data={"do": "disable"}).status_code == 303
    assert bob.get("/en/account").status_code == 303
    assert "Enable the account" in team.ann.get(page).text
    assert team.ann.post(page, data={"do": "enable"}).status_code == 303
    assert sign_in(bob, login="bob@example.org").status_code == 303


def test_deleting_asks_for_the_name(team):
    team.add("Bob")
    page = person_page(team, "Bob")
    reply = team.ann.post(page, data={"do": "delete", "confirm": "bob"})
    assert reply.status_code == 400
    assert "Nothing was deleted" in reply.text
    assert team.ann.post(page, data={"do": "delete", "confirm": " Bob "}).headers["location"].endswith("?done=deleted")
    assert team.ann.get(page).status_code == 404


def test_cohorts_are_created_renamed_and_deleted(team):
    there = "/en/people/cohorts"
    assert "There is no cohort yet" in team.ann.get(there).text
    assert team.ann.post(there, data={"do": "create", "name": "Autumn"}).status_code == 303
    assert "already" in team.ann.post(there, data={"do": "create", "name": "Autumn"}).text
    (cohort,) = team.accounts.cohorts.all(OPERATOR)
    assert team.ann.post(there, data={"do": "rename", "id": cohort.id, "name": "Winter"}).status_code == 303
    assert 'value="Winter"' in team.ann.get(there).text
    assert team.ann.post(there, data={"do": "delete", "id": cohort.id}).status_code == 303
    assert team.accounts.cohorts.all(OPERATOR) == ()


def test_the_log_says_who_did_what_page_by_page(team):
    for number in range(60):
        team.accounts.cohorts.create(OPERATOR, f"Cohort {number:02}")
    first = team.ann.get("/en/people/log").text
    assert "created a cohort" in first
    assert "Cohort 59" in first
    assert "Cohort 05" not in first
    older = re.search(r"people/log\?before=(\d+)", first).group(1)
    assert "Cohort 05" in team.ann.get(f"/en/people/log?before={older}").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_its_words(language):
    assert {f"audit.{action.replace(' ', '_')}" for action in get_args(Action)} <= load(language).keys()


@pytest.mark.parametrize("path", ["people", "people/cohorts", "people/log", "people/person/x"])
@pytest.mark.parametrize("role", ["member", "lead"])
def test_only_owners_see_or_change_people(team, path, role):
    bob = team.add("Bob", role)
    assert bob.get(f"/en/{path}").status_code == 403
    for do in ("invite", "create", "change", "delete"):
        reply = bob.post(f"/en/{path}", data={"do": do, "role": "owner", "name": "Eve", "confirm": "Bob"})
        assert reply.status_code in (403, 405)
    assert 'href="./people"' not in bob.get("/en/account").text
    assert team.account("Bob").role == role
    assert team.accounts.cohorts.all(OPERATOR) == ()


def test_who_is_no_longer_an_owner_is_told_at_once(team):
    team.add("Bob", "owner")
    bob = team.browser()
    sign_in(bob, login="bob@example.org")
    assert bob.get("/en/people").status_code == 200
    team.accounts.people.set_role(OPERATOR, team.account("Bob").id, "member")
    assert bob.get("/en/people").status_code == 403


# --- one's own account ---


def test_name_and_password_are_changed_and_other_browsers_are_out(team):
    other = team.browser()
    sign_in(other)
    assert team.ann.post("/en/account", data={"do": "rename", "name": "Anna"}).status_code == 303
    assert 'value="Anna"' in team.ann.get("/en/account?done=name").text
    wrong = team.ann.post("/en/account", data={"do": "password", "old": "wrong", "password": "another four words"})
    assert wrong.status_code == 401
    fields = {"do": "password", "old": PASSWORD, "password": "another four words"}
    assert team.ann.post("/en/account", data=fields).status_code == 303
    assert team.ann.get("/en/account").status_code == 200
    assert other.get("/en/account").status_code == 303
    assert sign_in(other, password="another four words").status_code == 303


def test_sign_ins_are_listed_and_ended(team):
    other = team.browser()
    other.headers["user-agent"] = "Other <b>browser"
    sign_in(other)
    page = team.ann.get("/en/account").text
    assert "Other &lt;b&gt;browser" in page
    assert page.count(">this browser<") == 1
    (id_,) = re.findall(r'name="do" value="end"><input type="hidden" name="id" value="([^"]+)"', page)
    assert team.ann.post("/en/account", data={"do": "end", "id": id_}).status_code == 303
    assert other.get("/en/account").status_code == 303
    sign_in(other)
    team.ann.post("/en/account", data={"do": "others"})
    assert other.get("/en/account").status_code == 303
    assert team.ann.get("/en/account").status_code == 200
    sign_in(other)
    team.ann.post("/en/account", data={"do": "everywhere"})
    assert other.get("/en/account").status_code == 303
    assert team.ann.get("/en/account").status_code == 303


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
            "Chrome · Linux",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari · iPhone"),
        ("curl/8.5", "curl/8.5"),
        ("", "–"),
    ],
)
def test_a_browser_is_named_as_people_call_it(said, name):
    assert browser_name(said) == name


def test_nobody_ends_the_sign_in_of_somebody_else(team):
    bob = team.add("Bob")
    (theirs,) = team.accounts.sign_ins.mine(team.account("Ann").person)
    assert bob.post("/en/account", data={"do": "end", "id": theirs.id}).status_code == 400
    assert team.ann.get("/en/account").status_code == 200


def test_a_token_is_shown_once_and_revoked(team):
    fields = {"do": "token", "name": "script <b>", "scope": ["questions:read", "export:read"], "days": "30"}
    page = team.ann.post("/en/account", data=fields).text
    secret = re.search(r'id="secret"[^>]*value="([^"]+)"', page).group(1)
    assert "script &lt;b&gt;" in page
    assert secret not in team.ann.get("/en/account").text
    bearer = team.accounts.tokens.person_of(secret)
    assert bearer.person.name == "Ann"
    assert bearer.scopes == {"questions:read", "export:read"}
    (token,) = team.accounts.tokens.mine(bearer.person)
    bob = team.add("Bob")
    assert bob.post("/en/account", data={"do": "revoke", "id": token.id}).status_code == 400
    assert team.ann.post("/en/account", data={"do": "revoke", "id": token.id}).status_code == 303
    assert team.accounts.tokens.person_of(secret) is None


@pytest.mark.parametrize(
    "wrong", [{"days": "0"}, {"days": "x"}, {"days": "9" * 400}, {"scope": []}, {"scope": ["all"]}, {"name": ""}]
)
def test_a_token_that_cant_be_made_is_told(team, wrong):
    fields = {"do": "token", "name": "script", "scope": ["questions:read"], "days": "30"} | wrong
    assert team.ann.post("/en/account", data=fields).status_code == 400


def test_at_home_the_person_becomes_the_owner_and_signs_in_from_then_on(desk):
    web = build_site(desk)
    home, other = (TestClient(web, follow_redirects=False, headers={"accept": "text/html"}) for _ in range(2))
    assert "Host for a team" in home.get("/en/account").text
    assert home.get("/en/people").status_code == 403
    fields = {"do": "host", "name": "Ann", "login": "ann", "password": "short"}
    assert "10 to 200" in home.post("/en/account", data=fields).text
    assert other.get("/en/account").status_code == 200
    reply = home.post("/en/account", data=fields | {"password": PASSWORD})
    assert reply.headers["location"] == "./people"
    assert home.get("/en/people").status_code == 200
    assert other.get("/en/account").status_code == 303
    (account,) = desk.accounts.people.all(OPERATOR)
    assert account.id == "local"
