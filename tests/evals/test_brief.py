"""Brief everyday answers to notes, how they are graded by the reference alone, and what the page says of it."""

import json
import re

import numpy as np
import pytest

from evals.grading import brief
from evals.grading.brief import KINDS, brief_answers, problems
from evals.grading.command import ROOT, built_in_encoder, built_in_grader
from evals.grading.data import battery, labelled_answers, without_points
from evals.grading.outcomes import grade_rows, true_score
from evals.grading.outside import outside_answers
from interviewer.grading.guarded import GuardedGrader
from interviewer.models import LANGUAGES

DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")


def test_every_answer_has_its_labels_and_none_has_a_problem():
    assert list(problems()) == []
    train, test = (len(brief_answers(part)) // len(KINDS) for part in ("train", "test"))
    assert f"{train + test} questions with terse notes" in DOCS
    assert f"{train} of them to learn from, {test} to measure with" in DOCS


def test_the_kinds_are_what_they_are_called():
    for part in ("train", "test"):
        right = {
            kind: np.mean([true_score(r) for r in brief_answers(part) if r.source.endswith(kind)]) for kind in KINDS
        }
        assert right["full"] > 8
        assert 3.5 < right["half"] < 5.5
        assert right["little"] < 1.5


def test_a_reader_without_labels_mostly_agrees():
    labels = {
        (row.group.removeprefix("brief/"), row.answer): row.label
        for part in ("train", "test")
        for row in brief_answers(part)
    }
    read = json.loads(brief.READINGS.read_text(encoding="utf-8"))
    letters = [pair for question, answer, said in read for pair in zip(labels[question, answer], said, strict=True)]
    same = sum(one == other for one, other in letters)
    assert (
        f"a reader of {len(read)} of the answers, who saw no labels, gives {same} of {len(letters)} points the same"
        in DOCS
    )


def test_the_page_says_how_they_are_graded_by_the_reference_alone():
    """Once the grader does better, the page has to say so."""
    rows = brief_answers("test")
    outcomes = grade_rows(GuardedGrader(built_in_grader("encoder")), map(without_points, rows))
    told = re.findall(r"\| (zh|en), (full|half|little) \| (\d+) \| ([.\d]+) \| ([.\d]+) \|", DOCS)
    assert [tuple(each[:2]) for each in told] == [(language, kind) for language in LANGUAGES for kind in KINDS]
    for language, kind, answers, right, given in told:
        those = [
            (true_score(row), outcome.grade.score)
            for row, outcome in zip(rows, outcomes, strict=True)
            if row.language == language and row.source == f"brief/{kind}"
        ]
        assert len(those) == int(answers)
        assert np.mean(those, axis=0) == pytest.approx([float(right), float(given)], abs=0.2)


def test_what_is_wrong_with_them_is_told(tmp_path, monkeypatch):
    row = {
        "part": "test",
        "language": "en",
        "question": "What does a bloom filter cost?",
        "points": ["It can say yes wrongly"],
        "answers": ["sometimes it lies", "sometimes it lies", "这里写的是中文，不是英文"],
        "labels": ["c", "cm", "m"],
    }
    path = tmp_path / "brief.jsonl"
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    monkeypatch.setattr(brief, "DATA", path)
    assert [problem.what for problem in problems()] == [
        "1 points",
        "the same twice: sometimes it lies",
        "labels cm of 1 points",
        "not in the question's language: 这里写的是中文，不是英文",
    ]


def test_what_is_to_be_learnt_from_comes_near_no_question_that_is_measured():
    measured = [row.question for part in ("dev", "test") for row in (*labelled_answers(part), *outside_answers(part))]
    measured += [row.question for row in (*battery(), *brief_answers("test"))]
    asked = list(dict.fromkeys(text for question in measured for text in question.question.values()))
    learnt = list(dict.fromkeys(row.group.removeprefix("brief/") for row in brief_answers("train")))
    encoder = built_in_encoder()
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in map(encoder.encode, (learnt, asked)))
    assert (one @ other.T).max() < 0.75
