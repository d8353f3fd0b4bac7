"""Progress as it follows from interviews."""

from datetime import date

import pytest
from sqlalchemy import event

from interviewer.interview.commands import Press, Say
from interviewer.interview.disputes import Disputes
from interviewer.models import Verdict
from interviewer.sharing.readable import Readable
from tests.interviewer.interview.conftest import NoPassages

BOTH, ONE = "sum and memory", "only the sum"


def test_a_newcomer_has_a_map_and_nothing_on_it(desk):
    view = desk.view()
    assert [(t.title, t.mastery, t.asked, t.questions) for t in view.standing.topics] == [
        ("INFERENCE", None, 0, 1), ("SECRET", None, 0, 1), ("SYSTEMS", None, 0, 1), ("TRAINING", None, 0, 2),
    ]  # fmt: skip
    assert view.standing.tracks == ()
    assert (view.standing.points, view.standing.interviews) == (0, 0)
    assert view.standing.due.next_day is None
    assert (view.weak, view.gains) == ((), ())


def test_what_is_known_fades_until_it_is_asked_again(desk, clock):
    desk.answered(BOTH, question_ids=("q1",))
    fresh = by_topic(desk.view())["TRAINING"]
    assert fresh.mastery == pytest.approx(1.0)
    clock.forward(days=10)
    later = by_topic(desk.view())["TRAINING"]
    assert 0.5 < later.mastery < 1.0
    assert (later.points, later.covered, later.asked, later.questions) == (2, 2, 1, 2)


def test_a_missed_point_is_due_weak_and_tells_where_it_was_missed(desk, clock):
    view = desk.answered(ONE, question_ids=("q1",))
    clock.forward(days=3)
    found = desk.view()
    assert found.standing.due.ideas >= 1
    assert found.standing.due.minutes == 5, "the shortest drill"
    (weak,) = found.weak
    assert (weak.spot.question_id, weak.spot.point_id) == ("q1", "memory")
    assert weak.missed.interview_id == view.id
    assert weak.due


def test_where_nothing_is_due_the_next_day_is_told(desk):
    desk.answered(BOTH, question_ids=("q1",))
    due = desk.view().standing.due
    assert (due.ideas, due.minutes) == (0, 0)
    assert due.next_day > date(2026, 1, 5)
    assert due.days == (due.next_day - date(2026, 1, 5)).days


def test_proof_shows_both_answers_and_where_they_stand(desk, clock):
    before = desk.answered(ONE, question_ids=("q1",))
    clock.forward(days=4)
    after = desk.answered(BOTH, question_ids=("q1",))
    view = desk.view()
    assert view.weak == ()
    (found,) = desk.progress.proofs("ann", view.gains, "zh")
    assert (found.before.interview_id, found.after.interview_id) == (before.id, after.id)
    assert (found.before.answers, found.after.answers) == ((ONE,), (BOTH,))
    assert [(p.id, p.counted.value) for p in found.before.points] == [("memory", "missing")]
    assert [(p.id, p.quote) for p in found.after.points] == [("memory", "memory")]
    assert found.question == "什么是梯度累积?(q1)"


def test_a_deleted_interview_leaves_no_trace(desk, clock):
    before = desk.answered(ONE, question_ids=("q1",))
    clock.forward(days=4)
    desk.answered(BOTH, question_ids=("q1",))
    groups = desk.view().gains
    desk.service.delete("ann", before.id)
    assert desk.progress.proofs("ann", groups, "en") == ()
    assert desk.view().gains == ()


def test_a_track_and_a_period_narrow_it_down(desk, clock):
    desk.answered(ONE, question_ids=("q4",))
    clock.forward(days=60)
    desk.answered(ONE, question_ids=("q3",))
    clock.forward(days=1)
    desk.answered(BOTH, question_ids=("q4",))
    track = desk.view(track="infra")
    assert [t.title for t in track.standing.topics] == ["Training", "Serving"]
    assert [t.id for t in track.standing.tracks] == ["infra"]
    assert {w.spot.question_id for w in track.weak} == {"q3"}
    assert track.gains == ()
    assert track.standing.trend.points == (), "interviews of the track only"
    assert track.standing.interviews == 3
    assert len(desk.view(days=30).standing.trend.points) == 2
    assert len(desk.view(days=30).gains) == 1
    clock.forward(days=31)
    assert desk.view(days=30).gains == ()
    assert desk.view(track="no such track").standing.track == ""


def test_somebody_elses_practice_and_sets_are_not_there(desk):
    desk.answered(ONE, question_ids=("q1",))
    other = desk.view(user="bob")
    assert (other.standing.points, other.standing.interviews, other.weak, other.gains) == (0, 0, (), ())
    narrow = desk.view(Readable(frozenset({"bank"})))
    assert "SECRET" not in by_topic(narrow)
    groups = desk.view().gains
    assert desk.progress.proofs("bob", groups, "en") == ()


def test_a_standing_holds_nothing_that_was_said(desk, clock):
    desk.answered(f"a secret of mine, {ONE}", question_ids=("q1",))
    clock.forward(days=4)
    desk.answered(f"a secret of mine, {BOTH}", question_ids=("q1",))
    standing = desk.progress.standing("ann", Readable(None), "en")
    assert standing == desk.view().standing
    assert "secret of mine" not in repr(standing)
    assert "text of" not in repr(standing)


def test_scores_are_those_of_the_interviews_whatever_happened_in_them(desk, clock):
    """Read from a few events, they must be what the whole interview says."""
    said = [ONE, BOTH, "half sum", "I don't know", "hint", "nothing of it"]
    buttons = ["skip", "reveal", "next", "hint", "stop"]
    for n in range(24):
        view = desk.start(count=3, mode=("practice", "mock")[n % 2], seed=n, followups=n % 3)
        for step in range(14):
            if view.state.phase == "ended":
                break
            pick = (n * 7 + step * 5) % 11
            view = desk.say(view, said[pick]) if pick < len(said) else desk.press(view, buttons[pick - len(said)])
        if view.state.phase != "ended":
            view = desk.press(view, "stop")
        clock.forward(hours=1)
    whole = {row.id: row.score for row in desk.service.history("ann") if row.score is not None}
    found = desk.scores.finished("ann")
    assert {s.interview_id: s.score for s in found} == whole
    assert len(whole) > 10
    states = {row.id: desk.service.view("ann", row.id).state for row in desk.service.history("ann")}
    assert all(s.questions == len(states[s.interview_id].scores) for s in found)
    assert all((s.at, s.mode) == (states[s.interview_id].started_at, states[s.interview_id].mode) for s in found)
    assert [s.at for s in found] == sorted(s.at for s in found)


def test_a_decided_verdict_counts_in_the_score(desk, clock):
    view = desk.start(question_ids=("q1",), followups=1)
    view = desk.say(view, ONE)
    for command in (Press("skip"), Press("next")):
        view = desk.updates(view, command)[-1].view
    before = desk.scores.finished("ann")[0].score
    disputes = Disputes(desk.interviews, desk.grader, NoPassages(), now=clock)
    list(disputes.dispute("ann", view.id, 0, "memory", "I said that it saves memory."))
    disputes.decide("ann", view.id, 0, "memory", Verdict.COVERED)
    after = desk.scores.finished("ann")[0].score
    assert before < after < 10.0, "the point had been asked for, so it counts with a discount"
    assert after == desk.service.view("ann", view.id).state.score


def test_an_interview_under_way_has_no_score_yet(desk):
    view = desk.start(count=2, followups=0)
    list(desk.service.act("ann", view.id, Say(BOTH)))
    assert desk.scores.finished("ann") == ()


def test_a_question_whose_model_answer_was_seen_first_leaves_no_mark(desk, clock):
    view = desk.start(question_ids=("q1",))
    view = desk.press(desk.press(view, "reveal"), "next")
    assert view.state.phase == "ended"
    found = desk.view()
    assert (found.standing.points, found.standing.interviews, found.weak) == (0, 0, ())
    assert found.standing.due.next_day is None
    clock.forward(days=5)
    planned = {q.question_id: q.why for q in desk.service.draft("ann", desk.request(count=5)).questions}
    assert planned["q1"] == "oldest", "it was asked, and nobody knows of a gap"
    again = desk.answered(ONE, question_ids=("q1",))
    assert again.state.score is not None


def test_more_interviews_need_no_more_queries(desk):
    told: list[str] = []
    event.listen(desk.database.engine, "before_cursor_execute", lambda *told_of: told.append(told_of[2]))

    def queries() -> int:
        desk.view()
        told.clear()
        groups = desk.view().gains
        assert len(desk.progress.proofs("ann", groups, "en")) == len(groups) > 0
        return len(told)

    for answer in (ONE, BOTH):
        desk.answered(answer, answer, question_ids=("q1", "q2"), count=2)
    few = queries()
    for answer in (ONE, BOTH, ONE, BOTH, ONE, BOTH):
        desk.answered(answer, answer, question_ids=("q3", "q4"), count=2)
    assert queries() == few


def by_topic(view) -> dict:
    return {topic.title: topic for topic in view.standing.topics}
