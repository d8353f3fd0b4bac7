"""What the cross-encoder learns from: the points of answers, each beside what is read of the answer.

Of people's sets a quarter of the questions is kept for the figures, and the native Chinese sets whole. Of the bank,
answers to training questions alone.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from evals.answers import LABELS
from evals.grading import data
from evals.grading.data import Graded
from evals.grading.fit_found import with_found_points
from evals.grading.fit_given import rows_to_fit, weigh
from evals.statements import LETTERS, VERDICTS, load_claims
from interviewer.grading.evidence import Encoder, Reader
from interviewer.grading.listing import are_names
from interviewer.grading.reading import make_pair
from interviewer.grading.windows import read_answer
from interviewer.models import LANGUAGES, Verdict

LEARNT_SETS = ("scientsbank_train", "beetle_train", "saf_en_train")
_KEPT = 0.25
_OTHER, _OTHER_SHARE = "other-language/", 0.15
_AGAINST_OTHER, _AGAINST_OTHER_SHARE = "answers/other-language", 0.4
_PEOPLE, _OFF, _CLAIM = 2.5, 0.6, 0.8


def is_learnt(row: Graded) -> bool:
    """Whether the cross-encoder learns from this question of people's sets."""
    # Another prefix would draw other questions, and the shipped weights have learnt from these.
    drawn = int(sha256(f"ce{row.group}".encode()).hexdigest()[:8], 16) / 2**32
    return row.source.removeprefix("off/") in LEARNT_SETS and drawn < 1 - _KEPT


def rows_to_learn(shared: Path) -> Iterator[tuple[Graded, float]]:
    """Answers with their weight in the loss."""
    choose = random.Random(0)
    people = [with_found_points(row) for row in data.human_answers(shared)]
    for row in people:
        if is_learnt(row):
            yield row, _PEOPLE
    for row in data.off_topic(people):
        if is_learnt(row):
            yield row, _OFF
    for row in rows_to_fit():
        shares = {_AGAINST_OTHER: _AGAINST_OTHER_SHARE}
        kept = _OTHER_SHARE if row.source.startswith(_OTHER) else shares.get(row.source, 1.0)
        if choose.random() < kept:
            yield row._replace(source=row.source.removeprefix(_OTHER)), weigh(row.source.removeprefix(_OTHER))
    yield from ((row, _CLAIM) for row in _claims())


def _claims() -> Iterator[Graded]:
    """Sentences about single points of training questions."""
    bank = {f"bank/{row.question.id}": row.question for row in data.labelled_answers("train")}
    for claim in load_claims():
        question = bank.get(f"bank/{claim.question}")
        if question is None:
            continue
        for language in LANGUAGES:
            points = tuple(point for point in question.points if point.text.get(language) == claim.text[language]) or (
                question.points[0].model_copy(update={"text": {language: claim.text[language]}, "aliases": {}}),
            )
            alone = question.model_copy(update={"points": points[:1]})
            for kind, letter in LETTERS.items():
                labels = (max(0.0, VERDICTS[kind].credit),)
                for said in claim.said[kind][language]:
                    yield Graded(f"bank/{question.id}", "claims", alone, language, said, None, labels, letter)


def pairs_of(
    rows: Sequence[tuple[Graded, float]], encoder: Encoder, on_row: Callable[[], None] | None = None
) -> Iterator[dict[str, Any]]:
    """Each answer as `knowledge.crossencoder.train.Taught` is read; one that says nothing is left out.

    Args:
        on_row: Called before each row is read.
    """
    reader = Reader(encoder)
    vector = lru_cache(maxsize=100_000)(reader.vector)
    for row, weight in rows:
        if on_row:
            on_row()
        question = row.question
        if not question.points:
            continue
        texts = [point.in_language(row.language) for point in question.points]
        everywhere = [text for point in question.points for text in point.text.values()]
        answer = read_answer(
            row.answer, tuple(question.question.values()), lists_count=are_names(texts), points=everywhere
        )
        said = [window.text for window in answer.windows if window.sentences == 1]
        if not said:
            continue
        total = sum(point.weight for point in question.points)
        letters = row.label if row.labels is not None and len(row.label) == len(texts) else ""
        yield {
            "group": row.group,
            "source": row.source,
            "pairs": [make_pair(text, said, [float(vector(text) @ vector(each)) for each in said]) for text in texts],
            "shares": [point.weight / total for point in question.points],
            "labels": None if row.labels is None else [min(1.0, max(0.0, label)) for label in row.labels],
            "wrong": [float(LABELS[letter] == Verdict.CONTRADICTED) for letter in letters] or None,
            "score": row.score if row.labels is None else None,
            "weight": weight,
        }
