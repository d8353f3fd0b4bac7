"""Drills from the start page: only what is due, or when something will be."""

from datetime import UTC, datetime, timedelta

import pytest

from interviewer.errors import NothingDueError
from interviewer.interview.commands import Press, Say
from tests.ui.choosing import on_track
from ui.choices import Choices, Prepared, keep, read_choices
from ui.render.plan import outlook_html, plan_heading_html, plan_html
from ui.texts import Texts
from ui.wiring import show

DRILL = on_track(mode="drill", minutes=15)


class Days:
    """A clock that can be put forward by days."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@pytest.fixture
def days(desk) -> Days:
    days = Days()
    desk.service._now = desk.service._marking._now = desk.memory._now = days
    return days


def last(screens):
    return list(screens)[-1]


def miss(desk, call, *question_ids: str) -> None:
    """An interview in which every first point is covered, every second half and every third missed."""
    request = Choices(language="en").request().model_copy(update={"question_ids": question_ids, "followups": 0})
    view = desk.service.start(call.user, request)
    for _ in question_ids:
        for command in (Say("an answer"), Press("next")):
            view = last(desk.service.act(call.user, view.id, command)).view
    assert view.state.phase == "ended"


def test_a_newcomer_is_told_to_practise_first(router, call, t):
    screen = last(router.setup.choose(call, Prepared(), *DRILL))
    assert screen.problem == t("drill.empty")
    assert screen.prepared.plan is None
    assert t("drill.empty") in outlook_html(screen, t)


def test_nothing_due_says_the_day(router, call, desk, days, t):
    miss(desk, call, "a")
    screen = last(router.setup.choose(call, Prepared(), *DRILL))
    tomorrow = (days() + timedelta(days=1)).date().isoformat()
    assert screen.problem == t("drill.rest", day=tomorrow)
    with pytest.raises(NothingDueError):
        list(router.setup.start(call, Prepared(), *DRILL))


def test_the_plan_of_a_drill_is_what_is_due_and_it_starts(router, call, desk, days, t):
    miss(desk, call, "a", "c")
    days.ahead = timedelta(days=1)
    screen = last(router.setup.choose(call, Prepared(), *DRILL))
    assert not screen.problem
    plan = screen.prepared.plan
    assert {q.question_id: set(q.points) for q in plan.questions} == {"a": {"p2", "p3"}, "c": {"p2", "p3"}}
    assert plan.minutes <= 15
    html = outlook_html(screen, t)
    assert "Questions: 2" in html
    assert "Questions that fit" not in html
    started = last(router.setup.start(call, screen.prepared, *DRILL))
    assert started.view.state.mode == "drill"
    assert [p.id for p in started.view.state.questions[0].question.points] == ["p2", "p3"]


def test_five_minutes_are_enough_for_a_drill_and_for_nothing_else():
    assert read_choices(*on_track(mode="drill", minutes=2)).minutes == 5
    assert read_choices(*on_track(minutes=2)).minutes == 10


def test_the_mode_tells_how_much_is_due_when_the_page_is_opened(router, call, views, desk, days, t):
    opened = last(router.load(call, "", Prepared(), ""))
    modes = dict(show(views, opened, t)[views.setup.mode]["choices"])
    assert modes[t("mode.drill")] == "drill"
    miss(desk, call, "a")
    days.ahead = timedelta(days=1)
    opened = last(router.load(call, "", Prepared(), ""))
    assert opened.due == 2
    modes = dict(show(views, opened, t)[views.setup.mode]["choices"])
    assert modes["Drill: only what is due (2)"] == "drill"
    assert len(modes) == 3


@pytest.mark.parametrize("track", ["backend", ""])
def test_a_drill_is_chosen_whatever_the_track_is(router, call, t, track):
    screen = last(router.setup.choose(call, Prepared(), *on_track(mode="drill", track=track)))
    assert 'data-chosen="drill"' in outlook_html(screen, t)


def test_a_drill_is_remembered_as_a_choice(router, call, desk, days, t):
    stored = keep(Choices(track="backend", rounds=("first",), mode="drill", minutes=5, sets=("bank",)))
    opened = last(router.load(call, "", Prepared(), stored))
    assert (opened.choices.mode, opened.choices.minutes) == ("drill", 5)


def test_the_plan_page_of_a_drill_offers_nothing_that_is_not_due(router, call, desk, days, t):
    miss(desk, call, "a", "c")
    days.ahead = timedelta(days=1)
    screen = last(router.planning.look(call, Prepared(), *DRILL))
    html = plan_html(screen, t)
    assert t("why.due") in html
    assert 'data-action="exchange"' not in html
    assert 'data-action="add"' not in html
    assert 'data-action="remove"' in html
    assert t("plan_lead.drill") in plan_heading_html(screen.plan, t)


def test_what_was_covered_meanwhile_is_not_in_the_drill_that_starts(router, call, desk, days):
    miss(desk, call, "a", "c")
    days.ahead = timedelta(days=1)
    prepared = last(router.setup.choose(call, Prepared(), *DRILL)).prepared
    edited = prepared._replace(plan=prepared.plan.model_copy(update={"questions": prepared.plan.questions[1:]}))
    kept = last(router.setup.choose(call, edited, *DRILL)).prepared
    assert kept.plan == edited.plan, "what was removed by hand stays removed"
    desk.script.verdicts = ["covered"] * 3
    miss(desk, call, "a")
    ready = last(router.setup.choose(call, prepared, *DRILL)).prepared
    assert [q.question_id for q in ready.plan.questions] == ["c"]


def test_both_languages_say_it():
    assert Texts("zh")("drill.mode", n=3).count("3") == 1
