"""Saying the opposite: negation, direction, numbers; and what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.contradiction import clash, clauses
from interviewer.grading.opposites import PAIRS, negations


def kind(point: str, said: str) -> str | None:
    found = clash(clauses(point), clauses(said))
    return found.kind if found else None


@pytest.mark.parametrize(
    ("point", "said", "expected"),
    [
        ("The lock is released during blocking I/O", "The lock is not released during blocking I/O.", "negated"),
        ("Native extensions release the lock", "Native extensions never release the lock.", "negated"),
        ("块太小会丢失上下文", "块太小不会丢失上下文。", "negated"),
        ("增量可以合并进原权重", "增量没法合并进原权重", "negated"),
        ("结果不写回显存", "结果会写回显存", "negated"),
        (
            "The latency grows with the number of ranks",
            "It is not true that the latency grows with the number of ranks",
            "negated",
        ),
        ("前向时只保存部分层的激活", "并不是这样：前向时只保存部分层的激活", "negated"),
        ("A larger batch increases the throughput", "A larger batch decreases the throughput.", "opposite"),
        (
            "The gradient is clipped before the optimizer step",
            "The gradient is clipped after the optimizer step",
            "opposite",
        ),
        ("增大批大小会提高吞吐", "增大批大小会降低吞吐", "opposite"),
        ("更新之前先裁剪梯度", "更新之后先裁剪梯度", "opposite"),
        ("FP16 takes 2 bytes per parameter", "FP16 takes 8 bytes per parameter", "number"),
        ("训练时间增加约 30%", "训练时间增加约 80%", "number"),
    ],
)
def test_the_opposite_is_found(point: str, said: str, expected: str) -> None:
    assert kind(point, said) == expected


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("The lock is released during blocking I/O", "While it waits on I/O the lock is released."),
        ("块太小会丢失上下文", "块太小的话上下文就丢了，不过检索更准。"),
        (
            "The gradient is clipped before the optimizer step",
            "Clip the gradient before you take the optimizer step, not after it.",
        ),
        ("Loss of data is possible", "It is not impossible to lose data"),
        ("训练时间增加约 30%", "训练时间大概多出 31%"),
        ("It takes 2 bytes per parameter", "Four bytes per moment and 2 bytes per parameter"),
        ("不同的请求可以共享物理块", "不同请求之间不仅能共享物理块，还能写时复制"),
        (
            "Terminal 1 and the positive terminal are separated by the gap",
            "Terminal 1 is not connected to the positive terminal",
        ),
        ("The mean is computed over the tokens", "Nothing is known about queues."),
        ("", "no"),
    ],
)
def test_what_agrees_or_speaks_of_something_else_is_no_contradiction(point: str, said: str) -> None:
    assert kind(point, said) is None


def test_a_part_that_is_also_said_right_is_settled() -> None:
    point = "The lock is released during blocking I/O"
    assert kind(point, "The lock is released during blocking I/O. In other states the lock is not released.") is None


def test_the_share_tells_how_much_of_the_point_is_concerned() -> None:
    long = (
        "The lock is released during I/O, extensions may release it too, and processes have an interpreter of their own"
    )
    found = clash(clauses(long), clauses("The lock is not released during I/O"))
    whole = clash(clauses("The lock is released during I/O"), clauses("The lock is not released during I/O"))
    assert found is not None
    assert whole is not None
    assert found.share < 0.6 < whole.share


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("not only fast", 0),
        ("it can't and won't", 2),
        ("不仅如此", 0),
        ("不断增加", 0),
        ("没有锁，也不等待", 2),
        ("无论如何", 0),
    ],
)
def test_negations_are_counted_without_idioms(text: str, count: int) -> None:
    assert len(negations(text)) == count


def test_no_pair_of_opposites_matches_itself() -> None:
    for pair in PAIRS:
        assert pair.one.pattern != pair.other.pattern


@given(st.text(max_size=120))
def test_nothing_contradicts_itself(text: str) -> None:
    assert kind(text, text) is None
