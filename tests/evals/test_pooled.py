"""Grading in several processes: the outcomes are those of one."""

from functools import partial

import pytest

from evals.grading import data
from evals.grading.command import built_in_grader
from evals.grading.outcomes import grade_rows
from evals.grading.pooled import Pooled


def broken() -> None:
    raise RuntimeError("no weights here")


def test_several_processes_grade_as_one_does_in_order():
    rows = [*data.battery()[:50]]
    with Pooled(partial(built_in_grader, "words"), 2) as grade:
        found = grade(rows)
        assert grade([]) == []
    assert [outcome.row for outcome in found] == rows
    assert [outcome.grade for outcome in found] == [
        outcome.grade for outcome in grade_rows(built_in_grader("words"), rows)
    ]
    assert all(outcome.seconds > 0 for outcome in found)


def test_a_grader_that_can_not_be_made_is_an_error_and_no_endless_wait():
    with Pooled(broken, 1) as grade, pytest.raises(Exception, match="process"):
        grade(data.battery()[:2])
