"""Question sets in the browser: editing at home, and a team's import, review and publishing."""

from playwright.sync_api import expect

from tests.browser.team import OWNER

NOTES = """# Notes

## What does a turnstile count?

- A turnstile counts the people who pass it.
- At closing time it must read zero.

## What does a turnstile really count, then?

- It counts passes, not people: who goes round twice is counted twice.
"""


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_question_is_edited_compared_and_restored_at_home(visitor):
    me = visitor("zh", viewport={"width": 390, "height": 800})
    page = me.open("/zh/bank/sets/bank").page
    assert fits(page)
    page.locator(".iv-bank-list a").first.click()
    editor = page.locator("form.iv-editor")
    expect(editor).to_be_visible()
    assert fits(page)
    before = editor.locator("[name='question.en']").input_value()
    editor.locator("[name='question.en']").fill("Rewritten <b>question</b>?")
    editor.locator("button[value=add-point]").click()
    expect(editor.locator("[name='question.en']")).to_have_value("Rewritten <b>question</b>?")
    last = editor.locator("fieldset:has([name$='.weight'])").last
    last.locator("[name$='.text.en']").fill("A brand new point")
    last.locator("[name$='.weight']").fill("heavy")
    # Enter saves; the row buttons that stand before it in the page don't.
    last.locator("[name$='.weight']").press("Enter")
    expect(page.locator(".iv-error")).to_have_count(1)
    last.locator("[name$='.weight']").fill("1.5")
    editor.locator("button[value=preview]").click()
    expect(page.locator("#preview")).to_contain_text("Rewritten <b>question</b>?")
    editor.locator(".iv-save button[value=save]").click()
    expect(page.locator(".iv-done")).to_be_visible()
    page.locator("main a[href$='/versions']").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".iv-diff ins").first).to_contain_text("Rewritten")
    expect(page.locator(".iv-diff")).to_contain_text("<b>question</b>")
    assert fits(page)
    page.locator("form[method=post] button").click()
    expect(editor.locator("[name='question.en']")).to_have_value(before)


def test_an_owners_import_is_reviewed_and_only_then_there_for_everyone(signed_in, team, tmp_path):
    ann = signed_in(OWNER)
    team.join("hal")
    hal = signed_in("hal")

    file = tmp_path / "turnstiles.md"
    file.write_text(NOTES, "utf-8")
    page = ann.open("/en/#/questions").page
    page.locator("#import button").first.click()
    expect(page.locator("#set-name").locator("input, textarea")).to_have_value("Questions of Ann")
    page.locator("#files input[type=file]").set_input_files(file)
    expect(page.locator("#files")).to_contain_text("turnstiles")
    page.locator("#set-name").locator("input, textarea").fill("Turnstiles")
    page.locator("#set-readers input").click()
    page.get_by_role("option", name="Everyone").click()
    page.locator("#do-import").click()
    expect(page.locator(".iv-imported")).to_contain_text("2 new")
    expect(page.locator(".iv-imported")).to_contain_text("waits for review")

    hal.open("/en/bank")
    expect(hal.page.locator("main")).not_to_contain_text("Turnstiles")
    page.locator(".iv-imported a[href='bank/review']").click()
    expect(page.locator(".iv-bank-list li")).to_have_count(2)
    page.locator(".iv-bank-list a").first.click()
    address = page.url
    page.locator("button[value=publish]").click()
    expect(page.locator(".iv-done")).to_be_visible()

    hal.open("/en/bank")
    expect(hal.page.locator("main")).to_contain_text("Turnstiles")
    hal.page.goto(address)
    expect(hal.page.locator("main")).to_contain_text("not yours")
    hal.open("/en/#/questions")
    hal.page.locator("#search").locator("input, textarea").fill("turnstile")
    expect(hal.page.locator(".iv-questions li").first).to_contain_text("turnstile")
    expect(hal.page.locator(".iv-questions")).not_to_contain_text("really count")
