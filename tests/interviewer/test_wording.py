"""Both languages say everything, with the same values filled in."""

import re
import string
from pathlib import Path

import pytest

from interviewer.wording import keys, say

SOURCES = Path(__file__).resolve().parents[2] / "interviewer"


def fields(key, language):
    text = say(key, language, **{f: f"{{{f}}}" for f in FIELDS})
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


FIELDS = [
    "left",
    "overall",
    "used",
    "planned",
    "times",
    "track",
    "rounds",
    "minutes",
    "title",
    "sentence",
    "number",
    "count",
    "topics",
    "question",
    "limit",
    "reason",
    "scored",
    "asked",
    "score",
    "grader",
    "model",
    "date",
    "first",
    "second",
    "decided",
]


def test_both_languages_have_the_same_sentences():
    assert keys("zh") == keys("en")


@pytest.mark.parametrize("key", sorted(keys("en")))
def test_a_sentence_takes_the_same_values_in_both_languages(key):
    assert fields(key, "zh") == fields(key, "en")


@pytest.mark.parametrize("key", sorted(keys("en") - {"topics_joint", "report_open"}))
def test_chinese_is_chinese_and_english_is_english(key):
    assert re.search("[\u4e00-\u9fff]", say(key, "zh", **dict.fromkeys(FIELDS, "x")))
    assert not re.search("[\u4e00-\u9fff]", say(key, "en", **dict.fromkeys(FIELDS, "x")))


def test_every_sentence_is_said_somewhere():
    code = "".join(p.read_text(encoding="utf-8") for p in SOURCES.rglob("*") if p.suffix in (".py", ".j2"))
    built = (
        "dispute_",
        "greeting_",
        "clarify_",
        "closed_",
        "ended_",
        "why_",
        "verdict_",
        "earned_",
        "grader_",
        "report_",
    )
    unused = [
        key for key in keys("en") if f'"{key}"' not in code and f"'{key}'" not in code and not key.startswith(built)
    ]
    assert not unused


def test_an_unknown_sentence_is_an_error():
    with pytest.raises(KeyError):
        say("no such sentence", "en")
