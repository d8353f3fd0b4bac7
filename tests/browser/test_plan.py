"""The way to an interview: a track, a job description, the plan and its changes."""

import pytest
from playwright.sync_api import expect

from knowledge.bank import load_bank
from tests.browser.test_hostile import HOSTILE, nothing_ran
from tests.browser.test_looks import PHONE, luminance, tab_to

JOB = "You know RAG and vector search.\nExperience with the KV cache and vLLM serving.\nGood coffee and a nice office."
WORDS = {
    "zh": {"mock": "模拟：计时，结束后看反馈", "minutes": "分钟"},
    "en": {"mock": "Mock: timed, feedback at the end", "minutes": "min"},
}


def look_at_plan(me):
    """From the start page to the plan."""
    expect(me.page.locator("#look")).to_be_enabled()
    me.page.locator("#look").click()
    expect(me.page.locator(".iv-slot").first).to_be_visible()
    return me.page.locator("#plan")


def change(me, selector, *, count=None):
    """Presses a button of the plan and waits for the word about it."""
    said = me.page.locator(".iv-plan-said")
    before = said.inner_text()
    me.page.locator(selector).first.click()
    if count is not None:
        expect(me.page.locator(".iv-slot")).to_have_count(count)
    expect(said).not_to_have_text(before)


def find_topics(me, text):
    page = me.page
    page.locator("#job button").first.click()
    page.locator("#job-text textarea").fill(text)
    page.locator("#job-find").click()


def test_a_plan_is_drawn_changed_and_started(visitor):
    me = visitor("zh").open()
    page = me.page
    page.locator("#track input").nth(3).check()
    page.get_by_label(WORDS["zh"]["mock"], exact=True).check()
    expect(page.locator(".iv-outlook")).to_contain_text(WORDS["zh"]["minutes"])
    plan = look_at_plan(me)
    assert page.url.endswith("#/plan")
    expect(plan).to_contain_text(WORDS["zh"]["mock"])
    slots = page.locator(".iv-slot")
    count = slots.count()
    assert count >= 3

    change(me, '[data-action="remove"]', count=count - 1)
    change(me, '[data-action="another"]', count=count)
    second = slots.nth(1).locator(".iv-slot-topic").inner_text()
    change(me, '.iv-slot[data-index="1"] [data-action="up"]')
    expect(slots.first.locator(".iv-slot-topic")).to_have_text(second)
    change(me, '[data-action="exchange"]')
    minutes, said = page.locator("[data-change]").first, page.locator(".iv-plan-said")
    before = said.inner_text()
    minutes.fill("17")
    minutes.press("Enter")
    # Until the word about it the page may still be drawn anew, and a button pressed just then is no longer there.
    expect(said).not_to_have_text(before)
    expect(page.locator(".iv-plan-round h2").first).to_contain_text(WORDS["zh"]["minutes"])
    expect(minutes).to_have_value("17")
    expect(page.locator(".iv-plan-said")).to_contain_text("1")
    page.locator("#plan-topic").select_option(index=0)
    change(me, '[data-action="add"]', count=count + 1)
    assert not [q.id for q in load_bank() if q.asked_in("zh") in plan.inner_text()]

    change(me, "#draw-again")
    expect(minutes).not_to_have_value("17")
    count = slots.count()
    page.locator("#start-plan").click()
    expect(me.box).to_be_visible()
    expect(page.locator(".iv-big").first).to_have_text(f"1 / {count}")
    expect(page.locator(".iv-round")).to_be_visible()
    # the next one gets a plan of its own
    page.locator("a.iv-brand").click()
    expect(page.locator("#start")).to_be_enabled()


def test_a_job_description_gives_topics_that_can_be_removed_and_reasons_in_the_plan(visitor):
    me = visitor("en").open()
    page = me.page
    find_topics(me, JOB)
    found = page.locator(".iv-found li")
    expect(found.first).to_contain_text("You know RAG and vector search")
    count = found.count()
    assert count >= 2
    assert "coffee" not in page.locator(".iv-found").inner_text()
    dropped = found.last.locator(".iv-found-topic").inner_text()
    found.last.locator("button").click()
    expect(found).to_have_count(count - 1)
    assert dropped not in page.locator(".iv-found").inner_text()
    plan = look_at_plan(me)
    expect(plan).to_contain_text("your job description says")
    assert any(line in plan.inner_text() for line in JOB.splitlines()[:2])


def test_a_hostile_job_description_and_upload_stay_text(visitor, tmp_path):
    me = visitor("en").open()
    page = me.page
    file = tmp_path / "<img src=x onerror=window.hacked=true>.md"
    file.write_text("Experience with the KV cache and vLLM serving <img src=x onerror=window.hacked=true>.\n", "utf-8")
    page.locator("#job button").first.click()
    page.locator("#job-file input[type=file]").set_input_files(file)
    expect(page.locator("#job-file")).to_contain_text(".md")
    page.locator("#job-text textarea").fill("\n".join(f"You know RAG and vector search. {line}" for line in HOSTILE))
    page.locator("#job-find").click()
    expect(page.locator(".iv-found li").first).to_be_visible()
    assert nothing_ran(page)
    assert "onerror" in page.locator("#job-text textarea").input_value()
    look_at_plan(me)
    assert nothing_ran(page)
    assert page.locator("#plan img, #plan script, #job-found img, #job-found script").count() == 0


def test_a_text_about_nothing_says_so_and_the_start_still_works(visitor):
    me = visitor("en").open()
    find_topics(me, "Good coffee.")
    expect(me.page.locator("#job-found")).to_contain_text("No topic")
    me.start()


def test_choices_survive_a_reload_and_a_lost_plan_leads_to_the_start(visitor):
    me = visitor("en").open()
    page = me.page
    page.locator("#track input").nth(1).check()
    page.get_by_label("Senior", exact=True).check()
    page.locator("#minutes").get_by_role("spinbutton").fill("60")
    page.locator("#minutes").get_by_role("spinbutton").press("Tab")
    expect(page.locator("#rounds input:checked")).to_have_count(3)
    look_at_plan(me)
    page.reload()
    expect(page.locator("#start")).to_be_enabled()
    assert page.url.endswith("/en/#/")
    expect(page.locator("#track input").nth(1)).to_be_checked()
    expect(page.get_by_label("Senior", exact=True)).to_be_checked()
    expect(page.locator("#minutes").get_by_role("spinbutton")).to_have_value("60")


def test_without_rounds_there_is_no_start(visitor):
    me = visitor("en").open()
    expect(me.page.locator("#start")).to_be_enabled()
    for box in me.page.locator("#rounds input").all():
        box.uncheck()
    expect(me.page.locator(".iv-matching")).to_contain_text("at least one round")
    expect(me.page.locator("#start")).to_be_disabled()
    expect(me.page.locator("#look")).to_be_disabled()


def test_the_plan_can_be_changed_with_the_keyboard_and_keeps_the_focus(visitor):
    me = visitor("en").open()
    page = me.page
    expect(page.locator("#look")).to_be_enabled()
    tab_to(page, "#look", 60)
    page.keyboard.press("Enter")
    slots = page.locator(".iv-slot")
    expect(slots.first).to_be_visible()
    count = slots.count()
    tab_to(page, '[data-action="remove"]', 60)
    page.keyboard.press("Enter")
    expect(slots).to_have_count(count - 1)
    expect(page.locator('.iv-slot[data-index="0"] [data-action="remove"]')).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator('.iv-slot[data-index="0"] [data-action="another"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(slots).to_have_count(count)
    tab_to(page, "#start-plan", 120)
    page.keyboard.press("Enter")
    expect(me.box).to_be_focused()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_plan_fits_a_phone_in_the_dark(visitor, language):
    me = visitor(language, color_scheme="dark", **PHONE).open()
    find_topics(me, JOB)
    expect(me.page.locator(".iv-found li").first).to_be_visible()
    assert me.overflow() <= 0
    look_at_plan(me)
    assert me.overflow() <= 0
    assert luminance(me.page, ".iv-slot") < 60
    assert luminance(me.page, ".iv-minutes input") < 60
    buttons = me.page.locator(".iv-slot button")
    sizes = [buttons.nth(i).bounding_box() for i in range(5)]
    assert min(min(box["width"], box["height"]) for box in sizes) >= 32
