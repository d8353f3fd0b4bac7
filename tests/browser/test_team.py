"""A lead and members in browsers of their own: an assignment given, done, shared, read and taken back."""

from playwright.sync_api import expect


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
