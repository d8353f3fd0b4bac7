"""Answers told in pictures of which only some is right."""

import json
from difflib import SequenceMatcher

import numpy as np

from evals.grading import pictured
from evals.grading.command import ROOT
from evals.grading.notes import READINGS
from evals.grading.outcomes import true_score
from evals.grading.outside import outside_answers
from evals.grading.pictured import KINDS, PARTS, pictured_answers, problems
from interviewer.models import LANGUAGES

DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")


def test_every_answer_has_its_labels_and_none_has_a_problem():
    assert list(problems()) == []
    train, dev, test = (len({(row.group, row.language) for row in pictured_answers(part)}) for part in PARTS)
    assert f"{train + dev + test} of the questions outside the bank" in DOCS
    assert f"{train} of them to learn from (since version 25), {dev} to choose by, {test} to measure with" in DOCS
    for part in PARTS:
        assert {row.language for row in pictured_answers(part)} == {*LANGUAGES}


def test_a_problem_is_told(tmp_path, monkeypatch):
    group = outside_answers("test")[0].group
    language = outside_answers("test")[0].language
    entry = {"part": "test", "language": language, "question": group, "answers": ["?", "?"], "labels": ["c", "c"]}
    monkeypatch.setattr(pictured, "DATA", tmp_path / "pictured.jsonl")
    pictured.DATA.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    told = [problem.what for problem in problems()]
    assert "the same twice: ?" in told
    assert any("labels c of" in each for each in told)
    assert "labels c, c" in told


def test_they_are_as_long_as_right_ones_and_only_some_of_them_is_right():
    for part in PARTS:
        right = [len(row.answer) for row in outside_answers(part) if row.source == "outside/strong"]
        for kind in KINDS:
            rows = [row for row in pictured_answers(part) if row.source == f"pictured/{kind}"]
            assert 0.6 < np.mean([len(row.answer) for row in rows]) / np.mean(right) < 1.6, (part, kind)
            assert 4.5 < np.mean([true_score(row) for row in rows]) < 7.5


def test_hardly_a_word_is_taken_from_a_point():
    for part in PARTS:
        for row in pictured_answers(part):
            for point in row.question.points:
                text = point.in_language(row.language)
                shared = SequenceMatcher(None, text, row.answer, autojunk=False).find_longest_match()
                assert shared.size < (12 if row.language == "zh" else 40), (text, row.answer)


def test_readers_without_labels_mostly_agree():
    read = json.loads(READINGS.with_name("pictured-readings.json").read_text(encoding="utf-8"))
    labels = {row.answer: row.label for part in ("dev", "test") for row in pictured_answers(part)}
    assert {answer for answer, _ in read} == {*labels}
    letters = [pair for answer, said in read for pair in zip(labels[answer], said, strict=True)]
    same = sum(one == other for one, other in letters)
    assert f"readers of these {len(read)}, who saw no labels, give {same} of {len(letters)} points the same" in DOCS
