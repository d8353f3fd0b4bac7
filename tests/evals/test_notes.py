"""Answers to notes: what they are, and what the page says of how they are graded."""

import json
import re
from difflib import SequenceMatcher

import numpy as np

from evals.grading import notes
from evals.grading.command import RESULTS, ROOT
from evals.grading.notes import EVERYDAY, KINDS, PARTS, SLIP_KINDS, everyday_answers, problems, slipped_answers
from evals.grading.outcomes import true_score

DENIALS = re.compile(r"不|没|非|无|别|\bnot\b|n't\b|\bno\b|\bnever\b|\bnone\b|\bnor\b")
DOCS = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
RESULT = json.loads(RESULTS.read_text(encoding="utf-8"))


def questions(answers):
    return len({row.group for row in answers})


def test_every_answer_has_its_labels_and_none_has_a_problem():
    assert list(problems()) == []
    train, dev, test = (questions(everyday_answers(part)) for part in PARTS)
    assert f"{train + dev + test} questions with terse notes" in DOCS
    assert (
        f"{train} of them to learn from, {dev} to choose and to fit by, {test} to measure with. To each three" in DOCS
    )
    brief, spoken = (
        [questions(row for row in everyday_answers(part) if row.source.startswith(manner)) for part in PARTS]
        for manner in EVERYDAY
    )
    assert f"To {sum(brief)} of the questions they are brief" in DOCS
    assert f"to {sum(spoken)} they are spoken" in DOCS
    train, dev, test = spoken
    assert f"({train} to learn from, 427 of them since version 25, {dev} to choose and to fit by, {test} to" in DOCS
    train, dev, test = (questions(slipped_answers(part)) for part in PARTS)
    assert f"{train + dev + test} questions with such notes" in DOCS
    assert f"{train} of them to learn from (since version 24), {dev} to choose by, {test} to measure with" in DOCS
    learnt = {row.group for row in everyday_answers("train")}
    assert {row.group for row in slipped_answers("train")} <= learnt
    for part in ("dev", "test"):
        assert not {row.group for row in (*everyday_answers(part), *slipped_answers(part))} & learnt


def test_neither_length_nor_a_denial_tells_what_a_spoken_answer_makes():
    """Of those to learn from since version 25: else that would be learnt."""
    spoken = [row for row in everyday_answers("train") if row.source.startswith("spoken/")]
    lengths = [np.mean([len(row.answer) for row in spoken if row.source.endswith(kind)]) for kind in KINDS]
    assert max(lengths) / min(lengths) < 1.06
    denied = [np.mean([len(DENIALS.findall(r.answer)) for r in spoken if r.source.endswith(kind)]) for kind in KINDS]
    assert max(denied) / min(denied) < 1.25


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


def test_the_page_says_what_slips_and_answers_to_other_questions_get():
    """Once the grader does better, the page has to say so."""
    found = RESULT["encoder"]["answers"]
    slips, elsewhere = found["slips"], found["elsewhere"]
    assert f"the score falls by {slips['falls']} where it should fall by {slips['should_fall']}" in DOCS
    called = slips["called"]
    assert (
        f"are made wrong {called['covered']:.1%} are called covered, {called['contradicted']:.1%} contradicted" in DOCS
    )
    means = (elsewhere[name]["mean"] for name in ("given", "reference_only"))
    assert "It gets {} of 10 on average with points given, and {} with the reference alone".format(*means) in DOCS
    told = [each["given"] for kind, each in elsewhere["kinds"].items() if kind.startswith("outside/strong")]
    assert f"`outside/strong`, get up to {max(told)}" in DOCS
    half, wrong = (found["pictured"]["kinds"][kind] for kind in ("half", "wrong"))
    assert f"half of the points get {half['given']} of 10 where {half['right']} is right" in DOCS
    assert f"the wrong way round {wrong['given']} ({wrong['right']})" in DOCS


def test_full_everyday_answers_get_most_of_what_is_right():
    """And the page tells how well the spoken ones are ordered."""
    spoken = RESULT["encoder"]["answers"]["everyday"]["manners"]["spoken"]["reference_only"]["r"]
    assert f"there r is {spoken:.2f} with the reference alone".replace("0.", ".") in DOCS
    full = [each for kind, each in RESULT["encoder"]["answers"]["everyday"]["kinds"].items() if kind.endswith("full")]
    shares = [each["reference_only"]["given"] / each["right"] for each in full]
    assert 0.55 < min(shares) < max(shares) < 0.9, "docs/grading.md says six to eight tenths"
