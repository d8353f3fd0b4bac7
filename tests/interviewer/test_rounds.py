"""Plans drawn from a track: rounds within their minutes, topics by weight, deeper before wider, and why."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.ports import Outline
from interviewer.memory import AskedBefore
from interviewer.models import Focus, PlanRequest, Track
from interviewer.planning import draw_plan
from interviewer.planning.minutes import question_minutes

NOW = datetime(2026, 5, 1, tzinfo=UTC)
KINDS = ("concept", "troubleshooting", "design", "experience")


def title(text):
    return {"en": text, "zh": text}


TRACK = Track.model_validate(
    {
        "id": "t",
        "title": title("T"),
        "topics": [
            {"id": "a", "title": title("A"), "weight": 4, "topics": ["a"]},
            {"id": "b", "title": title("B"), "weight": 1, "topics": ["b"]},
            {"id": "named", "title": title("N"), "question_ids": ["c1", "c2"]},
        ],
        "rounds": [
            {"id": "basics", "title": title("Basics"), "minutes": 15, "kinds": ["concept"], "easier": 1, "depth": 1},
            {"id": "domain", "title": title("Domain"), "minutes": 30, "kinds": ["concept", "troubleshooting"]},
            {"id": "design", "title": title("Design"), "minutes": 40, "kinds": ["design"], "levels": ["senior"]},
        ],
    }
)

outlines = st.lists(
    st.builds(
        Outline,
        id=st.integers(0, 60).map(lambda n: f"q{n}"),
        topic=st.sampled_from("abc"),
        difficulty=st.integers(1, 5),
        frequency=st.integers(1, 5),
        kind=st.sampled_from(KINDS),
        phases=st.sampled_from((0, 4)),
    ),
    unique_by=lambda o: o.id,
    max_size=50,
)
memories = st.dictionaries(
    st.integers(0, 60).map(lambda n: f"q{n}"),
    st.builds(AskedBefore, at=st.integers(0, 200).map(lambda h: NOW - timedelta(hours=h)), weak=st.booleans()),
)
requests = st.builds(
    PlanRequest,
    seed=st.integers(0, 99),
    level=st.sampled_from(("junior", "mid", "senior")),
    minutes=st.none() | st.integers(5, 200),
    track=st.just("t"),
)


def draw(pool, past=(), **fields):
    return draw_plan(PlanRequest(track="t", **({"seed": 1} | fields)), pool, dict(past), NOW, TRACK)


def many(topic, n, **fields):
    base = {"difficulty": 3, "frequency": 3, "kind": "concept"} | fields
    return [Outline(id=f"{topic}{i}", topic=topic, **base) for i in range(n)]


@given(requests, outlines, memories)
def test_no_plan_overruns_its_time_or_repeats_itself(request, pool, past):
    plan = draw_plan(request, pool, past, NOW, TRACK)
    rounds = [r for r in TRACK.rounds if request.level in r.levels]
    budget = request.minutes or sum(r.minutes for r in rounds)
    assert plan.minutes <= budget + 1e-6
    ids = [q.question_id for q in plan.questions] + [o.question_id for q in plan.questions for o in q.others]
    assert len(ids) == len(set(ids))
    known = {o.id: o for o in pool}
    assert all(known[i].topic in "ab" or i in ("c1", "c2") for i in ids)
    assert [q.round for q in plan.questions] == sorted(q.round for q in plan.questions)
    assert {q.round for q in plan.questions} == set(range(len(plan.rounds)))


@given(requests, outlines, memories)
def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_the_pool(request, pool, past):
    first = draw_plan(request, pool, past, NOW, TRACK)
    assert draw_plan(request, pool[::-1], past, NOW, TRACK) == first


@given(requests, outlines, memories)
def test_questions_that_stand_by_are_of_the_round_and_differ_in_difficulty(request, pool, past):
    plan = draw_plan(request, pool, past, NOW, TRACK)
    known = {o.id: o for o in pool}
    kinds = {r.id: {k.value for k in r.kinds} for r in TRACK.rounds}
    for question in plan.questions:
        levels = [question.difficulty, *(o.difficulty for o in question.others)]
        assert len(levels) == len(set(levels))
        for other in question.others:
            assert known[other.question_id].kind in kinds[plan.rounds[question.round].id]


def test_rounds_follow_the_level_and_the_choice():
    pool = many("a", 20) + many("b", 5, kind="design", phases=4)
    assert [r.id for r in draw(pool).rounds] == ["basics", "domain"]
    assert [r.id for r in draw(pool, level="senior").rounds] == ["basics", "domain", "design"]
    assert [r.id for r in draw(pool, level="senior", rounds=("design",)).rounds] == ["design"]
    assert [q.minutes for q in draw(pool, rounds=("design",)).questions] == [40.0]
    assert [q.minutes for q in draw(pool, rounds=("design",), minutes=30).questions] == [30.0]
    assert not draw(pool, rounds=("design",), minutes=10).questions


def test_the_level_decides_the_difficulty_and_basics_begin_easier():
    pool = [o for d in range(1, 6) for o in [x._replace(id=f"{x.id}-{d}", difficulty=d) for x in many("a", 12)]]

    def mean(level, part):
        found = [q.difficulty for s in range(40) for q in draw(pool, seed=s, level=level).questions if q.round == part]
        return sum(found) / len(found)

    assert mean("junior", 0) < mean("mid", 0) < mean("senior", 0)
    assert mean("mid", 0) < mean("mid", 1)


def test_a_topic_goes_deeper_before_the_next_one():
    pool = [x._replace(id=f"{x.id}-{d}", difficulty=d) for t in "ab" for d in range(1, 6) for x in many(t, 6)]
    for seed in range(30):
        plan = draw(pool, seed=seed, rounds=("domain",))
        first, second = plan.questions[:2]
        assert first.topic == second.topic
        assert first.difficulty <= second.difficulty or second.difficulty >= 3


def test_weight_frequency_and_focus_decide_which_topic_comes_first():
    def first(pool, **fields):
        return Counter(draw(pool, seed=s, rounds=("domain",), **fields).questions[0].topic for s in range(300))

    assert first(many("a", 9) + many("b", 9))["a"] > 200
    assert first(many("a", 9, frequency=1) + many("b", 9, frequency=4))["b"] > 110
    focus = (Focus(topic="b", sentence="We need B.", question_ids=("b3",)),)
    wanted = first(many("a", 9) + many("b", 9), focus=focus)
    assert wanted["b"] > 1.6 * first(many("a", 9) + many("b", 9))["b"]


def test_every_question_says_why_it_is_there():
    past = {f"a{i}": AskedBefore(NOW - timedelta(days=9), weak=i == 0) for i in range(2)}
    focus = (Focus(topic="b", sentence="We need B.", question_ids=("b1",)),)
    pool = [*many("a", 3), *many("b", 2), Outline("a9", "a", 3, 5)]
    reasons = {q.question_id: q for q in draw(pool, past, focus=focus, minutes=120).questions}
    assert {i: q.why for i, q in reasons.items()} == {
        "a0": "weak", "a1": "oldest", "a2": "new", "a9": "frequent", "b0": "focus", "b1": "focus",
    }  # fmt: skip
    assert reasons["b1"].sentence == "We need B."
    assert reasons["a0"].sentence == ""


def test_what_left_gaps_comes_before_what_went_well_and_nothing_recent_while_others_are_left():
    pool = many("a", 30)
    past = {f"a{i}": AskedBefore(NOW - timedelta(days=9), weak=True) for i in range(3)}
    past |= {f"a{i}": AskedBefore(NOW - timedelta(hours=3), weak=True) for i in range(3, 15)}
    asked = Counter(q.question_id for s in range(100) for q in draw(pool, past, seed=s).questions)
    assert min(asked[f"a{i}"] for i in range(3)) > max(asked[f"a{i}"] for i in range(15, 30))
    assert not any(asked[f"a{i}"] for i in range(3, 15))


def test_a_short_question_fills_what_is_left_but_never_more():
    pool = [*many("a", 20, difficulty=5), Outline("c1", "x", 1, 3)]
    plan = draw(pool, rounds=("domain",), minutes=20)
    assert plan.minutes <= 20
    assert any(q.question_id == "c1" for q in plan.questions)
    assert question_minutes(pool[0]) * 3 > 20


def test_a_design_round_prefers_a_question_that_goes_through_phases():
    pool = many("a", 5, kind="design") + many("b", 5, kind="design", phases=4)
    both = [x._replace(topic="a") for x in pool]
    whole = sum(draw(both, seed=s, rounds=("design",)).questions[0].question_id[0] == "b" for s in range(100))
    assert whole > 80


def test_minutes_that_a_round_leaves_over_are_used_by_the_others():
    pool = many("a", 30) + many("b", 5, kind="design", phases=4) + many("c", 1)
    for minutes in (45, 60, 85):
        plan = draw(pool, level="senior", minutes=minutes)
        assert minutes - plan.minutes < min(question_minutes(q) for q in pool)
        assert [r.id for r in plan.rounds] == ["basics", "domain", "design"]


def test_a_design_question_cut_short_gets_what_is_left_over_first():
    pool = many("b", 1, kind="design", phases=4) + many("a", 2)
    plan = draw(pool, level="senior", minutes=60)
    assert [q.minutes for q in plan.questions] == [6.0, 6.0, 40.0]
