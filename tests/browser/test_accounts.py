"""Accounts in real browsers: the owner's link, an invitation, a member who practises, and what nobody else sees."""

import re

import pytest
from playwright.sync_api import expect

PASSWORD = "four unrelated words"
LINK = r"owner's account: (http://\S+)"


@pytest.fixture(scope="module")
def team(new_server):
    """A server nobody owns yet, and the owner's link that its second start printed."""
    own = new_server(INTERVIEWER_TEAM="1")
    first = own.said(LINK)
    own.stop()
    own.start()
    second = own.said(LINK)
    assert second != first
    return own, second


@pytest.fixture(scope="module")
def owners(team):
    """What is known of the owner once they have come in: their login."""
    return {"login": "", "link": team[1]}


def fill(page, **fields):
    for name, value in fields.items():
        page.locator(f'[name="{name}"]:visible').fill(value)


def create(me, link, login, name):
    me.page.goto(link)
    fill(me.page, name=name, login=login, password=PASSWORD)
    me.page.locator("main form button.iv-button").first.click()
    expect(me.page.locator("#start")).to_be_visible()


def sign_in(me, login):
    fill(me.page, login=login, password=PASSWORD)
    me.page.locator("main form button").first.click()


def be_owner(me, owners):
    """The first one comes by the link, the others sign in."""
    if owners["login"]:
        me.page.goto(f"{me.url}/en/sign-in")
        sign_in(me, owners["login"])
        expect(me.page.locator("#start")).to_be_visible()
    else:
        create(me, owners["link"], "ann@example.org", "Ann")
        owners["login"] = "ann@example.org"


def invite(me):
    me.page.goto(f"{me.url}/en/people")
    me.page.get_by_role("button", name="Make a link").click()
    return me.page.locator("#link").input_value()


def test_an_owner_invites_and_a_member_practises_unseen(visitor, team, owners):
    server, _ = team
    ann = visitor("en", url=server.url)
    ann.page.goto(f"{server.url}/en/#/history")
    expect(ann.page.locator("h1")).to_have_text("Sign in")
    be_owner(ann, owners)
    link = invite(ann)

    bob = visitor("en", url=server.url)
    create(bob, link, "bob@example.org", "Bob")
    bob.start(count=1)
    bob.answer("I would measure first, and only then change one thing at a time.")
    bob.finish_question()
    interview = bob.interview
    bob.end()

    ann.open("/en/#/history")
    expect(ann.page.locator("#main .iv-empty, .iv-empty").first).to_be_visible()
    assert ann.page.locator(f'[data-id="{interview}"]').count() == 0
    for place in ("interview", "report"):
        ann.page.goto(f"{server.url}/en/#/{place}/{interview}")
        ann.page.reload()
        expect(ann.page.locator("#problem")).to_contain_text("There is no interview")
    assert "measure first" not in ann.page.content()
    assert ann.page.request.get(f"{server.url}/export/{interview}.html").status == 404
    assert bob.page.request.get(f"{server.url}/export/{interview}.html").status == 200

    bob.page.goto(f"{server.url}/en/account")
    bob.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(bob.page.locator("h1")).to_have_text("Sign in")
    assert bob.page.request.get(f"{server.url}/export/{interview}.html").status == 401
    bob.page.goto(f"{server.url}/en/#/report/{interview}")
    sign_in(bob, "bob@example.org")
    expect(bob.page.locator(".iv-report")).to_be_visible()
    assert bob.page.url.endswith(f"/en/#/report/{interview}")


def test_a_link_works_once_in_the_language_of_the_reader(visitor, team, owners):
    server, _ = team
    ann = visitor("en", url=server.url)
    be_owner(ann, owners)
    link = invite(ann)
    cy = visitor("zh", url=server.url)
    cy.page.goto(link)
    expect(cy.page.locator("h1")).to_have_text("加入")
    cy.page.locator("a[hreflang]").click()
    expect(cy.page.locator("h1")).to_have_text("Join")
    create(cy, link, "cy@example.org", "Cy")
    late = visitor("zh", url=server.url)
    late.page.goto(link)
    expect(late.page.get_by_role("alert")).to_contain_text("请向所有者索取新链接")


def test_who_is_signed_out_elsewhere_is_told_and_keeps_what_they_typed(visitor, team, owners):
    server, _ = team
    me, elsewhere = visitor("en", url=server.url), visitor("en", url=server.url)
    be_owner(me, owners)
    be_owner(elsewhere, owners)
    me.start(count=1)
    asked = me.asked
    me.box.fill("half of an answer")
    elsewhere.page.goto(f"{server.url}/en/account")
    elsewhere.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(elsewhere.page.get_by_role("status")).to_be_visible()
    expect(me.page.locator("#iv-signed-out")).to_be_visible()
    me.box.press("Enter")
    expect(me.box).to_have_value("half of an answer")
    me.page.locator("#iv-signed-out a").click()
    sign_in(me, owners["login"])
    expect(me.box).to_have_value("half of an answer")
    assert me.asked == asked
    me.end()


def test_the_next_person_at_a_browser_finds_nothing_of_the_one_before(visitor, team, owners):
    server, _ = team
    shared = visitor("en", url=server.url)
    be_owner(shared, owners)
    link = invite(shared)
    shared.open("/en/")
    shared.start(count=1)
    first = shared.interview
    shared.box.fill("the first one's draft")
    left_open = shared.page
    shared.page = shared.tab()
    create(shared, link, "di@example.org", "Di")
    kept = shared.page.evaluate("JSON.stringify(localStorage)")
    assert first not in kept
    assert "draft" not in kept
    assert shared.page.locator(".iv-continue").count() == 0
    expect(left_open.locator("#iv-signed-out")).to_be_visible()
    left_open.locator("#answer textarea").fill("more of the first one's draft")
    assert "draft" not in shared.page.evaluate("JSON.stringify(localStorage)")
    left_open.locator("#answer textarea").press("Enter")
    shared.open("/en/#/history")
    expect(shared.page.locator(".iv-empty").first).to_be_visible()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pages_fit_a_phone(visitor, team, owners, language):
    server, _ = team
    me = visitor(language, url=server.url, viewport={"width": 390, "height": 800})
    me.page.goto(f"{server.url}/{language}/sign-in")
    assert me.overflow() == 0
    be_owner(me, owners)
    for path in ("account", "people", "people/cohorts", "people/log", "people/person/local", "join"):
        me.page.goto(f"{server.url}/{language}/{path}")
        expect(me.page.locator("main h1")).to_be_visible()
        assert me.overflow() == 0, path


def test_at_home_a_login_turns_the_page_into_a_teams(visitor, new_server):
    server = new_server()
    me = visitor("en", url=server.url).open("/en/account")
    me.page.locator("summary", has_text="Give yourself a login").click()
    fill(me.page, name="Ann", login="ann", password=PASSWORD)
    me.page.get_by_role("button", name="Create the owner's account").click()
    expect(me.page.locator("h1")).to_have_text("People")
    other = visitor("en", url=server.url)
    other.page.goto(f"{server.url}/en/")
    expect(other.page.locator("h1")).to_have_text("Sign in")
    assert re.search(r"next=(/|%2F)en(/|%2F)", other.page.url)
