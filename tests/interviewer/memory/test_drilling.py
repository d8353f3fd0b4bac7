"""Drills: a plan of only what is due, asked in another way where there is one, graded by nothing else."""

import pytest
from pydantic import ValidationError

from interviewer.errors import NothingDueError
from interviewer.interview.asking import ask_next
from interviewer.interview.events import EVENT, Started
from interviewer.interview.reducing import as_planned
from interviewer.interview.state import fold
from interviewer.memory.ways import Way
from interviewer.models import Misconception, Plan, PlannedQuestion, PlanRequest, QuestionPhase
from interviewer.planning.drilling import draw_drill
from interviewer.reporting.export import to_markdown
from interviewer.wording import say
from tests.interviewer.conftest import make_question
from tests.interviewer.memory.conftest import MemoryDesk, asks


def plan(minutes: int | None, *ways: Way) -> Plan:
    return draw_drill(PlanRequest(mode="drill", minutes=minutes), ways)


def ways(*names: str, alone: bool = True) -> list[Way]:
    """Ways to ask for `question/point`."""
    questions = {q.id: q for q in (asks(f"q{n}", "one", "two", "three", "four") for n in range(40))}
    return [Way(questions[name.split("/")[0]], name.split("/")[1], alone) for name in names]


def test_five_minutes_hold_two_questions_or_two_points_of_one() -> None:
    drawn = plan(5, *ways("q1/one", "q2/one", "q3/one"))
    assert [q.question_id for q in drawn.questions] == ["q1", "q2"]
    assert drawn.minutes == 5
    drawn = plan(5, *ways("q1/one", "q1/two", "q1/three"))
    assert [(q.points, q.minutes) for q in drawn.questions] == [(("one", "two"), 4.0)]


def test_a_plan_fills_its_minutes_and_never_goes_beyond_them() -> None:
    due = ways(*(f"q{n}/{point}" for n in range(40) for point in ("one", "two")))
    for minutes in (5, 10, 15, 30, 60):
        drawn = plan(minutes, *due)
        assert minutes - 2.5 < drawn.minutes <= minutes
    assert plan(None, *due).minutes == pytest.approx(15, abs=1.5)


def test_a_point_of_a_question_that_is_asked_anyway_still_fits_at_the_end() -> None:
    drawn = plan(6, *ways("q1/one", "q2/one", "q3/one", "q1/two"))
    assert [(q.question_id, q.points) for q in drawn.questions] == [("q1", ("one",)), ("q2", ("one",))]
    drawn = plan(7, *ways("q1/one", "q2/one", "q3/one", "q1/two"))
    assert [(q.question_id, q.points) for q in drawn.questions] == [("q1", ("one", "two")), ("q2", ("one",))]


def test_probes_ask_for_few_points_that_no_other_question_asks_for() -> None:
    assert plan(30, *ways("q1/one", "q1/two")).questions[0].wording == "probe"
    assert plan(30, *ways("q1/one", "q1/two", "q1/three")).questions[0].wording == "question"
    assert plan(30, *ways("q1/one", alone=False)).questions[0].wording == "question"
    unprobed = asks("q9", "one").model_copy(update={"points": make_question().points[:1]})
    bare = unprobed.points[0].model_copy(update={"probe": {"en": "only in English?"}})
    only = unprobed.model_copy(update={"points": (bare,)})
    assert plan(30, Way(only, "sum", True)).questions[0].wording == "question"


def planned(*points: str, **more: object) -> PlannedQuestion:
    fields = {"question_id": "q1", "topic": "training", "why": "due", "points": points, **more}
    return PlannedQuestion.model_validate(fields)


def test_a_reduced_question_keeps_its_points_and_what_belongs_to_them() -> None:
    wrong = [
        Misconception(text={"en": f"wrong on {point}"}, correction={"en": "right"}, point=point)
        for point in ("sum", "memory", None)
    ]
    phases = [
        QuestionPhase(id=point, title={"en": point}, minutes=5, prompt={"en": "go"}, points=(point,))
        for point in ("sum", "memory")
    ]
    question = make_question("q1", misconceptions=wrong, phases=phases)
    reduced = as_planned(question, planned("memory"))
    assert reduced is not None
    assert [point.id for point in reduced.points] == ["memory"]
    assert [wrong.point for wrong in reduced.misconceptions] == ["memory"]
    assert reduced.phases == ()
    assert reduced.question == question.question
    assert reduced.reference == question.reference
    assert as_planned(question, planned("gone")) is None
    assert as_planned(question, planned()) == question


def test_a_question_put_by_probes_says_so_and_keeps_no_probe_to_repeat() -> None:
    question = make_question("q1")
    reduced = as_planned(question, planned("memory", wording="probe"))
    assert reduced is not None
    assert reduced.question["en"] == f"{question.question['en']}\n\nThis time I only ask: What does it save?"
    assert reduced.question["zh"].endswith("资源上有什么好处?")
    assert reduced.points[0].probe == {}
    assert reduced.points[0].hint == question.points[1].hint


def test_a_probe_that_is_gone_since_leaves_the_question_itself() -> None:
    question = make_question("q1")
    bare = question.model_copy(update={"points": tuple(p.model_copy(update={"probe": {}}) for p in question.points)})
    reduced = as_planned(bare, planned("memory", wording="probe"))
    assert reduced is not None
    assert reduced.question == question.question


def test_a_question_without_its_planned_points_is_passed_over(desk: MemoryDesk) -> None:
    desk.answered("one three", "four", question_ids=["a", "b"])
    desk.to_day(1)
    drawn = desk.service.draft("ann", desk.request(mode="drill"))
    desk.questions.save([asks("a", "one", "three")], reason="a point less")
    view = desk.service.start_plan("ann", drawn)
    assert [q.question.id for q in view.state.questions] == ["b"]


def test_the_probe_is_what_transcript_report_and_grader_know_of(desk: MemoryDesk) -> None:
    desk.answered("nothing", question_ids=["c"])
    desk.to_day(1)
    view = desk.drill(language="en")
    put = "What is gradient accumulation? (c)\n\nThis time I only ask: Which part of c?"
    assert [message.text for message in view.messages if message.kind == "question"] == [put]
    assert view.messages[0].text == say("greeting_drill_one", "en", topics="training")
    view = desk.say(view, "larger batches")
    assert put in desk.grader.history[-1][2].asked
    followup = view.messages[-1]
    assert followup.kind == "followup"
    assert followup.text not in put
    report = desk.service.report("ann", desk.press(view, "stop").id)
    assert "This time I only ask: Which part of c?" in to_markdown(report)
    assert report.facts[0].because == say("why_due", "en")


def test_a_drill_goes_on_after_a_restart_and_can_be_stopped(desk: MemoryDesk) -> None:
    desk.answered("one three", "four", question_ids=["a", "b"])
    desk.to_day(1)
    view = desk.say(desk.drill(), "two")
    again = desk.again()
    assert again.service.latest_open("ann").mode == "drill"
    assert again.service.view("ann", view.id).state == view.state
    view = again.press(again.press(view, "next"), "stop")
    assert view.state.phase == "ended"
    assert again.due() == ["b/five"]


def test_what_is_covered_meanwhile_is_not_drilled_again(desk: MemoryDesk) -> None:
    desk.answered("one three", "four", question_ids=["a", "b"])
    desk.to_day(1)
    desk.answered("two", question_ids=["a"])
    assert [q.question_id for q in desk.drill().state.plan.questions] == ["b"]


def test_nothing_asked_yet_is_told_apart_from_nothing_due(desk: MemoryDesk) -> None:
    with pytest.raises(NothingDueError) as nothing:
        desk.drill(language="zh")
    assert nothing.value.day is None
    assert nothing.value.message == say("drill_empty", "zh")


def test_a_drill_of_a_service_that_remembers_nothing_has_nothing_due(desk: MemoryDesk) -> None:
    desk.service._memory = None
    with pytest.raises(NothingDueError):
        desk.drill()


def test_only_what_is_due_can_be_planned(desk: MemoryDesk) -> None:
    assert desk.service.pool("ann", desk.request(mode="drill")) == ()


def test_a_plan_goes_back_to_questions_with_weak_spots(desk: MemoryDesk) -> None:
    """A drill of one point does not clear the others of its question."""
    desk.answered("nothing", question_ids=["a"])
    desk.to_day(1)
    view = desk.drill(minutes=5)
    assert view.state.plan.questions[0].points == ("one", "three")
    desk.press(desk.say(view, "one three"), "next")
    desk.to_day(5)
    drawn = desk.service.draft("ann", desk.request(count=3))
    assert {q.question_id: q.why for q in drawn.questions} == {"a": "weak", "b": "new", "c": "new"}
    desk.answered("one two three", question_ids=["a"])
    desk.to_day(9)
    assert "weak" not in {q.why for q in desk.service.draft("ann", desk.request(count=3)).questions}


def test_plans_and_questions_stored_before_there_were_drills_still_load() -> None:
    old = {
        "type": "started",
        "at": "2026-01-05T09:00:00Z",
        "plan": {
            "request": {"mode": "practice", "seed": 1},
            "questions": [{"question_id": "q1", "topic": "training", "why": "new"}],
        },
    }
    started = EVENT.validate_python(old)
    assert isinstance(started, Started)
    (question,) = started.plan.questions
    assert (question.points, question.wording) == ((), "question")
    (asked,) = ask_next(fold((started,)), lambda id: make_question(id), started.at)
    assert asked.question == make_question("q1")
    with pytest.raises(ValidationError):
        EVENT.validate_python({**old, "plan": {**old["plan"], "request": {"mode": "cram"}}})
