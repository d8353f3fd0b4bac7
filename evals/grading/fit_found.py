"""Fits what grades questions that have a reference alone: the points are found in it, and only whole answers are known.

People's grades count most; off-topic pairs of them, the labelled answers and those with mistakes teach what must not
score.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from evals.grading.asides import PADDED, padded
from evals.grading.data import Graded
from evals.grading.fit import Evidenced, Growth, as_table, boost
from interviewer.grading.evidence import Encoder, Reader, Target, make_target
from interviewer.grading.looking import look_at_found
from interviewer.grading.naming import shared_by_names
from interviewer.grading.points import extract_statements
from interviewer.grading.scoring import FOUND_FEATURES, Scorer
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer
from interviewer.models import Language, Point

_PEOPLE = {"scientsbank_train": 1.0, "beetle_train": 1.0, "saf_en_train": 1.6, "ads_zh_dev": 1.2, "le_zh": 0.6}
_OFF_TOPIC, _LABELLED, _MISTAKES = 0.3, 0.6, 0.3
_FEW = 200
"""A source of fewer answers than this counts for less."""
_GROWTH = Growth(trees=150, depth=5, leaf=40, tried=0.3)


def rows_to_fit(training: Sequence[Graded]) -> list[Graded]:
    """What is fitted on: some answers once more with talk around them, for length must not earn.

    The bank's own texts and the battery are left out: points said word for word teach nothing about people.
    """
    chosen = [row for row in training if not row.source.startswith(("bank/", "battery/"))]
    return [*chosen, *padded(chosen)]


def with_found_points(row: Graded) -> Graded:
    """The same with the statements of its reference as points, as an imported question that has no brief answer has it.

    What its own points were labelled is its score.
    """
    weights = [point.weight for point in row.question.points]
    score = row.score
    if row.labels is not None:
        score = sum(w * label for w, label in zip(weights, row.labels, strict=True)) / sum(weights)
    points = _found_in(row.question.reference_in(row.language), row.language)
    question = row.question.model_copy(update={"points": points, "misconceptions": ()})
    return row._replace(question=question, score=score, labels=None)


@cache
def _found_in(reference: str, language: Language) -> tuple[Point, ...]:
    return extract_statements(reference, language)


def gather_found(
    rows: Sequence[Graded], encoder: Encoder | None, scorer: Scorer, progress: Callable[[int], None] | None = None
) -> list[Evidenced]:
    """What is known of the found points of every answer, by `FOUND_FEATURES`.

    Args:
        scorer: Tells wrong statements and asides.
    """
    reader = Reader(encoder)
    targets: dict[tuple[str, ...], list[Target]] = {}
    found: list[Evidenced] = []
    for at, row in enumerate(map(with_found_points, rows)):
        if progress and at % 500 == 0:
            progress(at)
        points, asked = row.question.points, row.question.asked_in(row.language)
        if not points:
            continue
        texts = [point.in_language(row.language) for point in points]
        name = (asked, *texts)
        if name not in targets:
            heard = frozenset(keys(asked)) | shared_by_names(texts)
            aliases = [point.aliases.get(row.language, ()) for point in points]
            targets[name] = [make_target(reader, *pair, heard) for pair in zip(texts, aliases, strict=True)]
        answer = read_answer(row.answer, (asked,), texts)
        looked = look_at_found(reader, scorer, answer, targets[name], row.question, row.language, asked)
        values = np.array([(*each.evidence.values, *each.more) for each in looked], np.float64)
        weights = np.array([point.weight for point in points], np.float64)
        live = any(each.evidence.window is not None for each in looked)
        found.append(Evidenced(row, values, weights / weights.sum(), live))
    return found


def fit_found(found: Sequence[Evidenced], seed: int = 0) -> dict[str, Any]:
    """Boosted trees as plain data: `trees` and `start`."""
    sources = [each.row.source.removeprefix(PADDED) for each in found]
    size = Counter(sources)
    weights = [_weight(source) / max(size[source], _FEW) ** 0.5 for source in sources]
    return boost(as_table(found, weights), FOUND_FEATURES, _GROWTH, seed)


def _weight(source: str) -> float:
    if source in _PEOPLE:
        return _PEOPLE[source]
    by_start = {"off/": _OFF_TOPIC, "mistakes/": _MISTAKES}
    return next((weight for start, weight in by_start.items() if source.startswith(start)), _LABELLED)
