"""The plan before the start: every change, what can't be done, and that no question is given away."""

import pytest
from bs4 import BeautifulSoup

from interviewer.errors import NotFoundError
from interviewer.models import Plan, PlannedQuestion, PlannedRound, PlanRequest
from tests.ui.choosing import free, on_track
from ui.choices import Prepared
from ui.render.plan import plan_html
from ui.screens import InterviewScreen, PlanScreen, SetupScreen
from ui.session import Session
from ui.texts import Texts

EN = Texts("en")


def last(screens):
    return list(screens)[-1]


@pytest.fixture
def planned(router, call):
    """The plan page with all four questions, and the call of its tab."""
    screen = last(router.planning.look(call, Prepared(), *free()))
    return screen, call._replace(session=screen.session)


def edited(router, call, screen, action, id="", **more):
    event = {"action": action, "id": str(id), **more}
    return last(router.planning.edit(call._replace(event=event), screen.prepared))


def ids(screen):
    return [q.question_id for q in screen.plan.questions]


def test_the_plan_page_has_an_address_and_every_slot(router, call, planned):
    screen, _ = planned
    assert isinstance(screen, PlanScreen)
    assert screen.session.route == "/plan"
    slots = BeautifulSoup(plan_html(screen, EN), "html.parser").select(".iv-slot")
    assert len(slots) == 4
    assert "Concurrency" in slots[0].text + slots[1].text + slots[2].text + slots[3].text
    assert all("Concept" in slot.text and "new to you" in slot.text for slot in slots)


def test_no_question_and_no_id_is_given_away(router, planned):
    html = plan_html(planned[0], EN)
    assert "mutex" not in html
    assert not [id_ for id_ in ids(planned[0]) if f">{id_}<" in html or f'"{id_}"' in html]


def test_questions_move_go_and_come_back(router, planned):
    screen, call = planned
    before = ids(screen)
    less = edited(router, call, screen, "remove", 1)
    assert ids(less) == [before[0], *before[2:]]
    assert (less.said, less.focus) == ("Removed.", "remove:1")
    more = edited(router, call, less, "add", screen.plan.questions[1].topic)
    assert sorted(ids(more)) == sorted(before)
    moved = edited(router, call, screen, "down", 0)
    assert ids(moved)[:2] == [before[1], before[0]]
    assert moved.focus == "down:1"
    assert ids(edited(router, call, moved, "up", 1)) == before


def test_a_question_is_exchanged_for_a_free_one_on_its_topic(router, call):
    screen = last(router.planning.look(call, Prepared(), *free(number=1)))
    call = call._replace(session=screen.session)
    other = edited(router, call, screen, "exchange", 0)
    assert ids(other) != ids(screen)
    assert other.plan.topics == screen.plan.topics
    assert other.plan.questions[0].why == "requested"
    another = edited(router, call, screen, "another", 0)
    assert len(ids(another)) == 2


def test_minutes_change_the_total(router, planned):
    screen, call = planned
    longer = edited(router, call, screen, "minutes", 2, value="31")
    assert longer.plan.questions[2].minutes == 31
    assert longer.plan.minutes == pytest.approx(screen.plan.minutes - screen.plan.questions[2].minutes + 31)
    assert f"{round(longer.plan.minutes)} min" in plan_html(longer, EN)


@pytest.mark.parametrize(
    ("action", "id", "value"),
    [
        ("exchange", "0", None), ("remove", "99", None), ("remove", "-1", None), ("up", "0", None), ("add", "<b>", None),
        ("minutes", "0", "nan"), ("minutes", "0", ["x"]), ("explode", "0", None), ("", "", None), ("up", "²", None),
    ],
)  # fmt: skip
def test_what_can_not_be_done_changes_nothing_and_says_so(router, planned, action, id, value):
    screen, call = planned
    same = edited(router, call, screen, action, id, value=value)
    assert same.plan == screen.plan
    assert same.said == EN("plan.unchanged")


def test_drawing_anew_keeps_the_choices_and_takes_another_seed(router, call):
    screen = last(router.planning.look(call, Prepared(), *on_track()))
    again = last(router.planning.again(call, screen.prepared))
    assert again.plan.request.seed != screen.plan.request.seed
    assert again.prepared.fits(screen.plan.request)


def test_an_edited_plan_is_what_starts_and_survives_a_look_at_the_choices(router, call, planned):
    screen, call = planned
    less = edited(router, call, screen, "remove", 0)
    back = last(router.setup.choose(call, less.prepared, *free()))
    assert back.prepared.plan == less.plan
    started = last(router.planning.start(call, less.prepared))
    assert isinstance(started, InterviewScreen)
    assert started.view.state.plan == less.plan
    assert started.prepared.plan is None


def test_without_a_plan_the_page_leads_to_the_start(router, call):
    assert isinstance(last(router.load(call, "#/plan", Prepared(), "")), SetupScreen)
    for lost in (router.planning.start, router.planning.edit, router.planning.again):
        with pytest.raises(NotFoundError, match="choose again"):
            list(lost(call, Prepared()))


def test_sentences_and_topics_of_others_are_escaped_and_too_much_time_is_told():
    hostile = '<img src=x onerror="x">'
    question = PlannedQuestion(question_id="q", topic=hostile, why="focus", sentence=hostile, minutes=40, difficulty=2)
    request = PlanRequest(track="t", minutes=30)
    plan = Plan(request=request, questions=(question,), rounds=(PlannedRound(id="r", title=hostile),), track=hostile)
    screen = PlanScreen(Session(page="plan"), Prepared(plan), plan, {hostile: hostile}, {}, (hostile,), said=hostile)
    soup = BeautifulSoup(plan_html(screen, EN), "html.parser")
    assert not soup.find_all("img")
    assert soup.select_one(".iv-slot-topic").text == hostile
    assert soup.select_one(".iv-found-why q").text == hostile
    assert "more than the 30 you chose" in soup.select_one(".iv-plan-total").text
    assert soup.select_one('[data-action="remove"]').has_attr("disabled")
