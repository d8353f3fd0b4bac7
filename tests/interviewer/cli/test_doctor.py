"""The doctor's advice on embedding models."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from interviewer.cli.doctor import LARGER_MODELS, Finding, _duration, examine
from interviewer.compose import compose
from interviewer.settings import Settings


def findings(home: Path, **chosen: str) -> dict[str, Finding]:
    settings = Settings(home=home, chat_model="", chat_api_key=SecretStr(""), **chosen)  # type: ignore[arg-type]
    return {finding.what: finding for finding in examine(compose(settings))}


def test_a_larger_model_is_recommended_with_its_cost_where_none_was_chosen(indexed_home: Path) -> None:
    found = findings(indexed_home)
    advice = found["Embedding model"]
    assert advice.health == "note"
    assert "INTERVIEWER_EMBEDDING_MODEL" in advice.detail
    assert "index --rebuild" in advice.detail
    for model in LARGER_MODELS:
        start = advice.detail.index(model.name)
        for cost in (f"{model.download:g} GB to download", f"{model.memory:g} GB of memory", f"{model.speed:g} texts"):
            assert cost in advice.detail[start:]
    assert "interviewer-zh-en-v1" in found["Index"].detail  # the default stays


def test_whoever_chose_a_model_is_not_advised_to_choose_one(indexed_home: Path) -> None:
    assert "Embedding model" not in findings(indexed_home, embedding_model="interviewer-zh-en-v1")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "1 minute"), (61, "2 minutes"), (89 * 60, "89 minutes"), (90 * 60, "2 hours"), (7201, "3 hours")],
)
def test_durations_are_rounded_up(seconds: float, said: str) -> None:
    assert _duration(seconds) == said
