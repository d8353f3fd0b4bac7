"""Whatever a candidate says or presses, in any order and at any time, leaves a valid interview that can be resumed."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.interview.clock import clock, overall_over
from interviewer.interview.commands import Press, Say
from interviewer.interview.state import fold
from interviewer.language import clean
from interviewer.models import Alternative
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk
from tests.interviewer.interview.test_phases import design

WORDS = [
    "sum",
    "memory",
    "half sum",
    "sum memory",
    "scale goal",
    "FAIL",
    "I don't know",
    "提示",
    "skip",
    "下一题",
    "next phase",
    "什么意思?",
    "stop",
]
WORDS += ["pause", "继续", "show me the answer", "再说一遍", "", "🙂\u202e", "<b>x</b>", "next"]
ACTIONS = ["next", "hint", "skip", "repeat", "reveal", "stop", "retry", "pause", "resume", "time_up"]
LOOK = None
"""The page is loaded again."""

SECONDS = st.sampled_from([0, 0, 0, 5, 40, 130, 500, 4000, -3, -900])
"""How far the clock moves before something is done; it may be set back."""

says = st.builds(Say, st.sampled_from(WORDS), st.sampled_from([None, None, None, 0, 1]))
"""Some are meant for a question that may be closed already, or not asked yet."""

commands = st.one_of(says, st.sampled_from(ACTIONS).map(Press), st.just(LOOK))
steps = st.lists(st.tuples(SECONDS, commands), max_size=18)


def begin(desk, mode, followups):
    """Three planned questions of a few minutes, one of them in phases, with easier and harder ones beside them."""
    desk.questions.save([make_question(f"q{n}", difficulty=n) for n in range(1, 6)], reason="test")
    desk.questions.save([design("d1", difficulty=3), design("d2", difficulty=4)], reason="test")
    desk.grader.failing.add("FAIL")
    request = desk.request(question_ids=["q3", "d1", "q2"], mode=mode, followups=followups)
    plan = desk.service.draft("ann", request)
    others = ({"q4": 4, "q1": 1}, {"d2": 4}, {"q5": 5, "q1": 1})
    questions = tuple(
        q.model_copy(
            update={
                "minutes": minutes,
                "others": tuple(Alternative(question_id=i, difficulty=d) for i, d in beside.items()),
            }
        )
        for q, minutes, beside in zip(plan.questions, (2, 8, 2), others, strict=True)
    )
    return desk.service.start_plan("ann", plan.model_copy(update={"questions": questions}))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=steps, mode=st.sampled_from(["practice", "mock"]), followups=st.integers(0, 2))
def test_any_order_of_messages_leaves_a_valid_resumable_interview(steps, mode, followups):
    with tempfile.TemporaryDirectory() as folder:
        time = Clock()
        desk = Desk(f"sqlite:///{Path(folder) / 'x.sqlite3'}", time)
        view = begin(desk, mode, followups)
        other, typed = desk.again(), []
        for seconds, command in steps:
            time.forward(seconds=seconds)
            if command is LOOK:
                updates = list(desk.service.resume("ann", view.id))
            else:
                updates = desk.updates(view, command)
                if isinstance(command, Say) and updates[0].stored:
                    typed.append(clean(command.text).strip())
            view = updates[-1].view if updates else desk.service.view("ann", view.id)
            check(view, desk, other, typed)
            check_time(view, desk, time)
        other.database.close()
        desk.database.close()


def check(view, desk, other, typed):
    events = desk.interviews.load("ann", view.id)
    state = fold(events)
    assert state == view.state == other.service.view("ann", view.id).state
    assert state.phase in ("answering", "reviewing", "paused", "ended")
    asked = [q.question.id for q in state.questions]
    assert len(asked) == len(set(asked)) <= 3
    assert [q.planned for q in state.questions] == list(range(len(asked)))
    assert all(q.closed for q in state.questions[:-1])
    for question in state.questions:
        parts = [phase.points for phase in question.question.phases] or [[p.id for p in question.question.points]]
        for part in parts:
            assert sum(f.point_id in part for f in question.followups) <= state.plan.request.followups
        assert bool(question.phases) == bool(question.question.phases)
    assert all(q.score is None or 0 <= q.score <= 10 for q in state.questions)
    assert [e.text for e in events if e.type in ("answered", "said") and e.text] == typed
    assert [m.text for m in view.messages if m.role == "candidate"] == typed
    assert len({m.key for m in view.messages}) == len(view.messages)
    if state.phase == "ended":
        assert state.ended in ("finished", "stopped", "time")
        assert desk.service.report("ann", view.id).ended_at is not None


def check_time(view, desk, time):
    events = desk.interviews.load("ann", view.id)
    state = fold(events)
    now = clock(state, time.time)
    wall = (max(time.time, state.updated_at) - state.started_at).total_seconds()
    assert all(q.seconds >= 0 and sum(p.seconds for p in q.phases) <= q.seconds + 1e-6 for q in state.questions)
    assert now.overall_seconds + now.paused_seconds <= wall + 1e-6
    assert now.question_seconds <= now.overall_seconds + 1e-6
    assert now.running == (state.phase == "answering")
    assert (now.left is None) == (state.mode == "practice")
    assert state.mode == "mock" or state.ended != "time"
    for position, event in enumerate(events):
        if event.type in ("asked", "phase_began", "followed_up"):
            assert not overall_over(fold(events[:position]), event.at)
    indexes = [e.index for e in events if e.type == "phase_began"]
    assert indexes == list(range(len(indexes)))
