"""What an answer, a point and the question share, counted softly."""

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.grading.overlap import OVERLAP, Overlaps

QUESTION = "What does the lock protect?"
POINT = "The lock protects the shared counter from lost updates."


def shared(said: str, point: str = POINT, asked: str = QUESTION) -> dict[str, float]:
    return dict(zip(OVERLAP, Overlaps(said, asked).with_point(point), strict=True))


def test_more_of_the_point_said_counts_more() -> None:
    none, some, all_of_it = (
        shared(said)
        for said in ("I like my dog.", "It guards a counter.", "It protects the shared counter from losses.")
    )
    for name in ("all_both_of_point", "telling_both_of_point", "letters", "letters_of_point", "telling_new_of_point"):
        assert none[name] < some[name] < all_of_it[name], name
    assert all_of_it["foreign"] < none["foreign"]


def test_what_the_question_says_is_told_apart_from_what_is_new() -> None:
    echo, answer = shared("The lock protects."), shared("The counter that is shared.")
    assert echo["telling_new_of_point"] < 0.1 < answer["telling_new_of_point"]
    assert echo["telling_asked_of_said"] > answer["telling_asked_of_said"]
    assert echo["letters_asked"] > answer["letters_asked"]


def test_words_spelt_alike_count_as_nearly_one() -> None:
    alike, apart = shared("counters counter"), shared("counters zebra")
    assert alike["all_said"] < apart["all_said"]
    assert shared("counting")["all_both_of_point"] > shared("zebra")["all_both_of_point"]


def test_numbers_are_like_nothing_but_themselves() -> None:
    point = "It takes 1024 steps."
    assert shared("1024", point)["telling_both_of_point"] > shared("1025", point)["telling_both_of_point"]


def test_chinese_is_compared_by_words_and_characters() -> None:
    point, asked = "锁保护共享的计数器，更新不会丢失。", "锁有什么用？"
    near, far = (shared(said, point, asked) for said in ("计数器共享，要保护起来。", "今天天气很好。"))
    assert near["telling_both_of_point"] > 0.4 > far["telling_both_of_point"]
    assert near["letters"] > far["letters"]


def test_denials_turns_and_yes_against_no_are_counted() -> None:
    said = shared("No, it does not get faster.", "Yes, it gets slower.")
    assert (said["negations_said"] > 0, said["negations_point"], said["negation_differs"]) == (True, 0, 1)
    assert said["turned"] == 1
    assert (said["yes_no"], said["yes_no_asked"]) == (-1, 1)
    assert shared("Right.", "Because it is.")["yes_no_asked"] == 0


def test_the_order_of_words_counts() -> None:
    right, wrong = shared("shared counter lost updates"), shared("updates lost counter shared")
    assert right["in_order_of_point"] > wrong["in_order_of_point"]
    assert right["telling_both_of_point"] == pytest.approx(wrong["telling_both_of_point"])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=80), st.text(max_size=80))
def test_any_text_gives_finite_numbers_and_shares_stay_shares(said: str, point: str, asked: str) -> None:
    found = shared(said, point, asked)
    assert all(math.isfinite(value) for value in found.values())
    for name in ("letters", "letters_of_point", "letters_of_said", "in_order_of_point", "foreign"):
        assert -1e-6 <= found[name] <= 1 + 1e-6, name


def test_a_flood_is_bounded() -> None:
    began = time.perf_counter()
    shared("lock counter 计数器 " * 50_000, POINT * 3_000, QUESTION * 3_000)
    assert time.perf_counter() - began < 5
