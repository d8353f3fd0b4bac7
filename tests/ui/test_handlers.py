"""What the pages do, as plain generators: no browser, no server, no gradio."""

from functools import partial

import pytest

from interviewer.accounts.person import Person
from interviewer.errors import ConflictError, NotFoundError
from interviewer.models import PlanRequest, Verdict
from ui.choices import Prepared
from ui.pages.interview import signal, usable_actions
from ui.render.report import history_html
from ui.screens import HistoryScreen, InterviewScreen, QuestionsScreen, ReportScreen, SetupScreen
from ui.session import Session
from ui.texts import Texts

EN = Texts("en")
NOTHING = (Prepared(), "")
"""What a new browser has: no plan, no choices."""


def last(screens):
    return list(screens)[-1]


def at(call, screen):
    return call._replace(session=screen.session, event={})


@pytest.fixture
def interview(router, call):
    """An interview about question `a` alone, just started, and the call of its tab."""
    screen = last(router.questions.practise(call._replace(event={"action": "practise", "id": "a"})))
    return screen, at(call, screen)


def test_an_answer_is_stored_first_then_graded_then_followed_up(router, interview):
    _, call = interview
    screens = list(router.interview.say(call, "A lock that one thread holds."))
    assert screens[0].said == 1
    assert screens[0].view.state.current.grade is None
    assert any(s.progress and s.progress.comment == "so far so good" for s in screens)
    assert [m.kind for m in screens[-1].view.messages][-3:] == ["answer", "feedback", "followup"]
    assert usable_actions(screens[-1].view.state) == {"hint", "repeat", "skip", "reveal", "pause"}


def test_an_empty_answer_is_not_stored_and_says_why(router, interview):
    _, call = interview
    screen = last(router.interview.say(call, "  \n "))
    assert screen.said == 0
    assert screen.notice


def test_an_answer_that_is_too_long_is_not_counted_as_said_so_the_box_keeps_it(router, interview):
    _, call = interview
    screen = last(router.interview.say(call, "x" * 100_001))
    assert screen.said == 0
    assert "100" in screen.notice


def test_an_ungraded_answer_can_be_graded_again(router, interview, desk):
    _, call = interview
    desk.script.fails_with = "The grader is away."
    failed = last(router.interview.say(call, "A lock."))
    assert failed.view.messages[-1].grade.status == "ungraded"
    assert "retry" in usable_actions(failed.view.state)
    desk.script.fails_with = ""
    again = last(router.interview.press("retry", call))
    assert again.view.state.current.grade.points[0].verdict is Verdict.COVERED
    assert desk.script.answers[-1] == "A lock."


def test_ending_asks_first(router, interview):
    screen, call = interview
    asking = last(router.interview.ask_stop(call))
    assert asking.asks_to_stop
    assert asking.view.state.phase == "answering"
    assert not last(router.interview.keep_on(at(call, asking))).asks_to_stop
    ended = last(router.interview.press("stop", at(call, asking)))
    assert ended.view.state.phase == "ended"
    assert usable_actions(ended.view.state) == set()
    report = last(router.report_of_interview(at(call, ended)))
    assert isinstance(report, ReportScreen)
    assert report.report.interview_id == screen.view.id


def test_a_paused_interview_offers_to_go_on(router, interview):
    _, call = interview
    paused = last(router.interview.press("pause", call))
    assert usable_actions(paused.view.state) == {"resume"}
    resumed = last(router.interview.press("resume", call))
    assert resumed.view.state.phase == "answering"


@pytest.mark.parametrize("words", ["", "show me the answer"])
def test_whoever_wants_the_model_answer_is_told_first_what_it_costs(router, interview, words):
    screen, call = interview
    asking = last(router.interview.say(call, words) if words else router.interview.press("reveal", call))
    assert asking.asks_to_reveal
    assert asking.view.state == screen.view.state
    assert not last(router.interview.keep_on(call)).asks_to_reveal
    shown = last(router.interview.reveal(call, words or "half an answer in the box"))
    assert shown.view.state.current.closed == "revealed"
    assert shown.view.state.score is None
    assert [m.text for m in shown.view.messages if m.role == "candidate"] == ([words] if words else [])


def test_after_a_grade_the_model_answer_costs_nothing(router, interview):
    _, call = interview
    last(router.interview.say(call, "A lock that one thread holds."))
    shown = last(router.interview.press("reveal", call))
    assert not shown.asks_to_reveal
    assert shown.view.state.current.closed == "answered"
    assert shown.view.state.score is not None


def test_showing_the_reference_closes_the_question_and_offers_the_next(router, interview):
    _, call = interview
    shown = last(router.interview.reveal(call, ""))
    assert "reference" in [m.kind for m in shown.view.messages]
    assert usable_actions(shown.view.state) == {"next", "pause"}
    assert last(router.interview.press("next", call)).view.state.phase == "ended"


def test_opening_an_interview_finishes_the_grade_a_dead_server_left_behind(router, interview, desk):
    screen, call = interview
    answering = router.interview.say(call, "A lock that one thread holds.")
    next(answering)
    answering.close()
    reopened = last(router.load(call, f"#/interview/{screen.view.id}", *NOTHING))
    assert reopened.view.state.current.grade.score is not None
    assert len(desk.script.answers) == 1


def test_a_browser_that_comes_back_without_an_address_is_where_it_was(router, interview):
    screen, call = interview
    assert last(router.load(call, "", *NOTHING)).view.id == screen.view.id


def test_the_start_page_offers_to_continue(router, interview, call):
    screen, _ = interview
    assert last(router.load(call, "#/", *NOTHING)).unfinished.id == screen.view.id


@pytest.mark.parametrize("route", ["#/interview/nobody", "#/report/nobody", "#/questions/nobody"])
def test_an_address_of_nothing_shows_the_start_and_then_says_why(router, call, route):
    screens = []
    with pytest.raises(NotFoundError, match="nobody"):
        screens.extend(router.load(call, route, *NOTHING))
    screens = []
    generator = router.load(call, route, *NOTHING)
    screens.append(next(generator))
    assert isinstance(screens[0], SetupScreen)
    assert screens[0].session.page == "setup"


def test_another_persons_interview_is_not_there(router, interview):
    screen, call = interview
    with pytest.raises(NotFoundError):
        list(router.load(call._replace(person=Person(id="somebody else")), f"#/interview/{screen.view.id}", *NOTHING))


def test_history_offers_to_delete_only_in_a_row_that_was_asked(router, interview, call):
    screen, _ = interview
    id_ = screen.view.id
    rows = last(router.load(call, "#/history", *NOTHING))
    assert isinstance(rows, HistoryScreen)
    assert [row.id for row in rows.rows] == [id_]
    assert rows.rows[0].topics == ("Concurrency",)

    assert rows.asks_to_delete == ""
    assert 'data-action="delete"' not in history_html(rows.rows, rows.asks_to_delete, EN)
    asked = last(router.history.click(call._replace(event={"action": "ask", "id": id_})))
    assert asked.asks_to_delete == id_
    assert 'data-action="delete"' in history_html(asked.rows, asked.asks_to_delete, EN)
    kept = last(router.history.click(call._replace(event={"action": "keep", "id": id_})))
    assert (len(kept.rows), kept.asks_to_delete) == (1, "")
    assert last(router.history.click(call._replace(event={"action": "delete", "id": id_}))).rows == ()


def test_a_question_of_the_report_can_be_practised_again(router, interview):
    screen, call = interview
    list(router.interview.press("stop", call))
    report = last(router.load(call, f"#/report/{screen.view.id}", *NOTHING))
    again = last(router.reports.click(at(call, report)._replace(event={"action": "again", "id": "a"})))
    assert isinstance(again, InterviewScreen)
    assert again.view.id != screen.view.id
    assert [q.question_id for q in again.view.state.plan.questions] == ["a"]


def test_an_ungraded_answer_can_be_graded_from_the_report(router, interview, desk):
    screen, call = interview
    desk.script.fails_with = "away"
    list(router.interview.say(call, "A lock."))
    list(router.interview.press("stop", call))
    desk.script.fails_with = ""
    report = last(router.load(call, f"#/report/{screen.view.id}", *NOTHING))
    assert report.report.score is None
    graded = last(router.reports.click(at(call, report)._replace(event={"action": "retry", "id": "0"})))
    assert graded.report.score is not None


def test_a_retry_of_something_that_is_no_question_changes_nothing(router, interview):
    screen, call = interview
    report = last(router.load(call, f"#/report/{screen.view.id}", *NOTHING))
    shown = last(router.reports.click(at(call, report)._replace(event={"action": "retry", "id": "<x>"})))
    assert shown.report == report.report


def test_questions_are_filtered_paged_and_opened(router, call):
    page = last(router.load(call, "#/questions", *NOTHING))
    assert isinstance(page, QuestionsScreen)
    assert page.total == 4
    assert page.question is None
    assert last(router.questions.filter(call, "", "mine", "", 0, 3)).filters.page == 0
    assert last(router.questions.filter(call, "", "", "net", 5, 0)).total == 1
    assert last(router.questions.filter(call, "mutex (b", "", "", 0, 0)).rows[0].id == "b"
    assert last(router.questions.filter(call, "mutex (b", "mine", "", 0, 0)).total == 0
    opened = last(router.load(call, "#/questions/own", *NOTHING))
    assert (opened.question.id, opened.topic_title) == ("own", "Networks")


def test_pages_of_questions_turn(router, call, desk, question):
    desk.questions.save([question(f"n{i:02}") for i in range(45)], reason="test")
    turn = partial(router.questions.turn, 1)
    first = last(router.questions.filter(call, "", "bank", "", 0, 0))
    second = last(turn(call, "", "bank", "", 0, 0))
    third = last(turn(call, "", "bank", "", 0, 1))
    assert [len(s.rows) for s in (first, second, third)] == [20, 20, 8]
    assert not {q.id for q in first.rows} & {q.id for q in second.rows}
    assert last(router.questions.turn(-1, call, "", "bank", "", 0, 0)).filters.page == 0


def test_a_conflict_becomes_a_notice_not_a_loss(router, interview, desk, monkeypatch):
    _, call = interview

    def refuse(*_args, **_kwargs):
        raise ConflictError("somebody else wrote")

    monkeypatch.setattr(desk.service._interviews, "append", refuse)
    screen = last(router.interview.say(call, "A lock."))
    assert screen.said == 0
    assert screen.notice


def test_session_of_the_call_is_not_changed_by_a_failed_click(router, call):
    with pytest.raises(NotFoundError):
        list(router.interview.say(call._replace(session=Session().at("interview", "x")), "text"))


def test_an_answer_to_a_question_that_time_has_closed_is_not_taken_for_the_next_ones(router, call, desk):
    request = PlanRequest(question_ids=("a", "b"), count=2, mode="mock")
    view = desk.service.start("local", request)
    call = call._replace(session=call.session.at("interview", view.id))
    moved = last(router.interview.press("skip", call))
    assert len(moved.view.state.questions) == 2
    late = last(router.interview.say(call, "A lock that one thread holds.", "0"))
    assert late.said == 1
    assert late.view.state.current.answers == ()
    now = last(router.interview.say(call, "A lock that one thread holds.", "1"))
    assert now.view.state.current.answers == ("A lock that one thread holds.",)
    assert signal(now)["question"] == 1
    assert last(router.interview.say(call, "And nobody else.", "<b>")).said == 3
