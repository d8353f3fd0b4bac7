"""From an answer to progress in a real browser: told before the model answer is shown, kept without leaving, asked
again; the page on a phone and in the dark."""

import re

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("words", [False, True])
def test_the_model_answer_is_shown_after_a_yes_and_kept_without_leaving(visitor, words):
    me = visitor("en").practise(question="training-lora" if words else "inference-kv-cache")
    page = me.page
    if words:
        me.box.fill("show me the answer")
        me.box.press("Enter")
    else:
        me.press("reveal")
    expect(page.locator(".iv-ask", has_text="will then not be scored")).to_be_visible()
    expect(page.locator("#reveal-no")).to_be_focused()
    page.locator("#reveal-no").click()
    expect(page.locator("#reveal-no")).to_be_hidden()
    assert page.locator(".iv-reference").count() == 0
    if words:
        me.box.press("Enter")
    else:
        me.press("reveal")
    page.locator("#reveal-yes").click()
    me.wait_for_phase("reviewing")
    expect(page.locator(".iv-reference")).to_be_visible()
    expect(me.box).to_have_value("")
    expect(page.locator(".iv-card")).to_contain_text("–")
    keep = page.locator(".iv-reference form.iv-keep button")
    keep.click()
    expect(keep).to_have_text("✓ Kept")
    expect(keep).to_be_disabled()
    asked = me.asked
    page.goto(f"{me.url}/en/kept")
    expect(page.locator(".iv-kept h2").filter(has_text=asked)).to_be_visible()


def test_what_was_missed_is_found_on_the_progress_page_and_asked_again(visitor):
    me = visitor("en", viewport={"width": 390, "height": 844}, color_scheme="dark").practise("en")
    page = me.page
    asked = me.asked
    for _ in range(2):
        me.answer("I don't know")
    me.wait_for_phase("reviewing")
    me.press("next")
    me.wait_for_phase("ended")
    page.locator('header nav a[href="progress"]').click()
    expect(page.locator(".iv-today")).to_be_visible()
    assert me.overflow() <= 0
    expect(page.locator(".iv-level-weak").first).to_be_visible()
    expect(page.locator("svg.iv-trend-small")).to_be_visible()
    expect(page.locator("svg.iv-trend-wide")).to_be_hidden()
    ground = page.locator(".iv-tile").first.evaluate("(e) => getComputedStyle(e).color.match(/\\d+/g).map(Number)")
    assert min(ground) > 120, "light letters in the dark"
    for summary in page.locator(".iv-numbers > summary").all():
        summary.click()
    assert me.overflow() <= 0
    more = page.locator('a[href*="weak=all"]')
    if more.count():
        more.click()
        expect(page).to_have_url(re.compile("weak=all"))
    row = page.locator(".iv-weak > li").filter(has_text=asked).first
    row.locator("form.iv-again button").click()
    expect(me.box).to_be_visible()
    expect(page.locator(".iv-question .iv-asked").last).to_contain_text(asked)


def test_an_answer_that_was_graded_can_be_asked_again_from_the_conversation(visitor):
    me = visitor("en").practise()
    asked, first = me.asked, me.interview
    me.answer("It is a way to make things faster by doing several of them at once in the same step.")
    me.finish_question()
    me.page.locator(".iv-feedback form.iv-again button").last.click()
    expect(me.page.locator(f'.iv-card:not([data-interview="{first}"])')).to_be_visible()
    assert me.asked == asked
