"""Candidates' own answers: labels that two readers stand behind, and figures that say how far the grader is from them."""

import pytest

from evals import candidates
from evals.answers import LABELS, AnswerSet, LabelledAnswer, split
from evals.candidates import (
    CONTRAST,
    FITTED,
    GROUPS,
    STRANGERS,
    THIRD,
    load_candidates,
    problems,
    readings,
)
from evals.grading.data import candidate_answers, labelled_answers, mistaken_answers
from evals.grading.labelled import candidate_figures
from evals.grading.outcomes import Outcome
from evals.grading.report import DOCS
from interviewer.models import Grade, GraderInfo, PointGrade
from knowledge.bank import load_bank


@pytest.fixture(scope="module")
def bank():
    return load_bank()


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_the_questions_have_them_and_those_of_the_test_split_were_read_twice(bank, group):
    assert list(problems(bank, group)) == []
    tested = [question.id for question in bank if split(question.id) == "test"]
    answered = [entry.question for entry in load_candidates(group)]
    asked = {question for question, _, _ in readings(group)}
    if group == STRANGERS:
        assert [question for question in tested if question in answered] == answered
        assert asked == set(answered)
        assert len(asked) >= 20
    else:
        assert answered == [question.id for question in bank]
        assert asked == set(tested)
    assert len(candidate_answers("test", group=group)) == 2 * len(group.kinds) * len(asked)


def test_those_that_are_only_fitted_on_leave_the_test_split_alone(bank):
    assert list(problems(bank, THIRD)) == []
    asked = [entry.question for entry in load_candidates(THIRD)]
    assert len(asked) > 90
    assert {split(question) for question in asked} == {"train", "dev"}
    assert candidate_answers("test", group=THIRD) == []
    assert len(candidate_answers("train", "dev", group=THIRD)) == 2 * len(THIRD.kinds) * len(asked)
    assert THIRD in FITTED


def test_nothing_of_strangers_is_fitted_on():
    assert STRANGERS not in FITTED
    assert {split(entry.question) for entry in load_candidates(STRANGERS)} == {"test"}
    fitted = {row.answer for group in FITTED for row in candidate_answers("train", "dev", group=group)}
    assert not fitted & {row.answer for row in candidate_answers("test", group=STRANGERS)}


def test_the_scorer_is_not_fitted_on_those_who_tell_what_things_are_not():
    assert CONTRAST not in FITTED
    assert {split(entry.question) for entry in load_candidates(CONTRAST)} == {"train", "dev", "test"}
    right = [row for row in candidate_answers("test", group=CONTRAST) if not row.source.endswith("/astray")]
    assert all("x" not in row.label for row in right)


def test_the_page_says_how_often_the_readers_of_these_agree():
    read = readings(CONTRAST).values()
    letters = [pair for each in read for pair in zip(each.first, each.second, strict=True)]
    same = sum(first == second for first, second in letters)
    assert f"They agree with each other on {same:,} of {len(letters):,} points" in DOCS.read_text(encoding="utf-8")


def test_none_was_seen_by_the_other_writers():
    own = [row.answer for group in GROUPS for row in candidate_answers("test", group=group)]
    assert len(set(own)) == len(own)
    others = {row.answer for row in (*labelled_answers("test"), *mistaken_answers("test"))}
    assert not others & set(own)


def said(kind: str, labels: str) -> LabelledAnswer:
    return LabelledAnswer(kind=kind, voice="terse", labels=labels, text="Hm.")


def test_what_is_missing_or_disagrees_is_named(bank, monkeypatch):
    question = next(each for each in bank if split(each.id) == "test")
    wanted = tuple(point.id for point in question.points)
    right, other = "c" * len(wanted), "m" * len(wanted)
    entry = AnswerSet(question=question.id, points=wanted[1:], en=(said("senior", right), said("junior", "c")))
    monkeypatch.setattr(candidates, "load_candidates", lambda group: [entry])
    monkeypatch.setattr(
        candidates.json, "loads", lambda text: {question.id: {"en": {"senior": [other, other], "junior": ["c", "m"]}}}
    )
    found = [problem.what for problem in problems([question])]
    assert any("points should be" in what for what in found)
    assert any("wanted" in what for what in found)
    assert sum("both readers say m" in what for what in found) == len(wanted)
    assert any("nothing of the test split" in problem.what for problem in problems([question], THIRD))
    fitted = next(each for each in bank if split(each.id) == "train")
    monkeypatch.setattr(candidates, "load_candidates", lambda group: [entry.model_copy(update={"question": fitted.id})])
    assert any("only the test split" in problem.what for problem in problems([fitted], STRANGERS))


def follow(row, letters: str) -> Outcome:
    points = tuple(
        PointGrade(id=p.id, text="t", weight=p.weight, verdict=LABELS[letter], quote="q", confidence=0.8)
        for p, letter in zip(row.question.points, letters, strict=True)
    )
    return Outcome(row, Grade(status="graded", points=points, grader=GraderInfo(name="builtin")), 0.01)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_a_grader_that_says_what_was_settled_is_perfect_and_the_readers_are_measured_by_each_other(group):
    rows = candidate_answers("test", group=group)
    outcomes = [follow(row, row.label) for row in rows]
    figures = candidate_figures(outcomes, outcomes)
    assert (figures["r"], figures["covered_f1"]) == (1, 1)
    assert figures["mae"] < 0.1  # scores are rounded
    pairs = [pair for each in readings(group).values() for pair in zip(each.first, each.second, strict=True)]
    assert figures["readers"]["agree"] == round(sum(a == b for a, b in pairs) / len(pairs), 3)
    assert 0.7 < figures["readers"]["kappa"] < 1
    assert set(figures["kinds"]) == set(group.kinds)
