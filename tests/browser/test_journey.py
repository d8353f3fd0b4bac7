"""Whole journeys, in both languages, with the built-in grader."""

import json
import re

import pytest
from playwright.sync_api import expect

NONSENSE = {
    "zh": "昨天的天气很好，我去公园散步，然后吃了一碗面。",
    "en": "The weather was fine and I walked the dog twice.",
}
WORDS = {
    "zh": {"mode": "练习：每题即时反馈", "delete": "确认删除", "report": "面试报告"},
    "en": {"mode": "Practice: feedback after each question", "delete": "Delete for good", "report": "Report"},
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_person_practises_reads_the_report_and_finds_it_again(visitor, well_said, language, tmp_path):
    me = visitor(language).open()
    page = me.page
    assert page.url.endswith(f"/{language}/")
    me.start(count=2, mode=WORDS[language]["mode"])

    # a good answer
    me.answer(well_said(me.asked, language))
    feedback = page.locator(".iv-feedback").last
    expect(feedback.locator(".iv-score b")).to_be_visible()
    good = float(feedback.locator(".iv-score b").inner_text())
    assert good >= 6
    # One at least: the first phase of a design question may have no more points.
    expect(page.locator(".iv-answer mark.iv-covered").first).to_be_visible()
    assert page.locator(".iv-card .iv-mini li").count() >= feedback.locator(".iv-point").count() >= 1
    feedback.locator(".iv-breakdown summary").click()
    assert f"= {good:.1f}" in feedback.locator(".iv-breakdown").inner_text()

    # on to the second question, a bad answer, a hint, a follow-up
    me.finish_question()
    expect(page.locator(".iv-reference").first).to_be_visible()
    me.press("next")
    expect(page.locator(".iv-question")).to_have_count(2)
    me.answer(NONSENSE[language])
    expect(page.locator(".iv-followup").last).to_be_visible()
    bad = float(page.locator(".iv-feedback .iv-score b").last.inner_text())
    assert bad <= 2 < good
    expect(page.locator(".iv-point-hidden").first).to_be_visible()
    me.press("hint")
    expect(page.locator(".iv-hint")).to_have_count(1)
    # A design question that was drawn first has one from its first phase.
    before = page.locator(".iv-earlier").count()
    me.answer(well_said(me.asked, language))
    expect(page.locator(".iv-earlier")).to_have_count(before + 1)
    better = float(page.locator(".iv-feedback .iv-score b").last.inner_text())
    assert better > bad

    # the end, the report, the file
    me.end()
    me.press("report")
    expect(page.locator(".iv-report")).to_be_visible()
    assert page.locator(".iv-item").count() == 2
    assert page.locator(".iv-item mark").count() >= 2
    ring = page.locator(".iv-ring b").inner_text()
    for kind in ("html", "md", "json"):
        with page.expect_download() as started:
            page.locator(f'a[href$=".{kind}"]').click()
        target = tmp_path / started.value.suggested_filename
        started.value.save_as(target)
        assert target.suffix == f".{kind}"
        assert target.stat().st_size > 500
        if kind == "json":
            assert json.loads(target.read_text("utf-8"))["score"] == float(ring)

    # the history, and gone from it
    id_ = re.search(r"#/report/(\w+)", page.url).group(1)
    me.go("history")
    row = page.locator(f'.iv-row[data-id="{id_}"]')
    expect(row.locator(".iv-row-score b")).to_have_text(ring)
    row.locator('[data-action="ask"]').click()
    row.get_by_text(WORDS[language]["delete"]).click()
    expect(row).to_have_count(0)


def test_a_question_of_the_report_can_be_practised_again(visitor):
    me = visitor("en").practise()
    asked = me.asked
    me.press("reveal")
    me.page.locator("#reveal-yes").click()
    me.wait_for_phase("reviewing")
    me.press("next")
    me.wait_for_phase("ended")
    me.press("report")
    me.page.locator('[data-action="again"]').first.click()
    expect(me.box).to_be_visible()
    assert me.asked == asked


def test_mock_mode_keeps_verdicts_for_the_end(visitor, well_said):
    me = visitor("en").open()
    me.start(count=2, mode="Mock: timed, feedback at the end")
    me.answer(well_said(me.asked, "en"))
    assert me.page.locator(".iv-feedback, .iv-chip, mark").count() == 0
    expect(me.page.locator(".iv-card")).to_contain_text("no verdicts until it has ended")
    me.end()
    me.press("report")
    expect(me.page.locator(".iv-item .iv-chip").first).to_be_visible()


def test_two_people_in_two_interviews_at_once(visitor, well_said):
    one, two = visitor("zh").open(), visitor("en").open()
    one.start(count=2)
    two.start(count=2)
    assert one.interview != two.interview
    one.box.fill(well_said(one.asked, "zh"))
    two.box.fill(well_said(two.asked, "en"))
    one.box.press("Enter")
    two.box.press("Enter")
    for each in (one, two):
        expect(each.page.locator(".iv-feedback")).to_have_count(1)
        expect(each.messages("candidate")).to_have_count(1)
    assert one.messages("candidate").inner_text() != two.messages("candidate").inner_text()


def test_back_and_forward_walk_through_the_pages(visitor):
    me = visitor("en").open()
    expect(me.page.locator("#start")).to_be_enabled()
    me.go("history")
    expect(me.page.get_by_role("heading", name="History")).to_be_visible()
    me.go("questions")
    expect(me.page.locator(".iv-questions")).to_be_visible()
    me.page.go_back()
    expect(me.page.get_by_role("heading", name="History")).to_be_visible()
    assert "History" in me.page.title()
    me.page.go_forward()
    expect(me.page.locator(".iv-questions")).to_be_visible()
    me.page.reload()
    expect(me.page.locator(".iv-questions")).to_be_visible()


def test_setup_says_why_it_can_not_start(visitor):
    me = visitor("en").open()
    me.choose_freely()
    expect(me.page.locator("#start")).to_be_enabled()
    boxes = me.page.locator("#sets input[type=checkbox]")
    for number in range(boxes.count()):
        boxes.nth(number).uncheck()
    expect(me.page.locator(".iv-matching")).to_contain_text("Choose at least one source")
    expect(me.page.locator("#start")).to_be_disabled()
