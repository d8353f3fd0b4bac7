"""Sentences turned into their opposite by rule."""

import random

import pytest

from evals.grading.turned import deny, turn
from interviewer.models import LANGUAGES
from knowledge.bank import load_bank


@pytest.mark.parametrize(
    ("text", "language", "turned"),
    [
        ("Larger batches help", "en", {"smaller batches help", "Larger batches hurt"}),
        ("The cache is shared", "en", {"The cache is not shared", "The cache is private"}),
        ("It cannot be merged", "en", {"It can be merged"}),
        ("rows rather than columns", "en", {"columns rather than rows"}),
        ("about 16 bytes", "en", {"about 160 bytes", "about 64 bytes", "about 8 bytes"}),
        ("显存增加", "zh", {"显存减少"}),
        ("权重不会更新", "zh", {"权重会更新", "权重不会冻结", "激活不会更新"}),
        ("参数能合并", "zh", {"参数能拆分", "参数不能合并", "梯度能合并"}),
        ("按列切而不是按行切", "zh", {"按行切而不是按列切", "按列切而不是按列切", "按行切而不是按行切"}),
        ("a fish swims", "en", {None}),
    ],
)
def test_one_place_is_turned(text, language, turned):
    found = {turn(text, language, random.Random(seed)) for seed in range(40)}
    assert found <= turned
    assert found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_point_of_the_bank_can_be_turned_and_is_another_text_then(language):
    texts = [point.in_language(language) for question in load_bank() for point in question.points]
    turned = [turn(text, language, random.Random(number)) for number, text in enumerate(texts)]
    assert sum(text is not None for text in turned) > 0.9 * len(texts)
    assert all(text != other for text, other in zip(texts, turned, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_denied_still_stands_there(language):
    text = {"en": "Larger batches help", "zh": "批越大越好"}[language]
    denied = {deny(text, language, random.Random(seed)) for seed in range(60)}
    assert len(denied) >= 5
    assert all(text.lower() in said.lower() and len(said) > len(text) for said in denied)
