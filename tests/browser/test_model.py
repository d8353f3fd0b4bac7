"""The page with a chat model behind it: the real client, a real socket, a server that behaves or doesn't."""

import pytest
from playwright.sync_api import expect

from tests.protocol_server import Fail, Say, Stall, graduate


def taking_six_seconds(reply):
    """The reply in sixty pieces, however long it is: questions differ in their number of points."""
    return reply._replace(piece=len(reply.text) // 60 + 1, pace=0.1)


def test_a_journey_with_a_model(visitor, with_model, model, well_said):
    me = visitor("zh", url=with_model.url).open()
    expect(me.page.locator(".iv-ready")).to_contain_text("mock")
    me.practise("zh")
    model.behaviour = lambda request: taking_six_seconds(graduate(request))
    me.say(well_said(me.asked, "zh"))
    expect(me.page.locator(".iv-progress")).to_be_visible()
    me.wait_for_phase("answering", "reviewing")
    feedback = me.page.locator(".iv-feedback").last
    expect(feedback.locator(".iv-grader")).to_have_text("模型 mock")
    expect(me.page.locator(".iv-card-foot")).to_contain_text("mock")
    assert float(feedback.locator(".iv-score b").inner_text()) >= 6
    expect(me.page.locator(".iv-answer mark.iv-covered").nth(1)).to_be_visible()
    me.end()
    me.press("report")
    expect(me.page.locator(".iv-report")).to_be_visible()


def test_whoever_leaves_while_a_grade_is_made_is_left_alone_and_finds_it_later(visitor, with_model, model, well_said):
    me = visitor("en", url=with_model.url).practise()
    model.behaviour = lambda request: taking_six_seconds(graduate(request))
    me.say(well_said(me.asked, "en"))
    me.wait_for_phase("grading")
    id_ = me.interview
    me.go("history")
    expect(me.page.locator(".iv-history")).to_be_visible()
    row = me.page.locator(f'.iv-row[data-id="{id_}"]')
    expect(row).to_contain_text("Grading")
    me.page.wait_for_timeout(2500)
    expect(me.page.locator(".iv-history")).to_be_visible()
    assert me.page.url.endswith("#/history")
    row.locator('a[href^="#/interview/"]').click()
    expect(me.page.locator(".iv-feedback .iv-grader").first).to_have_text("Model mock")
    expect(me.messages("candidate")).to_have_count(1)


@pytest.mark.parametrize(
    "action",
    [Fail(401, "bad key"), Fail(500), Stall("{", 1, 30), Say("this is no JSON")],
    ids=["401", "500", "stalled", "no JSON"],
)
def test_when_the_model_fails_the_page_says_who_graded_instead(visitor, with_model, model, well_said, action):
    me = visitor("en", url=with_model.url).practise()
    model.behaviour = lambda request: action
    me.answer(well_said(me.asked, "en"))
    feedback = me.page.locator(".iv-feedback").last
    expect(feedback.locator(".iv-grader")).to_have_text("Built-in grader")
    note = feedback.locator(".iv-note")
    expect(note).not_to_be_empty()
    gap = "note => note.nextElementSibling.getBoundingClientRect().top - note.getBoundingClientRect().bottom"
    assert note.evaluate(gap) >= 8
    expect(me.page.locator(".iv-card-foot .iv-note")).not_to_be_empty()
    expect(me.box).to_have_value("")
