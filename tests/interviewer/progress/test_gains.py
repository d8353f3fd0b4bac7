"""Points that went from missed to covered."""

from datetime import UTC, datetime, timedelta

import pytest

from interviewer.memory.reviews import Review, rate
from interviewer.models import Verdict
from interviewer.progress.gains import gains, together


def review(day: int, verdict: str, earned: str = "answer", point: str = "p", interview: str = "") -> Review:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    given = Verdict(verdict)
    return Review(interview or f"i{day}", 0, "q", point, "topic", at, given, earned, rate(given, earned))


def days(reviews: list[Review]) -> list[tuple[int, int]]:
    return [(g.missed.at.timetuple().tm_yday - 1, g.covered.at.timetuple().tm_yday - 1) for g in gains(reviews)]


@pytest.mark.parametrize("verdict", ["missing", "partial", "contradicted"])
def test_what_was_missed_and_is_covered_is_a_gain(verdict):
    assert days([review(1, verdict), review(5, "covered")]) == [(1, 5)]


@pytest.mark.parametrize(
    "reviews",
    [
        [],
        [review(1, "covered")],
        [review(1, "missing")],
        [review(1, "covered"), review(5, "missing")],
        [review(1, "missing"), review(5, "covered", "probe")],
        [review(1, "missing"), review(5, "covered", "hint")],
        [review(1, "covered", "probe"), review(5, "covered")],
        [review(1, "missing"), review(5, "covered"), review(9, "partial")],
        [review(1, "missing"), review(5, "covered"), review(9, "covered", "hint")],
    ],
    ids=lambda reviews: "-".join(f"{r.verdict.value}:{r.earned}" for r in reviews) or "nothing",
)
def test_what_was_never_missed_or_still_needs_help_is_none(reviews):
    assert gains(reviews) == ()


def test_the_last_miss_and_the_first_answer_without_help_since_are_compared():
    history = [
        review(1, "missing"),
        review(2, "covered"),
        review(3, "partial"),
        review(4, "covered", "probe"),
        review(5, "covered"),
        review(6, "covered"),
    ]
    assert days(history[::-1]) == [(3, 5)]


def test_the_newest_stands_first_and_points_of_the_same_two_answers_stand_together():
    old = [review(1, "missing", point="a"), review(2, "covered", point="a")]
    new = [review(day, verdict, point=point) for point in "bc" for day, verdict in ((1, "missing"), (9, "covered"))]
    found = together(gains(old + new))
    assert [[g.covered.point_id for g in group] for group in found] == [["c", "b"], ["a"]]
