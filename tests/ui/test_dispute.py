"""What candidates say about verdicts, on the report and beside the feedback: shown escaped, kept, counted apart."""

import pytest
from bs4 import BeautifulSoup

from interviewer.accounts.person import Person
from interviewer.errors import InterviewerError
from interviewer.interview.events import REASON_LIMIT
from interviewer.models import Choice, GraderInfo, Verdict
from tests.ui.test_handlers import NOTHING, at, last
from tests.ui.test_render import HOSTILE, safe
from ui.chat import chat_messages
from ui.pages.report import EXPORTS
from ui.render.dispute import NOTHING_SAID, Contest, doubtful
from ui.render.report import report_html
from ui.screens import ReportScreen
from ui.texts import Texts

EN = Texts("en")


class Tab:
    """A tab with one question that was answered and closed."""

    def __init__(self, router, call, desk, mode="practice"):
        self.desk = desk
        self.router = router
        start = last(router.questions.practise(call._replace(event={"action": "practise", "id": "a"})))
        self.id = start.view.id
        self.interview = at(call, start)
        last(router.interview.say(self.interview, "A lock that one thread holds."))
        screen = last(router.interview.press("skip", self.interview))
        assert screen.view.state.phase == "reviewing"
        report = last(router.report_of_interview(self.interview))
        self.report = at(call, report)

    def press(self, action, point="p3", value="", text="", on="report"):
        """What a click on one of the buttons sends; gives all screens."""
        tab, handler = (
            (self.report, self.router.contests.on_report)
            if on == "report"
            else (self.interview, self.router.contests.on_interview)
        )
        event = {"action": action, "id": f"0:{point}", "value": value, "text": text}
        return list(handler(tab._replace(event=event)))

    def shown(self, screen=None, t=EN):
        screen = screen or last(self.router.reports.open(self.report))
        return safe(report_html(screen.report, EXPORTS, t, screen.contest))

    def block(self, soup, point="p3"):
        return soup.select_one(f'[data-contest$="-0-{point}"]')

    def score(self):
        return self.desk.service.report("local", self.id).score


@pytest.fixture
def tab(router, call, desk):
    return Tab(router, call, desk)


def actions(block):
    return [(b["data-contest-action"], b["data-value"]) for b in block.select("[data-contest-action]")]


def test_every_verdict_of_a_report_can_be_disputed_and_a_sure_one_is_not_asked_about(tab):
    soup = tab.shown()
    assert [actions(block) for block in soup.select("[data-contest]")] == [[("dispute", "")]] * 3
    assert [d.has_attr("open") for d in soup.select(".iv-disagree")] == [False] * 3
    assert soup.select(".iv-disagree label textarea")


def test_the_report_says_once_what_the_built_in_grader_cannot_see(tab):
    assert len(tab.shown().select(".iv-report-top .iv-limits")) == 1
    report = last(tab.router.reports.open(tab.report)).report
    by_model = report.questions[0].grade.model_copy(update={"grader": GraderInfo(name="model", model="m")})
    question = report.questions[0].model_copy(update={"grade": by_model})
    html = report_html(report.model_copy(update={"questions": (question,)}), EXPORTS, EN)
    assert not safe(html).select(".iv-limits")
    ungraded = report.questions[0].model_copy(update={"grade": None})
    html = report_html(report.model_copy(update={"questions": (ungraded,)}), EXPORTS, EN)
    assert not safe(html).select(".iv-limits")


def test_a_doubtful_verdict_asks_whether_it_was_said_and_a_mark_changes_no_score(tab, desk):
    desk.script.confidence = 0.5
    other = Tab(tab.router, tab.interview._replace(session=tab.interview.session.at("setup")), desk)
    block = other.block(other.shown())
    assert "Did you say this?" in block.text
    assert [b["aria-pressed"] for b in block.select("[aria-pressed]")] == ["false", "false"]
    before = other.score()
    soup = other.shown(last(other.press("said")))
    assert [b["aria-pressed"] for b in other.block(soup).select("[aria-pressed]")] == ["true", "false"]
    assert soup.text.count("Points you marked as said: 1. That changes no score.") == 2
    assert other.score() == before
    soup = other.shown(last(other.press("unsaid")))
    assert [b["aria-pressed"] for b in other.block(soup).select("[aria-pressed]")] == ["false", "true"]
    assert "Points you marked" not in soup.text


def test_of_a_point_that_need_not_be_said_nobody_is_asked_whether_they_said_it(tab):
    report = last(tab.router.reports.open(tab.report)).report
    points = [p.model_copy(update={"unsure": True}) for p in report.questions[0].grade.points]
    assert points[2].verdict is Verdict.MISSING
    for enough, asked in ((3, True), (1, False)):
        either = Choice(points=tuple(p.id for p in points), enough=enough)
        grade = report.questions[0].grade.model_copy(update={"points": tuple(points), "choices": (either,)})
        question = report.questions[0].model_copy(update={"grade": grade})
        soup = safe(report_html(report.model_copy(update={"questions": (question,)}), EXPORTS, EN))
        block = tab.block(soup, points[2].id)
        assert ("Did you say this?" in block.text) is asked
        assert block.select(".iv-disagree"), "what is wrong about it can be said all the same"


def test_the_nearest_sentence_stands_beside_the_question(tab):
    point = last(tab.router.reports.open(tab.report)).report.questions[0].grade.points[2]
    assert not doubtful(point)
    assert doubtful(point.model_copy(update={"confidence": 0.55}))
    assert doubtful(point.model_copy(update={"unsure": True}))
    report = last(tab.router.reports.open(tab.report)).report
    near = point.model_copy(update={"unsure": True, "nearest": "one thread holds <b>"})
    grade = report.questions[0].grade.model_copy(update={"points": (near,)})
    question = report.questions[0].model_copy(update={"grade": grade})
    html = report_html(report.model_copy(update={"questions": (question,)}), EXPORTS, EN)
    assert tab.block(safe(html)).select_one(".iv-doubt q").text == "one thread holds <b>"


def test_an_objection_is_shown_at_once_then_the_second_opinion_beside_the_first_then_the_choices(tab, desk):
    desk.script.verdicts = ["covered", "partial", "partial"]
    desk.script.grader = GraderInfo(name="model", model="m<b>", note="a note")
    screens = tab.press("dispute", text="I said it in the middle.")
    assert len(screens) >= 2
    pending = tab.block(tab.shown(screens[0]))
    assert "I said it in the middle." in pending.text
    assert "being graded again" in pending.text
    done = tab.block(tab.shown(screens[-1]))
    opinions = [o.text for o in done.select(".iv-opinion")]
    assert len(opinions) == 2
    assert "Missing" in opinions[0]
    assert "reason for p3" in opinions[0]
    assert "Partly" in opinions[1]
    assert "A lock that" in opinions[1]
    assert "a note" in opinions[1]
    assert "m<b>" in opinions[1]
    assert actions(done) == [("decide", "missing"), ("decide", "partial"), ("decide", "covered")]


def test_deciding_changes_the_score_everywhere_and_both_grades_stay(tab):
    before = tab.score()
    tab.press("dispute", text="I said it.")
    assert tab.score() == before
    soup = tab.shown(last(tab.press("decide", value="covered")))
    assert tab.score() > before
    assert soup.select_one(".iv-ring b").text == f"{tab.score():.1f}"
    block = tab.block(soup)
    assert "Decided:" in block.text
    assert len(block.select(".iv-opinion")) == 2
    assert "settled after an objection; the grader said: Missing" in soup.text
    assert "Verdicts settled after an objection: 1." in soup.text
    assert actions(block) == [("dispute", "")]
    assert "text of point 3" not in " ".join(p.text for p in soup.select(".iv-study"))


def test_the_decision_is_there_after_a_reload_in_the_feedback_and_in_the_other_language(tab, router):
    tab.press("dispute", text="I said it.", on="interview")
    screen = last(tab.press("decide", value="covered", on="interview"))
    reloaded = last(router.load(tab.interview, f"#/interview/{tab.id}", *NOTHING))
    for shown, t in ((screen, EN), (reloaded, Texts("zh"))):
        html = "".join(m["content"].value for m in chat_messages(shown, t))
        feedback = safe(html).select(".iv-feedback:has(.iv-score)")
        assert len(feedback) == 1
        assert len(feedback[0].select(".iv-decided")) == 1
        assert f"{tab.score():.1f}" in feedback[0].select_one(".iv-score").text


def test_a_failed_second_grading_says_so_and_can_be_tried_again_or_decided(tab, desk):
    desk.script.fails_with = "It is <b>down</b>."
    block = tab.block(tab.shown(tab.press("dispute", text="I said it.")[-1]))
    assert "could not be graded again" in block.text
    assert "It is <b>down</b>." in block.text
    assert ("look", "") in actions(block)
    desk.script.fails_with = ""
    block = tab.block(tab.shown(tab.press("look")[-1]))
    assert len(block.select(".iv-chip")) == 2
    assert ("look", "") not in actions(block)


def test_what_cannot_be_done_is_said_beside_the_verdict_and_stores_nothing(tab):
    for event in ({"action": "dispute", "text": "  "}, {"action": "dispute", "text": "x" * (REASON_LIMIT + 1)}):
        screen = tab.press(event["action"], text=event["text"])[-1]
        alert = tab.block(tab.shown(screen)).select_one('[role="alert"]')
        assert alert.text
        assert not tab.shown(screen).select(".iv-dispute")
    screen = tab.press("decide", value="covered")[-1]
    assert "no open objection" in tab.block(tab.shown(screen)).text
    assert not tab.shown(screen).select('[data-contest$="-p1"] [role="alert"]')


@pytest.mark.parametrize("event", [{"id": "x:p1"}, {"id": ""}, {"id": "0:nothing"}, {"id": "9:p1"}, {"action": "x"}])
def test_forged_clicks_do_no_harm(tab, event):
    before = tab.desk.service.view("local", tab.id).state
    list(tab.router.contests.on_report(tab.report._replace(event={"action": "said", "id": "0:p1"} | event)))
    list(tab.router.contests.on_report(tab.report._replace(event={"action": "decide", "value": "10", "id": "0:p1"})))
    assert tab.desk.service.view("local", tab.id).state == before


def test_hostile_reasons_stay_text(tab, desk):
    text = "\n".join(HOSTILE)[:REASON_LIMIT]
    desk.script.fails_with = text
    soup = tab.shown(tab.press("dispute", text=text)[-1])
    assert "<script>alert(1)</script>" in tab.block(soup).select_one(".iv-objection").text
    screen = last(tab.router.interview.open(tab.interview))
    for message in chat_messages(screen, EN):
        safe(message["content"].value)


def test_nothing_can_be_said_while_a_question_or_a_mock_interview_is_open(router, call, desk):
    start = last(router.questions.practise(call._replace(event={"action": "practise", "id": "a"})))
    tab = at(call, start)
    screen = last(router.interview.say(tab, "A lock that one thread holds."))
    assert screen.view.state.phase == "answering"
    assert not BeautifulSoup("".join(m["content"].value for m in chat_messages(screen, EN)), "html.parser").select(
        "[data-contest]"
    )
    refused = list(router.contests.on_interview(tab._replace(event={"action": "said", "id": "0:p1"})))
    assert "still open" in refused[-1].contest.problem


def test_the_blocks_of_two_pages_and_interviews_are_told_apart(tab):
    report = {b["data-contest"] for b in tab.shown().select("[data-contest]")}
    screen = last(tab.router.interview.open(tab.interview))
    html = "".join(m["content"].value for m in chat_messages(screen, EN))
    chat = {b["data-contest"] for b in safe(html).select("[data-contest]")}
    assert len(report) == len(chat) == 3
    assert not report & chat
    assert isinstance(tab.press("said")[-1], ReportScreen)
    assert Contest() == NOTHING_SAID


def test_another_persons_interview_cannot_be_touched(tab):
    stranger = tab.report._replace(person=Person(id="bob"), event={"action": "said", "id": "0:p3"})
    with pytest.raises(InterviewerError):
        list(tab.router.contests.on_report(stranger))


def test_the_tally_counts_what_was_decided(tab):
    tab.press("dispute", text="I said it.", on="interview")
    screen = last(tab.press("decide", value="covered", on="interview"))
    html = "".join(m["content"].value for m in chat_messages(screen, EN))
    assert safe(html).select_one(".iv-tally").text == "2 covered, 1 partly"
    assert screen.view.state.questions[0].grade.points[2].verdict is Verdict.MISSING
