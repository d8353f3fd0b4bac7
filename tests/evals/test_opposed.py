"""Points told right and the wrong way round, and the answers that are put together of them."""

import json
import random
from collections import Counter

import pytest

from evals.grading import opposed
from evals.grading.command import ROOT
from evals.grading.opposed import load_opposed, opposed_rows, problems
from evals.grading.outside import outside_answers

DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
CONTRASTS = {"zh": ("不", "没", "别", "非"), "en": ("not", "n't", "rather than", "instead", "no ", "never", "far from")}


def test_every_point_of_many_questions_has_both_and_none_has_a_problem():
    assert list(problems()) == []
    assert len(load_opposed()) > 400
    assert sum(len(each.points) for each in load_opposed()) > 1500
    assert f"to every point of {len(load_opposed())} training questions outside the bank two texts" in DOCS
    assert f"of the {sum(len(each.points) for each in load_opposed()):,} points)" in DOCS
    assert {each.group for each in load_opposed()} <= {row.group for row in outside_answers("train")}


def test_a_reader_calls_them_what_their_writers_meant():
    points = {each.group: {point.id for point in each.question.points} for each in load_opposed()}
    stored = json.loads(opposed.READINGS.read_text(encoding="utf-8"))
    read = [(group, *name.split("/"), letter) for group, names in stored.items() for name, letter in names.items()]
    assert all(point in points[group] for group, point, _, _ in read)
    same = sum((kind, letter) in {("right", "c"), ("astray", "x")} for _, _, kind, letter in read)
    assert f"A reader of {len(read)} of them, who saw neither the kinds nor the other text, calls {same}" in DOCS


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_denial_proves_nothing(language):
    """Else the texts would teach that who denies something is right, or is wrong."""
    told = [each for entry in load_opposed() if entry.language == language for each in entry.points]
    shares = [
        sum(any(word in text for word in CONTRASTS[language]) for text in texts) / len(texts)
        for texts in ([each.right for each in told], [each.astray for each in told])
    ]
    assert min(shares) > 0.7
    assert abs(shares[0] - shares[1]) < 0.05


def test_answers_are_put_together_of_what_their_labels_say():
    rows = list(opposed_rows(random.Random(1)))
    told = {each.group: each.points for each in load_opposed()}
    company = [row for row in rows if row.source == "opposed/company"]
    assert len(company) == 2 * len(told)
    for row in company:
        for each, letter in zip(told[row.group], row.label, strict=True):
            assert (each.right in row.answer, each.astray in row.answer) == (letter == "c", letter == "x")
    letters = Counter(letter for row in company for letter in row.label)
    assert all(letters[letter] > 0.1 * letters.total() for letter in "cxm")
    alone = [row for row in rows if row.source == "opposed/alone"]
    assert Counter(row.label for row in alone) == dict.fromkeys("cx", sum(map(len, told.values())))


def test_what_is_wrong_with_them_is_told(tmp_path, monkeypatch):
    (first, *_) = (row for row in outside_answers("train") if row.language == "en")
    points = [point.in_language("en") for point in first.question.points]
    texts = [(points[0], "这里写的是中文，不是英文"), *(("said so", "said so") for _ in points[1:])]
    entry = {"question": first.group, "points": [dict(zip(("right", "astray"), pair, strict=True)) for pair in texts]}
    path = tmp_path / "opposed.yaml"
    path.write_text(opposed.yaml.safe_dump([entry, entry], allow_unicode=True), encoding="utf-8")
    monkeypatch.setattr(opposed, "DATA", path)
    load_opposed.cache_clear()
    found = [problem.what for problem in problems()]
    load_opposed.cache_clear()
    assert found[0].startswith("shares (")
    assert found[1].startswith("not in the question's language")
    assert found.count("the same twice") == 2 * (len(points) - 1)
    assert "twice" in found
