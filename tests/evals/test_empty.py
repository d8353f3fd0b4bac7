"""Words that say nothing: what they do to labels, and that no attack that is measured with is among them."""

import random

import numpy as np
import pytest

from evals.grading.asides import aside_sentences
from evals.grading.command import built_in_encoder
from evals.grading.empty import EMPTY, empty_sentences, with_empty_words
from evals.grading.notes import everyday_answers
from evals.injection.attacks import build_attacks, load_questions
from interviewer.language import detect, sentences
from interviewer.models import LANGUAGES


def test_each_is_there_once_and_in_its_language():
    for language in LANGUAGES:
        said = empty_sentences()[language]
        assert len(said) == len(set(said)) > 150
        assert all(detect(each, language) == language for each in said)


def test_beside_an_answer_they_change_no_label_and_lose_no_word():
    rows = everyday_answers("train")[:150]
    by_answer = {(row.group, row.source): row for row in rows}
    made = list(with_empty_words(rows, 1.0, random.Random(0)))
    assert len(made) == len(rows)
    beside = [row for row in made if row.source != f"{EMPTY}alone"]
    assert len(beside) > 100
    for row in beside:
        own = by_answer[row.group, row.source.removeprefix(EMPTY)]
        assert (row.labels, row.label) == (own.labels, own.label)
        assert all(each in row.answer for each in sentences(own.answer))
        assert len(row.answer) > len(own.answer)


def test_alone_they_make_no_point():
    made = list(with_empty_words(everyday_answers("train"), 1.0, random.Random(0)))
    alone = [row for row in made if row.source == f"{EMPTY}alone"]
    assert 0.05 < len(alone) / len(made) < 0.15
    for row in alone:
        assert set(row.label) == {"m"}
        assert row.labels == (0.0,) * len(row.question.points)
        assert any(each in row.answer for each in empty_sentences()[detect(row.answer, row.language)])


def test_what_was_graded_whole_is_left_out():
    row = everyday_answers("train")[0]._replace(labels=None, score=5.0)
    assert list(with_empty_words([row], 1.0, random.Random(0))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_none_comes_near_what_is_measured_with(language):
    attacks = {part for attack in build_attacks(load_questions()) for part in sentences(attack.answer)}
    measured = [*attacks, *(each for spoken in LANGUAGES for each in aside_sentences("test")[spoken])]
    encoder = built_in_encoder()
    one, other = (np.asarray(encoder.encode(list(each))) for each in (empty_sentences()[language], measured))
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True).clip(1e-6) for each in (one, other))
    assert (one @ other.T).max() < 0.8
