"""Out of one home, into another, and gone from the first: a person's journey with their data."""

import pytest
from playwright.sync_api import expect

ANSWER = "Gradients of several micro-batches are summed before one step, so memory stays what it was."


def test_what_is_mine_goes_to_another_machine_and_is_deleted_from_the_first(visitor, new_server, tmp_path):
    first, second = new_server(), new_server()
    me = visitor("en", url=first.url).open("/en/")
    me.start(1)
    me.answer(ANSWER)
    expect(me.page.locator("#chat")).to_contain_text("Gradients of several")

    me.open("/en/account")
    me.page.get_by_role("link", name="My data").click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("My data")
    expect(me.page.get_by_text("Interviews: 1")).to_be_visible()
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download my data", exact=True).click()
    file = tmp_path / "mine.zip"
    download.value.save_as(file)

    there = visitor("zh", url=second.url).open("/zh/my-data")
    there.page.get_by_label("ZIP 文件").set_input_files(file)
    there.page.get_by_role("button", name="导入").click()
    expect(there.page.get_by_role("status").filter(has_text="文件已导入")).to_be_visible()
    expect(there.page.get_by_role("row", name="面试")).to_contain_text("1")
    there.open("/zh/#/history")
    there.page.locator(".iv-row-actions a").first.click()
    expect(there.page.locator("body")).to_contain_text("Gradients of several")

    me.page.get_by_label("Type “delete” to confirm").fill("yes")
    me.page.get_by_role("button", name="Delete for good").click()
    expect(me.page.get_by_role("alert")).to_contain_text("nothing was deleted")
    me.page.get_by_label("Type “delete” to confirm").fill("delete")
    me.page.get_by_role("button", name="Delete for good").click()
    expect(me.page.get_by_role("status").filter(has_text="Your data was deleted.")).to_be_visible()
    expect(me.page.get_by_text("Interviews: 0")).to_be_visible()


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
