"""Accounts in real browsers: the owner's link, an invitation, a member who practises, and what nobody else sees."""

import pytest
from playwright.sync_api import expect

from tests.browser.team import OWNER, create, sign_in


def test_an_owner_invites_and_a_member_practises_unseen(visitor, team):
    ann = visitor("en", url=team.url)
    ann.page.goto(f"{team.url}/en/#/history")
    expect(ann.page.locator("h1")).to_have_text("Sign in")
    sign_in(ann, OWNER)
    expect(ann.page.locator("header.iv-header nav")).to_be_visible()
    ann.page.goto(f"{team.url}/en/people")
    ann.page.get_by_role("button", name="Make a link").click()
    link = ann.page.locator("#link").input_value()

    bob = visitor("en", url=team.url)
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
        ann.page.goto(f"{team.url}/en/#/{place}/{interview}")
        ann.page.reload()
        expect(ann.page.locator("#problem")).to_contain_text("There is no interview")
    assert "measure first" not in ann.page.content()
    assert ann.page.request.get(f"{team.url}/export/{interview}.html").status == 404
    assert bob.page.request.get(f"{team.url}/export/{interview}.html").status == 200

    bob.page.goto(f"{team.url}/en/account")
    bob.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(bob.page.locator("h1")).to_have_text("Sign in")
    assert bob.page.request.get(f"{team.url}/export/{interview}.html").status == 401
    bob.page.goto(f"{team.url}/en/#/report/{interview}")
    sign_in(bob, "bob@example.org")
    expect(bob.page.locator(".iv-report")).to_be_visible()
    assert bob.page.url.endswith(f"/en/#/report/{interview}")


def test_a_link_works_once_in_the_language_of_the_reader(visitor, team):
    link = team.invite()
    cy = visitor("zh", url=team.url)
    cy.page.goto(link)
    expect(cy.page.locator("h1")).to_have_text("加入")
    cy.page.locator("a[hreflang]").click()
    expect(cy.page.locator("h1")).to_have_text("Join")
    create(cy, link, "cy@example.org", "Cy")
    late = visitor("zh", url=team.url)
    late.page.goto(link)
    expect(late.page.get_by_role("alert")).to_contain_text("请向所有者索取新链接")


def test_who_is_signed_out_elsewhere_is_told_and_keeps_what_they_typed(signed_in, team):
    team.join("fay")
    me, elsewhere = signed_in("fay").practise(), signed_in("fay")
    asked = me.asked
    me.box.fill("half of an answer")
    elsewhere.page.goto(f"{team.url}/en/account")
    elsewhere.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(elsewhere.page.get_by_role("status")).to_be_visible()
    expect(me.page.locator("#iv-signed-out")).to_be_visible()
    me.box.press("Enter")
    expect(me.box).to_have_value("half of an answer")
    me.page.locator("#iv-signed-out a").click()
    sign_in(me, "fay")
    expect(me.box).to_have_value("half of an answer")
    assert me.asked == asked
    me.end()


def test_the_next_person_at_a_browser_finds_nothing_of_the_one_before(signed_in, team):
    team.join("gus")
    shared = signed_in("gus").practise()
    first = shared.interview
    shared.box.fill("the first one's draft")
    left_open = shared.page
    shared.page = shared.tab()
    create(shared, team.invite(), "di@example.org", "Di")
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
def test_the_pages_fit_a_phone(signed_in, visitor, language):
    phone = {"width": 390, "height": 800}
    me = signed_in(OWNER, language, viewport=phone)
    nobody = visitor(language, url=me.url, viewport=phone)
    nobody.page.goto(f"{me.url}/{language}/sign-in")
    expect(nobody.page.locator("main form button").first).to_be_visible()
    assert nobody.overflow() == 0
    for path in ("account", "people", "people/cohorts", "people/log", "people/person/local", "join"):
        me.page.goto(f"{me.url}/{language}/{path}")
        expect(me.page.locator("main h1")).to_be_visible()
        assert me.overflow() == 0, path
