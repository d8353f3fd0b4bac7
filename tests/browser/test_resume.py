"""Nothing typed is lost: reloads, second tabs and closed browsers."""

from playwright.sync_api import expect

DRAFT = "half of an answer,\nwith a second line"


def test_a_reload_keeps_place_and_half_typed_answer(visitor):
    me = visitor("en").practise()
    asked = me.asked
    me.press("hint")
    expect(me.page.locator(".iv-hint")).to_have_count(1)
    me.box.fill(DRAFT)
    me.page.reload()
    expect(me.box).to_have_value(DRAFT)
    assert me.asked == asked
    expect(me.page.locator(".iv-hint")).to_have_count(1)


def test_a_second_tab_and_a_closed_one_find_the_same_place_and_draft(visitor):
    me = visitor("en").practise()
    me.box.fill(DRAFT)
    asked = me.asked
    second = me.tab()
    me.page.close()
    second.goto(f"{me.url}/en/")
    me.page = second
    expect(me.box).to_have_value(DRAFT)
    assert me.asked == asked


def test_two_tabs_in_two_interviews_do_not_mix(visitor):
    me = visitor("en").practise()
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
    me = visitor("en").practise()
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
    me = visitor("en").practise()
    me.press("pause")
    me.wait_for_phase("paused")
    me.page.reload()
    me.wait_for_phase("paused")
    assert me.page.locator("#do-hint").is_hidden()
    me.answer("I would start with the basics and then measure.")
    assert me.page.locator(".iv-feedback").count() == 1


FOLLOWS_AS_THE_FIRST_PAGE_COMES = """
let real, first = true;
Object.defineProperty(window, 'interviewer', { get: () => real, set: (made) => {
  const apply = made.apply;
  made.apply = (told) => {
    if (first && told && 'route' in told) { first = false; location.hash = '#/history'; }
    apply(told);
  };
  real = made;
} });
"""


def test_a_link_followed_at_the_moment_the_first_page_comes_arrives(visitor):
    me = visitor("en")
    me.page.add_init_script(FOLLOWS_AS_THE_FIRST_PAGE_COMES)
    me.page.goto(f"{me.url}/en/")
    expect(me.page.get_by_role("heading", name="History", level=1)).to_be_visible(timeout=15_000)
    assert me.page.url.endswith("/en/#/history")


FOLLOWS_BEFORE_THE_FIRST_PAGE_COMES = """
let real, came = false, held = [];
Object.defineProperty(window, 'interviewer', { get: () => real, set: (made) => {
  const { apply, connect } = made;
  const show = (told) => { came ||= told && 'route' in told; apply(told); };
  made.apply = (told) => { held ? held.push(told) : show(told); };
  made.connect = (trigger) => {
    connect((told) => { window.toldEarly ||= !came; trigger(told); });
    if (!held) return;
    location.hash = '#/history';
    setTimeout(() => {
      const late = held;
      held = null;
      late.forEach(show);
    }, 500);
  };
  real = made;
} });
"""


def test_a_link_followed_before_the_first_page_comes_waits_for_it(visitor):
    """What is asked for before that may be answered first, and the first page then takes its place."""
    me = visitor("en")
    me.page.add_init_script(FOLLOWS_BEFORE_THE_FIRST_PAGE_COMES)
    me.page.goto(f"{me.url}/en/")
    expect(me.page.get_by_role("heading", name="History", level=1)).to_be_visible(timeout=15_000)
    me.page.wait_for_function("window.toldEarly !== undefined")
    assert me.page.evaluate("window.toldEarly") is False
    assert me.page.url.endswith("/en/#/history")
