"""One home from its first day on: what was missed is drilled, what is there moves to another and is deleted, and at last a
team comes in. Each test leaves the home fit for the next."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.past import missed
from tests.browser.server import ServerProcess
from tests.browser.team import PASSWORD, fill

QUESTION = "rag-hnsw-ivfpq"
ANSWER = "Gradients of several micro-batches are summed before one step, so memory stays what it was."


@pytest.fixture(scope="module")
def spare(served_home):
    """A server with a home that nobody else uses."""
    process = ServerProcess(served_home()).start()
    yield process
    process.stop()


def test_what_was_missed_is_drilled(visitor, spare):
    missed(spare, (QUESTION,), at=datetime.now(UTC) - timedelta(days=1))
    me = visitor("zh", url=spare.url, viewport={"width": 390, "height": 860}).open()
    expect(me.page.locator("#mode")).to_contain_text("（6）")
    expect(me.page.locator("#start")).to_be_enabled()
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


def test_what_is_mine_goes_to_another_machine_and_is_deleted_from_the_first(visitor, spare, tmp_path):
    me = visitor("en", url=spare.url).practise()
    me.answer(ANSWER)
    expect(me.page.locator("#chat")).to_contain_text("Gradients of several")
    interviews = len(me.context.request.get(f"{me.url}/api/v1/interviews").json()["items"])

    me.open("/en/account")
    me.page.get_by_role("link", name="My data").click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("My data")
    expect(me.page.get_by_text(f"Interviews: {interviews}")).to_be_visible()
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download my data", exact=True).click()
    file = tmp_path / "mine.zip"
    download.value.save_as(file)

    there = visitor("zh").open("/zh/my-data")
    there.page.get_by_label("ZIP 文件").set_input_files(file)
    there.page.get_by_role("button", name="导入").click()
    expect(there.page.get_by_role("status").filter(has_text="文件已导入")).to_be_visible()
    expect(there.page.get_by_role("row", name="面试")).to_contain_text(str(interviews))
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


def test_at_home_a_login_turns_the_page_into_a_teams(visitor, spare):
    me = visitor("en", url=spare.url).open("/en/account")
    me.page.locator("summary", has_text="Give yourself a login").click()
    fill(me.page, name="Ann", login="ann", password=PASSWORD)
    me.page.get_by_role("button", name="Create the owner's account").click()
    expect(me.page.locator("h1")).to_have_text("People")
    other = visitor("en", url=spare.url)
    other.page.goto(f"{spare.url}/en/")
    expect(other.page.locator("h1")).to_have_text("Sign in")
    assert re.search(r"next=(/|%2F)en(/|%2F)", other.page.url)
