"""The answers with mistakes in them and the honest ones keep their promises; the check notices where they don't."""

import json

import pytest

from evals import mistakes
from evals.answers import AnswerSet, LabelledAnswer, split
from evals.grading.command import RESULTS
from evals.grading.data import (
    answers_to_fit,
    honest_answers,
    labelled_answers,
    mistaken_answers,
    mistakes_to_fit,
    without_points,
)
from evals.grading.labelled import mistake_figures
from evals.grading.outcomes import Outcome, grade_rows
from evals.mistakes import load_mistakes, main, problems
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.guarded import GuardedGrader
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict
from knowledge.bank import load_bank
from knowledge.encoder.light import LightEncoder


@pytest.fixture(scope="module")
def bank():
    return load_bank()


def test_every_question_has_its_answers_and_none_has_a_problem(bank):
    topics = sorted({question.topic for question in bank})
    assert [problem for topic in topics for problem in problems(topic, bank)] == []
    assert sum(len(entry.zh) + len(entry.en) for topic in topics for entry in load_mistakes(topic)) == 8 * len(bank)


def said(kind: str, labels: str, text: str = "Hm.") -> LabelledAnswer:
    return LabelledAnswer(kind=kind, voice="terse", labels=labels, text=text)


def complaints(bank, monkeypatch, *answers: LabelledAnswer) -> list[str]:
    question = bank[0]
    entry = AnswerSet(question=question.id, points=tuple(p.id for p in question.points), en=answers)
    monkeypatch.setattr(mistakes, "load_mistakes", lambda topic: [entry])
    return [problem.what for problem in problems(question.topic, [question])]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (said("wrong", "x"), "1 labels for"),
        (said("wrong", "cxxxx"), "x and m alone"),
        (said("wrong", "mmmmm"), "x and m alone"),
        (said("mixed", "xxxxm"), "both c and x"),
        (said("corrected", "cxccc"), "c and no x"),
        (said("compared", "mmmmm"), "c and no x"),
        (said("strong", "ccccc"), "wanted ['wrong', 'mixed', 'corrected', 'compared']"),
    ],
)
def test_bad_labels_are_named(bank, monkeypatch, answer, complaint):
    assert any(complaint in what for what in complaints(bank, monkeypatch, answer))


def test_what_is_right_in_the_words_of_the_reference_is_named(bank, monkeypatch):
    text = bank[0].reference_in("en")
    labels = "cx" + "m" * (len(bank[0].points) - 2)
    for kind in ("mixed", "compared"):
        found = complaints(bank, monkeypatch, said(kind, labels, text), said("wrong", labels.replace("c", "x")))
        assert any("with the reference" in what for what in found)


def test_missing_and_unknown_questions_are_named(bank, monkeypatch):
    ghost = AnswerSet(question="ghost", points=())
    monkeypatch.setattr(mistakes, "load_mistakes", lambda topic: [ghost])
    found = {problem.where: problem.what for problem in problems(bank[0].topic, [bank[0]])}
    assert found == {bank[0].id: "no answers yet", "ghost": "no such question in this topic"}


def test_the_command_says_what_it_wants(capsys):
    assert main([]) == 2
    assert "Usage" in capsys.readouterr().err
    assert main(["check", "interviewing"]) == 0
    assert "0 problems" in capsys.readouterr().out


def test_what_is_fitted_on_is_never_measured_with():
    fitted = [*mistakes_to_fit(), *answers_to_fit()]
    measured = [*mistaken_answers("test"), *honest_answers("test")]
    assert {split(row.group.removeprefix("bank/")) for row in fitted} == {"train"}
    assert {split(row.group.removeprefix("bank/")) for row in measured} == {"test"}
    kinds = {"mistakes/wrong", "mistakes/mixed", "honest/corrected", "honest/compared"}
    assert {row.source for row in measured} == kinds
    assert kinds <= {row.source for row in fitted}
    assert not {row.answer for row in measured} & {row.answer for row in labelled_answers("test")}


def graded(row, verdicts) -> Outcome:
    points = tuple(
        PointGrade(id=p.id, text="t", weight=p.weight, verdict=v, quote="q", confidence=0.8)
        for p, v in zip(row.question.points, verdicts, strict=True)
    )
    return Outcome(row, Grade(status="graded", points=points, grader=GraderInfo(name="builtin")), 0.01)


def test_the_figures_count_what_contradicted_points_were_called():
    rows = mistaken_answers("dev")[:8]
    taken_in = [graded(row, [Verdict.COVERED] * len(row.label)) for row in rows]
    suspicious = [graded(row, [Verdict.CONTRADICTED] * len(row.label)) for row in rows]
    figures = mistake_figures(taken_in, suspicious)
    assert figures["contradicted"] == sum(row.label.count("x") for row in rows)
    assert (figures["called"]["covered"], figures["called"]["contradicted"], figures["falsely"]) == (1, 0, 0)
    assert figures["kinds"]["wrong"]["given"] == 10
    assert figures["kinds"]["wrong"]["reference_only"]["given"] == 0
    assert (figures["kinds"]["wrong"]["right"], figures["kinds"]["mixed"]["right"]) < (0.1, 10)
    assert mistake_figures(suspicious, taken_in)["falsely"] == 1


def test_the_shipped_grader_is_no_more_taken_in_than_was_published():
    rows = [row for row in mistaken_answers("test") if row.source == "mistakes/wrong"][::4]
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["mistakes"]["kinds"]["wrong"]
    grader = GuardedGrader(BuiltinGrader(LightEncoder()))
    for graded_rows, figures in ((rows, published), ([*map(without_points, rows)], published["reference_only"])):
        scores = [outcome.score for outcome in grade_rows(grader, graded_rows)]
        assert sum(scores) / len(scores) <= figures["intervals"]["given"][1] + 1
        assert figures["given"] <= 5
