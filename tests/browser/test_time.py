"""Mock interviews on the clock, and design questions in their phases."""

import re

import pytest
from playwright.sync_api import expect

from knowledge.bank import load_bank
from tests.browser.past import paused_mock

TWO = ("inference-kv-cache", "training-lora")
DRAFT = "The cache keeps the keys and values of the tokens before, so that"


@pytest.fixture
def at_interview(visitor, server):
    """Opens an interview that was paused after some seconds."""

    def open_(language, ids, minutes, used):
        me = visitor(language).open(f"/{language}/#/interview/{paused_mock(server, ids, minutes, used, language)}")
        me.wait_for_phase("paused")
        return me

    return open_


def left(me) -> str:
    return me.page.locator('.iv-clock [data-clock="left"]').inner_text()


def test_when_time_runs_out_what_was_typed_is_sent_and_the_next_question_comes(at_interview):
    me = at_interview("en", TWO, (1, 5), 57)
    page = me.page
    assert left(me) == "0:03"
    assert page.locator('.iv-clock [data-clock="overall"]').inner_text() == "5:03"
    expect(page.locator('.iv-clock[data-clock-level="soon"]')).to_be_visible()
    me.box.fill(DRAFT)
    me.press("resume")
    expect(me.messages("candidate")).to_have_count(1)
    expect(me.messages("candidate").locator(".iv-text")).to_have_text(DRAFT)
    expect(page.locator(".iv-question")).to_have_count(2)
    expect(page.locator(".iv-followup")).to_have_count(0)
    expect(me.box).to_have_value("")
    expect(page.locator('.iv-clock[data-clock-level=""]')).to_be_visible()
    assert re.fullmatch(r"[45]:\d\d", left(me))


@pytest.mark.parametrize(("language", "reason"), [("en", "time was over"), ("zh", "时间到")])
def test_a_question_nobody_answered_in_time_is_closed_and_the_report_says_so(at_interview, language, reason):
    me = at_interview(language, TWO[:1], (1,), 58)
    me.press("resume")
    me.wait_for_phase("ended")
    me.press("report")
    expect(me.page.locator(".iv-item").first).to_contain_text(reason)


def test_the_last_minute_is_announced_once_and_seconds_never(at_interview):
    me = at_interview("en", TWO[:1], (2,), 58.5)
    said = me.page.locator("#clock-said")
    expect(said).to_have_text("")
    me.press("resume")
    expect(said).to_have_text("One minute left.")
    assert said.get_attribute("role") == "status"
    live = "[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]"
    assert me.page.evaluate(f"() => !document.querySelector('[data-clock]').closest('{live}')")


def test_a_pause_stops_the_clock_and_is_counted(at_interview):
    me = at_interview("en", TWO, (5, 5), 60)
    pause = me.page.locator('[data-clock="paused"]')
    stood, before = left(me), pause.inner_text()
    expect(pause).not_to_have_text(before)
    assert left(me) == stood == "4:00"
    me.press("resume")
    me.wait_for_phase("answering")
    expect(me.page.locator('.iv-clock [data-clock="left"]')).not_to_have_text("4:00")
    expect(me.page.locator(".iv-pauses")).to_be_visible()


def test_a_design_question_goes_through_its_phases(visitor):
    question = next(q for q in load_bank() if q.phases)
    titles = [phase.title["en"] for phase in question.phases]
    me = visitor("en").open(f"/en/#/questions/{question.id}")
    page = me.page
    page.locator('[data-action="practise"]').click()
    expect(me.box).to_be_visible()
    steps, now = page.locator(".iv-phases li"), page.locator('.iv-phases [aria-current="step"]')
    expect(steps).to_have_count(len(titles))
    for number, title in enumerate(titles[:-1], 1):
        expect(page.locator(".iv-msg.iv-phase")).to_have_count(number)
        expect(now).to_contain_text(title)
        expect(page.locator("#do-skip")).to_have_text("Next phase")
        me.press("skip")
    expect(now).to_contain_text(titles[-1])
    expect(page.locator("#do-skip")).to_have_text("Finish question")
    last = [question.point(id_).in_language("en") for id_ in question.phases[-1].points]
    me.answer("\n".join(last))
    expect(page.locator(".iv-feedback .iv-phase-title").last).to_contain_text(titles[-1])
    me.end()
    me.press("report")
    for title in titles:
        expect(page.locator(".iv-item .iv-phase-title").filter(has_text=title)).to_be_visible()
