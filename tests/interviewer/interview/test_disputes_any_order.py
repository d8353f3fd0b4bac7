"""Marks, objections and decisions in any order, between any answers, leave a valid interview and move only scores."""

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.errors import InterviewerError
from interviewer.grading.protocol import Progress
from interviewer.interview.commands import Press, Say
from interviewer.interview.disputes import MOST_DISPUTES, Disputes
from interviewer.interview.state import fold
from interviewer.models import Verdict
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk, NoPassages
from tests.interviewer.interview.test_phases import design

ids = st.sampled_from(["sum", "memory", "goal", "nothing"])
indexes = st.integers(-1, 3)
contests = st.one_of(
    st.tuples(st.just("mark"), indexes, ids, st.booleans()),
    st.tuples(st.just("dispute"), indexes, ids, st.sampled_from(["why", "", "sum was", "FAIL"])),
    st.tuples(st.just("look_again"), indexes, ids, st.none()),
    st.tuples(st.just("decide"), indexes, ids, st.sampled_from(list(Verdict))),
)
talk = st.one_of(
    st.sampled_from(["sum", "half memory", "scale goal", "FAIL", "I don't know"]).map(Say),
    st.sampled_from(["next", "skip", "stop", "reveal", "retry"]).map(Press),
)


def act(disputes, view, contest):
    """Whether it was done; False where it was refused."""
    name, index, point_id, value = contest
    arguments = ("ann", view.id, index, point_id, *(() if value is None else (value,)))
    try:
        done = getattr(disputes, name)(*arguments)
        if name in ("dispute", "look_again"):
            assert all(isinstance(step.progress, Progress | None) for step in done)
    except InterviewerError as error:
        # A refusal without a next step counts as neither, and fails the test.
        return False if error.message and error.next_step else None
    return True


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.one_of(contests, talk), max_size=20), mode=st.sampled_from(["practice", "mock"]))
def test_any_order_leaves_a_valid_interview_in_which_only_decisions_change_scores(steps, mode):
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock()
        desk = Desk(f"sqlite:///{Path(folder) / 'x.sqlite3'}", clock)
        desk.questions.save([make_question("q1"), make_question("q2"), design("d1")], reason="test")
        desk.grader.failing.add("FAIL")
        disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
        view = desk.start(question_ids=("q1", "d1", "q2"), count=3, mode=mode, followups=1)
        for step in steps:
            before = fold(desk.interviews.load("ann", view.id))
            if isinstance(step, Say | Press):
                view = desk.updates(view, step)[-1].view
                continue
            stored = act(disputes, view, step)
            after = fold(desk.interviews.load("ann", view.id))
            assert (after.version > before.version) == stored or step[0] == "look_again"
            check(before, after, step)
        desk.service.report("ann", view.id)
        desk.database.close()


def check(before, after, step):
    moved = ("phase", "ended", "updated_at", "seconds", "next_planned")
    assert [getattr(after, name) for name in moved] == [getattr(before, name) for name in moved]
    if step[0] != "decide":
        assert after.score == before.score
    for question in after.questions:
        assert question.score is None or 0 <= question.score <= 10
        raised = Counter(d.point_id for d in question.disputes)
        assert all(count <= MOST_DISPUTES for count in raised.values())
        open_ones = Counter(d.point_id for d in question.disputes if d.decision is None)
        assert all(count == 1 for count in open_ones.values())
        assert question.closed or not (question.disputes or question.marks)
        decided = {d.point_id: d.decision for d in question.disputes if d.decision}
        if question.grade is not None:
            assert {p.id: p.decided for p in question.grade.points if p.decided} == decided
