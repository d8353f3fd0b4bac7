"""Answers to other questions: they make no point, in whatever manner they are told."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import numpy as np

from evals.grading import data
from evals.grading.data import Graded, making_no_point
from evals.grading.notes import everyday_answers
from evals.grading.outside import outside_answers
from interviewer.grading.evidence import Encoder
from interviewer.models import LANGUAGES

ELSEWHERE = "/elsewhere/"
OF_BANK = ("answers/strong", "answers/short-strong", "candidates/senior")
OUTSIDE = ("outside/strong", "outside/spoken", "outside/terse")
OF_NOTES = ("brief/full", "spoken/full")
_UNLIKE = 0.6
"""How like each other two questions may be, as their encoder's cosine, for an answer to one to say nothing of the
other."""
_TRIED = 10
_MOST = 24
"""Answers that are graded, of each kind in each language."""


def answered_elsewhere(rows: Sequence[Graded], encoder: Encoder, choose: random.Random) -> Iterator[Graded]:
    """Every answer as one to another of the questions in its language, where one unlike its own is found.

    `source` is that of the answer, with `elsewhere/` behind its slash.
    """
    asked = list(dict.fromkeys(row.question.asked_in(row.language) for row in rows))
    vectors = dict(zip(asked, np.asarray(encoder.encode(asked)), strict=True))
    by_language = {language: [row for row in rows if row.language == language] for language in LANGUAGES}
    for row in rows:
        own = vectors[row.question.asked_in(row.language)]
        for other in choose.choices(by_language[row.language], k=_TRIED):
            if own @ vectors[other.question.asked_in(row.language)] < _UNLIKE:
                yield making_no_point(other, row.source.replace("/", ELSEWHERE, 1), row.answer)
                break


@cache
def elsewhere_answers(part: Literal["dev", "test"]) -> tuple[Graded, ...]:
    """Answers of a part that say much, each given to another question of the same kind; always the same ones."""
    from knowledge.encoder.light import LightEncoder

    encoder, choose, found = LightEncoder(), random.Random(0), []
    bank = (*data.labelled_answers(part), *data.candidate_answers(part))
    for rows, sources in ((bank, OF_BANK), (outside_answers(part), OUTSIDE), (everyday_answers(part), OF_NOTES)):
        saying_much = [row for row in rows if row.source in sources]
        elsewhere = [*answered_elsewhere(saying_much, encoder, choose)]
        for source in sources:
            for language in LANGUAGES:
                told = source.replace("/", ELSEWHERE, 1)
                alike = [row for row in elsewhere if row.source == told and row.language == language]
                found += choose.sample(alike, min(_MOST, len(alike)))
    return tuple(found)
