"""The clock of an interview: whose time it is, when it is over, and what happens then."""

from datetime import timedelta

import pytest

from interviewer.interview.clock import clock, part_over
from interviewer.interview.commands import Press, Say
from interviewer.interview.state import fold


def mock(desk, *minutes, **request):
    """A mock interview with one question for each number of minutes."""
    plan = desk.service.draft("ann", desk.request(count=len(minutes), mode="mock", **request))
    timed = (q.model_copy(update={"minutes": m}) for q, m in zip(plan.questions, minutes, strict=True))
    return desk.service.start_plan("ann", plan.model_copy(update={"questions": tuple(timed)}))


def now(desk, view):
    """The clock now, without looking at the time."""
    return clock(fold(desk.interviews.load("ann", view.id)), desk.interviews._now.time)


def kinds(desk, view):
    return [e.type for e in desk.interviews.load("ann", view.id)]


def test_a_draft_stores_nothing_and_is_the_plan_that_starts(desk):
    plan = desk.service.draft("ann", desk.request(count=2))
    assert desk.service.history("ann") == ()
    assert desk.service.start_plan("ann", plan).state.plan == plan


def test_practice_is_not_timed_but_its_time_is_counted(desk, clock):
    view = desk.start(count=1)
    clock.forward(hours=5)
    assert now(desk, view).question_seconds > 5 * 3600
    assert (now(desk, view).left, now(desk, view).overall_left) == (None, None)
    assert desk.press(view, "time_up").state.phase == "answering"


def test_only_the_candidates_turn_counts(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=60)
    desk.grader.before_grading = lambda: clock.forward(seconds=500)
    view = desk.say(view, "memory")
    assert 60 <= now(desk, view).question_seconds < 75
    desk.grader.before_grading = lambda: None
    view = desk.press(view, "pause")
    clock.forward(seconds=700)
    assert not now(desk, view).running
    assert 700 <= now(desk, view).paused_seconds < 715
    view = desk.press(view, "resume")
    assert now(desk, view).running
    assert now(desk, view).paused_times == 1
    assert 60 <= now(desk, view).question_seconds < 85


def test_time_up_does_nothing_before_time(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=60)
    assert desk.press(view, "time_up").state == desk.service.view("ann", view.id).state
    assert kinds(desk, view) == ["started", "asked"]


@pytest.mark.parametrize(("seconds", "over"), [(597, False), (598.5, True), (600, True)])
def test_a_page_whose_clock_is_ahead_by_a_second_is_believed(desk, seconds, over):
    state = mock(desk, 10, 10).state
    assert part_over(state, state.updated_at + timedelta(seconds=seconds)) == over


def test_a_question_nobody_answered_closes_without_a_score_and_the_next_comes(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=601)
    view = desk.press(view, "time_up")
    assert [q.closed for q in view.state.questions] == ["time", None]
    assert view.state.questions[0].score is None
    assert any("nothing was said" in m.text for m in view.messages)
    assert now(desk, view).question_seconds < 10


def test_a_late_answer_is_graded_and_no_follow_up_comes(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=900)
    view = desk.say(view, "memory")
    first = view.state.questions[0]
    assert (first.score, first.closed, first.followups) == (2.5, "answered", ())
    assert len(view.state.questions) == 2
    assert any("time for this question is over" in m.text for m in view.messages)


def test_an_answer_in_time_is_followed_up_while_there_is_time(desk, clock):
    view = desk.say(mock(desk, 10, 10), "memory")
    assert len(view.state.questions[0].followups) == 1
    clock.forward(seconds=600)
    view = desk.press(view, "time_up")
    assert view.state.questions[0].closed == "answered"


@pytest.mark.parametrize("words", ["hint", "What do you mean by that?", "repeat the question", "let me think"])
def test_nothing_but_an_answer_is_heard_after_time(desk, clock, words):
    view = mock(desk, 10, 10)
    clock.forward(seconds=601)
    view = desk.say(view, words)
    assert [q.closed for q in view.state.questions] == ["time", None]
    assert view.state.questions[0].hints == ()
    assert words in [m.text for m in view.messages]


def test_i_dont_know_after_time_gets_no_smaller_step(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=601)
    view = desk.say(view, "I don't know")
    assert view.state.questions[0].closed == "conceded"


def test_a_pause_at_the_last_moment_is_a_pause_and_the_time_is_over_after_it(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=601)
    view = desk.press(view, "pause")
    assert view.state.phase == "paused"
    clock.forward(hours=3)
    assert desk.press(view, "time_up").state.phase == "paused"
    view = desk.press(view, "resume")
    assert [q.closed for q in view.state.questions] == ["time", None]


def test_what_ran_out_while_nobody_looked_is_closed_on_the_next_look(desk, clock):
    view = mock(desk, 10, 10, 10)
    clock.forward(minutes=12)
    (*_, last) = desk.service.resume("ann", view.id)
    assert [q.closed for q in last.view.state.questions] == ["time", None]
    assert list(desk.service.resume("ann", view.id)) == []


def test_when_the_overall_time_is_over_the_interview_ends_instead_of_asking(desk, clock):
    view = mock(desk, 10, 10, 10)
    clock.forward(minutes=31)
    view = list(desk.service.resume("ann", view.id))[-1].view
    assert (view.state.phase, view.state.ended, len(view.state.questions)) == ("ended", "time", 1)
    assert "time is over" in view.messages[-1].text


def test_no_follow_up_comes_after_the_overall_time(desk, clock):
    view = mock(desk, 10, 10, 10)
    clock.forward(minutes=28)
    view = desk.say(view, "sum and memory")
    clock.forward(minutes=3)
    view = desk.say(view, "memory")
    assert view.state.questions[1].followups == ()
    assert (view.state.ended, len(view.state.questions)) == ("time", 2)


def test_what_wakes_a_paused_interview_is_not_late_because_of_the_pause(desk, clock):
    view = desk.press(mock(desk, 10, 10), "pause")
    clock.forward(hours=3)
    view = desk.say(view, "hint")
    assert view.messages[-1].kind == "hint"
    assert len(view.state.questions) == 1


def test_after_the_last_question_the_interview_is_finished_however_late(desk, clock):
    view = mock(desk, 10)
    clock.forward(minutes=31)
    view = desk.say(view, "sum and memory")
    assert (view.state.ended, view.state.score) == ("finished", 10.0)


def test_an_answer_that_can_not_be_graded_does_not_stop_the_clock_for_ever(desk, clock):
    desk.grader.failing.add("FAIL")
    view = mock(desk, 10, 10)
    clock.forward(minutes=11)
    view = desk.say(view, "FAIL")
    assert view.state.questions[0].closed == "answered"
    desk.grader.failing.clear()
    view = list(desk.service.retry("ann", view.id, 0))[-1].view
    assert view.state.questions[0].grade.status == "graded"


def test_a_clock_that_jumps_back_takes_no_stored_time_away(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(minutes=5)
    view = desk.say(view, "memory")
    used = now(desk, view).question_seconds
    clock.forward(hours=-2)
    view = desk.press(view, "repeat")
    assert used - 5 <= now(desk, view).question_seconds <= used
    assert now(desk, view).overall_seconds >= 300


def test_an_interview_from_before_there_was_a_clock_goes_on_without_one(desk, clock):
    view = mock(desk, 1, 1)
    events = desk.interviews.load("ann", view.id)
    old = [event.model_dump(mode="json") for event in events]
    for name in ("timed",):
        del old[0][name]
    for name in ("planned", "shift", "round", "sentence", "frequency"):
        del old[1][name]
    state = fold([type(event).model_validate(data) for event, data in zip(events, old, strict=True)])
    assert not state.timed
    assert state.questions[0].planned == 0
    assert state.remaining == 1


def test_one_load_a_step(desk):
    view = desk.start(count=2)
    loads, load = [], desk.interviews.load
    desk.interviews.load = lambda *args: loads.append(args) or load(*args)
    desk.press(view, "hint")
    assert len(loads) == 1
    loads.clear()
    desk.press(view, "skip")
    assert len(loads) == 1


def test_the_page_sends_its_draft_first_and_nothing_typed_is_lost(desk, clock):
    view = mock(desk, 10, 10)
    clock.forward(seconds=600)
    view = desk.updates(view, Say("sum and mem"))[-1].view
    view = desk.updates(view, Press("time_up"))[-1].view
    assert [q.answers for q in view.state.questions] == [("sum and mem",), ()]


def test_edited_plans_and_repeated_questions_are_never_asked_twice(desk):
    plan = desk.service.draft("ann", desk.request(count=2))
    twice = plan.model_copy(update={"questions": (*plan.questions, *plan.questions)})
    view = desk.service.start_plan("ann", twice)
    while view.state.phase != "ended":
        view = desk.press(view, "skip")
    asked = [q.question.id for q in view.state.questions]
    assert len(asked) == len(set(asked))


def test_a_question_that_is_gone_is_left_out(desk):
    plan = desk.service.draft("ann", desk.request(count=2, adaptive=False))
    gone = plan.questions[0].model_copy(update={"question_id": "gone", "others": ()})
    view = desk.service.start_plan("ann", plan.model_copy(update={"questions": (gone, *plan.questions[1:])}))
    assert view.state.questions[0].question.id == plan.questions[1].question_id
    assert view.state.remaining == 0


def test_new_rounds_are_announced(desk):
    plan = desk.service.draft("ann", desk.request(count=2, adaptive=False))
    data = plan.model_dump() | {"rounds": [{"id": "a", "title": "Basics"}, {"id": "b", "title": "Design"}]}
    data["track"] = "Inference"
    data["questions"][1]["round"] = 1
    view = desk.service.start_plan("ann", type(plan).model_validate(data))
    assert "Inference" in view.messages[0].text
    assert "Basics" in view.messages[1].intro
    view = desk.press(view, "skip")
    assert "Design" in view.messages[-1].intro
    assert view.state.current.round == 1


def test_a_timed_greeting_says_that_leaving_does_not_stop_the_clock(desk):
    assert "away from this page" in mock(desk, 10, 10).messages[0].text
    assert "away from this page" not in desk.start(count=2).messages[0].text
