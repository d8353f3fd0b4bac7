"""The labelled answers keep their promises, and the check notices where they don't."""

import pytest

from evals import answers
from evals.answers import AnswerSet, LabelledAnswer, load_answers, problems, split, topics
from knowledge.bank import load_bank


@pytest.fixture(scope="module")
def bank():
    return load_bank()


def test_every_question_has_its_answers_and_none_has_a_problem(bank):
    assert [problem for topic in topics() for problem in problems(topic, bank)] == []


def test_questions_fall_on_one_side_of_the_split(bank):
    sides = [split(q.id) for q in bank]
    assert {"train", "dev", "test"} == set(sides)
    assert sides.count("test") >= len(bank) * 0.2
    assert sides == [split(q.id) for q in bank]


def said(kind: str, labels: str, text: str) -> LabelledAnswer:
    return LabelledAnswer(kind=kind, voice="terse", labels=labels, text=text)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (said("strong", "c", "short"), "labels for"),
        (said("list", "c", "mutex, lock"), "should all be m"),
        (said("wrong", "mm", "No."), "a wrong answer"),
        (said("half-a", "mmm", "Hm."), "half an answer"),
    ],
)
def test_bad_labels_are_named(bank, monkeypatch, answer, complaint):
    question = bank[0]
    entry = AnswerSet(question=question.id, points=tuple(p.id for p in question.points), en=(answer,))
    monkeypatch.setattr(answers, "load_answers", lambda topic: [entry])
    assert any(complaint in problem.what for problem in problems(question.topic, [question]))


def test_a_strong_answer_in_the_words_of_the_reference_is_named(bank, monkeypatch):
    question = bank[0]
    copied = said("strong", "c" * len(question.points), question.reference_in("en"))
    entry = AnswerSet(question=question.id, points=tuple(p.id for p in question.points), en=(copied,))
    monkeypatch.setattr(answers, "load_answers", lambda topic: [entry])
    assert any("wording stands in the reference" in problem.what for problem in problems(question.topic, [question]))


def test_a_missing_question_is_named(bank):
    topic = bank[0].topic
    ghost = bank[0].model_copy(update={"id": "ghost"})
    found = list(problems(topic, [ghost]))
    assert any(problem.where == "ghost" for problem in found)
    assert not load_answers("no-such-topic")
