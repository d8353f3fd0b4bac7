"""How near an answer comes to a point, word by word."""

import pytest

from interviewer.grading.evidence import Collector, Reader, make_target
from interviewer.grading.nearness import NEARNESS, describe_nearness
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer
from knowledge.encoder.light import LightEncoder

ASKED = "What is a cache good for?"
POINTS = ("It answers repeated reads from memory.", "Stale entries expire after a while.")


def describe(answer: str, *points: str, words_only: bool = False, asked: str = ASKED) -> list[dict[str, float]]:
    reader = Reader(None if words_only else LightEncoder())
    targets = [make_target(reader, text, (), frozenset(keys(asked))) for text in points]
    collector = Collector(reader, read_answer(answer, (asked,)), targets, asked)
    return [dict(zip(NEARNESS, values, strict=True)) for values in describe_nearness(reader, collector, asked)]


@pytest.mark.parametrize("words_only", [True, False])
def test_what_is_said_word_for_word_is_as_near_as_can_be(words_only: bool) -> None:
    first, second = describe(POINTS[0], *POINTS, words_only=words_only)
    assert first["near"] == first["near_least"] == first["near_share"] == first["near_window"] == pytest.approx(1)
    assert second["near"] < first["near"]
    assert first["near_relative"] == pytest.approx(-second["near_relative"])
    assert first["near_relative"] > 0


def test_other_words_for_the_same_come_nearer_than_other_things() -> None:
    (same,) = describe("Reads that come again are served out of RAM.", POINTS[0])
    (other,) = describe("The garden needs water in the summer, mostly at night.", POINTS[0])
    for name in ("near", "near_evenly", "near_new", "near_own", "near_most", "near_window", "near_beyond_asked"):
        assert same[name] > other[name], name


def test_the_words_of_another_point_count_for_less() -> None:
    (alone,) = describe(POINTS[1], POINTS[0])
    (beside, _) = describe(POINTS[1], *POINTS)
    assert beside["near"] == pytest.approx(alone["near"])
    assert beside["near_own"] < alone["near_own"]
    assert beside["own_relative"] < 0 == pytest.approx(alone["own_relative"])


def test_the_words_of_the_question_are_not_new() -> None:
    (heard,) = describe("A cache is good.", "A cache is good for repeated reads.")
    assert heard["near_new"] < heard["near"]


@pytest.mark.parametrize("words_only", [True, False])
def test_saying_nothing_is_near_to_nothing(words_only: bool) -> None:
    (nothing,) = describe("", POINTS[0], words_only=words_only)
    assert not any(nothing.values())


def test_everything_stays_within_its_range() -> None:
    answer = "Repeated reads are answered from memory; what is stale expires. 缓存 过期。 Nobody knows."
    for each in describe(answer, *POINTS, "内存比磁盘快。", "?!"):
        for name, value in each.items():
            assert -1.5 <= value <= 1.001, name
