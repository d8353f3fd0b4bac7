"""The grades behind the published figures: they make these figures, and the shipped grader still gives them."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from evals.grading import metrics
from evals.grading.command import RESULTS
from evals.grading.data import without_points
from evals.grading.labelled import kind_of
from evals.grading.notes_figures import manner_and_kind, right_or_not, told_elsewhere
from evals.grading.outcomes import grade_rows, true_score
from evals.grading.stored import SCORES, WAYS, measured_rows, read_scores, write_scores

PUBLISHED = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]
ROUNDED = 0.05
"""Stored scores have one decimal."""
SETS = (
    "labelled", "mistakes", "honest", "candidates", "candidates_second", "candidates_strangers", "candidates_contrast",
    "outside", "everyday", "slips", "elsewhere", "pictured",
)  # fmt: skip
BY_KIND = {
    "mistakes": kind_of,
    "honest": kind_of,
    "everyday": manner_and_kind,
    "slips": right_or_not,
    "elsewhere": told_elsewhere,
    "pictured": kind_of,
}
"""How the rows are called in the figures, where these are means."""
SOME = {"given": 7, "reference_only": 2}
"""Points found in a reference are more and longer: reading them takes three times as long."""


@pytest.fixture(scope="module")
def rows():
    return measured_rows()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("way", WAYS)
def test_the_stored_grades_make_the_published_figures(rows, name, way):
    ours, right = read_scores()[name][way], [true_score(row) for row in rows[name]]
    whole = PUBLISHED if name == "labelled" else PUBLISHED[name]
    if name in BY_KIND:
        assert {BY_KIND[name](row) for row in rows[name]} == {*whole["kinds"]}
        for kind, figures in whole["kinds"].items():
            shown = figures["given"] if way == "given" else figures["reference_only"]["given"]
            of_kind = [mine for mine, row in zip(ours, rows[name], strict=True) if BY_KIND[name](row) == kind]
            assert round(float(np.mean(of_kind)), 1) == pytest.approx(shown, abs=0.051), kind
        return
    shown = whole if way == "given" else whole["reference_only"]
    assert round(metrics.pearson(ours, right), 3) == shown["r"]
    assert round(metrics.mae(ours, right), 2) == shown["mae"]


@pytest.mark.parametrize("name", [name for name in SETS if name not in BY_KIND])
def test_it_is_unsure_of_some_and_these_are_less_often_right(name):
    """A threshold that every missing point falls below asks "did you say this?" of everything."""
    unsure = (PUBLISHED if name == "labelled" else PUBLISHED[name])["unsure"]
    assert 0.05 < unsure["share"] < 0.5
    assert unsure["right"] < unsure["others_right"]


@pytest.mark.parametrize("name", SETS)
def test_the_shipped_grader_still_gives_the_stored_grades(shipped, rows, name):
    """A few of each set, both ways: a grader that was changed is measured anew before its figures are published.

    What lies between the whole numbers is rounded a little differently by other processors, and a verdict near its
    threshold tips over: so most grades are the same, not all.
    """
    stored, off = read_scores()[name], []
    for way, count in SOME.items():
        # Kinds and languages take turns: an even step would meet the same again and again.
        step = len(rows[name]) // count | 1
        at = slice(SETS.index(name) % step, None, step)
        some = rows[name][at] if way == "given" else [*map(without_points, rows[name][at])]
        now = [outcome.score for outcome in grade_rows(shipped, some)]
        off += np.abs(np.subtract(now, stored[way][at])).tolist()
    assert len(off) >= sum(SOME.values())
    assert np.mean(np.array(off) > ROUNDED) <= 0.4, name
    assert np.mean(off) <= 0.4, name


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / "scores.json"
    graded = [SimpleNamespace(score=score) for score in (0.0, 4.3, 10.0)]
    write_scores({"outside": (graded, graded[::-1])}, path)
    assert read_scores(path) == {"outside": {"given": [0.0, 4.3, 10.0], "reference_only": [10.0, 4.3, 0.0]}}
    assert SCORES.parent == RESULTS.parent
