"""Sentences changed by rule that still say the same."""

import random
import re
from collections import Counter
from difflib import SequenceMatcher

import pytest

from evals.answers import split
from evals.grading.restated import restate, restated_rows
from interviewer.models import LANGUAGES
from knowledge.bank import load_bank


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("缓存下来才能避免重算", "zh", {"缓存下来就能避免重算", "缓存下来才能不用重算"}),
        ("它会变", "zh", {"它变"}),
        ("甲的锁；乙的锁", "zh", {"乙的锁；甲的锁", "甲锁；乙的锁", "甲的锁，乙的锁"}),
        ("The cache avoids work", "en", {"The cache prevents work", "The cache needs no work"}),
        ("It can grow", "en", {"It grow", "basically, It can grow"}),
        ("It is not shared", "en", {"It isn't shared"}),
        ("reads blocks; writes pages", "en", {"writes pages; reads blocks", "reads blocks. writes pages"}),
    ],
)
def test_what_is_changed_means_the_same(text, language, expected):
    found = {restate(text, language, random.Random(seed), most=1) for seed in range(200)}
    assert expected <= found


@pytest.mark.parametrize(
    ("text", "language", "kept"),
    [
        ("参数不能合并", "zh", "不|无法|没法"),
        ("只能读", "zh", "[只仅]能"),
        ("It can not grow", "en", "can not"),
        ("It will only shrink", "en", "will (?:only|just|merely)"),
    ],
)
def test_nothing_that_is_denied_or_limited_is_left_out(text, language, kept):
    found = {restate(text, language, random.Random(seed), most=1) for seed in range(200)}
    assert all(re.search(kept, new) for new in found)


def test_a_clause_that_leans_on_the_one_before_stays_behind_it():
    found = {restate("A leaks; so it spills", "en", random.Random(seed), most=1) for seed in range(100)}
    assert found
    assert all(new.index("leaks") < new.index("spills") for new in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_point_of_the_bank_is_restated_and_stays_near(language):
    texts = [point.in_language(language) for question in load_bank() for point in question.points]
    restated = [restate(text, language, random.Random(number)) for number, text in enumerate(texts)]
    assert all(one != two for one, two in zip(texts, restated, strict=True))
    ratios = [SequenceMatcher(None, one, two).ratio() for one, two in zip(texts, restated, strict=True)]
    assert sum(ratios) / len(ratios) > 0.85


def test_training_questions_alone_are_learnt_from_and_being_near_tells_nothing():
    rows = list(restated_rows(random.Random(0)))
    assert all(split(row.group.removeprefix("bank/")) == "train" for row in rows if row.group.startswith("bank/"))
    kinds = Counter(row.source for row in rows)
    assert 0.4 < kinds["restated/turned"] / kinds["restated/said"] < 0.8
    assert kinds["restated/company"] > 500
    assert {letter for row in rows for letter in row.label} == {"c", "x", "m"}
    for row in rows:
        if row.source == "restated/said":
            assert row.answer != row.question.points[0].text[row.language]
            assert row.label == "c"
