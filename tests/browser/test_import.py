"""Bringing one's own questions through the page."""

from playwright.sync_api import expect

NOTES = """# Notes

## What does a semaphore count?

A semaphore counts permits. A thread takes one before it enters and gives it back when it leaves; at zero it waits.

## What is a barrier for?

## When is a spin lock better than a mutex?

When the lock is held for less time than a context switch costs, and the holder can't be descheduled meanwhile.
"""


def test_an_upload_becomes_questions_one_can_practise(visitor, imported, tmp_path):
    file = tmp_path / "my notes.md"
    file.write_text(NOTES, "utf-8")
    me = visitor("en").open("/en/#/questions")
    page = me.page
    expect(page.locator(".iv-questions")).to_be_visible()
    page.locator("#import button").first.click()
    page.locator("#files input[type=file]").set_input_files(file)
    expect(page.locator("#files")).to_contain_text("my notes")
    page.locator("#set-name").locator("input, textarea").fill(imported)
    page.locator("#do-import").click()
    outcome = page.locator(".iv-imported")
    expect(outcome).to_contain_text("2 new")
    expect(outcome).to_contain_text("Questions without an answer")
    expect(outcome).to_contain_text("barrier")
    expect(page.locator(".iv-questions li")).to_have_count(2)

    # again: nothing new
    page.locator("#files input[type=file]").set_input_files(file)
    expect(page.locator("#files")).to_contain_text("my notes")
    page.locator("#do-import").click()
    expect(outcome).to_contain_text("0 new")

    # search, read, practise
    page.locator("#search").locator("input, textarea").fill("spin lock")
    expect(page.locator(".iv-questions li").first).to_contain_text("spin lock")
    page.locator(".iv-questions a").first.click()
    detail = page.locator("#detail")
    expect(detail.locator(".iv-md")).to_be_hidden()
    detail.locator("summary").first.click()
    expect(detail.locator(".iv-md")).to_contain_text("context switch")
    detail.locator('[data-action="practise"]').click()
    expect(me.box).to_be_visible()
    assert "spin lock" in me.asked

    # and the setup page offers the set
    page.locator("a.iv-brand").click()
    me.choose_freely()
    expect(page.locator("#sets")).to_contain_text(f"{imported} (2)")


def test_an_import_of_nothing_says_what_to_do(visitor):
    me = visitor("zh").open("/zh/#/questions")
    me.page.locator("#import button").first.click()
    me.page.locator("#do-import").click()
    expect(me.page.locator("#problem")).to_contain_text("请先选择要导入的文件")
    me.page.locator("#problem [data-dismiss]").click()
    expect(me.page.locator(".iv-problem-box")).to_be_hidden()


def test_a_file_that_can_not_be_read_is_reported_and_the_page_goes_on(visitor, tmp_path):
    file = tmp_path / "broken.pdf"
    file.write_bytes(b"%PDF-1.7 this is not one")
    me = visitor("en").open("/en/#/questions")
    page = me.page
    page.locator("#import button").first.click()
    page.locator("#files input[type=file]").set_input_files(file)
    expect(page.locator("#files")).to_contain_text("broken")
    page.locator("#do-import").click()
    expect(page.locator(".iv-imported")).to_contain_text("Could not be read")
