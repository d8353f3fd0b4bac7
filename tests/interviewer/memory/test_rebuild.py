"""Whatever happens, in any order: what is remembered is what the stored events say, and made anew it is the same."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.errors import InterviewerError, NothingDueError
from interviewer.grading.protocol import Retriever
from interviewer.interview.commands import Press, Say
from interviewer.interview.disputes import Disputes
from interviewer.models import Verdict
from tests.interviewer.conftest import Clock
from tests.interviewer.interview.conftest import NoPassages
from tests.interviewer.interview.test_phases import design
from tests.interviewer.memory.conftest import MemoryDesk, asks

NONE: Retriever = NoPassages()
WORDS = ["one", "two", "half one", "one two three", "scale goal", "FAIL", "I don't know", "nothing", "hint", "skip"]
talk = st.one_of(
    st.sampled_from(WORDS).map(Say),
    st.sampled_from(["next", "next", "next", "skip", "hint", "reveal", "stop", "retry"]).map(Press),
)
starts = st.tuples(st.just("start"), st.sampled_from(["practice", "mock", "drill"]))
waits = st.tuples(st.just("wait"), st.sampled_from([1, 2, 9]))
contests = st.tuples(st.just("contest"), st.sampled_from(list(Verdict)))
others = st.sampled_from([("look",), ("delete",)])
steps = st.lists(st.one_of(talk, talk, talk, talk, starts, waits, contests, others), min_size=5, max_size=40)


def act(desk: MemoryDesk, view, step):
    """Does one step and gives the interview under way."""
    if isinstance(step, Say | Press):
        return desk.updates(view, step)[-1].view
    match step:
        case ("start", mode):
            ids = () if mode == "drill" else ("a", "b", "d")
            try:
                return desk.start(question_ids=ids, mode=mode, minutes=5)
            except NothingDueError:
                return view
        case ("wait", days):
            desk.clock.forward(days=days)
        case ("contest", verdict):
            contest(desk, view, verdict)
        case ("look",):
            desk.memory.due("ann")
        case ("delete",):
            ids = [row.id for row in desk.service.history("ann") if row.id != view.id]
            if ids:
                desk.service.delete("ann", ids[-1])
    return view


def contest(desk: MemoryDesk, view, verdict: Verdict) -> None:
    """Objects to the first verdict on the first question and decides; refused while that can't be."""
    disputes = Disputes(desk.interviews, desk.grader, NONE, now=desk.clock)
    question = view.state.questions[0].question
    try:
        list(disputes.dispute("ann", view.id, 0, question.points[0].id, "I said it"))
        disputes.decide("ann", view.id, 0, question.points[0].id, verdict)
    except InterviewerError:
        return


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=steps)
def test_what_is_remembered_is_what_it_is_when_made_anew(steps) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = MemoryDesk(f"sqlite:///{Path(folder) / 'x.sqlite3'}", Clock())
        same = {"one": "same", "four": "same"}
        desk.questions.save([asks("a", "one", "two", ideas=same), asks("b", "four", ideas=same)], reason="test")
        desk.questions.save([design("d")], reason="test")
        desk.grader.failing.add("FAIL")
        view = desk.start(question_ids=["a", "b", "d"])
        for step in steps:
            view = act(desk, view, step)
        kept = desk.memory.cards("ann"), desk.memory.reviews("ann"), desk.memory.due("ann"), desk.memory.counts("ann")
        desk.memory.rebuild("ann")
        anew = desk.memory.cards("ann"), desk.memory.reviews("ann"), desk.memory.due("ann"), desk.memory.counts("ann")
        # Moments of looking differ by a second, on the same day.
        assert anew == kept
        assert {card.key for card in kept[0]} == {review.key for review in kept[1]}
        desk.database.close()


def test_every_kind_of_interview_is_among_what_is_rebuilt(desk: MemoryDesk) -> None:
    """The same comparison on one past that surely has reviews of all kinds in it."""
    desk.answered("one three", "four", question_ids=["a", "b"])
    desk.to_day(1)
    view = desk.drill()
    for text in ("two", "next", "nothing", "five", "next"):
        view = desk.say(view, text)
    assert view.state.phase == "ended"
    desk.to_day(4)
    desk.answered("half one", "nothing", question_ids=["a", "b"], mode="practice")
    desk.service.delete("ann", desk.service.history("ann")[-1].id)
    kept = desk.memory.cards("ann"), desk.memory.reviews("ann")
    assert {(review.verdict, review.earned) for review in kept[1]} == {
        (Verdict.COVERED, "answer"),
        (Verdict.COVERED, "probe"),
        (Verdict.PARTIAL, "answer"),
        (Verdict.MISSING, "answer"),
    }
    desk.memory.rebuild("ann")
    assert (desk.memory.cards("ann"), desk.memory.reviews("ann")) == kept
