"""A plan under edit: never empty, never repeating itself, rounds in order."""

from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.ports import Outline
from interviewer.models import Alternative, Plan, PlannedQuestion, PlannedRound, PlanRequest
from interviewer.planning import add, exchange, move, remove, set_minutes
from interviewer.planning.editing import MOST_QUESTIONS, used_ids

POOL = [Outline(f"{t}{i}", t, i % 5 + 1, 3) for t in "ab" for i in range(8)]


def question(id_, part=0, **fields):
    return PlannedQuestion(question_id=id_, topic=id_[0], why="new", round=part, **fields)


def plan(*questions, rounds=2):
    parts = tuple(PlannedRound(id=f"r{i}", title=f"R{i}") for i in range(rounds))
    return Plan(request=PlanRequest(), questions=questions, rounds=parts)


def ids(of):
    return [q.question_id for q in of.questions]


def test_the_last_question_stays_and_a_round_without_questions_goes():
    two = plan(question("a1"), question("b1", 1))
    one = remove(two, 0)
    assert ids(one) == ["b1"]
    assert [r.id for r in one.rounds] == ["r1"]
    assert one.questions[0].round == 0
    assert remove(one, 0) == one
    assert remove(two, 7) == two


def test_a_moved_question_belongs_to_the_round_it_stands_in():
    three = plan(question("a1"), question("a2"), question("b1", 1))
    moved = move(three, 1, 1)
    assert ids(moved) == ["a1", "b1", "a2"]
    assert [q.round for q in moved.questions] == [0, 1, 1]
    assert move(three, 0, -1) == three


def test_exchanging_goes_through_all_on_the_topic_and_never_doubles_one():
    start = plan(question("a1", difficulty=2), question("a2", difficulty=3), rounds=1)
    seen, now = set(), start
    for _ in range(7):
        now = exchange(now, 0, POOL)
        assert len(set(ids(now))) == 2
        seen.add(now.questions[0].question_id)
    assert seen == {f"a{i}" for i in range(8)} - {"a2"}
    assert exchange(start, 0, []) == start
    assert now.questions[0].why == "requested"


def test_what_stands_by_for_another_question_is_not_used():
    other = Alternative(question_id="a3", difficulty=4)
    now = plan(question("a1", difficulty=2), question("a2", difficulty=3, others=(other,)), rounds=1)
    for _ in range(9):
        now = exchange(now, 0, POOL)
        assert now.questions[0].question_id != "a3"


def test_an_added_question_stands_after_the_others_on_its_topic():
    now = add(plan(question("a1"), question("b1", 1)), "a", POOL)
    assert [q.topic for q in now.questions] == ["a", "a", "b"]
    assert [q.round for q in now.questions] == [0, 0, 1]
    assert add(now, "nothing", POOL) == now


def test_a_question_that_only_stood_by_is_added_where_no_other_is_left():
    pair = [Outline("a1", "a", 2, 3), Outline("a2", "a", 3, 3)]
    now = plan(question("a1", others=(Alternative(question_id="a2", difficulty=3),)), rounds=1)
    more = add(now, "a", pair)
    assert ids(more) == ["a1", "a2"]
    assert more.questions[0].others == ()
    assert add(more, "a", pair) == more


def test_minutes_are_held_within_reason():
    now = plan(question("a1"), rounds=1)
    assert [set_minutes(now, 0, m).minutes for m in (0, 12.5, 999)] == [1.0, 12.5, 120.0]
    assert set_minutes(now, 3, 5) == now


@given(st.lists(st.tuples(st.sampled_from("rmxas"), st.integers(-1, 20), st.integers(-3, 3)), max_size=40))
def test_whatever_is_pressed_the_plan_holds(presses):
    now = plan(question("a1"), question("a2"), question("b1", 1))
    edits = {
        "r": lambda of, index, by: remove(of, index),
        "m": move,
        "x": lambda of, index, by: exchange(of, index, POOL),
        "a": lambda of, index, by: add(of, "ab"[by % 2], POOL),
        "s": set_minutes,
    }
    for what, index, by in presses:
        now = edits[what](now, index, by)
        assert 1 <= len(now.questions) <= MOST_QUESTIONS
        assert len(set(ids(now))) == len(ids(now))
        assert [q.round for q in now.questions] == sorted(q.round for q in now.questions)
        assert {q.round for q in now.questions} == set(range(len(now.rounds)))
        assert used_ids(now) <= {q.id for q in POOL}
