"""What was missed comes back on its day, and nothing else does."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from interviewer.errors import NothingDueError
from interviewer.interview.commands import Press, Say
from interviewer.memory.cards import Schedule
from interviewer.memory.reviews import Review
from interviewer.models import Verdict
from tests.interviewer.memory.conftest import MemoryDesk


def test_missed_points_come_back_on_their_days_and_drills_bring_exactly_these(desk: MemoryDesk) -> None:
    desk.answered("one three", "four", question_ids=["a", "b"])
    assert desk.due() == []
    desk.to_day(0, hour=23)
    assert desk.due() == []
    with pytest.raises(NothingDueError) as nothing:
        desk.drill()
    assert nothing.value.day == date(2026, 1, 6)
    assert "2026-01-06" in str(nothing.value)

    desk.to_day(1, hour=0)
    assert desk.due() == ["a/two", "b/five"]
    view = desk.drill(followups=0)
    assert [(q.question_id, q.points, q.why) for q in view.state.plan.questions] == [
        ("a", ("two",), "due"),
        ("b", ("five",), "due"),
    ]
    view = desk.say(view, "two")
    assert view.state.questions[0].score == 10, "only what is due counts"
    assert [m.kind for m in view.messages][-3:] == ["feedback", "reference", "note"]
    view = desk.press(view, "next")
    view = desk.press(desk.say(view, "no idea at all"), "next")
    assert view.state.phase == "ended"
    assert view.state.score == 5
    assert desk.due() == []

    # Covered: on day 3, two days after; missed again: the next day.
    assert {name: (day - date(2026, 1, 5)).days for name, day in desk.days().items()} == {
        "a/one": 8,
        "a/three": 8,
        "a/two": 3,
        "b/four": 8,
        "b/five": 2,
    }
    found = {}
    for day in range(2, 9):
        desk.to_day(day)
        found[day] = desk.due()
    assert found[2] == ["b/five"]
    assert found[3] == found[7] == ["b/five", "a/two"]
    assert found[8] == ["b/five", "a/two", "a/one", "a/three", "b/four"]


def test_a_point_rests_longer_each_time_it_is_covered(desk: MemoryDesk) -> None:
    desk.answered("nothing", question_ids=["c"])
    rests = []
    for _ in range(5):
        due = desk.memory.cards("ann")[0].due_at
        desk.clock.time = due + timedelta(hours=9)
        view = desk.press(desk.say(desk.drill(), "six"), "next")
        assert view.state.phase == "ended"
        rests.append((desk.memory.cards("ann")[0].due_at - due).days)
    assert rests == [2, 6, 17, 44, 102]


def test_counts_tell_what_is_due_soon_covered_and_weak(desk: MemoryDesk) -> None:
    assert desk.memory.counts("ann") == (0, 0, 0, 0, None)
    assert desk.encoder.calls == 0, "nothing is worked out for who was asked nothing"
    desk.answered("one three", "four", question_ids=["a", "b"])
    assert desk.memory.counts("ann") == (0, 2, 3, 2, date(2026, 1, 6))
    desk.to_day(2)
    assert desk.memory.counts("ann") == (2, 3, 3, 2, date(2026, 1, 7))


def test_a_spot_tells_its_point_in_both_languages(desk: MemoryDesk) -> None:
    desk.answered("one three", question_ids=["a"])
    (spot,) = desk.memory.weak_spots("ann")
    assert (spot.question_id, spot.point_id, spot.topic, spot.weak) == ("a", "two", "training", True)
    assert spot.text == {"zh": "要点#atwo", "en": "it#atwo"}
    assert spot.verdict is Verdict.MISSING
    assert spot.retrievability == 1
    desk.to_day(1)
    assert 0.7 < desk.memory.weak_spots("ann")[0].retrievability < 0.8


def test_days_begin_where_the_person_is() -> None:
    review = Review("i", 0, "q", "p", "t", datetime(2026, 1, 5, 23, tzinfo=UTC), Verdict.MISSING, "answer", 1)
    shanghai = Schedule(timezone(timedelta(hours=8)))
    assert shanghai.card([review]).due_at == datetime(2026, 1, 6, 16, tzinfo=UTC)
    assert Schedule(UTC).card([review]).due_at == datetime(2026, 1, 6, tzinfo=UTC)


def test_help_in_a_drill_keeps_a_point_weak(desk: MemoryDesk) -> None:
    desk.answered("nothing", question_ids=["c"])
    desk.to_day(1)
    view = desk.drill(followups=1)
    view = desk.say(view, "no idea")
    assert view.messages[-1].kind == "followup"
    view = desk.updates(view, Say("six"))[-1].view
    assert view.state.questions[0].score == 8, "a follow-up costs as it always does"
    assert desk.memory.cards("ann")[0].weak
    assert desk.updates(view, Press("next"))[-1].view.state.phase == "ended"
    desk.to_day(2)
    assert desk.due() == ["c/six"]
