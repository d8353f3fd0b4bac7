"""Claims of no question told right and wrong, and the answers that are put together of them."""

import json
import random
from collections import Counter

import numpy as np
import pytest

from evals.grading import data, told_apart
from evals.grading.command import ROOT, built_in_encoder
from evals.grading.outside import outside_answers
from evals.grading.told_apart import load_claims, problems, told_apart_rows
from evals.statements import load_claims as load_measured

DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
NEGATIONS = {
    "zh": ("不", "没", "别", "非", "无"),
    "en": (" not ", "n't ", " no ", " never ", " rather than ", " instead "),
}
NEAR, NEAR_EACH_OTHER, ROUNDING = 0.72, 0.85, 1e-3
"""Cosines of the built-in encoder, as docs/grading.md has them."""


def test_every_claim_has_its_sentences_and_none_has_a_problem():
    assert list(problems()) == []
    counts = Counter(claim.language for claim in load_claims())
    assert f"{len(load_claims()):,} claims ({counts['zh']:,} of them in Chinese)" in DOCS
    assert min(counts.values()) > 0.4 * counts.total()


def test_readers_call_them_what_their_writers_meant():
    claims = {claim.text: claim for claim in load_claims()}
    read = json.loads(told_apart.READINGS.read_text(encoding="utf-8"))
    kinds = [("c" if said in claims[text].true else "x", letter) for text, said, letter in read]
    assert all(said in (*claims[text].true, *claims[text].false) for text, said, _ in read)
    same = sum(meant == letter for meant, letter in kinds)
    assert f"readers of {len(read)} of the sentences, who saw no kinds, call {same} as they were meant" in DOCS


@pytest.mark.parametrize("language", ["zh", "en"])
def test_neither_length_nor_negation_tells_false_from_true(language):
    own = [claim for claim in load_claims() if claim.language == language]
    negated, lengths = {}, {}
    for kind in ("true", "false"):
        said = [text for claim in own for text in getattr(claim, kind)]
        hits = [any(word in f" {text.lower()} " for word in NEGATIONS[language]) for text in said]
        negated[kind], lengths[kind] = np.mean(hits), np.mean([len(text) for text in said])
    assert abs(negated["true"] - negated["false"]) < 0.12
    assert abs(lengths["true"] - lengths["false"]) < 0.08 * lengths["true"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_none_comes_near_what_is_measured_or_chosen_by(language):
    rows = [row for part in ("dev", "test") for row in (*data.labelled_answers(part), *outside_answers(part))]
    questions = {row.question.id: row.question for row in (*rows, *data.battery())}.values()
    points = [point.text[language] for each in questions for point in each.points if language in point.text]
    claims = [claim.text[language] for claim in load_measured() if not claim.is_learnt]
    assert f"(cosine {NEAR:.2f}, among themselves {NEAR_EACH_OTHER:.2f},".replace("0.", ".") in DOCS
    encode = built_in_encoder().encode
    learnt = np.asarray(encode([claim.text for claim in load_claims() if claim.language == language]))
    assert (learnt @ np.asarray(encode([*claims, *points])).T).max() < NEAR + ROUNDING
    assert np.triu(learnt @ learnt.T, 1).max() < NEAR_EACH_OTHER + ROUNDING


def test_answers_are_put_together_of_what_their_labels_say():
    rows = list(told_apart_rows(random.Random(1)))
    by_text = {claim.text: claim for claim in load_claims()}
    company = [row for row in rows if row.source == "apart/company"]
    for row in company:
        for point, letter in zip(row.question.points, row.label, strict=True):
            claim = by_text[point.in_language(row.language)]
            true, false = (any(text in row.answer for text in texts) for texts in (claim.true, claim.false))
            assert (true, false) == (letter == "c", letter == "x")
    told = Counter(point.in_language(row.language) for row in company for point in row.question.points)
    assert set(told.values()) == {1}
    assert len(told) > 0.9 * len(by_text)
    letters = Counter(letter for row in company for letter in row.label)
    assert all(letters[letter] > 0.1 * letters.total() for letter in "cxm")
    alone = [row for row in rows if row.source == "apart/alone"]
    assert Counter(row.label for row in alone) == dict.fromkeys("cx", 2 * len(by_text))
    assert all(
        row.answer in getattr(by_text[row.question.points[0].in_language(row.language)], kind)
        for row in alone
        for kind in [{"c": "true", "x": "false"}[row.label]]
    )
    assert 0.15 < sum(row.source == "apart/elsewhere" for row in rows) / len(by_text) < 0.35


def test_what_is_wrong_with_them_is_told(tmp_path, monkeypatch):
    claim = "a stack hands back the last element pushed before all the others"
    rows = [
        {
            "topic": "t",
            "language": "en",
            "claim": claim,
            "true": [claim + " do", "这里写的是中文，不是英文"],
            "false": ["It is first in, first out.", "It is first in, first out."],
        },
    ]
    path = tmp_path / "told-apart.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr(told_apart, "DATA", path)
    load_claims.cache_clear()
    found = [problem.what for problem in problems()]
    load_claims.cache_clear()
    assert found[0].startswith("not in its language")
    assert found[1].startswith("twice")
    assert found[2].startswith("shares (")
