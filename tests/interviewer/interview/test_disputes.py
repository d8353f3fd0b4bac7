"""A verdict is disputed: stored first, looked at again, decided; both grades stay, and only the decision counts."""

from threading import Event, Thread

import pytest

from interviewer.errors import ConflictError, InterviewerError, NotFoundError
from interviewer.grading.protocol import Progress
from interviewer.interview.disputes import Disputes
from interviewer.interview.events import EVENT, REASON_LIMIT, Decided, Disputed, Marked, SecondOpinion
from interviewer.interview.state import fold
from interviewer.models import GraderInfo, PointGrade, Verdict
from tests.interviewer.interview.conftest import NoPassages


class Bench:
    """A desk whose practice question was answered with one of two points and closed, and the disputes on it."""

    def __init__(self, desk, clock):
        self.desk = desk
        self.clock = clock
        self.disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
        self.view = desk.say(desk.start(count=1, followups=0), "sum was said here")
        assert self.question.closed

    @property
    def state(self):
        return fold(self.desk.interviews.load("ann", self.view.id))

    @property
    def question(self):
        return self.state.questions[0]

    def point(self, point_id="memory"):
        return next(p for p in self.question.grade.points if p.id == point_id)

    def types(self):
        return [e.type for e in self.desk.interviews.load("ann", self.view.id)]

    def mark(self, said=True, point="memory", index=0):
        return self.disputes.mark("ann", self.view.id, index, point, said)

    def dispute(self, reason="I said it in other words.", point="memory", index=0):
        return list(self.disputes.dispute("ann", self.view.id, index, point, reason))

    def look_again(self, point="memory"):
        return list(self.disputes.look_again("ann", self.view.id, 0, point))

    def decide(self, verdict, point="memory", index=0):
        return self.disputes.decide("ann", self.view.id, index, point, Verdict(verdict))

    def by_model(self, verdict=None, before=None):
        """From now on a model grades, and says this of every point; nothing where it is to fail."""
        told = self.desk.grader.grade

        def grade(question, answer, context, on_progress=None):
            if before:
                before()
            grade = told(question, answer, context, on_progress)
            info = GraderInfo(name="model", model="m", note="A note.")
            if verdict is None:
                return grade.model_copy(update={"status": "ungraded", "reason": "It is down.", "points": ()})
            points = tuple(p.model_copy(update={"verdict": Verdict(verdict)}) for p in grade.points)
            return grade.model_copy(update={"points": points, "grader": info})

        self.desk.grader.grade = grade


@pytest.fixture
def bench(desk, clock):
    return Bench(desk, clock)


def test_a_mark_is_kept_and_can_be_changed_and_no_score_changes(bench):
    before = bench.state
    bench.mark(True)
    assert bench.question.mark("memory") is True
    after = bench.mark(False)
    assert after.questions[0].mark("memory") is False
    assert after.questions[0].mark("sum") is None
    assert (after.score, after.questions[0].grade) == (before.score, before.questions[0].grade)
    assert after.version == before.version + 2


def test_an_objection_is_stored_before_anyone_looks_again(bench):
    stored = []
    bench.by_model("covered", before=lambda: stored.extend(bench.types()))
    bench.dispute()
    assert stored[-1] == "disputed"
    assert bench.types()[-2:] == ["disputed", "second_opinion"]


def test_the_grader_is_asked_for_that_point_with_the_reason_as_context(bench):
    bench.dispute("I said it in other words.\u202e\x00 ")
    question_id, answer, context = bench.desk.grader.history[-1]
    assert (question_id, answer) == (bench.question.question.id, "sum was said here")
    assert (context.only, context.objection, context.user) == ("memory", "I said it in other words.", "ann")


def test_progress_is_given_while_it_is_looked_at_again(bench):
    bench.by_model("covered")
    steps = bench.dispute()
    assert steps[0].progress is None
    assert steps[0].state.questions[0].dispute("memory").looked is False
    assert steps[-1].state.questions[0].dispute("memory").looked is True
    assert {step.progress for step in steps[1:-1]} <= {Progress("reading", 1, 2)}


def test_a_second_opinion_changes_nothing_until_it_is_decided_and_both_grades_stay(bench):
    score = bench.state.score
    assert score == 7.5
    bench.by_model("partial")
    bench.dispute()
    assert bench.state.score == score
    bench.decide("partial")
    dispute = bench.question.dispute("memory")
    assert (bench.point().verdict, bench.point().decided) == (Verdict.MISSING, Verdict.PARTIAL)
    assert (dispute.second.verdict, dispute.grader.name, dispute.note) == (Verdict.PARTIAL, "model", "A note.")
    assert (dispute.decision, dispute.by) == (Verdict.PARTIAL, "ann")
    assert bench.state.score == 8.8  # (3 + 0.5) / 4


@pytest.mark.parametrize(("verdict", "score"), [("missing", 7.5), ("partial", 8.8), ("covered", 10.0)])
def test_the_person_may_keep_the_first_take_the_second_or_choose_another(bench, verdict, score):
    bench.by_model("partial")
    bench.dispute()
    assert bench.decide(verdict).score == score


def test_a_decision_may_lower_a_score_as_well(bench):
    bench.by_model("contradicted")
    bench.dispute(point="sum")
    assert bench.decide("contradicted", point="sum").score == 0.0


def test_a_point_that_was_asked_for_keeps_its_discount_when_it_is_decided(desk, clock):
    view = desk.say(desk.start(count=1, followups=1), "sum was said here")
    view = desk.say(view, "it stays small, whatever the batch")
    assert view.state.questions[0].closed
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    list(disputes.dispute("ann", view.id, 0, "memory", "The follow-up has it."))
    state = disputes.decide("ann", view.id, 0, "memory", Verdict.COVERED)
    assert state.score == 9.5  # (3 + 0.8) / 4
    assert state.questions[0].grade.points[1].earned == "probe"


def test_a_point_that_stays_missing_after_help_is_not_said_to_be_won_with_it(desk, clock):
    view = desk.say(desk.start(count=1, followups=1), "sum was said here")
    view = desk.say(view, "it stays small, whatever the batch")
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    list(disputes.dispute("ann", view.id, 0, "memory", "The follow-up has it."))
    point = disputes.decide("ann", view.id, 0, "memory", Verdict.MISSING).questions[0].grade.points[1]
    assert (point.decided, point.earned, point.before) == (Verdict.MISSING, "answer", None)


def test_a_grade_that_comes_later_does_not_undo_a_decision(bench):
    bench.by_model("partial")
    bench.dispute()
    bench.decide("covered")
    events = bench.desk.interviews.load("ann", bench.view.id)
    graded = next(e for e in events if e.type == "graded")
    assert fold((*events, graded)).score == bench.state.score == 10.0


def test_it_all_survives_a_restart_and_shows_in_the_report(bench):
    bench.by_model("covered")
    bench.mark(True)
    bench.dispute()
    bench.decide("covered")
    other = bench.desk.again().service
    assert other.view("ann", bench.view.id).state == bench.state
    assert other.report("ann", bench.view.id).questions[0].dispute("memory").reason == "I said it in other words."


def test_the_built_in_grader_keeps_its_verdict_on_the_same_words(bench):
    first = bench.point("sum")
    told = bench.desk.grader.grade
    bench.desk.grader.grade = lambda question, answer, context, on=None: told(question, "nothing", context, on)
    bench.dispute("You are wrong, I am quite sure.", point="sum")
    assert bench.question.dispute("sum").second == first
    assert first.verdict is Verdict.COVERED


def test_a_second_grading_that_failed_is_stored_as_such_and_can_be_tried_again(bench):
    told = bench.desk.grader.grade
    bench.by_model(None)
    bench.dispute()
    dispute = bench.question.dispute("memory")
    assert (dispute.looked, dispute.second, dispute.note) == (True, None, "It is down.")
    bench.desk.grader.grade = told
    bench.by_model("covered")
    bench.look_again()
    assert bench.question.dispute("memory").second.verdict is Verdict.COVERED
    assert len(bench.question.disputes) == 1


def test_a_grader_that_breaks_down_fails_the_second_grading_and_nothing_else(bench):
    bench.by_model("covered", before=lambda: 1 / 0)
    bench.dispute()
    assert bench.question.dispute("memory").second is None
    assert bench.decide("covered").score == 10.0


def test_what_was_cut_off_between_can_be_taken_up_again(bench):
    bench.desk.interviews.append(
        "ann",
        bench.view.id,
        (Disputed(at=bench.clock(), index=0, point_id="memory", reason="I said it."),),
        at=bench.state.version,
    )
    with pytest.raises(InterviewerError, match="not there yet"):
        bench.decide("covered")
    bench.by_model("covered")
    bench.look_again()
    assert bench.decide("covered").score == 10.0


def test_two_windows_watch_one_second_grading(bench):
    begun, looking, go, calls = Event(), Event(), Event(), []

    def wait():
        calls.append(1)
        begun.set()
        go.wait(30)

    def look():
        seen = bench.disputes.look_again("ann", bench.view.id, 0, "memory")
        next(seen)
        looking.set()
        list(seen)

    bench.by_model("covered", before=wait)
    first = Thread(target=bench.dispute)
    first.start()
    assert begun.wait(30)
    second = Thread(target=look)
    second.start()
    assert looking.wait(30)
    go.set()
    first.join(30)
    second.join(30)
    assert bench.types().count("second_opinion") == len(calls) == 1


def test_an_interview_that_goes_on_meanwhile_loses_neither(bench, monkeypatch):
    append, tried = bench.desk.interviews.append, []

    def once_too_late(*arguments, **named):
        tried.append(1)
        if len(tried) == 1:
            raise ConflictError("elsewhere")
        append(*arguments, **named)

    monkeypatch.setattr(bench.desk.interviews, "append", once_too_late)
    assert bench.mark(True).questions[0].mark("memory") is True
    assert len(tried) == 2


def test_a_second_opinion_that_comes_after_the_decision_is_not_kept(bench):
    told = bench.desk.grader.grade
    bench.by_model(None)
    bench.dispute()
    bench.desk.grader.grade = told
    bench.by_model("covered", before=lambda: bench.decide("partial"))
    bench.look_again()
    assert bench.question.dispute("memory").second is None
    assert bench.point().decided is Verdict.PARTIAL


def test_a_decision_can_be_disputed_once_more_and_then_it_is_final(bench):
    bench.by_model("partial")
    for verdict in ("partial", "covered"):
        bench.dispute(f"for {verdict}")
        bench.decide(verdict)
    assert (bench.state.score, len(bench.question.disputes)) == (10.0, 2)
    for refused in (bench.dispute, lambda: bench.decide("missing")):
        with pytest.raises(InterviewerError, match="decided twice") as error:
            refused()
        assert error.value.next_step


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda b: b.dispute(""), "needs a reason"),
        (lambda b: b.dispute(" \u200b\n"), "needs a reason"),
        (lambda b: b.dispute("x" * (REASON_LIMIT + 1)), "1001 characters"),
        (lambda b: b.dispute(point="nothing"), "no graded question"),
        (lambda b: b.dispute(index=7), "no graded question"),
        (lambda b: b.dispute(index=-1), "no graded question"),
        (lambda b: b.mark(point="nothing"), "no graded question"),
        (lambda b: b.decide("covered"), "no open objection"),
        (lambda b: b.look_again(), "no open objection"),
        (lambda b: (b.dispute(), b.dispute()), "already"),
        (lambda b: (b.dispute(), b.look_again()), "has its second opinion"),
        (lambda b: (b.dispute(), b.decide("contradicted")), "Neither grade"),
        (lambda b: (b.dispute(), b.decide("covered"), b.decide("missing")), "no open objection"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_next_step_and_stores_nothing_of_it(bench, act, words):
    with pytest.raises(InterviewerError, match=words) as error:
        act(bench)
    assert error.value.next_step
    assert bench.types().count("disputed") + bench.types().count("decided") + bench.types().count("marked") <= 2


def test_only_a_closed_question_can_be_disputed(desk, clock):
    view = desk.say(desk.start(count=1), "sum was said here")
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    with pytest.raises(InterviewerError, match="still open"):
        disputes.mark("ann", view.id, 0, "memory", True)


def test_a_mock_interview_is_open_to_objections_when_it_is_over(desk, clock):
    view = desk.say(desk.start(count=2, mode="mock", followups=0), "sum was said here")
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    with pytest.raises(InterviewerError, match="mock"):
        disputes.mark("ann", view.id, 0, "memory", True)
    desk.press(view, "stop")
    assert disputes.mark("ann", view.id, 0, "memory", True).questions[0].mark("memory") is True


def test_what_was_not_graded_or_not_answered_cannot_be_disputed(desk, clock):
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    desk.grader.failing = {"broken"}
    for answer, words in (("broken", "no grade"), (None, "Nothing was said")):
        view = desk.start(count=1, followups=0)
        view = desk.say(view, answer) if answer else desk.press(desk.say(view, "I don't know"), "stop")
        if answer:
            view = desk.press(view, "stop")
        with pytest.raises(InterviewerError, match=words):
            disputes.mark("ann", view.id, 0, "memory", True)


def test_another_person_has_no_say(bench):
    for call in (
        lambda: bench.disputes.mark("bob", bench.view.id, 0, "memory", True),
        lambda: list(bench.disputes.dispute("bob", bench.view.id, 0, "memory", "mine")),
        lambda: list(bench.disputes.look_again("bob", bench.view.id, 0, "memory")),
        lambda: bench.disputes.decide("bob", bench.view.id, 0, "memory", Verdict.COVERED),
    ):
        with pytest.raises(NotFoundError):
            call()


def test_objections_take_no_time_and_leave_the_conversation_as_it_was(bench):
    view = bench.desk.press(bench.view, "next")
    assert view.state.phase == "ended"
    bench.clock.forward(days=3)
    bench.dispute()
    bench.decide("covered")
    after = bench.desk.service.view("ann", view.id)
    assert (after.state.updated_at, after.state.seconds) == (view.state.updated_at, view.state.seconds)
    assert [m.key for m in after.messages] == [m.key for m in view.messages]
    assert bench.desk.service.report("ann", view.id).ended_at == view.state.updated_at


def test_a_later_question_goes_on_while_an_earlier_one_is_disputed(desk, clock):
    view = desk.say(desk.start(count=2, followups=0), "sum was said here")
    view = desk.press(view, "next")
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    list(disputes.dispute("ann", view.id, 0, "memory", "I said it."))
    disputes.decide("ann", view.id, 0, "memory", Verdict.COVERED)
    view = desk.say(desk.service.view("ann", view.id), "sum and memory")
    assert [q.score for q in view.state.questions] == [10.0, 10.0]


def test_the_decision_holds_for_a_question_in_phases(desk, clock):
    from tests.interviewer.interview.test_phases import design

    desk.questions.save([design("d1")], reason="test")
    view = desk.start(question_ids=("d1",), count=1, followups=0)
    for _ in range(9):
        view = desk.say(view, "nothing that counts") if view.state.phase == "answering" else view
    question = view.state.questions[0]
    assert question.closed
    first = question.grade.points[0].id
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
    list(disputes.dispute("ann", view.id, 0, first, "I said it."))
    after = disputes.decide("ann", view.id, 0, first, Verdict.COVERED).questions[0]
    assert after.grade.points[0].decided is after.full_grade.points[0].decided is Verdict.COVERED
    assert after.score > question.score


@pytest.mark.parametrize(
    "event",
    [
        lambda at: Marked(at=at, index=0, point_id="p", said=True),
        lambda at: Disputed(at=at, index=0, point_id="p", reason="why"),
        lambda at: SecondOpinion(at=at, index=0, point_id="p", note="none", grader=GraderInfo(name="none")),
        lambda at: Decided(at=at, index=0, point_id="p", verdict=Verdict.COVERED, by="ann"),
    ],
)
def test_every_event_can_be_stored_and_read_again(event, clock):
    stored = event(clock())
    assert EVENT.validate_json(stored.model_dump_json()) == stored


def test_grades_from_before_there_were_decisions_can_still_be_read():
    old = {"id": "p", "text": "t", "weight": 1.0, "verdict": "partial", "quote": "q"}
    point = PointGrade.model_validate(old)
    assert (point.decided, point.counted, point.credit) == (None, Verdict.PARTIAL, 0.5)
