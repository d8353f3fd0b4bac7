"""Putting words and meaning together, and taking common texts down."""

import numpy as np
import pytest

from knowledge.index.commonness import DISCOUNT, Commonness
from knowledge.index.hybrid import LEXICAL_WEIGHT, Match, fuse, join_matches
from tests.knowledge.index.conftest import WordModel


def test_words_decide_between_equal_meanings_and_meaning_between_equal_words() -> None:
    words = fuse({"more": 0.3, "fewer": 0.3}, {"more": 0.4, "fewer": 0.1}, "en")
    assert words["more"] > words["fewer"]
    meaning = fuse({"near": 0.5, "far": 0.1}, {"near": 0.2, "far": 0.2}, "zh")
    assert meaning["near"] > meaning["far"]


def test_words_count_more_for_a_chinese_query() -> None:
    assert LEXICAL_WEIGHT["zh"] > LEXICAL_WEIGHT["en"] > 0
    by_words, by_meaning = {"words": 0.5}, {"meaning": 0.3}
    chinese, english = (fuse(by_meaning, by_words, language) for language in ("zh", "en"))
    assert chinese["words"] > chinese["meaning"]
    assert english["words"] < english["meaning"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_scores_stay_between_0_and_1(language: str) -> None:
    near = {"best": 1.0, "second": 0.95, "worst": -1.5}
    scores = fuse(near, {"best": 1.0, "second": 1.0}, language)  # type: ignore[arg-type]
    assert 0.9 < scores["second"] < scores["best"] <= 1
    assert scores["worst"] == 0


def test_best_match_of_each_kind_counts() -> None:
    one = join_matches([Match("question", 0.2), Match("passage", 0.1)])
    better = join_matches([Match("question", 0.2), Match("passage", 0.1), Match("passage", 0.6)])
    assert better > one
    assert join_matches([Match("question", 0.2)]) == pytest.approx(0.2)
    assert join_matches([]) == 0


def test_text_that_all_probes_are_near_to_is_taken_down() -> None:
    class Probes(WordModel):
        def encode(self, texts: list[str], *, query: bool = False) -> np.ndarray:
            return np.tile(np.array([1.0, 0.0, 0.0], dtype=np.float32), (len(texts), 1))

    commonness = Commonness(Probes())
    common, rare = commonness.extend(np.array([[0.8, 0.6, 0.0], [0.0, 0.6, 0.8]], dtype=np.float32))
    query = commonness.extend_query(np.array([0.0, 1.0, 0.0], dtype=np.float32))
    assert rare @ query == pytest.approx(0.6)
    assert common @ query == pytest.approx(0.6 - DISCOUNT * 0.8)
