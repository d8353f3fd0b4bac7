"""What is embedded of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.models import Point
from knowledge.index.passages import PASSAGE_WIDTH, cut, list_records, split_passages, width
from tests.knowledge.index.conftest import make_question


def test_each_language_gives_its_question_whole_and_passages() -> None:
    question = make_question("q", "问？|答。", "Ask?|Answer.")
    kinds = [(record.language, record.kind) for record in list_records(question)]
    assert kinds == [(language, kind) for language in ("zh", "en") for kind in ("question", "whole", "passage")]


def test_point_with_a_probe_is_embedded_under_its_question() -> None:
    probed = Point(id="a", text={"en": "It saves work."}, probe={"en": "What would be done twice?"})
    question = make_question(
        "q", en="Why a cache?|It saves work.", points=(probed, Point(id="b", text={"en": "Other."}))
    )
    points = [record for record in list_records(question) if record.kind == "point"]
    assert [point.embedded for point in points] == ["Why a cache?\nIt saves work.\nWhat would be done twice?"]


def test_another_text_or_set_is_another_record() -> None:
    first = {record.id for record in list_records(make_question("q", en="Ask?|Answer."))}
    edited = {record.id for record in list_records(make_question("q", en="Ask?|Another answer."))}
    moved = {record.id for record in list_records(make_question("q", en="Ask?|Answer.", set_name="mine"))}
    assert len(first & edited) == 1
    assert not first & moved


def test_heading_stays_with_what_follows() -> None:
    long = "Each step reads every weight once. " * 12
    assert split_passages(f"{long}\n\n## Cost\n\n{long}") == (long.strip(), f"## Cost\n{long.strip()}")


def test_code_block_stays_in_one_piece() -> None:
    code = "```python\na = 1\n\n\nb = 2\n```"
    prose = "A sentence about the code. " * 15
    assert split_passages(f"{prose}\n\n{code}\n\n{prose}")[0].endswith(code) or code in split_passages(
        f"{prose}\n\n{code}\n\n{prose}"
    )


def test_short_neighbours_are_joined() -> None:
    assert split_passages("One.\n\nTwo.\n\nThree.") == ("One.\nTwo.\nThree.",)


def test_long_paragraph_is_split_between_sentences() -> None:
    passages = split_passages("这是一个说明训练过程的句子。" * 100)
    assert len(passages) > 2
    assert all(passage.endswith("。") for passage in passages)


@given(st.text(alphabet="ab 。.\n#*`中文é🙂", max_size=3000))
def test_passages_are_bounded_and_lose_nothing(text: str) -> None:
    passages = split_passages(text)
    assert all(0 < width(passage) <= PASSAGE_WIDTH for passage in passages)
    kept = [c for passage in passages for c in passage if not c.isspace()]
    assert kept == [c for c in text if not c.isspace()]


@pytest.mark.parametrize(
    ("text", "columns", "expected"), [("abcdef", 3, "abc"), ("中文字", 5, "中文"), ("a中b", 4, "a中b")]
)
def test_cut_counts_chinese_twice(text: str, columns: int, expected: str) -> None:
    assert cut(text, columns) == expected
