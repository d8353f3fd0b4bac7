"""Nothing typed is lost: reloads, second tabs, closed browsers, and a server that is killed."""

from playwright.sync_api import expect

from tests.protocol_server import ProtocolServer, Slow, graduate

DRAFT = "half of an answer,\nwith a second line"


def test_a_reload_keeps_place_and_half_typed_answer(visitor):
    me = visitor("en").open()
    me.start(count=1)
    asked = me.asked
    me.press("hint")
    expect(me.page.locator(".iv-hint")).to_have_count(1)
    me.box.fill(DRAFT)
    me.page.reload()
    expect(me.box).to_have_value(DRAFT)
    assert me.asked == asked
    expect(me.page.locator(".iv-hint")).to_have_count(1)


def test_a_second_tab_and_a_closed_one_find_the_same_place_and_draft(visitor):
    me = visitor("en").open()
    me.start(count=1)
    me.box.fill(DRAFT)
    asked = me.asked
    second = me.tab()
    me.page.close()
    second.goto(f"{me.url}/en/")
    me.page = second
    expect(me.box).to_have_value(DRAFT)
    assert me.asked == asked


def test_two_tabs_in_two_interviews_do_not_mix(visitor):
    me = visitor("en").open()
    me.start(count=1)
    me.box.fill("draft of the first")
    first, one = me.interview, me.page
    me.page = me.tab()
    me.open("/en/#/questions")
    me.page.locator(".iv-questions a").nth(3).click()
    me.page.locator('[data-action="practise"]').click()
    expect(me.box).to_have_value("")
    me.box.fill("draft of the second")
    assert me.interview != first
    me.page = one
    me.page.reload()
    expect(me.box).to_have_value("draft of the first")
    assert me.interview == first


def test_an_interview_can_be_continued_from_the_start_page_and_the_history(visitor):
    me = visitor("en").open()
    me.start(count=1)
    id_ = me.interview
    me.go("history")
    me.page.locator(f'.iv-row[data-id="{id_}"] a[href^="#/interview/"]').click()
    expect(me.box).to_be_visible()
    assert me.interview == id_
    me.page.locator("a.iv-brand").click()
    expect(me.page.locator(".iv-continue")).to_be_visible()
    me.page.locator(".iv-continue a").click()
    expect(me.box).to_be_visible()
    assert me.interview == id_


def test_a_paused_interview_goes_on_with_an_answer(visitor):
    me = visitor("en").open()
    me.start(count=1)
    me.press("pause")
    me.wait_for_phase("paused")
    me.page.reload()
    me.wait_for_phase("paused")
    assert me.page.locator("#do-hint").is_hidden()
    me.answer("I would start with the basics and then measure.")
    assert me.page.locator(".iv-feedback").count() == 1


def test_a_killed_server_is_noticed_and_after_its_restart_all_goes_on(visitor, new_server):
    own_server = new_server()
    me = visitor("en", url=own_server.url).open()
    me.start(count=1)
    id_, asked = me.interview, me.asked
    me.box.fill(DRAFT)

    own_server.kill()
    expect(me.page.locator("#iv-offline")).to_be_visible()
    expect(me.page.locator("#iv-offline")).to_contain_text("still here")
    me.box.press("Enter")
    expect(me.box).to_have_value(DRAFT)
    me.box.press("End")
    me.box.type(" and more")

    own_server.start(own_server.port)
    expect(me.page.locator("#iv-offline")).to_be_hidden()
    expect(me.box).to_have_value(DRAFT + " and more")
    assert me.asked == asked
    me.say(me.box.input_value())
    assert me.interview == id_
    expect(me.messages("candidate")).to_have_text(f"You: {DRAFT} and more")


def test_a_server_killed_while_grading_has_the_answer_and_grades_it_after_its_restart(visitor, new_server, well_said):
    with ProtocolServer() as model:
        process = new_server(INTERVIEWER_CHAT_MODEL="mock", INTERVIEWER_CHAT_BASE_URL=model.url)
        model.behaviour = lambda request: Slow(60, graduate(request))
        me = visitor("en", url=process.url).open()
        me.start(count=1)
        me.say(well_said(me.asked, "en"))
        me.wait_for_phase("grading")
        me.box.fill(DRAFT)
        process.kill()
        model.behaviour = graduate
        expect(me.page.locator("#iv-offline")).to_be_visible()
        process.start(process.port)
        expect(me.page.locator(".iv-feedback .iv-score b").first).to_be_visible()
        expect(me.messages("candidate")).to_have_count(1)
        expect(me.box).to_have_value(DRAFT)
