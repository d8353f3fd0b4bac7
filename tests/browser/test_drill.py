"""What the start page offers for a track, a free choice and a drill; and a drill of what was missed a day ago."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from tests.browser.past import missed

QUESTION = "rag-hnsw-ivfpq"
SHOWN = {
    "track": {"#track", "#level", "#minutes", "#rounds", "#job"},
    "free": {"#track", "#sets", "#count"},
    "drill": {"#minutes"},
}
EVERYTHING = set().union(*SHOWN.values())


def expect_offered(me, kind):
    for part in sorted(EVERYTHING):
        expect(me.page.locator(part)).to_be_visible(visible=part in SHOWN[kind])


def test_only_what_matters_is_offered_also_when_the_page_is_opened(visitor):
    me = visitor("en").open()
    expect_offered(me, "track")
    me.choose_freely()
    expect_offered(me, "free")
    me.page.locator("#mode input").nth(2).check()
    expect_offered(me, "drill")
    me.page.reload()
    expect_offered(me, "drill")


def test_what_was_missed_is_drilled(visitor, new_server):
    server = new_server()
    missed(server, (QUESTION,), at=datetime.now(UTC) - timedelta(days=1))
    me = visitor("zh", url=server.url, viewport={"width": 390, "height": 860}).open()
    expect(me.page.locator("#mode")).to_contain_text("（6）")
    me.page.locator("#mode input").nth(2).check()
    minutes = me.page.locator("#minutes").get_by_role("spinbutton")
    minutes.fill("5")
    minutes.press("Tab")
    expect(me.page.locator(".iv-outlook")).to_contain_text("约 4 分钟")
    me.page.locator("#start").click()
    expect(me.box).to_be_visible()
    expect(me.page.locator(".iv-big").first).to_have_text("1 / 1")
    assert "这次只问" in me.asked
    me.press("skip")
    me.wait_for_phase("reviewing", "ended")
