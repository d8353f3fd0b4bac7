"""Which lines ask: schemes, restarts, gaps, lists within answers, sections, afterwords."""

import time
from collections.abc import Callable

import pytest

Taken = Callable[..., tuple]


def asked(taken: Taken, text: str, *, markdown: bool = False) -> list[tuple[str, str]]:
    return [(d.number, d.question) for d in taken(text, markdown=markdown)[0]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("7. 什么是锁?", "8. 什么是信号量?"),
        ("7、什么是锁?", "8、什么是信号量?"),
        ("7．什么是锁?", "8．什么是信号量?"),
        ("(7) 什么是锁?", "(8) 什么是信号量?"),
        ("7) What is a lock?", "8) What is a semaphore?"),
        ("Q7: What is a lock?", "Q8: What is a semaphore?"),
        ("Question 7. What is a lock?", "Question 8. What is a semaphore?"),
        ("问题7:什么是锁?", "问题8:什么是信号量?"),
        ("【问题7】什么是锁?", "【问题8】什么是信号量?"),
        ("第7题 什么是锁?", "第8题 什么是信号量?"),
        ("### 7. 什么是锁?", "### 8. 什么是信号量?"),
        ("**7. 什么是锁?**", "**8. 什么是信号量?**"),
        ("**Q7:** What is a lock?", "**Q8:** What is a semaphore?"),
        ("Question 7\nWhat is a lock?", "Question 8\nWhat is a semaphore?"),
    ],
)
def test_every_numbering(taken: Taken, first: str, second: str) -> None:
    found = asked(
        taken, f"{first}\n它保证互斥。\n1. 加锁\n2. 解锁\n\n{second}\n它数数。", markdown=first.startswith(("#", "*"))
    )
    assert [number for number, _ in found] == ["7", "8"]
    assert found[0][1] in ("什么是锁?", "What is a lock?")


def test_numbers_that_begin_again(taken: Taken) -> None:
    text = "一、甲\n1. 什么是甲?\n答:甲。\n1. 第一\n2. 第二\n2. 为什么要甲?\n答:因为。\n二、乙\n1. 什么是乙?\n答:乙。"
    drafts, _ = taken(text)
    assert [(d.topic, d.number) for d in drafts] == [("甲", "1"), ("甲", "2"), ("乙", "1")]
    assert drafts[0].answer == "甲。\n\n1. 第一\n2. 第二"


def test_a_number_used_twice(taken: Taken) -> None:
    text = "1. 什么是甲?\n答:甲。\n2. 什么是乙?\n答:乙。\n2. 什么是丙?\n答:丙。\n3. 什么是丁?\n答:丁。"
    assert [n for n, _ in asked(taken, text)] == ["1", "2", "2", "3"]


def test_a_question_marked_a_little_differently(taken: Taken) -> None:
    text = "1. What is a?\nIt is a.\n2) What is b?\nIt is b.\n3. What is c?\nIt is c."
    assert [n for n, _ in asked(taken, text)] == ["1", "2", "3"]


def test_two_schemes_one_after_the_other(taken: Taken) -> None:
    text = "Q1:如何量化?\n1.先看层\n说明。\n2.再校准\n说明。\nQ2:如何部署?\n导出。\n练习题\n1、什么是甲?\n答案:甲。\n2、什么是乙?\n答案:乙。"
    drafts, left_out = taken(text)
    assert [d.question for d in drafts] == ["如何量化?", "如何部署?", "什么是甲?", "什么是乙?"]
    assert drafts[2].topic == "练习题"
    assert ("section_title", "练习题") in [(p.rule, p.text) for p in left_out]


def test_headings_that_ask_keep_headings_below_them(taken: Taken) -> None:
    text = "# T\n## A\n### What is x?\nX.\n#### Why?\nBecause.\n## B\n### What is y?\nY.\n## License\nMIT"
    drafts, left_out = taken(text, markdown=True)
    assert [(d.topic, d.question) for d in drafts] == [("A", "What is x?"), ("B", "What is y?")]
    assert "#### Why?" in drafts[0].answer
    assert drafts[1].answer == "Y."
    assert any("MIT" in p.text for p in left_out)


def test_folded_parts(taken: Taken) -> None:
    text = (
        "###### 1. What does this print?\n\n```js\nlog(1)\n```\n\n- A: `1`\n- B: `2`\n\n"
        "<details><summary><b>Answer</b></summary>\n<p>\n\n#### Answer: A\n\nIt logs one.\n\n</p>\n</details>\n\n---\n\n"
        "###### 2. What does that print?\n\n- A: `3`\n- B: `4`\n\n<details><summary><b>Answer</b></summary>\n\n#### Answer: B\n\nFour.\n\n</details>"
    )
    drafts, _ = taken(text, markdown=True)
    assert [d.number for d in drafts] == ["1", "2"]
    assert "```js\nlog(1)\n```" in drafts[0].question
    assert "- B: `2`" in drafts[0].question
    assert drafts[0].answer == "A\n\nIt logs one."


def test_options_belong_to_the_question(taken: Taken) -> None:
    text = "1. 下列哪个是锁?\nA. mutex\nB. pipe\n答案:A\n解析:互斥量。\n2. 下列哪个是管道?\nA. mutex\nB. pipe\n答案:B\n解析:管道。"
    drafts, _ = taken(text)
    assert drafts[0].question == "下列哪个是锁?\nA. mutex\nB. pipe"
    assert drafts[0].answer == "A\n\n解析:互斥量。"


def test_question_and_answer_on_one_line(taken: Taken) -> None:
    assert [(d.question, d.answer) for d in taken("问:什么是甲?答:第一个。\n问:什么是乙?答:第二个。")[0]] == [
        ("什么是甲?", "第一个。"),
        ("什么是乙?", "第二个。"),
    ]
    drafts, _ = taken("- **What is a?** The first.\n- **What is b?** The second.", markdown=True)
    assert [(d.question, d.answer) for d in drafts] == [("What is a?", "The first."), ("What is b?", "The second.")]


def test_a_dialogue(taken: Taken) -> None:
    drafts, _ = taken("面试官:什么是甲?\n候选人:第一个。\n面试官:什么是乙?\n候选人:第二个。")
    assert [d.answer for d in drafts] == ["第一个。", "第二个。"]


def test_unnumbered_lines_that_ask(taken: Taken) -> None:
    drafts, _ = taken("什么是甲?\n第一个。\n什么是乙?\n第二个。\n什么是丙?\n第三个。")
    assert len(drafts) == 3


def test_the_afterword_is_no_answer(taken: Taken) -> None:
    text = "1. 什么是甲?\n答:甲。\n2. 什么是乙?\n答:\n- 乙。\n写在最后\n多看多练。\n- 加油"
    drafts, left_out = taken(text)
    assert drafts[1].answer == "- 乙。"
    assert [(p.rule, p.text) for p in left_out] == [("afterword", "写在最后\n多看多练。\n- 加油")]


def test_chapters_between_questions_are_no_answer(taken: Taken) -> None:
    drafts, _ = taken(
        "1. 什么是甲?\n答:甲。\n第二部分:进阶 (2-3)\n本部分较难。\n2. 什么是乙?\n答:乙。\n3. 什么是丙?\n答:丙。"
    )
    assert drafts[0].answer == "甲。"
    assert [d.topic for d in drafts] == ["file", "进阶", "进阶"]


def test_text_without_questions_is_left_out_whole(taken: Taken) -> None:
    drafts, left_out = taken("这是一段话。\n没有问题。\n1. 步骤\n2. 步骤")
    assert drafts == []
    assert [p.rule for p in left_out] == ["no_question_found"]


def test_many_questions_in_one_text_take_time_in_proportion(taken: Taken) -> None:
    text = "\n".join(f"{n}. 为什么第 {n} 层要缓存?\n答案:\n- 更快。\n1. 先查\n2. 再写" for n in range(9_000, 10_201))
    start = time.monotonic()
    drafts, left_out = taken(text)
    assert [d.number for d in drafts] == [str(n) for n in range(9_000, 10_201)]
    assert left_out == []
    assert time.monotonic() - start < 60
