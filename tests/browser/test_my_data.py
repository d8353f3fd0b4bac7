"""The pages of one's own data and of the API, as pages."""

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pages_fit_a_phone_in_the_dark_and_work_by_keyboard(visitor, language):
    me = visitor(language, viewport={"width": 390, "height": 844}, color_scheme="dark")
    for path in ("my-data", "api"):
        me.open(f"/{language}/{path}")
        assert me.overflow() <= 0, path
        ground = me.page.evaluate(
            "getComputedStyle(document.querySelector('.iv-panel')).backgroundColor.match(/\\d+/g).map(Number)"
        )
        assert max(ground) < 60
    summary = me.page.locator("details > summary").first
    summary.focus()
    summary.press("Enter")
    expect(me.page.locator("details[open] table").first).to_be_visible()
    assert me.overflow() <= 0
