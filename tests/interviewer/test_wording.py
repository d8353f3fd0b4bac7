"""Both languages say everything, with the same values filled in."""

import re
import string
from pathlib import Path

import pytest

from interviewer.wording import keys, say, sentences

ROOT = Path(__file__).resolve().parents[2]


class Named(dict):
    """Every value there could be, each as its own name in braces."""

    def __missing__(self, name):
        return f"{{{name}}}"


def said(key, language):
    """The sentence with its fields left in."""
    return sentences(language)[key].format_map(Named())


def fields(key, language):
    return {name for _, name, _, _ in string.Formatter().parse(said(key, language)) if name}


def test_both_languages_have_the_same_sentences():
    assert keys("zh") == keys("en")


@pytest.mark.parametrize("key", sorted(keys("en")))
def test_a_sentence_takes_the_same_values_in_both_languages(key):
    assert fields(key, "zh") == fields(key, "en")


@pytest.mark.parametrize("key", sorted(keys("en") - {"topics_joint", "report_open"}))
def test_chinese_is_chinese_and_english_is_english(key):
    assert re.search("[\u4e00-\u9fff]", re.sub("{.*?}", "", said(key, "zh")))
    assert not re.search("[\u4e00-\u9fff]", re.sub("{.*?}", "", said(key, "en")))


def test_every_sentence_is_said_somewhere():
    files = (p for part in ("interviewer", "knowledge") for p in (ROOT / part).rglob("*") if p.suffix in (".py", ".j2"))
    code = "".join(p.read_text(encoding="utf-8") for p in files)
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
        "model_",
    )
    unused = [
        key for key in keys("en") if f'"{key}"' not in code and f"'{key}'" not in code and not key.startswith(built)
    ]
    assert not unused


def test_an_unknown_sentence_is_an_error():
    with pytest.raises(KeyError):
        say("no such sentence", "en")
