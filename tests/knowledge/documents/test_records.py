"""Tables and data to records."""

from collections.abc import Callable

import pytest

from knowledge.documents.fields import field_of, mapping_of
from knowledge.import_report import ImportReport


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Question", "question"),
        ("题目", "question"),
        ("参考答案", "answer"),
        (" Model Answer ", "answer"),
        ("Back", "answer"),
        ("难度", "difficulty"),
        ("出现频率", "frequency"),
        ("编号", "number"),
        ("colour", None),
    ],
)
def test_names_of_columns(name: str, field: str | None) -> None:
    assert field_of(name) == field


def test_the_better_name_wins() -> None:
    assert mapping_of(["title", "question", "content", "answer"]) == {"question": "question", "answer": "answer"}


def test_columns_give_difficulty_frequency_and_number(read: Callable[..., ImportReport]) -> None:
    report = read("a.csv", "编号,问题,答案,难度,频率,语言\n7,什么是锁?,一种互斥的手段。,较难,★★★★,zh\n")
    assert report.questions[0].number == "7"


def test_quoted_cells_may_hold_line_ends(read: Callable[..., ImportReport]) -> None:
    report = read(
        "a.csv", 'question,answer\n"What is\na latch?","One line.\n\n- two\n- three"\n"What is a fuse?",A wire.\n'
    )
    assert report.questions[0].answer == "One line.\n\n- two\n- three"
    assert report.questions[1].question == "What is a fuse?"


@pytest.mark.parametrize(
    "header",
    ["Question,Explanation", "Topic,Notes", "术语,说明", "Term,", "知识点,要点", "Whatever,Answer"],
)
def test_of_two_columns_with_one_known_name_the_other_is_what_is_missing(
    read: Callable[..., ImportReport], header: str
) -> None:
    report = read("a.csv", f"{header}\nWhat is a latch?,It keeps a door shut.\nWhat is a fuse?,A wire that melts.\n")
    assert [each.question for each in report.questions] == ["What is a latch?", "What is a fuse?"]
    assert [each.answer for each in report.questions] == ["It keeps a door shut.", "A wire that melts."]


def test_answers_may_stand_before_their_questions(read: Callable[..., ImportReport]) -> None:
    report = read("a.csv", "Answer,Asked\nIt keeps a door shut.,What is a latch?\n")
    assert [(each.question, each.answer) for each in report.questions] == [
        ("What is a latch?", "It keeps a door shut.")
    ]


def test_unused_columns_are_named_once_there_are_many(read: Callable[..., ImportReport]) -> None:
    rows = "".join(f"What is item {n} of the list?,It is thing {n} with a long name.,extra {n}\n" for n in range(300))
    report = read("a.csv", "question,answer,comment\n" + rows)
    assert len(report.questions) == 300
    left_out = [p for p in report.documents[0].problems if p.kind == "left_out"]
    assert len(left_out) == 202
    assert left_out[-1].detail == "unused_column: 100 more of the same kind"


def test_fields_of_cards_may_hold_html(read: Callable[..., ImportReport]) -> None:
    report = read(
        "a.tsv",
        "What is <b>RAII</b>?\t<div>Tie it:</div><ul><li>acquire</li><li>release</li></ul><script>x()</script>\n",
    )
    assert report.questions[0].question == "What is **RAII**?"
    assert "- acquire\n- release" in report.questions[0].answer
    assert "x()" not in report.questions[0].answer


def test_a_bad_line_of_json_lines_is_reported_and_the_rest_goes_on(read: Callable[..., ImportReport]) -> None:
    report = read(
        "a.jsonl",
        '{"question": "What is a?", "answer": "The first letter."}\n{bad\n[]\n{"q": "What is b?", "a": "The next."}',
    )
    assert [q.question for q in report.questions] == ["What is a?", "What is b?"]
    bad = [p for p in report.documents[0].problems if p.detail.startswith("bad_json_line")]
    assert [(p.line, p.excerpt) for p in bad] == [(2, "{bad")]


def test_other_shapes_of_data(read: Callable[..., ImportReport]) -> None:
    assert read("p.json", '[["What is a pair?", "Two things."]]').found == 1
    assert (
        read(
            "i.json", '[{"instruction": "Explain gravity", "input": "", "output": "Masses attract each other."}]'
        ).found
        == 1
    )
    squad = '{"data": [{"title": "T", "paragraphs": [{"qas": [{"question": "Who?", "answers": [{"text": "The one from before."}]}]}]}]}'
    assert read("s.json", squad).questions[0].topic == "T"
    assert (
        read(
            "v.json",
            '{"conversations": [{"from": "human", "value": "Why?"}, {"from": "gpt", "value": "Because of it."}]}',
        ).found
        == 1
    )


def test_halves_of_characters_are_replaced(read: Callable[..., ImportReport]) -> None:
    report = read(
        "h.json",
        '[{"q": "What is \\ud83d here?", "a": "Half of a character, told as such by the reader.", "topic": "\\udc00x"}]',
    )
    assert report.questions[0].question == "What is \ufffd here?"
    assert report.documents[0].count("garbled") == 1


def test_questions_without_answers_in_data_are_reported(read: Callable[..., ImportReport]) -> None:
    report = read("q.yaml", "- question: What is missing?\n  answer: ''\n- What else is missing?\n")
    assert report.documents[0].count("no_answer") == 2


def test_a_question_table_within_a_text(read: Callable[..., ImportReport]) -> None:
    text = "# 缓存\n\n| 序号 | 问题 | 答案 |\n|---|---|---|\n| 1 | 什么是穿透? | 查询不存在的数据,<br>直达数据库。 |\n| 2 | 什么是雪崩? | 大量键同时过期。 |\n"
    report = read("t.md", text)
    assert [(q.number, q.answer) for q in report.questions] == [
        ("1", "查询不存在的数据,\n直达数据库。"),
        ("2", "大量键同时过期。"),
    ]
