"""How the page behaves as a page: small screens, dark, keyboard only, no jumps, both languages."""

import pytest
from playwright.sync_api import expect

ROUTES = ["/", "/history", "/questions"]
PHONE = {"viewport": {"width": 390, "height": 844}}


def luminance(page, selector: str) -> float:
    rgb = page.evaluate(
        f"getComputedStyle(document.querySelector('{selector}')).backgroundColor.match(/[\\d.]+/g).map(Number)"
    )
    return sum(rgb[:3]) / 3


LATE = """
let own;
Object.defineProperty(window, 'interviewer', {
  get: () => own,
  set: (value) => {
    const connect = value.connect;
    own = { ...value, connect: (trigger) => { window.connectNow = () => connect(trigger); } };
  },
});
"""
"""A page whose scripts can tell the server where to go only when they are let."""


def test_a_link_that_is_followed_before_the_page_is_ready_is_not_lost(visitor):
    me = visitor("en")
    me.page.add_init_script(LATE)
    me.open()
    expect(me.page.locator("#start")).to_be_enabled()
    me.go("history")
    me.page.evaluate(
        "async () => { while (!window.connectNow) await new Promise((r) => setTimeout(r, 20)); connectNow(); }"
    )
    expect(me.page.get_by_role("heading", name="History", level=1)).to_be_visible()
    assert me.page.url.endswith("#/history")
    me.page.go_back()
    expect(me.page.locator("#start")).to_be_visible()


def test_what_cannot_be_broken_in_an_answer_does_not_widen_its_grade(visitor):
    me = visitor("en", **PHONE).practise()
    me.answer("cache K/V of past tokens -> no recompute. mem = 2*layers*kv_heads*head_dim*seq*batch*bytes")
    frame = me.page.locator(".iv-feedback").last.bounding_box()
    points = me.page.locator(".iv-feedback .iv-point")
    expect(points.first).to_contain_text("kv_heads*head_dim*seq*batch")
    for box in (point.bounding_box() for point in points.all()):
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_wider_than_a_phone(visitor, language):
    me = visitor(language, **PHONE).open()
    for route in ROUTES:
        me.page.goto(f"{me.url}/{language}/#{route}")
        me.page.reload()
        expect(me.page.locator("#main").locator("visible=true")).to_be_visible()
        assert me.overflow() <= 0, route
    me.page.goto(f"{me.url}/{language}/#/questions")
    me.page.locator(".iv-questions a").first.click()
    expect(me.page.locator(".iv-detail")).to_be_visible()
    me.page.locator("#detail summary").first.click()
    assert me.overflow() <= 0
    me.page.goto(f"{me.url}/{language}/#/")
    me.start(count=1)
    assert me.overflow() <= 0
    me.answer("x" * 400 + " <b>" + "长" * 300)
    assert me.overflow() <= 0
    assert me.box.bounding_box()["y"] < 844
    me.end()
    me.press("report")
    expect(me.page.locator(".iv-report")).to_be_visible()
    assert me.overflow() <= 0


def test_dark_follows_the_system_and_can_be_chosen(visitor):
    me = visitor("en", color_scheme="dark").open()
    page = me.page
    expect(page.locator("body.dark")).to_be_visible()
    assert luminance(page, "body") < 40
    switch = page.locator("[data-theme-switch]")
    switch.click()
    expect(switch).to_contain_text("Light")
    assert luminance(page, "body") > 200
    page.reload()
    expect(switch).to_contain_text("Light")
    assert luminance(page, "body") > 200
    page.emulate_media(color_scheme="light")
    switch.click()
    expect(switch).to_contain_text("Dark")
    assert luminance(page, "body") < 40
    switch.click()
    expect(switch).to_contain_text("System")
    assert luminance(page, "body") > 200


def test_the_language_follows_the_browser_and_can_be_switched_for_good(visitor):
    me = visitor("zh").open()
    page = me.page
    expect(page.get_by_role("heading", name="开始一场模拟面试")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    me.go("history")
    page.locator("[data-language]").click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    me.open("/")
    expect(page).to_have_url(f"{me.url}/en/#/history")
    me.page.locator("[data-language]").click()
    expect(page.get_by_role("heading", name="历史")).to_be_visible()


def test_enter_sends_shift_enter_breaks_and_an_input_method_keeps_its_enter(visitor):
    me = visitor("zh").practise("zh")
    me.box.fill("第一行")
    me.box.press("Shift+Enter")
    me.box.type("第二行")
    expect(me.box).to_have_value("第一行\n第二行")
    # the Enter that picks a candidate of an input method
    me.box.evaluate(
        """(box) => { for (const type of ['keydown', 'keypress', 'keyup'])
        box.dispatchEvent(new KeyboardEvent(type, {key: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true})) }"""
    )
    me.page.wait_for_timeout(600)
    expect(me.box).to_have_value("第一行\n第二行")
    expect(me.messages("candidate")).to_have_count(0)
    me.box.press("Enter")
    expect(me.messages("candidate")).to_have_count(1)
    expect(me.messages("candidate").locator(".iv-text")).to_have_text("第一行\n第二行")


def tab_to(page, selector: str, most: int = 40) -> None:
    """Presses Tab until the focus is on something; what has focus must be visible as such."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches('{selector}')"):
            outline = page.evaluate(
                "(() => { const e = document.activeElement; const seen = [e, e.parentElement, e.closest('.iv-composer')]"
                ".filter(Boolean).map((n) => getComputedStyle(n)); return seen.some((s) => s.outlineStyle !== 'none' ||"
                " s.boxShadow !== 'none' || s.borderColor !== 'rgba(0, 0, 0, 0)') })()"
            )
            assert outline
            return
    raise AssertionError(f"Tab never reached {selector}")


def test_everything_can_be_done_with_the_keyboard(visitor):
    me = visitor("en").open()
    page = me.page
    expect(page.locator("#start")).to_be_enabled()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.iv-skip')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    expect(me.box).to_be_focused()
    page.keyboard.type("I would start with the basics.")
    page.keyboard.press("Enter")
    expect(page.locator(".iv-feedback")).to_be_visible()
    me.wait_for_phase("answering", "reviewing")
    expect(me.box).to_be_focused()
    tab_to(page, "#do-stop", 60)
    page.keyboard.press("Enter")
    expect(page.locator("#stop-no")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#stop-yes")).to_be_focused()
    page.keyboard.press("Enter")
    me.wait_for_phase("ended")
    tab_to(page, "#do-report", 60)
    page.keyboard.press("Enter")
    expect(page.locator(".iv-report")).to_be_visible()


def test_nothing_jumps_while_a_grade_is_made(visitor):
    me = visitor("en").practise()
    me.page.evaluate(
        """() => { window.places = new Set(); const look = () => {
        const at = (s) => { const b = document.querySelector(s).getBoundingClientRect(); return [s, b.x, b.y, b.width].map((n) => n.toFixed ? n.toFixed(1) : n).join(); };
        window.places.add([at('#answer textarea'), at('#chat'), at('#card'), at('#do-hint')].join(';')); window.looking = requestAnimationFrame(look); };
        look(); }"""
    )
    me.answer("I would start with the basics and then measure.")
    places = me.page.evaluate("() => { cancelAnimationFrame(window.looking); return [...window.places]; }")
    assert len(places) == 1, places


def test_labels_and_roles_are_there_for_screen_readers(visitor):
    me = visitor("en").open()
    page = me.page
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page.get_by_role("button", name="Start interview")).to_be_visible()
    me.start(count=1)
    expect(page.get_by_role("textbox", name="Your answer")).to_be_visible()
    expect(page.get_by_role("log")).to_be_visible()
    expect(page.get_by_role("region", name="Progress of the interview")).to_be_visible()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, textarea')].filter((n) => n.offsetParent
        && !(n.innerText || '').trim() && !n.getAttribute('aria-label') && !n.labels?.length && !n.title
        && !n.closest('label')).map((n) => n.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []
