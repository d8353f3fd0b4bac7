"""The trend of scores."""

from datetime import UTC, datetime, timedelta

import pytest

from interviewer.progress.trend import FADE, Scored, trend

START = datetime(2026, 1, 5, tzinfo=UTC)


def scored(*pairs: tuple[float, int]) -> list[Scored]:
    return [
        Scored(f"i{n}", START + timedelta(days=n), "practice", "", score, questions)
        for n, (score, questions) in enumerate(pairs)
    ]


def test_interviews_stand_from_the_oldest_on_whatever_order_they_come_in():
    points = trend(scored((1, 1), (2, 1), (3, 1))[::-1]).points
    assert [p.interview.score for p in points] == [1, 2, 3]


def test_four_interviews_are_too_few_for_a_line():
    assert [p.smoothed for p in trend(scored(*[(5.0, 1)] * 4)).points] == [None] * 4
    assert [p.smoothed for p in trend(scored(*[(5.0, 1)] * 5)).points] == [pytest.approx(5.0)] * 5


def test_the_line_is_a_mean_by_questions_in_which_older_interviews_fade():
    pairs = [(2.0, 1), (4.0, 3), (6.0, 2), (9.0, 1), (5.0, 4)]
    weights = [questions * FADE ** (4 - n) for n, (_, questions) in enumerate(pairs)]
    expected = sum(w * score for w, (score, _) in zip(weights, pairs, strict=True)) / sum(weights)
    assert trend(scored(*pairs)).points[-1].smoothed == pytest.approx(expected)


def test_the_last_five_are_compared_with_the_five_before():
    found = trend(scored((10, 50), *[(4, 1)] * 5, *[(6, 1)] * 4, (9, 2)))
    assert found.before == pytest.approx(4.0)
    assert found.latest == pytest.approx((4 * 6 + 2 * 9) / 6)
    few = trend(scored((2, 1), (4, 3)))
    assert (few.latest, few.before) == (pytest.approx(3.5), None)
    assert trend([]).latest is None
