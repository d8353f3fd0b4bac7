"""A plan: no question twice, new before old, gaps revisited, topics by turns, reproducible."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.ports import Outline
from interviewer.memory import AskedBefore
from interviewer.models import PlanRequest
from interviewer.planning import draw_plan

NOW = datetime(2026, 5, 1, tzinfo=UTC)

outlines = st.lists(
    st.builds(
        Outline,
        id=st.integers(0, 60).map(lambda n: f"q{n}"),
        topic=st.sampled_from("abc"),
        difficulty=st.integers(1, 5),
        frequency=st.integers(1, 5),
    ),
    unique_by=lambda o: o.id,
    max_size=40,
)
memories = st.dictionaries(
    st.integers(0, 60).map(lambda n: f"q{n}"),
    st.builds(AskedBefore, at=st.integers(0, 2000).map(lambda h: NOW - timedelta(hours=h)), weak=st.booleans()),
)


def request(**fields):
    return PlanRequest.model_validate({"seed": 7, **fields})


@given(outlines, memories, st.integers(1, 50))
def test_every_plan_is_full_and_has_no_question_twice(pool, remembered, count):
    plan = draw_plan(request(count=count), pool, remembered, NOW)
    ids = [q.question_id for q in plan.questions]
    assert len(ids) == len(set(ids)) == min(count, len(pool))
    assert set(ids) <= {o.id for o in pool}


@given(outlines, memories, st.integers(1, 50))
def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_the_pool(pool, remembered, count):
    first = draw_plan(request(count=count), pool, remembered, NOW)
    assert draw_plan(request(count=count), pool[::-1], remembered, NOW) == first


@given(outlines, memories, st.integers(1, 50))
def test_nothing_asked_recently_comes_while_others_are_left(pool, remembered, count):
    plan = draw_plan(request(count=count), pool, remembered, NOW)
    chosen = {q.question_id for q in plan.questions}

    def recent(o):
        return o.id in remembered and NOW - remembered[o.id].at < timedelta(days=2)

    if any(recent(o) for o in pool if o.id in chosen):
        assert all(recent(o) for o in pool if o.id not in chosen)


def pool(n, topic="a", **fields):
    return [
        Outline(**{"id": f"{topic}{i}", "topic": topic, "difficulty": 3, "frequency": 3, **fields}) for i in range(n)
    ]


def test_other_seeds_give_other_plans():
    plans = {draw_plan(request(count=3, seed=s), pool(30), {}, NOW).questions for s in range(10)}
    assert len(plans) > 5


def test_topics_take_turns():
    plan = draw_plan(request(count=4), pool(20, "a") + pool(2, "b"), {}, NOW)
    assert sorted(q.topic for q in plan.questions) == ["a", "a", "b", "b"]


def test_a_question_that_left_gaps_comes_back_when_it_has_rested():
    rested = {"a1": AskedBefore(NOW - timedelta(days=10), weak=True)}
    plan = draw_plan(request(count=3), pool(20), rested, NOW)
    assert ("a1", "weak") in {(q.question_id, q.why) for q in plan.questions}
    fresh = {"a1": AskedBefore(NOW - timedelta(hours=1), weak=True)}
    plan = draw_plan(request(count=3), pool(20), fresh, NOW)
    assert "a1" not in {q.question_id for q in plan.questions}


def test_frequent_questions_come_more_often():
    mixed = pool(10, "a", frequency=5) + [o._replace(id=f"rare{o.id}", frequency=1) for o in pool(10, "a")]
    rare = sum(
        q.question_id.startswith("rare")
        for seed in range(200)
        for q in draw_plan(request(count=5, seed=seed), mixed, {}, NOW).questions
    )
    assert rare < 0.35 * 200 * 5


def test_the_plan_goes_from_easier_to_harder():
    hard_first = [Outline(f"q{d}", "a", d, 3) for d in (5, 1, 4, 2, 3)]
    plan = draw_plan(request(count=5), hard_first, {}, NOW)
    assert [q.question_id for q in plan.questions] == ["q1", "q2", "q3", "q4", "q5"]
