"""Whatever a candidate says or presses, in any order, leaves a valid interview that can be resumed."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.interview.commands import Press, Say
from interviewer.interview.state import fold
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk

WORDS = [
    "sum",
    "memory",
    "half sum",
    "sum memory",
    "FAIL",
    "I don't know",
    "提示",
    "skip",
    "下一题",
    "什么意思?",
    "stop",
]
WORDS += ["pause", "继续", "show me the answer", "再说一遍", "", "🙂\u202e", "<b>x</b>", "next"]
ACTIONS = ["next", "hint", "skip", "repeat", "reveal", "stop", "retry", "pause", "resume"]
commands = st.lists(st.one_of(st.sampled_from(WORDS).map(Say), st.sampled_from(ACTIONS).map(Press)), max_size=18)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(commands=commands, mode=st.sampled_from(["practice", "mock"]), followups=st.integers(0, 2))
def test_any_order_of_messages_leaves_a_valid_resumable_interview(commands, mode, followups):
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(f"sqlite:///{Path(folder) / 'x.sqlite3'}", Clock())
        desk.questions.save([make_question(f"q{n}") for n in range(3)], reason="test")
        desk.grader.failing.add("FAIL")
        view = desk.start(count=3, mode=mode, followups=followups)
        for command in commands:
            updates = desk.updates(view, command)
            view = updates[-1].view
            check(view, desk)
        desk.database.close()


def check(view, desk):
    events = desk.interviews.load("ann", view.id)
    state = fold(events)
    assert state == view.state == desk.again().service.view("ann", view.id).state
    assert state.phase in ("answering", "reviewing", "paused", "ended")
    asked = [q.question.id for q in state.questions]
    assert len(asked) == len(set(asked)) <= 3
    assert all(q.closed for q in state.questions[:-1])
    assert all(len(q.followups) <= state.plan.request.followups for q in state.questions)
    assert all(q.score is None or 0 <= q.score <= 10 for q in state.questions)
    said = [e.text for e in events if e.type in ("answered", "said") and e.text]
    shown = [m.text for m in view.messages if m.role == "candidate"]
    assert shown == said
    assert len({m.key for m in view.messages}) == len(view.messages)
    if state.phase == "ended":
        assert state.ended in ("finished", "stopped")
        assert desk.service.report("ann", view.id).ended_at is not None
