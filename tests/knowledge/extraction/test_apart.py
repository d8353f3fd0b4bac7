"""Questions and answers in sections of their own."""

from collections.abc import Callable

TEXT = """第一章 进程
1. 什么是甲?
2. 下列哪个是乙?
A. 一
B. 二
3. 什么是丙?
参考答案
1. 甲是第一个。
它排在前面。
2. B
3. 丙有两点:
(1) 慢
(2) 稳
第二章 网络
1. 什么是丁?
2. 什么是戊?
参考答案
1. 丁。
2. 戊。"""


def test_answers_are_paired_by_number_in_every_section(taken: Callable[..., tuple]) -> None:
    drafts, _ = taken(TEXT)
    assert [(d.topic, d.number) for d in drafts] == [
        ("进程", "1"), ("进程", "2"), ("进程", "3"), ("网络", "1"), ("网络", "2"),
    ]  # fmt: skip
    assert drafts[0].answer == "甲是第一个。\n\n它排在前面。"
    assert drafts[1].question == "下列哪个是乙?\nA. 一\nB. 二"
    assert drafts[2].answer == "丙有两点:\n\n(1) 慢\n\n(2) 稳"
    assert drafts[4].answer == "戊。"


def test_headings_in_english(taken: Callable[..., tuple]) -> None:
    text = "# Quiz\n## Questions\n1. What is a?\n2. What is b?\n3. What is c?\n## Answers\n1. First.\n2. Second.\n3. Third.\n## Notes\nNone."
    drafts, left_out = taken(text, markdown=True)
    assert [(d.question, d.answer) for d in drafts] == [
        ("What is a?", "First."),
        ("What is b?", "Second."),
        ("What is c?", "Third."),
    ]
    assert any("None." in p.text for p in left_out)


def test_a_mark_below_every_question_is_no_section(taken: Callable[..., tuple]) -> None:
    drafts, _ = taken("1. 什么是甲?\n答案\n甲。\n2. 什么是乙?\n答案\n乙。")
    assert [d.answer for d in drafts] == ["甲。", "乙。"]
