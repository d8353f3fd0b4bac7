"""Figures of a cohort from which nobody's own answer can be told."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.teams.figures import Answer, Share, in_steps, point_figures, standings, topic_figures


def said(user: str, covered: bool, *, point: str = "p", topic: str = "t", before: bool = False) -> Answer:
    return Answer(user, "q", point, topic, covered, before)


def test_a_point_asked_of_fewer_than_three_has_no_figure():
    assert point_figures([said("a", False), said("b", False)], people=9) == ()
    assert point_figures([said("a", False), said("a", True), said("b", True), said("a", False)], people=9) == ()


def test_a_cohort_of_two_has_no_figures_of_points():
    answers = [said(name, False) for name in "abc"]
    assert point_figures(answers, people=2) == ()
    assert len(point_figures(answers, people=3)) == 1


def test_the_newest_answer_of_each_counts():
    answers = [said("a", False), said("b", False), said("a", True), said("c", False)]
    (figure,) = point_figures(answers, people=3)
    assert (figure.asked, figure.missed) == (3, 2)


def test_a_fourth_answer_waits_until_it_cannot_be_told_from_the_others():
    three = [said(name, True) for name in "abc"]
    assert point_figures([*three, said("d", False)], people=9) == point_figures(three, people=9)
    six = [*three, said("d", False), said("e", True), said("d", True), said("f", False)]
    (figure,) = point_figures(six, people=9)
    assert (figure.asked, figure.missed) == (6, 1)


steps = st.lists(st.tuples(st.sampled_from("abcdefg"), st.booleans()), max_size=60)


@given(steps)
def test_between_two_figures_at_least_three_people_answered(history):
    answers = [said(name, covered) for name, covered in history]
    shown = [point_figures(answers[:end], people=7) for end in range(len(answers) + 1)]
    since: set[str] = set()
    for answer, (before, after) in zip(answers, pairwise(shown), strict=True):
        since.add(answer.user_id)
        if before != after:
            assert len(since) >= 3
            since = set()


@given(steps)
def test_a_figure_is_what_was_so_when_it_was_last_made(history):
    answers = [said(name, covered) for name, covered in history]
    found = point_figures(answers, people=7)
    truths = []
    for end in range(len(answers) + 1):
        newest = {a.user_id: a.covered for a in answers[:end]}
        truths.append((len(newest), sum(not covered for covered in newest.values())))
    assert all(3 <= f.asked <= 7 and (f.asked, f.missed) in truths for f in found)


def test_most_missed_come_first():
    answers = [said(name, name == "a", point="half") for name in "abc"] + [said(n, False, point="all") for n in "abc"]
    assert [f.point_id for f in point_figures(answers, people=3)] == ["all", "half"]


def test_a_share_of_fewer_than_three_points_is_not_told():
    assert Share(1, 2).percent is None
    assert Share(2, 3).percent == 67


def test_topics_count_each_members_newest_answer():
    answers = [said("a", False), said("a", True), said("b", False, point="r"), said("b", True, point="s", topic="u")]
    by_topic = {figure.topic: figure for figure in topic_figures(answers)}
    assert (by_topic["t"].people, by_topic["t"].share) == (2, Share(1, 2))
    assert by_topic["u"].share == Share(1, 1)


def test_a_standing_is_told_now_and_as_the_period_began():
    answers = [said("a", False, before=True), said("a", True, point="r", before=True), said("a", True)]
    assert standings(answers)["a"].then == Share(1, 2)
    assert standings(answers)["a"].now == Share(2, 2)


@pytest.mark.parametrize(("number", "shown"), [(0, 0), (2, 0), (3, 3), (5, 3), (6, 6)])
def test_means_take_in_three_at_a_time(number, shown):
    assert len(in_steps(range(number))) == shown
