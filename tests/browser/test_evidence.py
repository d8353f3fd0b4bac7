"""The page of figures in a real browser: reached from the header, on a phone and in the dark."""

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize(("language", "title"), [("zh", "评分有多准"), ("en", "How well it grades")])
def test_it_is_found_in_the_header_and_fits_a_phone_in_the_dark(visitor, language, title):
    me = visitor(language, viewport={"width": 390, "height": 844}, color_scheme="dark").open()
    page = me.page
    page.locator("header nav").get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert me.overflow() <= 0
    ground = page.locator(".iv-chart .ground").first
    dark = ground.evaluate("(rect) => getComputedStyle(rect).fill.match(/\\d+/g).map(Number)")
    assert max(dark) < 60
    assert page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")[0] < 40
    assert ground.bounding_box()["width"] <= 390
    page.evaluate("localStorage.setItem('interviewer.theme', 'light')")
    page.reload()
    light = ground.evaluate("(rect) => getComputedStyle(rect).fill.match(/\\d+/g).map(Number)")
    assert min(light) > 200
    page.locator("a[hreflang]").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(title)
    page.locator("header nav a").first.click()
    expect(page.locator(".iv-setup")).to_be_visible()
