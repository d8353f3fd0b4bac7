"""Answers to notes, how everyday ones are graded by the reference alone, and what the page says of it."""

import json
import re
from difflib import SequenceMatcher
from itertools import product

import numpy as np
import pytest

from evals.grading import notes
from evals.grading.command import ROOT, built_in_cross_encoder, built_in_encoder, built_in_grader
from evals.grading.data import battery, labelled_answers, without_points
from evals.grading.fit_joint import Remembering
from evals.grading.notes import EVERYDAY, KINDS, PARTS, SLIP_KINDS, everyday_answers, problems, slipped_answers
from evals.grading.outcomes import grade_rows, true_score
from evals.grading.outside import outside_answers
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.guarded import GuardedGrader
from interviewer.models import LANGUAGES, Verdict

DENIALS = re.compile(r"不|没|非|无|别|\bnot\b|n't\b|\bno\b|\bnever\b|\bnone\b|\bnor\b")
DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")


def test_every_answer_has_its_labels_and_none_has_a_problem():
    assert list(problems()) == []
    train, dev, test = (len(everyday_answers(part)) // len(KINDS) for part in PARTS)
    assert f"{train + dev + test} questions with terse notes" in DOCS
    assert f"{train} of them to learn from (since version 23), {dev} to choose and to fit by, {test} to measure" in DOCS
    brief, spoken = (
        [row for part in PARTS for row in everyday_answers(part) if row.source.startswith(manner)]
        for manner in EVERYDAY
    )
    assert f"To {len(brief) // len(KINDS)} of the questions they are brief" in DOCS
    assert f"to {len(spoken) // len(KINDS)} they are spoken" in DOCS
    train, test = (len(slipped_answers(part)) // len(SLIP_KINDS) for part in ("train", "test"))
    assert f"{train + test} other questions with such notes" in DOCS
    assert f"{train} of them to learn from (nothing shipped has), {test} to measure with" in DOCS


def test_the_kinds_are_what_they_are_called():
    for part in PARTS:
        right = {
            kind: np.mean([true_score(r) for r in everyday_answers(part) if r.source.endswith(kind)]) for kind in KINDS
        }
        assert right["full"] > 8
        assert 3.5 < right["half"] < 5.5
        assert right["little"] < 1.7


def test_who_speaks_says_it_at_length():
    brief, spoken = (
        [len(row.answer) for part in PARTS for row in everyday_answers(part) if row.source.startswith(manner)]
        for manner in EVERYDAY
    )
    assert np.median(spoken) > 2.5 * np.median(brief)


def test_readers_without_labels_mostly_agree():
    labels = {
        (row.group.removeprefix("notes/"), row.answer): row.label
        for part in PARTS
        for row in (*everyday_answers(part), *slipped_answers(part))
    }
    read = json.loads(notes.READINGS.read_text(encoding="utf-8"))
    letters = [pair for question, answer, said in read for pair in zip(labels[question, answer], said, strict=True)]
    same = sum(one == other for one, other in letters)
    assert (
        f"readers of {len(read)} of the answers, who saw no labels, give {same} of {len(letters)} points the same"
        in DOCS
    )


def test_the_page_says_how_they_are_graded_by_the_reference_alone():
    """Once the grader does better, the page has to say so."""
    rows = everyday_answers("test")
    outcomes = grade_rows(GuardedGrader(built_in_grader("encoder")), map(without_points, rows))
    told = re.findall(r"\| (brief|spoken), (zh|en), (full|half|little) \| (\d+) \| ([.\d]+) \| ([.\d]+) \|", DOCS)
    assert [tuple(each[:3]) for each in told] == [*product(EVERYDAY, LANGUAGES, KINDS)]
    for manner, language, kind, answers, right, given in told:
        those = [
            (true_score(row), outcome.grade.score)
            for row, outcome in zip(rows, outcomes, strict=True)
            if row.language == language and row.source == f"{manner}/{kind}"
        ]
        assert len(those) == int(answers)
        assert np.mean(those, axis=0) == pytest.approx([float(right), float(given)], abs=0.2)


def pairs_with_slips():
    rows = [row for part in PARTS for row in slipped_answers(part)]
    by_kind = {kind: [row for row in rows if row.source == f"slips/{kind}"] for kind in SLIP_KINDS}
    yield from zip(by_kind["right"], by_kind["slip"], strict=True)
    yield from zip(by_kind["right-again"], by_kind["slip-again"], strict=True)


def test_a_slip_changes_one_point_or_two_and_hardly_a_word():
    for right, slip in pairs_with_slips():
        assert right.question == slip.question
        assert "x" not in right.label
        assert 1 <= slip.label.count("x") <= 2
        assert all(one == other or other == "x" for one, other in zip(right.label, slip.label, strict=True))
        assert SequenceMatcher(None, right.answer, slip.answer, autojunk=False).ratio() > 0.7


def test_neither_length_nor_a_denial_tells_a_slip():
    both = [*pairs_with_slips()]
    right, slip = ([pair[at].answer for pair in both] for at in (0, 1))
    assert abs(np.mean([*map(len, slip)]) / np.mean([*map(len, right)]) - 1) < 0.05
    denied = [np.mean([len(DENIALS.findall(answer)) for answer in answers]) for answers in (right, slip)]
    assert abs(denied[0] - denied[1]) < 0.2


def test_the_page_says_what_a_slip_costs():
    """Once the grader does better, the page has to say so."""
    rows = slipped_answers("test")
    # The points found in these notes are mostly those given, so the second time little has to be read.
    grader = GuardedGrader(BuiltinGrader(built_in_encoder(), cross=Remembering(built_in_cross_encoder())))
    given, alone = grade_rows(grader, rows), grade_rows(grader, map(without_points, rows))
    told = re.findall(r"\| (zh|en) \| (right|with slips) \| (\d+) \| ([.\d]+) \| ([.\d]+) \| ([.\d]+) \|", DOCS)
    assert [tuple(each[:2]) for each in told] == [*product(LANGUAGES, ("right", "with slips"))]
    for language, kind, answers, *means in told:
        those = [
            (true_score(row), with_points.grade.score, without.grade.score)
            for row, with_points, without in zip(rows, given, alone, strict=True)
            if row.language == language and ("x" in row.label) == (kind == "with slips")
        ]
        assert len(those) == int(answers)
        assert np.mean(those, axis=0) == pytest.approx([*map(float, means)], abs=0.2)
    pairs = [
        ((true_score(rows[at]), given[at]), (true_score(rows[at + 1]), given[at + 1])) for at in range(0, len(rows), 2)
    ]
    ordered = np.mean(
        [(a.grade.score > b.grade.score) + (a.grade.score == b.grade.score) / 2 for (_, a), (_, b) in pairs]
    )
    falls = np.mean([(a.grade.score - b.grade.score, right - wrong) for (right, a), (wrong, b) in pairs], axis=0)
    called = [
        point.verdict
        for row, outcome in zip(rows, given, strict=True)
        for letter, point in zip(row.label, outcome.grade.points, strict=True)
        if letter == "x"
    ]
    assert f"the score falls by {falls[0]:.1f} where it should fall by {falls[1]:.1f}" in DOCS
    assert (
        f"the right answer of a pair gets more than the other {ordered:.0%}".rstrip("%") + " times of a hundred" in DOCS
    )
    covered = f"{called.count(Verdict.COVERED) / len(called):.0%}".rstrip("%")
    assert Verdict.CONTRADICTED not in called
    assert f"Of the points that are made wrong {covered} of a hundred are called covered, none contradicted" in DOCS


def test_what_is_wrong_with_them_is_told(tmp_path, monkeypatch):
    row = {
        "part": "test",
        "manner": "brief",
        "language": "en",
        "question": "What does a bloom filter cost?",
        "points": ["It can say yes wrongly"],
        "answers": ["sometimes it lies", "sometimes it lies", "这里写的是中文，不是英文"],
        "labels": ["c", "cm", "m"],
    }
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    monkeypatch.setattr(notes, "DATA", path)
    assert [problem.what for problem in problems()] == [
        "1 points",
        "the same twice: sometimes it lies",
        "labels cm of 1 points",
        "not in the question's language: 这里写的是中文，不是英文",
    ]


def test_what_is_to_be_learnt_from_comes_near_no_question_that_is_measured():
    measured = [row.question for part in ("dev", "test") for row in (*labelled_answers(part), *outside_answers(part))]
    measured += [row.question for row in (*battery(), *everyday_answers("test"), *slipped_answers("test"))]
    asked = list(dict.fromkeys(text for question in measured for text in question.question.values()))
    rows = (*everyday_answers("train"), *slipped_answers("train"))
    learnt = list(dict.fromkeys(row.group.removeprefix("notes/") for row in rows))
    encoder = built_in_encoder()
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in map(encoder.encode, (learnt, asked)))
    assert (one @ other.T).max() < 0.75
