"""The interview as a candidate lives it: asked, graded, followed up, reported; nothing lost."""

from threading import Event, Thread

import pytest

from interviewer.errors import NotFoundError
from interviewer.interview.commands import Press, Say
from interviewer.interview.revealing import asks_to_end_scoring
from interviewer.models import Verdict
from interviewer.reporting.report import shown_so_far


def kinds(view):
    return [m.kind for m in view.messages]


def test_a_full_answer_is_graded_and_the_reference_follows(desk):
    view = desk.start(count=2)
    assert kinds(view) == ["greeting", "question"]
    view = desk.say(view, "sum and memory")
    assert kinds(view)[2:] == ["answer", "feedback", "reference", "note"]
    assert view.state.phase == "reviewing"
    assert view.state.score == 10.0


def test_a_gap_is_followed_up_with_the_weightiest_point_and_the_union_is_graded(desk):
    view = desk.say(desk.start(count=1), "memory")
    followup = view.messages[-1]
    assert (followup.kind, followup.point_id) == ("followup", "sum")
    view = desk.say(view, "sum")
    assert desk.grader.history[-1][1] == "memory\n\nsum"
    grade = view.state.questions[0].grade
    assert [(p.verdict, p.earned) for p in grade.points] == [(Verdict.COVERED, "probe"), (Verdict.COVERED, "answer")]
    assert grade.score == 8.5  # (3 x 0.8 + 1 x 1) / 4


def test_there_are_never_more_follow_ups_than_the_plan_allows(desk):
    for allowed in (0, 1, 2):
        view = desk.start(count=1, followups=allowed)
        for _ in range(4):
            if view.state.phase == "answering":
                view = desk.say(view, "something else entirely")
        assert len(view.state.questions[0].followups) == allowed
        assert view.state.phase == "reviewing"


def test_the_interviewers_own_words_reach_the_grader_so_that_echoing_them_earns_nothing(desk):
    view = desk.say(desk.start(count=1), "memory")
    desk.say(view, "the learning rate is scaled")
    asked = desk.grader.history[-1][2].asked
    assert view.messages[-1].text in asked
    assert view.state.questions[0].question.question["en"] in asked


def test_the_whole_interview_ends_with_a_report(desk):
    view = desk.start(count=2)
    view = desk.say(view, "sum and memory")
    view = desk.press(view, "next")
    view = desk.press(view, "skip")
    view = desk.press(view, "next") if view.state.phase == "reviewing" else view
    assert view.state.phase == "ended"
    report = desk.service.report("ann", view.id)
    assert (report.score, report.unscored, len(report.questions)) == (10.0, 1, 2)
    assert view.messages[-1].kind == "closing"


def test_no_question_comes_twice_in_one_interview(desk):
    view = desk.start(count=6)
    while view.state.phase != "ended":
        view = desk.press(view, "skip") if view.state.phase == "answering" else desk.press(view, "next")
    asked = [q.question.id for q in view.state.questions]
    assert sorted(asked) == [f"q{n}" for n in range(6)]


def test_what_was_asked_recently_waits_until_the_rest_was_asked(desk):
    first = {p.question_id for p in desk.start(count=3).state.plan.questions}
    view = desk.start(count=3, seed=2)
    assert len(first & {p.question_id for p in view.state.plan.questions}) <= 1  # only the one asked so far may be new
    for _ in range(2):
        view = desk.press(view, "skip")
    seen = {q.question.id for q in view.state.questions} | {"q0"}
    third = desk.start(count=1, seed=3).state.plan.questions[0].question_id
    assert third not in seen - {"q0"}


def test_nothing_fits_says_what_to_loosen(desk):
    with pytest.raises(NotFoundError, match="topics"):
        desk.start(topics=("astrology",))


def test_another_person_sees_nothing_of_it(desk):
    view = desk.start()
    for call in (
        lambda: desk.service.view("bob", view.id),
        lambda: list(desk.service.act("bob", view.id, Say("x"))),
        lambda: desk.service.report("bob", view.id),
        lambda: desk.service.delete("bob", view.id),
        lambda: list(desk.service.resume("bob", view.id)),
        lambda: list(desk.service.retry("bob", view.id, 0)),
    ):
        with pytest.raises(NotFoundError):
            call()
    assert desk.service.history("bob") == ()


def test_the_answer_is_stored_before_it_is_graded(desk):
    view = desk.start(count=1)
    stored = []
    desk.grader.before_grading = lambda: stored.extend(desk.again().interviews.load("ann", view.id))
    desk.say(view, "sum and memory")
    assert [e.type for e in stored][-1] == "answered"


def test_a_server_that_died_while_grading_grades_on_its_next_start(desk):
    view = desk.start(count=1)
    updates = desk.service.act("ann", view.id, Say("sum and memory"))
    desk.grader.before_grading = lambda: (_ for _ in ()).throw(SystemExit)
    with pytest.raises(SystemExit):
        list(updates)
    other = desk.again()
    assert other.service.view("ann", view.id).state.phase == "grading"
    desk.grader.before_grading = lambda: None
    resumed = list(other.service.resume("ann", view.id))[-1].view
    assert resumed.state.phase == "reviewing"
    assert resumed.state.score == 10.0


def test_a_page_that_leaves_while_grading_does_not_stop_it(desk):
    view = desk.start(count=1)
    begun, go_on = Event(), Event()
    desk.grader.before_grading = lambda: (begun.set(), go_on.wait(10))
    updates = desk.service.act("ann", view.id, Say("sum and memory"))
    assert next(updates).view.state.phase == "grading"
    page = Thread(target=lambda: next(updates, None))
    page.start()
    assert begun.wait(10)
    watcher = desk.service.resume("ann", view.id)
    go_on.set()
    assert list(watcher)[-1].view.state.phase == "reviewing"
    page.join(10)
    assert [e.type for e in desk.interviews.load("ann", view.id)].count("graded") == 1


def test_what_is_said_while_grading_is_graded_too(desk):
    view = desk.start(count=1)
    begun, go_on = Event(), Event()
    desk.grader.before_grading = lambda: (begun.set(), go_on.wait(10))
    first = Thread(target=lambda: desk.say(view, "memory"))
    first.start()
    assert begun.wait(10)
    more = desk.service.act("ann", view.id, Say("sum"))
    assert next(more).stored
    go_on.set()
    final = list(more)[-1].view
    first.join(10)
    assert desk.grader.history[-1][1] == "memory\n\nsum"
    assert final.state.questions[0].grade.score == 10.0


def test_a_failed_grade_is_no_grade_and_can_be_tried_again(desk):
    desk.grader.failing.add("sum")
    view = desk.say(desk.start(count=1), "sum and memory")
    assert view.state.phase == "answering"
    assert view.state.score is None
    assert view.state.current.failed
    assert "It was told to fail." in view.messages[-1].text
    desk.grader.failing.clear()
    view = desk.press(view, "retry")
    assert view.state.score == 10.0
    assert not view.state.current.failed


def test_a_follow_up_that_cannot_be_graded_keeps_the_grade_there_was(desk):
    view = desk.say(desk.start(count=1), "memory")
    desk.grader.failing.add("sum")
    view = desk.say(view, "sum")
    assert view.state.current.failed
    assert view.state.score == 2.5
    view = desk.press(view, "next")
    assert desk.service.report("ann", view.id).questions[0].ungraded
    desk.grader.failing.clear()
    view = list(desk.service.retry("ann", view.id, 0))[-1].view
    assert view.state.score == 8.5


def test_a_grader_that_breaks_leaves_an_ungraded_answer_not_a_crash(desk):
    def breaks():
        raise RuntimeError("boom")

    desk.grader.before_grading = breaks
    view = desk.say(desk.start(count=1), "sum and memory")
    assert view.state.current.failed
    assert "boom" not in view.messages[-1].text


def test_i_dont_know_gets_a_smaller_step_then_the_reference_and_no_points(desk):
    view = desk.say(desk.start(count=1), "I don't know")
    assert view.messages[-1].kind == "followup"
    view = desk.say(view, "不知道")
    assert view.state.current.closed == "conceded"
    assert view.state.score == 0.0
    assert desk.grader.history == []


def test_seeing_the_reference_first_ends_scoring(desk):
    view = desk.press(desk.start(count=1), "reveal")
    assert view.state.current.closed == "revealed"
    assert view.state.score is None
    assert "reference" in kinds(view)


def test_a_hint_costs_part_of_what_it_wins(desk):
    view = desk.press(desk.start(count=1), "hint")
    assert view.messages[-1].point_id == "sum"
    view = desk.say(view, "sum and memory")
    assert view.state.score == 7.0  # (3 x 0.6 + 1) / 4


def test_hints_run_out_with_a_word(desk):
    view = desk.start(count=1)
    for _ in range(3):
        view = desk.press(view, "hint")
    assert "no further hint" in view.messages[-1].text


def test_a_question_back_is_answered_without_giving_anything_away(desk):
    view = desk.say(desk.start(count=1), "What do you mean by that?")
    assert view.messages[-1].kind == "clarification"
    assert view.state.questions[0].question.points[0].text["en"] not in view.messages[-1].text
    assert desk.grader.history == []


def test_repeat_says_the_open_question_again(desk):
    view = desk.start(count=1)
    question = view.messages[-1].text
    assert desk.say(view, "repeat the question please").messages[-1].text == question


def test_pause_keeps_the_place_and_an_answer_wakes_it(desk):
    view = desk.press(desk.start(count=1), "pause")
    assert view.state.phase == "paused"
    view = desk.say(view, "sum and memory")
    assert view.state.phase == "reviewing"
    assert view.state.score == 10.0


def test_an_answer_after_the_close_is_kept_but_not_graded(desk):
    view = desk.say(desk.start(count=1), "sum and memory")
    view = desk.say(view, "one more thing: it also depends on the batch norm statistics")
    assert "said" in kinds(view)
    assert len(desk.grader.history) == 1


def test_an_empty_message_and_one_that_is_too_long_are_not_stored_and_said_so(desk):
    view = desk.start(count=1)
    for text in ("  \n ", "x" * 100_001):
        (update,) = desk.updates(view, Say(text))
        assert not update.stored
        assert update.notice
    assert desk.service.view("ann", view.id).state.version == view.state.version


def test_100000_characters_emoji_and_control_characters_pass(desk):
    view = desk.say(desk.start(count=1), "sum memory \x00\u202e😀<script>" + "长" * 99_000)
    answer = next(m for m in view.messages if m.kind == "answer")
    assert "\x00" not in answer.text
    assert "<script>" in answer.text
    assert view.state.score == 10.0


def test_after_the_end_nothing_is_stored_and_the_words_stay_in_the_box(desk):
    view = desk.press(desk.start(count=1), "stop")
    (update,) = desk.updates(view, Say("sum"))
    assert (update.stored, update.view.state.version) == (False, view.state.version)
    assert "ended" in update.notice


def test_mock_mode_gives_no_feedback_before_the_end(desk):
    view = desk.start(count=2, mode="mock", followups=1)
    while view.state.phase != "ended":
        assert not {"feedback", "reference"} & set(kinds(view))
        view = desk.say(view, "memory")
    assert not {"feedback", "reference"} & set(kinds(view))
    assert desk.service.report("ann", view.id).score == 2.5


def test_two_windows_on_one_interview_do_not_overwrite_each_other(desk):
    view = desk.start(count=1)
    other = desk.again()
    late = desk.service.act("ann", view.id, Press("hint"))
    original = desk.interviews.append

    def append_after_the_other_window(*args, **kwargs):
        desk.interviews.append = original
        list(other.service.act("ann", view.id, Press("repeat")))
        return original(*args, **kwargs)

    desk.interviews.append = append_after_the_other_window
    (update,) = list(late)
    assert not update.stored
    assert "another window" in update.notice
    assert [e.type for e in desk.interviews.load("ann", view.id)][-1] == "repeated"


def test_the_history_lists_newest_first_and_deletes_for_good(desk):
    first, second = desk.start(count=1), desk.start(count=2)
    assert [s.id for s in desk.service.history("ann")] == [second.id, first.id]
    assert desk.service.latest_open("ann").id == second.id
    desk.service.delete("ann", second.id)
    assert [s.id for s in desk.service.history("ann")] == [first.id]


def test_a_question_is_reported_as_it_was_asked_even_after_an_edit(desk, question):
    view = desk.start(count=1)
    asked = view.state.questions[0].question
    desk.questions.save([question(asked.id, question={"en": "Edited", "zh": "改了"})], reason="edit")
    assert desk.service.report("ann", view.id).questions[0].question == asked


@pytest.mark.parametrize("mode", ["practice", "mock"])
def test_an_answer_to_a_question_that_is_closed_is_kept_and_not_taken_for_the_next(desk, mode):
    view = desk.press(desk.start(count=2, mode=mode), "skip")
    update = desk.updates(view, Say("sum and memory", question=0))[-1]
    assert update.stored
    assert update.view.state.questions[1].answers == ()
    assert [m.text for m in update.view.messages if m.role == "candidate"] == ["sum and memory"]
    assert "closed" in update.view.messages[-1].text
    assert desk.updates(update.view, Say("sum and memory", question=1))[-1].view.state.questions[1].score == 10.0


def test_a_request_is_heard_whichever_question_it_was_written_to(desk):
    view = desk.press(desk.start(count=2), "skip")
    assert desk.updates(view, Say("stop", question=0))[-1].view.state.phase == "ended"


def test_thinking_aloud_is_not_told_that_the_question_is_closed(desk):
    view = desk.say(desk.start(count=1), "let me think")
    assert view.messages[-1].text == "Take your time."
    view = desk.say(desk.say(view, "sum and memory"), "let me think")
    assert "closed" in view.messages[-1].text


def test_practise_again_asks_just_that_question(desk):
    view = desk.start(question_ids=("q3",))
    assert [(q.question.id, q.why) for q in view.state.questions] == [("q3", "requested")]


@pytest.mark.parametrize("words", ["没有了", "That's all.", "Done."])
def test_who_has_nothing_to_add_to_a_follow_up_goes_on_with_the_interview(desk, words):
    view = desk.say(desk.start(count=3, mode="mock"), "memory is saved")
    assert view.messages[-1].kind == "followup"
    view = desk.say(view, words)
    assert view.state.phase != "ended"
    assert len(view.state.questions) == 2


@pytest.mark.parametrize("words", ["I don't know", "skip", "show me the answer"])
def test_what_is_said_to_a_closed_question_does_not_close_the_next(desk, words):
    view = desk.press(desk.start(count=3, mode="mock"), "skip")
    assert len(view.state.questions) == 2
    view = desk.updates(view, Say(words, question=0))[-1].view
    assert view.state.current.closed is None
    assert view.state.current.conceded == 0
    assert words in [message.text for message in view.messages]


def test_an_answer_sent_by_the_keyboard_and_by_the_button_is_kept_once(desk):
    view = desk.start(count=1)
    first = desk.service.act("ann", view.id, Say("sum and memory"))
    next(first)
    again = list(desk.service.act("ann", view.id, Say("sum and memory")))
    assert all(update.stored for update in again)
    list(first)
    view = desk.service.view("ann", view.id)
    assert view.state.questions[0].answers == ("sum and memory",)
    assert [message.kind for message in view.messages].count("answer") == 1


@pytest.mark.parametrize("before", ["paused", "grading"])
def test_words_that_end_scoring_are_asked_about_at_any_time(desk, before):
    view = desk.start(count=1)
    if before == "paused":
        view = desk.press(view, "pause")
    else:
        next(desk.service.act("ann", view.id, Say("sum and memory")))
        view = desk.service.view("ann", view.id)
    assert asks_to_end_scoring(view.state, "show me the answer")


def test_a_grade_that_comes_after_the_next_question_stands_with_its_own(desk):
    desk.grader.failing = {"XX"}
    view = desk.say(desk.start(count=2), "XX sum and memory")
    for action in ("skip", "next"):
        view = desk.press(view, action)
    desk.grader.failing = set()
    view = list(desk.service.retry("ann", view.id, 0))[-1].view
    grade = next(message for message in view.messages if message.kind == "feedback")
    assert (grade.question_index, len(view.state.questions)) == (0, 2)


def test_the_history_keeps_the_score_of_a_mock_interview_until_it_is_over(desk):
    view = desk.say(desk.start(count=2, mode="mock"), "sum and memory")
    assert desk.service.history("ann")[0].score is None
    desk.press(view, "stop")
    assert desk.service.history("ann")[0].score == 10.0


@pytest.mark.parametrize("mode", ["mock", "practice"])
def test_a_report_of_a_running_interview_helps_nobody_with_what_is_open(desk, mode):
    view = desk.say(desk.start(count=2, mode=mode), "half sum")
    assert view.state.current.closed is None
    report = shown_so_far(desk.service.report("ann", view.id))
    assert [question.grade for question in report.questions] == [None]
    assert report.study == ()
    desk.press(view, "stop")
    report = desk.service.report("ann", view.id)
    assert shown_so_far(report) == report
    assert report.questions[0].grade is not None
