"""What a message means: two tables of utterances, half of them answers that look like requests."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.interview.understanding import RULES, understand

HERE = Path(__file__).parent


def table(name: str) -> list[tuple[str, str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("|", 1) for line in lines if line and not line.startswith("#")]
    return [(intent, text) for intent, text in rows]


WRITTEN = table("utterances_rules.txt")
HELD_OUT = table("utterances_heldout.txt")


@pytest.mark.parametrize(("intent", "text"), WRITTEN + HELD_OUT)
def test_utterance(intent: str, text: str) -> None:
    assert understand(text, asking=True, language="zh").intent == intent


def test_the_tables_are_large_and_half_of_them_answers() -> None:
    rows = WRITTEN + HELD_OUT
    answers = sum(intent == "answer" for intent, _ in rows)
    assert len(rows) >= 500
    assert answers / len(rows) >= 0.4
    chinese = sum(any("\u4e00" <= c <= "\u9fff" for c in text) for _, text in rows)
    assert 0.4 <= chinese / len(rows) <= 0.6


@pytest.mark.parametrize("text", ["next", "skip", "下一题", "继续", "continue", "next question please"])
def test_between_questions_going_on_means_next(text: str) -> None:
    assert understand(text, asking=False, language="zh").intent == "next"


@pytest.mark.parametrize("text", ["RoPE", "That was unfair.", "这个评分不对，我明明说了分片"])
def test_between_questions_free_text_is_a_note(text: str) -> None:
    assert understand(text, asking=False, language="en").intent == "note"


@pytest.mark.parametrize("text", ["  idk  ", "不知道😅", "ＩＤＫ", "I don’t know", "i\u200bdk", "不知道！！！"])
def test_width_emoji_quotes_and_invisible_characters_do_not_matter(text: str) -> None:
    assert understand(text, asking=True, language="zh").intent == "concede"


def test_the_text_is_returned_as_written_and_the_rule_is_named() -> None:
    understood = understand("  Hint please \n", asking=True, language="en")
    assert understood.text == "Hint please"
    assert understood.rule == "english: a hint"


@pytest.mark.parametrize("text", ["```python\nskip()\n```", "def stop(): pass", "x = hint", "stop()"])
def test_code_is_an_answer(text: str) -> None:
    assert understand(text, asking=True, language="en").intent == "answer"


@given(st.text(max_size=300))
def test_any_text_is_understood_and_long_text_is_an_answer(text: str) -> None:
    assert understand(text, asking=True, language="zh").text == text.strip()
    assert understand(text + " sharded states" * 30, asking=True, language="zh").intent == "answer"


@given(
    st.lists(
        st.sampled_from(
            ["我", "不", "想", "the ", "can i ", "please ", "给", "个", "还是", "?", "know ", "what ", " "]
        ),
        max_size=80,
    )
)
def test_no_mixture_of_request_words_is_read_slowly(words: list[str]) -> None:
    assert understand("".join(words), asking=True, language="zh").intent


def test_rule_names_are_unique() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
