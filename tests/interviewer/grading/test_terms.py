"""Words in a form that spellings share; weights; spelling similarity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.terms import keys, list_terms, stem, weight, word_similarity
from interviewer.language import fold


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("evaporate evaporated evaporation evaporates", True),
        ("optimize optimizer optimization optimizes", True),
        ("run running runs ran", True),
        ("gradient gradients", True),
        ("matrix matrices", True),
        ("process thread", False),
        ("cache catch", False),
    ],
)
def test_forms_of_a_word_share_a_stem(words: str, same: bool) -> None:
    assert (len({stem(word) for word in words.split()}) == 1) is same


def test_function_words_and_negations_are_no_words_of_their_own() -> None:
    assert keys("It is not the case that they do this") == [stem("case")]
    assert keys("这个其实也不是在那里") == []


def test_both_languages_and_full_width_forms_are_read() -> None:
    assert keys("ＫＶ Cache 的显存") == ["kv", stem("cache"), "显存"]
    assert keys("1,000 bytes, 50%") == ["1000", stem("bytes"), "50%"]


def test_terms_know_where_they_stand() -> None:
    text = "The  GPU 显存 is full"
    for term in list_terms(text):
        assert fold(text)[term.start : term.start + len(term.surface)] == term.surface


def test_common_words_weigh_less() -> None:
    assert weight(stem("function")) < weight(stem("bytecode")) <= weight("zyzzyva") <= 1
    assert weight("函数") < weight("碎片")


@pytest.mark.parametrize(
    ("a", "b", "least", "most"),
    [
        ("separat", "seperat", 0.5, 0.99),
        ("gradient", "gradint", 0.5, 0.99),
        ("存储空间", "空间", 0.5, 0.99),
        ("cache", "queue", 0.0, 0.3),
        ("128", "129", 0.0, 0.0),
        ("显存", "memory", 0.0, 0.0),
    ],
)
def test_spelling_similarity(a: str, b: str, least: float, most: float) -> None:
    assert least <= word_similarity(a, b) <= most
    assert word_similarity(a, b) == word_similarity(b, a)


@given(st.text(max_size=200))
def test_any_text_has_words(text: str) -> None:
    for term in list_terms(text):
        assert term.key
        assert 0 <= weight(term.key) <= 1
