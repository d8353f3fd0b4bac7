"""How well topics and tracks are known, from points alone."""

import pytest

from interviewer.interview.ports import Outline
from interviewer.models import Track
from interviewer.progress.mastery import Area, Known, level_of, masteries, topic_areas, track_areas, track_mastery
from tests.interviewer.progress.conftest import TRACK

OUTLINES = (
    Outline("q1", "training", 3, 3),
    Outline("q2", "training", 3, 3),
    Outline("q3", "inference", 3, 3),
)
POINTS = (Known("q1", True, 0.9), Known("q1", False, 0.0), Known("q1", True, 0.6), Known("q3", True, 1.0))


def test_a_topic_is_known_as_its_points_asked_for_are():
    training, inference = masteries(track_areas(TRACK, OUTLINES, "en"), POINTS)
    assert training.mastery == pytest.approx((0.9 + 0.0 + 0.6) / 3)
    assert (training.points, training.covered, training.asked, training.questions) == (3, 2, 1, 2)
    assert inference.mastery == 1.0


def test_a_topic_that_was_not_asked_is_not_one_that_is_unknown():
    asked = Area("a", "A", frozenset({"x"}))
    unseen, weak = masteries([asked, asked], [])[0], masteries([asked], [Known("x", False, 0.0)])[0]
    assert (unseen.mastery, unseen.level) == (None, "unseen")
    assert (weak.mastery, weak.level) == (0.0, "weak")


@pytest.mark.parametrize(
    ("mastery", "level"), [(0.0, "weak"), (0.39, "weak"), (0.4, "fair"), (0.69, "fair"), (0.7, "good"), (1.0, "good")]
)
def test_levels(mastery, level):
    assert level_of(mastery) == level


def test_a_track_counts_its_topics_by_weight_and_leaves_out_what_was_not_asked():
    areas = track_areas(TRACK, OUTLINES, "zh")
    assert [area.id for area in areas] == ["training", "serving"], "heaviest first, none without questions"
    both = track_mastery(TRACK, areas, POINTS, "zh")
    assert both.title == "基础设施"
    assert both.mastery == pytest.approx((3 * 0.5 + 1 * 1.0) / 4)
    assert track_mastery(TRACK, areas, POINTS[3:], "zh").mastery == 1.0
    assert track_mastery(TRACK, areas, (), "zh").mastery is None


def test_a_track_can_name_its_questions():
    topic = {"id": "own", "title": {"en": "Own"}, "question_ids": ["q3", "gone"]}
    track = Track.model_validate(TRACK.model_dump() | {"topics": [topic]})
    assert track_areas(track, OUTLINES, "en")[0].question_ids == {"q3"}


def test_topics_stand_by_title():
    areas = topic_areas(OUTLINES, lambda topic: {"training": "Apple", "inference": "Berry"}[topic])
    assert [(area.title, len(area.question_ids)) for area in areas] == [("Apple", 2), ("Berry", 1)]
