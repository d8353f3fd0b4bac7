"""A question that goes through phases: each with its own points, follow-ups and time."""

import pytest

from interviewer.models import Point, QuestionPhase
from tests.interviewer.conftest import make_question

PARTS = {
    "needs": ("scale", "goal"),
    "plan": ("shape",),
    "details": ("route", "cache", "tenant"),
    "breaks": ("backoff",),
}
MINUTES = {"needs": 5, "plan": 10, "details": 15, "breaks": 10}


def design(id="d1", **changes):
    """A design question in four phases of 5, 10, 15 and 10 minutes."""
    points = [
        Point(
            id=name,
            text={"zh": f"要点 {name}", "en": f"statement {name}"},
            probe={"zh": f"追问 {part}?", "en": f"More about {part}, number {i}?"},
            hint={"zh": f"提示 {i}", "en": f"A nudge, number {i}"},
        )
        for part, names in PARTS.items()
        for i, name in enumerate(names)
    ]
    phases = [
        QuestionPhase(
            id=part,
            title={"zh": f"阶段 {part}", "en": f"Part {part}"},
            minutes=MINUTES[part],
            prompt={"zh": f"请讲 {part}。", "en": f"Tell me about {part}."},
            points=names,
        )
        for part, names in PARTS.items()
    ]
    return make_question(id, kind="design", points=points, phases=phases, misconceptions=(), **changes)


@pytest.fixture
def start(desk):
    """Begins an interview about the design question alone; changes of its planned question by name."""
    desk.questions.save([design(), design("d2")], reason="test")

    def start(mode="mock", ids=("d1",), minutes=40, **request):
        plan = desk.service.draft("ann", desk.request(question_ids=ids, mode=mode, **request))
        timed = [q.model_copy(update={"minutes": minutes}) for q in plan.questions]
        return desk.service.start_plan("ann", plan.model_copy(update={"questions": tuple(timed)}))

    return start


def begun(view):
    return len(view.state.current.phases)


def test_the_first_phase_comes_with_the_question(desk, start):
    view = start()
    assert [e.type for e in desk.interviews.load("ann", view.id)] == ["started", "asked", "phase_began"]
    question, phase = view.messages[-2:]
    assert (question.kind, phase.kind, phase.text) == ("question", "phase", "Tell me about needs.")
    assert "1 of 4" in phase.intro
    assert "Part needs" in phase.intro
    assert "5 min" in phase.intro


def test_practice_has_phases_without_times(start):
    view = start("practice")
    assert begun(view) == 1
    assert "min" not in view.messages[-1].intro
    assert view.clock.phase_limit is None


def test_follow_ups_stay_in_the_phase_and_then_the_next_begins(desk, start):
    view = desk.say(start(), "scale")
    assert view.messages[-1].point_id == "goal"
    view = desk.say(view, "goal")
    assert view.messages[-1].kind == "phase"
    assert begun(view) == 2
    assert view.state.phase == "answering"


def test_each_phase_has_as_many_follow_ups_as_are_allowed(desk, start):
    view = start(followups=1)
    for _ in range(2):
        view = desk.say(view, "a queue in front of it")
    assert begun(view) == 2
    for _ in range(2):
        view = desk.say(view, "a queue in front of it")
    assert begun(view) == 3
    assert [f.point_id for f in view.state.current.followups] == ["scale", "shape"]


def test_a_point_said_early_is_not_asked_for_later(desk, start):
    view = desk.say(start(), "scale goal shape")
    assert begun(view) == 2
    view = desk.say(view, "as I said, one pool")
    assert begun(view) == 3
    assert view.state.current.followups == ()


def test_after_the_last_phase_the_question_closes_with_the_grade_on_all_points(desk, start):
    view = start(followups=0)
    for words in ("scale goal", "shape", "route cache", "backoff"):
        assert view.state.phase == "answering"
        view = desk.say(view, words)
    question = view.state.questions[0]
    assert view.state.phase == "ended"
    assert question.closed == "answered"
    assert {p.id for p in question.grade.points} == {n for names in PARTS.values() for n in names}
    assert question.score == pytest.approx(6 / 7 * 10, abs=0.05)
    assert [phase.said_before for phase in question.phases] == [0, 1, 2, 3]


def test_feedback_in_practice_shows_the_points_of_the_phases_begun(desk, start):
    view = desk.say(start("practice", followups=0), "scale goal")
    feedback = next(m for m in view.messages if m.kind == "feedback")
    assert {p.id for p in feedback.grade.points} == {"scale", "goal"}
    assert feedback.grade == view.state.current.grade
    assert feedback.grade.score == 10.0


def test_stopping_in_the_middle_counts_the_phases_not_reached(desk, start):
    view = desk.press(desk.say(start(followups=0), "scale goal"), "stop")
    assert view.state.score == pytest.approx(2 / 7 * 10, abs=0.05)


@pytest.mark.parametrize(
    "words", ["skip", "next phase", "let's go on to the architecture", "下一阶段", "我们进入架构设计吧"]
)
def test_skipping_goes_to_the_next_phase(desk, start, words):
    view = desk.say(start(), words)
    assert begun(view) == 2
    assert view.state.current.closed is None


def test_skipping_every_phase_skips_the_question(desk, start):
    view = start(ids=("d1", "d2"))
    for _ in range(4):
        view = desk.press(view, "skip")
    assert [q.closed for q in view.state.questions] == ["skipped", None]


def test_next_phase_is_an_answer_where_there_are_none(desk):
    view = desk.say(desk.start(count=1), "next phase")
    assert view.state.questions[0].answers == ("next phase",)


@pytest.mark.parametrize(("action", "closed"), [("reveal", "revealed"), ("stop", "stopped")])
def test_reveal_and_stop_end_the_question(desk, start, action, closed):
    assert desk.press(start(), action).state.questions[0].closed == closed


def test_i_dont_know_twice_goes_to_the_next_phase_and_counts_anew(desk, start):
    view = desk.say(desk.say(start(), "I don't know"), "不知道")
    assert begun(view) == 2
    assert view.state.current.conceded == 0
    view = desk.say(view, "no idea")
    assert view.messages[-1].kind == "followup"
    assert "smaller step" in view.messages[-1].intro


def test_not_knowing_anything_is_graded_without_a_grader(desk, start):
    view = start()
    while view.state.phase != "ended":
        view = desk.say(view, "I don't know")
    question = view.state.questions[0]
    assert (question.closed, question.score) == ("conceded", 0.0)
    assert desk.grader.history == []


def test_a_hint_is_for_the_phase_under_way(desk, start):
    view = desk.press(desk.press(start(), "skip"), "hint")
    assert view.messages[-1].point_id == "shape"
    assert desk.press(view, "hint").messages[-1].point_id is None


def test_a_point_won_after_a_hint_in_a_later_phase_counts_less(desk, start):
    view = desk.say(start(followups=0), "scale goal")
    view = desk.say(desk.press(view, "hint"), "shape")
    points = {p.id: p.earned for p in view.state.current.full_grade.points}
    assert (points["scale"], points["shape"]) == ("answer", "hint")


def test_repeat_says_the_phase_again(desk, start):
    view = desk.press(desk.press(start(), "skip"), "repeat")
    assert [m.text for m in view.messages[-2:]] == [view.state.current.question.question["en"], "Tell me about plan."]


def test_a_question_back_is_about_the_phase(desk, start):
    view = desk.say(start(), "What do you mean by that?")
    assert "Tell me about needs." in view.messages[-1].text


def test_the_grader_knows_what_was_put_to_the_candidate(desk, start):
    desk.say(start(), "scale")
    assert "Tell me about needs." in desk.grader.history[-1][2].asked


def test_each_phase_has_its_share_of_the_time(desk, start, clock):
    view = start(minutes=20)
    limits = []
    for _ in range(4):
        limits.append(view.clock.phase_limit)
        view = desk.press(view, "skip")
    assert limits == [150, 300, 450, 300]


def test_a_phase_whose_time_is_over_gives_way_to_the_next(desk, start, clock):
    view = start()
    clock.forward(minutes=5)
    view = desk.press(view, "time_up")
    assert begun(view) == 2
    assert "time for this phase" in view.messages[-2].text
    assert view.clock.phase_seconds < 5
    assert view.clock.question_seconds > 300


def test_a_late_answer_in_a_phase_is_graded_without_a_follow_up(desk, start, clock):
    view = start()
    clock.forward(minutes=6)
    view = desk.say(view, "scale")
    assert begun(view) == 2
    assert view.state.current.followups == ()
    assert view.state.current.answers == ("scale",)


def test_no_phase_begins_after_the_time_of_the_question(desk, start, clock):
    view = start(ids=("d1", "d2"))
    clock.forward(minutes=41)
    view = desk.press(view, "time_up")
    assert [q.closed for q in view.state.questions] == ["time", None]


def test_no_phase_begins_after_the_overall_time(desk, start, clock):
    view = start(ids=("d1", "d2", "q1"))
    clock.forward(minutes=118)
    view = desk.say(view, "scale")
    clock.forward(minutes=4)
    view = desk.say(view, "scale")
    assert [(len(q.phases), q.closed) for q in view.state.questions] == [(1, "answered"), (1, "answered")]
    assert view.state.ended == "time"


def test_a_phase_skipped_while_its_answer_is_graded_asks_nothing_twice(desk, start):
    view = start(followups=2)
    desk.grader.before_grading = lambda: _once(desk, lambda: desk.press(view, "skip"))
    after = desk.say(view, "scale")
    assert begun(after) == 2
    assert after.state.current.followups == ()
    assert after.state.current.graded_answers == 1


def _once(desk, action):
    desk.grader.before_grading = lambda: None
    action()


def test_a_question_with_phases_survives_storage_unchanged(desk):
    question = design()
    assert desk.questions.save([question], reason="test").added == 1
    stored = desk.questions.get("d1")
    assert stored == question
    assert stored.content_hash == question.content_hash
    assert desk.questions.save([stored], reason="again").unchanged == 1
    shorter = tuple(phase.model_copy(update={"minutes": 7}) for phase in question.phases)
    other = question.model_copy(update={"phases": shorter})
    assert other.content_hash != question.content_hash
    assert desk.questions.save([other], reason="edit").updated == 1


def test_a_reloaded_interview_stands_in_the_same_phase(desk, start):
    view = desk.say(desk.say(start(), "scale"), "goal")
    assert desk.again().service.view("ann", view.id).state == view.state
