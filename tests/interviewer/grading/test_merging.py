"""Re-grading after follow-ups: discounts, no falls by noise, bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.merging import merge
from interviewer.models import Earned, Grade, GraderInfo, PointGrade, Verdict

BUILTIN = GraderInfo(name="builtin", model="1")
C, P, M, X = Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def grade(*verdicts: Verdict, confidence: float = 0.8) -> Grade:
    points = tuple(
        PointGrade(id=f"p{i}", text="t", weight=1, verdict=v, quote="" if v == M else "q", confidence=confidence)
        for i, v in enumerate(verdicts)
    )
    return Grade(status="graded", points=points, grader=BUILTIN)


FAILED = Grade(status="ungraded", reason="the model did not answer", grader=GraderInfo(name="none"))


@pytest.mark.parametrize(
    ("first", "second", "help_given", "credit"),
    [
        (M, C, "probe", 0.8),
        (M, C, "hint", 0.6),
        (M, C, None, 1.0),
        (P, C, "probe", 0.9),
        (P, C, "hint", 0.8),
        (M, P, "probe", 0.4),
        (X, C, "probe", 0.75),
        (X, C, None, 1.0),
        (C, C, "probe", 1.0),
        (C, M, None, 1.0),
        (C, P, None, 1.0),
        (P, M, "probe", 0.5),
        (C, X, None, -0.25),
        (M, X, "probe", -0.25),
        (X, M, None, -0.25),
    ],
)
def test_credit_after_a_follow_up(first: Verdict, second: Verdict, help_given: Earned | None, credit: float) -> None:
    helped: dict[str, Earned] = {"p0": help_given} if help_given else {}
    (point,) = merge(grade(first), grade(second), helped=helped).points
    assert point.credit == pytest.approx(credit)


def test_taking_back_a_wrong_statement_without_saying_what_is_right_keeps_it_contradicted() -> None:
    (point,) = merge(grade(X), grade(M), helped={}).points
    assert point.verdict == X


def test_a_win_in_two_steps_is_discounted_for_what_was_won_with_help_only() -> None:
    second = merge(grade(M), grade(P), helped={})
    third = merge(second, grade(C), helped={"p0": "hint"})
    assert third.points[0].credit == pytest.approx(0.5 + 0.5 * 0.6)
    probed = merge(grade(M), grade(P), helped={"p0": "probe"})
    assert merge(probed, grade(C), helped={"p0": "hint"}).points[0].credit == pytest.approx(0.6)


def test_a_hint_before_the_first_answer_counts_as_help() -> None:
    merged = merge(None, grade(C, C), helped={"p1": "hint"})
    assert [p.credit for p in merged.points] == pytest.approx([1.0, 0.6])


def test_a_failed_grading_keeps_the_grade_that_stood_and_is_kept_where_there_is_none() -> None:
    stood = grade(C, M)
    assert merge(stood, FAILED, helped={}) == stood
    assert merge(None, FAILED, helped={}) == FAILED
    assert merge(FAILED, stood, helped={}) == stood


def test_the_surer_of_two_equal_verdicts_is_kept_with_its_history() -> None:
    first = merge(grade(M), grade(C), helped={"p0": "probe"})
    again = merge(first, grade(C, confidence=0.99), helped={})
    assert again.points[0].confidence == 0.99
    assert again.points[0].credit == pytest.approx(0.8)


VERDICTS = st.lists(st.sampled_from(list(Verdict)), min_size=3, max_size=3)
HELPED = st.dictionaries(st.sampled_from(["p0", "p1", "p2"]), st.sampled_from(["answer", "probe", "hint"]))


@given(st.lists(st.tuples(VERDICTS, HELPED), min_size=1, max_size=5))
def test_scores_stay_in_bounds_and_fall_only_by_contradiction(
    turns: list[tuple[list[Verdict], dict[str, Earned]]],
) -> None:
    stood: Grade | None = None
    for verdicts, helped in turns:
        after = merge(stood, grade(*verdicts), helped=helped)
        assert after.score is not None
        assert 0 <= after.score <= 10
        for i, point in enumerate(after.points):
            assert -0.25 <= point.credit <= 1
            if stood is not None and point.verdict != X:
                assert point.credit >= stood.points[i].credit
        stood = after


@given(VERDICTS, VERDICTS, HELPED)
def test_help_never_pays(first: list[Verdict], second: list[Verdict], helped: dict[str, Earned]) -> None:
    alone = merge(grade(*first), grade(*second), helped={})
    with_help = merge(grade(*first), grade(*second), helped=helped)
    assert all(a.credit >= b.credit for a, b in zip(alone.points, with_help.points, strict=True))
