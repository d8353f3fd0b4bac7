"""A verdict is marked, disputed and decided in a real browser: kept, counted right, and nothing typed is lost."""

from playwright.sync_api import expect

from interviewer.models import Verdict
from knowledge.bank import load_bank
from tests.browser.graded import Told, graded_interview
from tests.browser.test_hostile import HOSTILE, nothing_ran

PHONE = {"viewport": {"width": 390, "height": 844}}
HOLLOW = "The weather was fine and I walked the dog twice."
QUESTION = next(q for q in load_bank() if len(q.points) >= 4 and "en" in q.question and "zh" in q.question)
SAID = QUESTION.points[1].in_language("en")
ANSWER = f"{HOLLOW} {SAID}. {HOLLOW}"
WORDS = {
    "en": {
        "send": "Have it graded again",
        "covered": "Set to: Covered",
        "keep": "Keep the first: Missing",
    },
    "zh": {"send": "重新评这个要点", "covered": "改为：答到", "keep": "保留第一次：未提到"},
}


def block(page, point, scope=".iv-report"):
    return page.locator(f'{scope} [data-id="0:{QUESTION.points[point].id}"]'.strip())


def score(page, selector=".iv-ring b"):
    return float(page.locator(selector).last.inner_text())


def disagree(me, where, reason, language="en"):
    where.locator("summary").click()
    where.locator("textarea").fill(reason)
    where.get_by_role("button", name=WORDS[language]["send"]).click()
    expect(where.locator(".iv-opinion")).to_have_count(2)
    expect(where.locator('[role="status"]')).to_have_count(0)


def test_a_verdict_is_disputed_and_decided_on_the_report_and_the_score_stays_changed(visitor, server):
    id_ = graded_interview(server, QUESTION.id, ANSWER, {0: Told(Verdict.COVERED, HOLLOW)}, language="zh")
    me = visitor("zh", **PHONE, color_scheme="dark").open(f"/zh/#/report/{id_}")
    page = me.page
    where = block(page, 1)
    expect(where).to_be_visible()
    before = score(page)
    reason = "\n".join(HOSTILE)
    disagree(me, where, reason, "zh")
    assert score(page) == before
    assert HOSTILE[0] in where.locator(".iv-objection").inner_text()
    assert nothing_ran(page)
    assert me.overflow() <= 0
    where.get_by_role("button", name=WORDS["zh"]["covered"]).click()
    expect(where.locator(".iv-decided")).to_be_visible()
    after = score(page)
    assert after > before
    expect(where.locator(".iv-opinion")).to_have_count(2)
    page.reload()
    expect(where.locator(".iv-decided")).to_be_visible()
    assert score(page) == after
    expect(where.locator(".iv-opinion")).to_have_count(2)
    assert nothing_ran(page)
    assert me.overflow() <= 0


def test_words_that_are_pointed_at_are_read_alone(visitor, server):
    id_ = graded_interview(server, QUESTION.id, ANSWER, {})
    me = visitor("en").open(f"/en/#/report/{id_}")
    where = block(me.page, 1)
    disagree(me, where, f"I said “{SAID}”, which is the point.")
    expect(where.locator(".iv-opinion.iv-covered")).to_contain_text("on its own")
    where.get_by_role("button", name="Take the second: Covered").click()
    expect(where.locator(".iv-decided")).to_contain_text("Covered")


def test_a_mark_is_kept_and_changes_no_score(visitor, server):
    told = {0: Told(Verdict.COVERED, HOLLOW), 1: Told(Verdict.PARTIAL, SAID, 0.4)}
    id_ = graded_interview(server, QUESTION.id, ANSWER, told)
    me = visitor("en", **PHONE).open(f"/en/#/report/{id_}")
    page = me.page
    where = block(page, 1)
    expect(page.locator(".iv-doubt")).to_have_count(1)
    quotes = page.locator(".iv-report li.iv-point").filter(has=block(page, 1, "")).locator("q")
    expect(quotes, "what is quoted above the doubt is not quoted twice").to_have_text([SAID])
    expect(where.locator(".iv-doubt")).to_be_visible()
    expect(where.locator(".iv-doubt q")).to_have_count(0)
    before = score(page)
    yes, no = (where.get_by_role("button", name=name, exact=True) for name in ("I said it", "I did not"))
    yes.focus()
    page.keyboard.press("Enter")
    expect(yes).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".iv-report-top")).to_contain_text("Points you marked as said: 1.")
    no.click()
    expect(no).to_have_attribute("aria-pressed", "true")
    expect(yes).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(no).to_have_attribute("aria-pressed", "true")
    assert score(page) == before
    assert me.overflow() <= 0


def test_an_empty_reason_is_refused_where_it_was_and_what_is_typed_elsewhere_stays(visitor, server):
    id_ = graded_interview(server, QUESTION.id, ANSWER, {})
    me = visitor("en").open(f"/en/#/report/{id_}")
    page = me.page
    other, where = block(page, 0), block(page, 2)
    other.locator("summary").click()
    other.locator("textarea").fill("half a thought")
    where.locator("summary").click()
    where.get_by_role("button", name=WORDS["en"]["send"]).click()
    expect(where.get_by_role("alert")).to_contain_text("needs a reason")
    expect(where.locator("textarea")).to_be_visible()
    expect(other.locator("textarea")).to_have_value("half a thought")
    where.locator("textarea").fill("It is said in the second sentence.")
    where.get_by_role("button", name=WORDS["en"]["send"]).click()
    expect(where.locator(".iv-opinion")).to_have_count(2)
    expect(where.get_by_role("alert")).to_have_count(0)
    expect(other.locator("textarea")).to_have_value("half a thought")
    where.get_by_role("button", name=WORDS["en"]["keep"]).click()
    expect(where.locator(".iv-decided")).to_contain_text("Missing")
    expect(other.locator("textarea")).to_have_value("half a thought")


def test_a_verdict_is_disputed_beside_the_feedback_of_a_practice_question(visitor):
    me = visitor("en", **PHONE).practise()
    me.answer(HOLLOW)
    expect(me.page.locator("[data-contest]")).to_have_count(0)
    me.finish_question()
    feedback = me.page.locator("#chat .iv-feedback:has(.iv-score)")
    where = feedback.locator("[data-contest]").first
    disagree(me, where, "I meant it.")
    before = score(me.page, "#chat .iv-score b")
    where.get_by_role("button", name=WORDS["en"]["covered"]).click()
    expect(where.locator(".iv-decided")).to_be_visible()
    after = score(me.page, "#chat .iv-score b")
    assert after > before
    assert me.overflow() <= 0
    me.page.reload()
    expect(where.locator(".iv-decided")).to_be_visible()
    assert score(me.page, "#chat .iv-score b") == after
    me.end()
    me.press("report")
    expect(me.page.locator(".iv-ring b")).to_have_text(f"{after:.1f}")
