"""Claims with true and false sentences in the same words, and what the grader makes of them."""

import json

import pytest

from evals.answers import LABELS, split
from evals.grading.command import RESULTS
from evals.grading.data import Graded, statement_answers
from evals.grading.labelled import statement_figures
from evals.grading.outcomes import Outcome, grade_rows
from evals.statements import KINDS, LETTERS, load_claims
from interviewer.models import LANGUAGES, Grade, GraderInfo, PointGrade, Verdict
from knowledge.bank import load_bank

CLAIMS = load_claims()


def test_every_claim_has_its_sentences_in_both_languages():
    assert len(CLAIMS) > 600
    for claim in CLAIMS:
        for language in LANGUAGES:
            assert claim.text[language]
            assert [len(claim.said[kind][language]) for kind in KINDS] == [2, 1, 2]


def test_no_sentence_stands_twice():
    said = [
        text
        for claim in CLAIMS
        for by_language in claim.said.values()
        for texts in by_language.values()
        for text in texts
    ]
    assert len(said) == len(set(said))


def test_claims_of_the_bank_are_points_of_training_questions_word_for_word():
    points = {q.id: [point.text for point in q.points] for q in load_bank()}
    for claim in CLAIMS:
        assert (claim.topic == "bank") == (claim.question is not None)
        if claim.question:
            assert split(claim.question) == "train"
            assert claim.text in [
                {language: text[language] for language in LANGUAGES} for text in points[claim.question]
            ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_neither_length_nor_negation_tells_false_from_true(language):
    marks = ("不", "没", "别") if language == "zh" else (" not ", "n't ", " no ", " never ")

    def figures(kind: str) -> tuple[float, float]:
        said = [text for claim in CLAIMS for text in claim.said[kind][language]]
        negated = sum(any(mark in f" {text.lower()} " for mark in marks) for text in said) / len(said)
        return negated, sum(map(len, said)) / len(said)

    (true_negated, true_length), (false_negated, false_length) = figures("true"), figures("false")
    assert abs(true_negated - false_negated) < 0.12
    assert abs(true_length - false_length) < 0.08 * true_length


def test_two_claims_of_five_are_kept_for_the_figures_and_none_of_the_bank():
    kept = [claim for claim in CLAIMS if not claim.is_learnt]
    free = [claim for claim in CLAIMS if claim.question is None]
    assert all(claim.question is None for claim in kept)
    assert 0.33 < len(kept) / len(free) < 0.47


def test_answers_are_sentences_about_one_point_and_none_is_about_the_bank():
    rows = statement_answers()
    assert {row.source for row in rows} == {f"statements/{kind}" for kind in KINDS}
    assert all(len(row.question.points) == len(row.label) == 1 for row in rows)
    assert len(rows) == sum(not claim.is_learnt for claim in CLAIMS) * len(LANGUAGES) * 5
    bank = {point.text[language] for q in load_bank() for point in q.points for language in LANGUAGES}
    assert not bank & {row.question.points[0].text[row.language] for row in rows}


def graded(row: Graded, letter: str) -> Outcome:
    (point,) = row.question.points
    made = PointGrade(id=point.id, text="t", weight=1, verdict=LABELS[letter], quote="q", confidence=0.8)
    return Outcome(row, Grade(status="graded", points=(made,), grader=GraderInfo(name="builtin")), 0.01)


def test_who_knows_puts_every_true_sentence_above_the_false_ones_and_who_believes_all_guesses():
    rows = statement_answers()[:200]
    knows = statement_figures([graded(row, row.label) for row in rows])
    believes = statement_figures([graded(row, "c") for row in rows])
    for language in LANGUAGES:
        assert knows[language]["order"] == 1
        assert (knows[language]["true"], knows[language]["half"], knows[language]["false"]) == (10, 5, 0)
        assert knows[language]["called"]["false"]["contradicted"] == 1
        assert believes[language]["order"] == 0.5
        assert believes[language]["called"]["false"] == {v.value: float(v == Verdict.COVERED) for v in Verdict}
        assert knows[language]["claims"] == 20
    assert LETTERS == {"true": "c", "half": "p", "false": "x"}


def test_the_shipped_grader_does_as_was_published(shipped):
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["statements"]
    groups = sorted({row.group for row in statement_answers()})[::3]
    rows = [row for row in statement_answers() if row.group in groups]
    figures = statement_figures(grade_rows(shipped, rows))
    for language in LANGUAGES:
        assert figures[language]["order"] == pytest.approx(published[language]["order"], abs=0.09)
        for kind in KINDS:
            assert figures[language][kind] == pytest.approx(published[language][kind], abs=1.0)


def test_what_candidates_are_told_of_the_built_in_grader_still_holds():
    """It is said to seldom notice a mistake told in the right words: once it does, the words must change.

    To put the true sentence above the false one less than two times of three (a guess: one of two), and to call fewer
    than one false one of ten contradicted, is seldom.
    """
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["statements"]
    for language in LANGUAGES:
        assert published[language]["intervals"]["order"][1] < 2 / 3
        assert published[language]["called"]["false"]["contradicted"] < 0.1
