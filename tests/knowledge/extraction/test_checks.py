"""Checks of drafts, guesses, and repetition."""

import time

import pytest

from interviewer.models import Kind
from knowledge.extraction.checks import check, guess_kind
from knowledge.extraction.drafts import Draft
from knowledge.extraction.repeats import RepeatIndex


def kinds(question: str, answer: str) -> list[tuple[str, bool]]:
    return [(f.kind, f.fatal) for f in check(Draft(question, answer, "", 1, "t", {}))]


@pytest.mark.parametrize("answer", ["", "  ", "略", "TODO", "待补充", "- ", "见上文", "N/A", "…"])
def test_no_answer(answer: str) -> None:
    assert kinds("什么是甲?", answer) == [("no_answer", True)]


def test_an_answer_that_is_the_question() -> None:
    assert kinds("What is a lock?", "**What is a lock**") == [("answer_is_question", True)]


def test_a_short_answer_is_kept_and_told() -> None:
    assert kinds("What is the port?", "443") == [("too_short", False)]
    assert kinds("什么是锁?", "一种互斥手段") == []


@pytest.mark.parametrize(
    "answer", ["锟斤拷锟斤拷锟斤拷", "It isnâ€™t rightâ€¦ isnâ€™t it", "\ufffd\ufffd\ufffd text \ufffd"]
)
def test_garbled_text_is_kept_out(answer: str) -> None:
    assert ("garbled", True) in kinds("什么是锁?", answer)


def test_one_odd_character_is_only_told() -> None:
    assert kinds("什么是锁?", "一种互斥的手段,用来保护共享的数据,避免竞争。" * 3 + "\ufffd") == [("garbled", False)]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("如何排查内存泄漏?", Kind.TROUBLESHOOTING),
        ("How would you design a cache?", Kind.DESIGN),
        ("设计一个限流器", Kind.DESIGN),
        ("讲一个你解决过的难题", Kind.EXPERIENCE),
        ("Tell me about a time you failed", Kind.EXPERIENCE),
        ("What is a lock?", Kind.CONCEPT),
        ("训练时 OOM 怎么办?", Kind.TROUBLESHOOTING),
    ],
)
def test_kinds(question: str, kind: Kind) -> None:
    assert guess_kind(question) is kind


def test_the_same_words_and_nearly_the_same() -> None:
    index = RepeatIndex()
    index.add("a", "请解释一下迁移学习的原理和它的主要应用场景", "同一个答案")
    exact = index.find("解释一下迁移学习的原理和它的主要应用场景。", "同一个答案!")
    assert exact is not None
    assert (exact.id, exact.is_exact, exact.same_answer) == ("a", True, True)
    near = index.find("请解释一下迁移学习的原理以及它的主要应用场景", "另一个答案")
    assert near is not None
    assert (near.id, near.is_exact, near.same_answer) == ("a", False, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "What problem does the TCP protocol solve in practice?",
            "What problem does the UDP protocol solve in practice?",
        ),
        ("为什么 HTTP 2 比较快而且省资源呢", "为什么 HTTP 3 比较快而且省资源呢"),
        ("线程之间可以共享堆内存的原因是什么", "线程之间不可以共享堆内存的原因是什么"),
    ],
)
def test_other_terms_make_another_question(one: str, other: str) -> None:
    index = RepeatIndex()
    index.add("a", one, "x")
    assert index.find(other, "y") is None


def test_ten_thousand_questions_stay_far_below_quadratic() -> None:
    index = RepeatIndex()
    start = time.monotonic()
    for n in range(4000):
        text = f"Why does service {n} keep {n * 7} items of kind {n % 13} in the cache of region {n % 29}?"
        assert index.find(text, "") is None
        index.add(str(n), text)
    assert time.monotonic() - start < 60
    assert len(index) == 4000
