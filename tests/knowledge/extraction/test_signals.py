"""What single lines look like."""

import pytest

from interviewer.language import without_ornament
from knowledge.extraction.signals import (
    answer_mark,
    is_about_question,
    is_answer_section,
    is_closing,
    is_follow_up,
    is_section_title,
    is_title_like,
    question_key,
    question_likeness,
    question_mark,
    section_name,
    unmarked,
    without_emphasis,
)


@pytest.mark.parametrize(
    "text",
    [
        "什么是锁?",
        "请说明它的用途。",
        "谈谈你的看法",
        "讲一个你遇到的难题",
        "Explain how it works",
        "What is a lock",
        "Difference between a and b",
        "如何做",
        "Tell me about a failure",
        "给你一段代码,你会怎么改?",
        "In Python, what does yield do?",
        "它有几种(至少三种)?",
    ],
)
def test_questions(text: str) -> None:
    assert question_likeness(text) >= 0.6


@pytest.mark.parametrize(
    "text",
    [
        "先冻结权重",
        "锁是一种互斥手段。",
        "Locks keep order.",
        "优点:",
        "What follows is a list:",
        "",
        "第一步",
        "The difference matters.",
    ],
)
def test_no_questions(text: str) -> None:
    assert question_likeness(text) < 0.6


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("答案:", ""),
        ("答案:锁", "锁"),
        ("答:好", "好"),
        ("A: yes", "yes"),
        ("**A:** yes", "yes"),
        ("**A**: yes", "yes"),
        ("**参考答案**：", ""),
        ("**参考答案**：甲", "甲"),
        ("> **Answer**: yes", "yes"),
        ("**A1.** yes", "yes"),
        ("💡 参考答案", ""),
        ("**Answer**", ""),
        ("#### Answer: D", "D"),
        ("参考答案:甲", "甲"),
        ("【答案】甲", "甲"),
        ("Ans: x", "x"),
        ("Sample answer:", ""),
        ("点击查看答案", ""),
        ("Show answer", ""),
        ("A1: x", "x"),
        ("候选人:好的", "好的"),
        ("解析", ""),
    ],
)
def test_answer_marks(text: str, rest: str) -> None:
    assert answer_mark(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "A lock",
        "A. first option",
        "答案很简单",
        "Answers vary.",
        "An answer",
        "答",
        "候选人",
        "Solution architects plan",
        "A",
        "回答者",
    ],
)
def test_no_answer_marks(text: str) -> None:
    assert answer_mark(text) in (None, "") if text == "A" else answer_mark(text) is None


@pytest.mark.parametrize("text", ["参考答案", "答案与解析", "Answers", "Answer Key", "第一章 参考答案", "## 习题答案"])
def test_sections_of_answers(text: str) -> None:
    assert is_answer_section(text.lstrip("# "))


def test_sections_and_their_names() -> None:
    assert is_section_title("第三部分:网络 (1-20)")
    assert section_name("第三部分:网络 (1-20)") == "网络"
    assert section_name("二、存储篇") == "存储篇"
    assert section_name("2.1 内存") == "内存"
    assert section_name("Part 2: Queues (Q5-Q9)") == "Queues"
    assert not is_section_title("第三次握手为什么必要")


def test_titles_and_closings() -> None:
    assert is_title_like("面试题展示")
    assert not is_title_like("它先停,再走。")
    assert not is_title_like("优点:")
    assert is_closing("写在最后")
    assert is_closing("Further reading")
    assert not is_closing("最后一次握手丢失")


def test_emphasis_goes_and_code_stays() -> None:
    assert unmarked("**What** does `__init__` do? [more](x)") == "What does __init__ do? more"
    assert without_emphasis("`a` and __very bold__ and __init__") == "`a` and very bold and __init__"


def test_the_key_of_a_question_ignores_politeness_but_no_sign() -> None:
    assert question_key("请你解释一下 RPC 的原理。") == question_key("解释一下RPC的原理")
    assert question_key("Please explain C++!") == question_key("explain c++")
    assert question_key("What is C#?") != question_key("What is C++?")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("✅ 1. 为什么?", "1. 为什么?"),
        ("⭐⭐⭐ 为什么?", "为什么?"),
        ("1️⃣ 为什么?", "1. 为什么?"),
        ("🔥 2️⃣ 为什么?", "2. 为什么?"),
        ("▶️ Why?", "Why?"),
        ("① 甲", "① 甲"),
        ("# Why?", "# Why?"),
        ("🔥", "🔥"),
        ("Why? 🔥", "Why?"),
        ("Why? ⭐⭐", "Why?"),
    ],
)
def test_ornament(text: str, words: str) -> None:
    assert without_ornament(text) == words


@pytest.mark.parametrize(
    "text",
    ["追问：为什么?", "**追问1**：为什么?", "- 面试官追问: 呢?", "> Follow-up: why?", "**Follow-up questions:** a, b"],
)
def test_follow_ups(text: str) -> None:
    assert is_follow_up(text)


@pytest.mark.parametrize(
    "text", ["追问时怎么办?", "How do you follow up?", "追问", "问：为什么?", "Follow the link: here"]
)
def test_no_follow_ups(text: str) -> None:
    assert not is_follow_up(text)


@pytest.mark.parametrize("text", ["**考察点**：并发", "难度：⭐⭐", "标签: 缓存", "Difficulty: hard", "> Tags: a, b"])
def test_lines_about_a_question(text: str) -> None:
    assert is_about_question(text)


@pytest.mark.parametrize("text", ["难度在于并发：两边都写", "考察点是什么?", "Tags are cheap: use them", "类型：整数"])
def test_lines_that_only_look_like_it(text: str) -> None:
    assert not is_about_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "🔥" * 5000,
        "x" + "⭐ " * 5000 + "y",
        "⭐" * 5000 + "\n" + "1️⃣" * 2000,
        "**答案" + " " * 190 + "x",
        "追问" + " " * 1100 + "x",
        "题目" + " *" * 550 + "x",
        "难度" + "!" * 1100 + "x",
    ],
    ids=["signs", "signs before words", "lines of signs", "mark", "follow-up", "question", "about"],
)
def test_a_line_made_to_take_long_does_not(text: str) -> None:
    """Backtracking over one of these once took longer than anybody waits; now a thousand rounds take a moment."""
    for _ in range(1000):
        without_ornament(text)
        found = (answer_mark(text), question_mark(text), is_follow_up(text), is_about_question(text))
    assert found == (None, None, False, False)
