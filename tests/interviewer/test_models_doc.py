"""docs/models.md says what the code does."""

import re
from pathlib import Path

import pytest

from interviewer import chat_failures
from interviewer.chat_levels import Learned
from interviewer.grading import model, model_check
from interviewer.grading.model_prompt import MAX_ANSWER
from interviewer.settings import Settings, load_settings
from tests.protocol_server import BEHAVIOURS

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_every_setting_named_exists_with_the_default_told():
    fields = Settings.model_fields
    named = set(re.findall(r"INTERVIEWER_(\w+)", PAGE))
    assert {name.lower() for name in named} <= set(fields)
    for name in ("chat_timeout", "chat_deadline"):
        assert f"| `INTERVIEWER_{name.upper()}` | {fields[name].default:g} |" in PAGE


@pytest.mark.parametrize(
    "told",
    [
        f"more than {MAX_ANSWER:,} characters",
        f"({model_check.SURE:g}; {model_check.SURE_BESIDE:g} if",
        "prove " + {3: "three"}[model_check._CROWD] + " points",
        f"of {chat_failures.MAX_RETRY_AFTER:g} seconds or less",
        f"| {model_check._AGREED:g} | both",
        f"| {model_check._ALONE:g} | there is no",
        f"| {model_check._SETTLED:g} | contested, and",
        f"| {model_check._DIFFERENT:g} | the verdicts differ",
        f"| {model_check._OPEN:g} | contested and still open",
        f"| {model_check._VOID:g} | voided",
    ],
)
def test_every_figure_is_the_one_in_the_code(told):
    assert told in PAGE


def test_an_answer_not_shown_whole_has_the_confidence_told():
    assert model._UNSEEN_CONFIDENCE == model_check._OPEN


def test_our_own_key_comes_before_the_ecosystems_wherever_it_stands_as_told(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("INTERVIEWER_CHAT_API_KEY=sk-file\nINTERVIEWER_CHAT_BASE_URL=http://file/v1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INTERVIEWER_CHAT_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    found = load_settings()
    assert (found.chat_api_key.get_secret_value(), found.chat_base_url) == ("sk-file", "http://file/v1")
    monkeypatch.setenv("INTERVIEWER_CHAT_API_KEY", "sk-own")
    assert load_settings().chat_api_key.get_secret_value() == "sk-own"


def test_there_are_as_many_ways_to_ask_as_told():
    levels, way = [], Learned()
    while way:
        levels.append(way.level)
        way = way.lower()
    told = re.findall(r"^(\d)\. (.+?)[,.]$", PAGE.split("## How a reply")[1].split("##")[0], re.MULTILINE)
    assert len(dict.fromkeys(levels)) == len(told)


def test_the_behaviours_told_exist():
    assert all(f"`{name}`" in PAGE for name in BEHAVIOURS)
