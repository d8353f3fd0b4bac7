"""Points told nearly by heart and with a slip, how the shipped cross-encoder reads them, and what the page says of it."""

import json
import random
import re
from collections import Counter

import numpy as np
import pytest

from evals.grading import recited
from evals.grading.command import ROOT, built_in_cross_encoder
from evals.grading.recited import load_recited, part_of, problems, read_recited, recited_rows
from interviewer.models import LANGUAGES

DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
DENIALS = {"zh": "不|没|无|别|未", "en": r"\b(?:not|no|never|without|cannot)\b|n't"}


def words(text: str, language: str) -> Counter:
    return Counter(text.lower().split() if language == "en" else re.findall(r"\w", text.lower()))


def test_every_point_has_its_texts_and_none_has_a_problem():
    assert list(problems()) == []
    counts = Counter((part_of(each), each.language) for each in load_recited())
    learnt = counts["train", "zh"] + counts["train", "en"]
    measured = len(load_recited()) - learnt
    assert f"{len(load_recited()):,} points told nearly by heart and with a slip, {learnt} of them to learn" in DOCS
    assert all(counts[part, language] == measured / 4 for part in ("dev", "test") for language in LANGUAGES)


def test_a_reader_calls_them_what_their_writers_meant():
    texts = {
        (each.group, each.point.id, text): letter
        for each in load_recited()
        for some, letter in ((each.said, "c"), (each.slipped, "x"))
        for text in some
    }
    read = json.loads(recited.READINGS.read_text(encoding="utf-8"))
    same = sum(texts[group, point, text] == letter for group, point, text, letter in read)
    assert f"a reader of {len(read)} of the texts, who saw no kinds, calls {same} as they were meant" in DOCS


@pytest.mark.parametrize("language", LANGUAGES)
def test_neither_nearness_nor_a_denial_tells_a_slip_from_a_copy(language):
    own = [each for each in load_recited() if each.language == language]
    kept, denied = {}, {}
    for kind in ("said", "slipped"):
        pairs = [(words(each.text, language), each.text, text) for each in own for text in getattr(each, kind)]
        kept[kind] = np.mean([(point & words(text, language)).total() / point.total() for point, _, text in pairs])
        count = [len(re.findall(DENIALS[language], text)) for _, _, text in pairs]
        before = [len(re.findall(DENIALS[language], point)) for _, point, _ in pairs]
        denied[kind] = np.mean([one != other for one, other in zip(count, before, strict=True)])
    assert min(kept.values()) > 0.75
    assert abs(kept["said"] - kept["slipped"]) < 0.1
    assert abs(denied["said"] - denied["slipped"]) < 0.2


def test_training_questions_alone_are_learnt_from():
    rows = list(recited_rows(random.Random(0)))
    learnt = [each for each in load_recited() if part_of(each) == "train"]
    assert Counter(row.label for row in rows if row.source == "recited/alone") == dict.fromkeys("cx", 2 * len(learnt))
    assert {row.group for row in rows} == {each.group for each in learnt}
    company = [row for row in rows if row.source == "recited/company"]
    assert company
    for row in company:
        told = {each.point.id: each for each in learnt if (each.group, each.language) == (row.group, row.language)}
        for point, letter in zip(row.question.points, row.label, strict=True):
            said, slipped = (
                any(text in row.answer for text in texts) for texts in (told[point.id].said, told[point.id].slipped)
            )
            assert (said, slipped) == (letter == "c", letter == "x")


def test_the_page_says_how_the_shipped_one_reads_them():
    """Once it has learnt better, the page has to say so."""
    cross = built_in_cross_encoder()
    told = re.findall(r"\| (zh|en) \| ([.\d]+) \| (\d+) of 120 \| (\d+) of 120 \|", DOCS)
    assert [language for language, *_ in told] == ["zh", "en"]
    for language, apart, accused, found in told:
        read = read_recited(cross, "test", language)
        assert read.told_apart == pytest.approx(float(apart), abs=0.02)
        assert read.accused == pytest.approx(int(accused) / 120, abs=0.05)
        assert read.found == pytest.approx(int(found) / 120, abs=0.05)


def test_a_reader_that_sees_a_contradiction_everywhere_accuses_everyone():
    class Accusing:
        def predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
            return np.ones((len(pairs), 2))

    read = read_recited(Accusing(), "test", "en")
    assert read[1:] == (0.5, 1, 1)


def test_what_is_wrong_with_them_is_told(tmp_path, monkeypatch):
    first = load_recited()[0]
    row = {"group": first.group, "point": first.point.id, "language": first.language}
    bad = {**row, "said": ["一样的话", "一样的话"], "slipped": ["nothing of its language", "别的话"]}
    path = tmp_path / "recited.jsonl"
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in (bad, bad)), encoding="utf-8")
    monkeypatch.setattr(recited, "DATA", path)
    load_recited.cache_clear()
    found = [problem.what for problem in problems()]
    load_recited.cache_clear()
    assert found[:2] == ["the same twice", "not in the point's language: nothing of its language"]
    assert "twice" in found
