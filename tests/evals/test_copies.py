"""Near copies of points, and what the page says of how they are read."""

import re
from pathlib import Path

import numpy as np
import pytest

from evals.grading.command import built_in_cross_encoder
from evals.grading.copies import SMALL, near_copies, read_near_copies, without_small_word
from interviewer.models import LANGUAGES, Language

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "grading.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "language", "shorter"),
    [
        ("缓存下来就避免了重算", "zh", "缓存下来避免了重算"),
        ("它不能恢复，也不该恢复", "zh", "它不能恢复，不该恢复"),
        ("只能读", "zh", ""),
        ("It can grow and may shrink", "en", "It grow and may shrink"),
        ("It can not grow", "en", ""),
        ("It grows", "en", ""),
    ],
)
def test_the_first_small_word_is_left_out_unless_it_is_denied_or_limited(
    text: str, language: Language, shorter: str
) -> None:
    assert without_small_word(text, language) == shorter


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_near_copy_lacks_one_word_and_nothing_else(language: Language) -> None:
    pairs = list(near_copies(language))
    assert len(pairs) > 30
    lengths = {len(whole) - len(shorter) for whole, shorter in pairs}
    assert lengths <= {len(word) + (language == "en") for word in SMALL[language]}


def test_a_reader_that_sees_a_contradiction_everywhere_is_counted_so() -> None:
    class Accusing:
        def predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
            return np.ones((len(pairs), 2))

    assert read_near_copies(Accusing(), "en").contradicted == 1


def test_the_page_says_how_often_the_shipped_one_takes_a_near_copy_for_its_opposite() -> None:
    """Once it has learnt better, the page has to say so."""
    cross = built_in_cross_encoder()
    told = re.search(r"(\d+) of a hundred Chinese and (\d+) of a hundred English near copies", PAGE)
    assert told
    for language, share in zip(("zh", "en"), told.groups(), strict=True):
        assert read_near_copies(cross, language).contradicted == pytest.approx(int(share) / 100, abs=0.1)
