"""Telling languages apart, folding, sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.language import clean, detect, fold, sentences


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("KV Cache 会占多少显存?", "zh"),
        ("用 ZeRO-3 切分 optimizer states、gradients 和 parameters", "zh"),
        ("Use AllReduce to average gradients", "en"),
        ("The term 注意力 means attention", "en"),
        ("RoPE", "en"),
    ],
)
def test_languages_are_told_apart(text, language):
    assert detect(text) == language


def test_a_text_without_words_has_the_default_language():
    assert detect("123 !?", "zh") == "zh"


def test_full_width_case_and_space_fold():
    assert fold("ＦＰ１６，　Ａ") == fold("fp16, a") == "fp16, a"


def test_sentences_end_at_chinese_and_english_stops_but_not_in_numbers():
    assert sentences("先求和。Then step 0.5 times! 好吗？好") == ["先求和。", "Then step 0.5 times!", "好吗？", "好"]


@given(st.text())
def test_cleaning_leaves_nothing_hidden_and_is_stable(text):
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not set(cleaned) & set("\x00\u200b\u202e\ufeff\r")
