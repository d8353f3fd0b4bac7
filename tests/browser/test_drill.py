"""What the start page offers for a track, a free choice and a drill."""

from playwright.sync_api import expect

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
