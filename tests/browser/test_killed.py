"""A server that is killed: noticed, nothing typed is lost, and after its restart all goes on."""

from playwright.sync_api import expect

from tests.browser.test_model import taking_six_seconds
from tests.browser.test_resume import DRAFT
from tests.protocol_server import graduate


def test_a_killed_server_is_noticed_and_after_its_restart_all_goes_on(visitor, with_model):
    me = visitor("en", url=with_model.url).practise()
    id_, asked = me.interview, me.asked
    me.box.fill(DRAFT)

    with_model.kill()
    expect(me.page.locator("#iv-offline")).to_be_visible()
    expect(me.page.locator("#iv-offline")).to_contain_text("still here")
    me.box.press("Enter")
    expect(me.box).to_have_value(DRAFT)
    me.box.press("End")
    me.box.type(" and more")

    with_model.start(with_model.port)
    expect(me.page.locator("#iv-offline")).to_be_hidden()
    expect(me.box).to_have_value(DRAFT + " and more")
    assert me.asked == asked
    me.say(me.box.input_value())
    assert me.interview == id_
    expect(me.messages("candidate")).to_have_text(f"You: {DRAFT} and more")


def test_a_server_killed_while_grading_has_the_answer_and_grades_it_after_its_restart(
    visitor, with_model, model, well_said
):
    model.behaviour = lambda request: taking_six_seconds(graduate(request))
    me = visitor("en", url=with_model.url).practise()
    me.say(well_said(me.asked, "en"))
    me.wait_for_phase("grading")
    me.box.fill(DRAFT)
    with_model.kill()
    model.behaviour = graduate
    expect(me.page.locator("#iv-offline")).to_be_visible()
    expect(me.page.locator(".iv-feedback")).to_have_count(0)
    with_model.start(with_model.port)
    expect(me.page.locator(".iv-feedback .iv-score b").first).to_be_visible()
    expect(me.messages("candidate")).to_have_count(1)
    expect(me.box).to_have_value(DRAFT)
