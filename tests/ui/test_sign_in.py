"""Coming in: by the owner's link, an invitation, a password; and going out."""

import re

import pytest
from fastapi.testclient import TestClient

from interviewer.accounts.rules import OPERATOR
from tests.ui.conftest import make_desk
from ui.app import build_site

PASSWORD = "four unrelated words"


@pytest.fixture
def team(tmp_path):
    return make_desk(tmp_path, team=True)


@pytest.fixture
def web(team):
    return build_site(team)


@pytest.fixture
def browser(web):
    """Makes browsers, each with cookies of its own."""
    return lambda: TestClient(web, follow_redirects=False, headers={"accept": "text/html"})


def owner_link(team):
    return team.accounts.links.owner_link().token


def join(browser, token, login="ann@example.org", name="Ann", password=PASSWORD):
    fields = {"token": token, "do": "accept", "login": login, "name": name, "password": password}
    return browser.post("/en/join", data=fields)


def sign_in(browser, login="ann@example.org", password=PASSWORD, **more):
    return browser.post("/en/sign-in", data={"login": login, "password": password, **more})


@pytest.fixture
def ann(team, browser):
    """The owner's browser."""
    made = browser()
    assert join(made, owner_link(team)).status_code == 303
    return made


def test_the_owners_link_creates_the_owner_and_signs_in(team, browser):
    ann = browser()
    token = owner_link(team)
    assert (
        "Create the owner&#39;s account" in ann.post("/en/join", data={"token": f"https://x.example/join#{token}"}).text
    )
    reply = join(ann, token)
    assert (reply.status_code, reply.headers["location"]) == (303, "./")
    assert ann.get("/en/evidence").status_code == 200
    assert team.accounts.people.all(OPERATOR)[0].role == "owner"
    assert join(browser(), token, login="eve").status_code == 400


def test_a_page_that_is_not_for_everyone_leads_to_the_sign_in_and_back(ann, browser):
    bob = browser()
    reply = bob.get("/en/evidence?x=1&y=%2F")
    assert reply.headers["location"] == "../en/sign-in?next=/en/evidence%3Fx%3D1%26y%3D%252F"
    page = bob.get(reply.headers["location"].removeprefix("../"))
    wanted = re.search('name="next" value="([^"]*)"', page.text).group(1).replace("&amp;", "&")
    reply = sign_in(bob, next=wanted)
    assert reply.headers["location"] == "./../en/evidence?x=1&y=%2F"
    assert bob.get("/en/evidence").status_code == 200


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/a\nb", "", "en/"]
)
def test_nobody_is_led_to_another_site(ann, browser, wanted):
    assert sign_in(browser(), next=wanted).headers["location"] == "./"
    assert ann.get("/en/sign-in", params={"next": wanted}).headers["location"] == "./"


def test_a_wrong_password_is_told_without_saying_which_part_is_wrong(ann, browser):
    bob = browser()
    known, unknown = sign_in(bob, password="wrong"), sign_in(bob, login="nobody@example.org")
    assert (known.status_code, unknown.status_code) == (401, 401)
    told = [re.search('role="alert"[^>]*>([^<]*)', reply.text).group(1) for reply in (known, unknown)]
    assert told[0] == told[1]
    assert "set-cookie" not in known.headers


def test_guessing_is_slowed_down(ann, browser):
    bob = browser()
    statuses = [sign_in(bob, password=f"guess {n}").status_code for n in range(8)]
    assert statuses[:5] == [401] * 5
    assert statuses[-1] == 429
    assert sign_in(bob).status_code == 429


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(ann, browser):
    cookie = sign_in(browser()).headers["set-cookie"]
    assert cookie.startswith("interviewer_session=")
    assert {"httponly", "samesite=lax", "path=/", "max-age=2592000"} <= set(cookie.lower().split("; "))
    assert "secure" not in cookie.lower()


@pytest.mark.parametrize(
    ("public", "name", "path"),
    [
        ("https://practice.example.org", "__Host-interviewer_session", "/"),
        ("https://example.org/practice/", "__Secure-interviewer_session", "/practice"),
    ],
)
def test_behind_tls_the_cookie_stays_there_and_under_its_prefix(tmp_path, public, name, path):
    desk = make_desk(tmp_path, team=True, public_url=public)
    reply = join(TestClient(build_site(desk), follow_redirects=False), owner_link(desk))
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"{name}=")
    assert {"secure", f"path={path}"} <= set(cookie.lower().split("; "))


def test_a_forged_or_changed_cookie_is_nobody(ann, browser):
    name, value = next((cookie.name, cookie.value) for cookie in ann.cookies.jar)
    held, signature = value.rsplit(".", 1)
    # Not its last character: that one carries bits which base64 leaves unread, so a change of it may change nothing.
    changed = f"{held}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    for forged in (changed, value.split(".")[0], "x", "", '"'):
        assert browser().get("/en/evidence", headers={"cookie": f"{name}={forged}"}).status_code == 303
    assert browser().get("/en/evidence", headers={"cookie": f"{name}={value}"}).status_code == 200


def test_signing_out_ends_the_sign_in_and_not_only_the_cookie(ann, browser):
    name, value = next((cookie.name, cookie.value) for cookie in ann.cookies.jar)
    reply = ann.post("/en/sign-out")
    assert reply.headers["location"] == "./sign-in"
    assert f'{name}=""; HttpOnly; Max-Age=0' in reply.headers["set-cookie"]
    assert browser().get("/en/evidence", headers={"cookie": f"{name}={value}"}).status_code == 303


def test_signing_in_again_ends_the_sign_in_this_browser_had(team, ann):
    before = next(cookie.value for cookie in ann.cookies.jar)
    assert sign_in(ann).status_code == 303
    (person,) = team.accounts.people.all(OPERATOR)
    assert len(team.accounts.sign_ins.mine(person.person)) == 1
    assert next(cookie.value for cookie in ann.cookies.jar) != before


def test_what_cant_be_taken_is_said_and_only_the_password_is_typed_again(team, browser):
    bob, token = browser(), owner_link(team)
    reply = join(bob, token, name="Bob <b>", password="short")
    assert reply.status_code == 400
    assert "10 to 200 characters" in reply.text
    assert 'value="Bob &lt;b&gt;"' in reply.text
    assert "short" not in reply.text.split("<main")[1]
    assert join(bob, token, name="Bob <b>").status_code == 303


def test_an_invitation_gives_the_role_it_was_made_for(team, ann, browser):
    (owner,) = team.accounts.people.all(OPERATOR)
    invitation = team.accounts.links.invite(owner.person, "lead")
    bob = browser()
    assert "invited as a lead" in bob.post("/en/join", data={"token": invitation.token}).text
    assert join(bob, invitation.token, login="ann@example.org").status_code == 400
    assert join(bob, invitation.token, login="bob@example.org", name="Bob").status_code == 303
    assert {account.role for account in team.accounts.people.all(OPERATOR)} == {"owner", "lead"}


def test_a_reset_link_sets_the_password_and_signs_out_elsewhere(team, ann, browser):
    (owner,) = team.accounts.people.all(OPERATOR)
    link = team.accounts.links.reset_link(OPERATOR, owner.id)
    here = browser()
    assert "Set a new password" in here.post("/en/join", data={"token": link.token}).text
    fields = {"token": link.token, "do": "reset", "password": "another four words"}
    assert here.post("/en/join", data=fields).status_code == 303
    assert ann.get("/en/evidence").status_code == 303
    assert sign_in(browser()).status_code == 401
    assert sign_in(browser(), password="another four words").status_code == 303
    assert here.post("/en/join", data=fields).status_code == 400


@pytest.mark.parametrize("code", ["", "x", "https://x.example/join#nonsense", "\x00", "x" * 3000])
def test_a_link_that_is_none_is_told(team, browser, code):
    reply = browser().post("/zh/join", data={"token": code})
    assert reply.status_code == 400
    assert "请向所有者索取新链接" in reply.text


def test_the_short_address_of_a_link_leads_to_the_readers_language(browser):
    assert browser().get("/join", headers={"accept-language": "zh-CN"}).headers["location"] == "zh/join"


def test_a_disabled_person_is_out_at_once_and_cant_come_back(team, ann, browser):
    (owner,) = team.accounts.people.all(OPERATOR)
    invitation = team.accounts.links.invite(owner.person, "member")
    bob = browser()
    join(bob, invitation.token, login="bob@example.org", name="Bob")
    assert bob.get("/en/evidence").status_code == 200
    theirs = next(a for a in team.accounts.people.all(OPERATOR) if a.role == "member")
    team.accounts.people.disable(owner.person, theirs.id)
    assert bob.get("/en/evidence").status_code == 303
    reply = sign_in(bob, login="bob@example.org")
    assert reply.status_code == 400
    assert "disabled" in reply.text


def test_at_home_nobody_signs_in(desk):
    home = TestClient(build_site(desk), follow_redirects=False)
    assert home.get("/en/evidence").status_code == 200
    assert home.get("/en/sign-in").headers["location"] == "./"
