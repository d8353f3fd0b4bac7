"""What an interview shows of each point, and how it is rated."""

from datetime import timedelta

import pytest

from interviewer.interview import events as ev
from interviewer.interview.commands import Press, Say
from interviewer.memory.reviews import rate, reviews_of
from interviewer.models import Choice, Verdict
from tests.interviewer.conftest import make_question
from tests.interviewer.interview.test_phases import design
from tests.interviewer.memory.conftest import MemoryDesk


def reviewed(desk: MemoryDesk, view) -> dict[str, tuple[str, str, int]]:
    reviews = reviews_of(view.id, desk.interviews.load("ann", view.id))
    return {review.point_id: (review.verdict.value, review.earned, review.rating) for review in reviews}


def run(desk: MemoryDesk, *steps: Say | Press, **request: object):
    view = desk.start(question_ids=["q"], **request)
    for step in steps:
        view = desk.updates(view, step)[-1].view
    return view


@pytest.fixture
def desk(desk: MemoryDesk) -> MemoryDesk:
    desk.questions.save([make_question("q"), design("phased")], reason="test")
    desk.grader.failing.add("FAIL")
    return desk


def test_ratings() -> None:
    covered = Verdict.COVERED
    assert [rate(covered, earned) for earned in ("answer", "probe", "hint")] == [4, 3, 2]
    assert [rate(covered, earned, drill=True) for earned in ("answer", "probe", "hint")] == [3, 2, 2]
    for drill in (False, True):
        assert rate(Verdict.PARTIAL, "answer", drill=drill) == 2
        assert rate(Verdict.MISSING, "answer", drill=drill) == rate(Verdict.CONTRADICTED, "answer", drill=drill) == 1


def test_an_open_question_gives_nothing_and_a_closed_one_every_point(desk: MemoryDesk) -> None:
    view = run(desk, Say("half sum"), followups=1)
    assert reviewed(desk, view) == {}
    view = desk.say(view, "memory")
    assert reviewed(desk, view) == {"sum": ("partial", "answer", 2), "memory": ("covered", "answer", 4)}


def test_what_a_probe_or_a_hint_won_says_so(desk: MemoryDesk) -> None:
    view = run(desk, Say("nothing"), Say("sum"), Press("hint"), Say("memory"))
    assert reviewed(desk, view) == {"sum": ("covered", "probe", 3), "memory": ("covered", "hint", 2)}


def test_a_point_that_need_not_be_said_is_not_remembered_as_missing(desk: MemoryDesk) -> None:
    either = (Choice(points=("sum", "memory"), enough=1),)
    desk.questions.save([make_question("q", choices=either)], reason="test")
    view = run(desk, Say("memory"))
    assert view.state.questions[0].score == 10
    assert view.state.questions[0].closed == "answered", "nothing is asked for any more"
    assert reviewed(desk, view) == {"memory": ("covered", "answer", 4)}


def test_whoever_names_another_one_of_a_choice_after_a_probe_needed_it(desk: MemoryDesk) -> None:
    either = (Choice(points=("sum", "memory"), enough=1),)
    desk.questions.save([make_question("q", choices=either)], reason="test")
    view = run(desk, Say("nothing"), Say("memory"))
    assert reviewed(desk, view) == {"memory": ("covered", "probe", 3)}


def test_not_knowing_is_missing(desk: MemoryDesk) -> None:
    view = run(desk, Press("skip"))
    assert reviewed(desk, view) == {}, "skipped, so nobody knows"
    view = run(desk, Say("I don't know"), Say("I don't know"))
    assert reviewed(desk, view) == {"sum": ("missing", "answer", 1), "memory": ("missing", "answer", 1)}


def test_a_seen_reference_and_a_failed_grade_give_nothing(desk: MemoryDesk) -> None:
    assert reviewed(desk, run(desk, Press("reveal"))) == {}
    view = run(desk, Say("FAIL"), Press("skip"))
    assert view.state.questions[0].closed
    assert reviewed(desk, view) == {}
    desk.grader.failing.clear()
    list(desk.service.retry("ann", view.id, 0))
    assert reviewed(desk, view) == {"sum": ("missing", "answer", 1), "memory": ("missing", "answer", 1)}


def test_a_decision_counts(desk: MemoryDesk) -> None:
    view = run(desk, Say("sum"), Press("skip"))
    assert reviewed(desk, view)["memory"] == ("missing", "answer", 1)
    events = desk.interviews.load("ann", view.id)
    closed_at = next(event.at for event in events if event.type == "closed")
    later = events[-1].at + timedelta(days=1)
    disputed = ev.Disputed(at=later, index=0, point_id="memory", reason="I said it")
    decided = ev.Decided(at=later, index=0, point_id="memory", verdict=Verdict.COVERED, by="ann")
    after = {review.point_id: review for review in reviews_of(view.id, (*events, disputed, decided))}
    # It was asked for by a follow-up before the question was skipped.
    assert (after["memory"].verdict, after["memory"].earned) == (Verdict.COVERED, "probe")
    assert after["memory"].at == closed_at


def test_points_of_phases_that_were_not_come_to_give_nothing(desk: MemoryDesk) -> None:
    view = desk.start(question_ids=["phased"], followups=0)
    view = desk.press(desk.say(view, "scale goal"), "stop")
    phases = view.state.questions[0].question.phases
    begun = len(view.state.questions[0].phases)
    assert 0 < begun < len(phases)
    expected = {point for phase in phases[:begun] for point in phase.points}
    assert set(reviewed(desk, view)) == expected
