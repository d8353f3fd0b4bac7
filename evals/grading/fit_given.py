"""Fits what grades points that people wrote: whether a point was made, and whether what was said about it is right.

Only answers whose points are labelled are fitted on. People's grades of whole answers, which questions without points
are fitted on, ask for the reference's words, and blur what is known point by point.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evals.grading import data
from evals.grading.data import Graded
from evals.grading.fit import Growth, Table, boost
from evals.grading.suspicion import Paired, fit_suspicion, most_suspicious
from interviewer.grading.asides import collect_served
from interviewer.grading.evidence import FEATURES, Encoder, Reader, Target, make_target
from interviewer.grading.looking import list_mistakes
from interviewer.grading.naming import shared_by_names
from interviewer.grading.nearness import NEARNESS, describe_nearness
from interviewer.grading.scoring import GIVEN_FEATURES, Linear, beside_others, read_forest
from interviewer.grading.suspicion import PAIR_FEATURES, Inspector
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer
from interviewer.models import LANGUAGES, Language

Array = NDArray[np.float64]

_WEIGHT = {
    "answers": 1.0,
    "honest": 0.7,
    "mistakes": 0.6,
    "candidates": 2.0,
    "candidates/senior": 4.0,
    "candidates/junior": 4.0,
    "candidates/confused": 1.5,
    "candidates/mistaken": 1.0,
    "bank/off": 0.3,
}
"""How much an answer counts, by its source or by the part of it before the slash."""
_OTHER, _OTHER_WEIGHT = "other-language/", 0.25
_OFF = "bank/off"
_GROWTH = Growth(trees=400, depth=4, leaf=40, tried=0.3, rate=0.04)


class Gathered(NamedTuple):
    """What is known of the points of one answer.

    Attributes:
        values: (points, features) by `GIVEN_FEATURES`, but for the doubts.
        pairs: For each point what is known of its nearest sentences, (windows, features) by `PAIR_FEATURES`.
    """

    row: Graded
    values: Array
    pairs: tuple[Array, ...]


def rows_to_fit() -> list[Graded]:
    """Answers to training questions, each in its own language and once more against the other; and what answers other
    questions."""
    own = [row for row in data.answers_to_fit() if row.source != "answers/other-language"]
    own.extend(data.mistakes_to_fit())
    return [*own, *_in_other_language(own), *(row for row in data.bank_answers() if row.source == _OFF)]


def _in_other_language(rows: Sequence[Graded]) -> Iterator[Graded]:
    for row in rows:
        other: Language = "en" if row.language == "zh" else "zh"
        if all(other in point.text for point in row.question.points):
            yield row._replace(language=other, source=_OTHER + row.source)


def gather_given(
    rows: Sequence[Graded], encoder: Encoder | None, serves: Linear, progress: Callable[[int], None] | None = None
) -> list[Gathered]:
    """What the grader knows of every answer that says anything, in the language of `row.language`."""
    reader = Reader(encoder)
    targets: dict[str, list[Target]] = {}
    found: list[Gathered] = []
    for number, row in enumerate(rows):
        if progress and number % 500 == 0:
            progress(number)
        points = row.question.points
        asked = tuple(row.question.question[language] for language in LANGUAGES if language in row.question.question)
        name = f"{row.group}/{row.language}"
        if name not in targets:
            texts = [point.in_language(row.language) for point in points]
            heard = frozenset(key for text in asked for key in keys(text)) | shared_by_names(texts)
            names = [tuple(alias for aliases in point.aliases.values() for alias in aliases) for point in points]
            targets[name] = [make_target(reader, *pair, heard) for pair in zip(texts, names, strict=True)]
        texts = [text for point in points for text in point.text.values()]
        answer = read_answer(row.answer, asked, texts)
        if not answer.windows:
            continue
        spoken = " ".join(asked)
        collector = collect_served(
            reader, answer, targets[name], spoken, serves, list_mistakes(row.question, row.language)
        )
        inspector = Inspector(reader, collector, row.question, row.language)
        near = describe_nearness(reader, collector, spoken)
        values = [(*collector.collect(at).values, *more) for at, more in enumerate(near)]
        pairs = tuple(
            np.array([each.values for each in inspector.inspect(at)], np.float64).reshape(-1, len(PAIR_FEATURES))
            for at in range(len(points))
        )
        found.append(Gathered(row, np.array(values, np.float64), pairs))
    return found


def fit_given(gathered: Sequence[Gathered], seed: int = 0) -> dict[str, Any]:
    """`suspicion` and `company`, and `given`, boosted trees, as plain data.

    The trees see the suspicion of an answer as it is when the answer's question is left out: on the answers that it was
    fitted on it is surer than it will ever be again.
    """
    paired = [(number, at) for number, each in enumerate(gathered) if _teaches_wrong(each) for at in _heard(each)]
    pairs = [
        Paired(gathered[number].row.group, number, gathered[number].row.label[at] == "x", gathered[number].pairs[at])
        for number, at in paired
    ]
    wrong, left_out = fit_suspicion(pairs)
    logits = dict(zip(paired, left_out.tolist(), strict=True))
    trees = read_forest(wrong["suspicion"], PAIR_FEATURES)
    doubts: list[list[float | None]] = []
    for number, each in enumerate(gathered):
        if _teaches_wrong(each):
            doubts.append([logits.get((number, at)) for at in range(len(each.pairs))])
        else:
            doubts.append([most_suspicious(trees, values) if len(values) else None for values in each.pairs])
    return {**wrong, "given": boost(_tabulate(gathered, doubts), GIVEN_FEATURES, _GROWTH, seed)}


def _teaches_wrong(each: Gathered) -> bool:
    return not each.row.source.startswith((_OTHER, "bank/"))


def _heard(each: Gathered) -> list[int]:
    return [at for at, values in enumerate(each.pairs) if len(values)]


def _tabulate(gathered: Sequence[Gathered], doubts: Sequence[Sequence[float | None]]) -> Table:
    """Every point of an answer counts alike; one that is contradicted was not made."""
    counts = [len(each.values) for each in gathered]
    beside = [beside_others(logits, at) for logits in doubts for at in range(len(logits))]
    importance = np.array([weigh(each.row.source) for each in gathered])
    values = np.hstack([np.vstack([each.values for each in gathered]), np.array(beside)])
    assert values.shape[1] == len(FEATURES) + len(NEARNESS) + 2
    return Table(
        values=values,
        live=np.ones(sum(counts), np.bool_),
        owner=np.repeat(np.arange(len(counts)), counts),
        share=np.repeat([1 / count for count in counts], counts),
        target=np.concatenate([np.clip(each.row.labels or (), 0, 1) for each in gathered]).astype(np.float64),
        score=np.zeros(len(counts)),
        labelled=np.ones(len(counts), np.bool_),
        importance=importance / importance.mean(),
        groups=np.array([each.row.group for each in gathered]),
        sources=np.array([each.row.source for each in gathered]),
    )


def weigh(source: str) -> float:
    own = source.removeprefix(_OTHER)
    weight = _WEIGHT.get(own) or _WEIGHT[own.split("/")[0]]
    return weight * (_OTHER_WEIGHT if source.startswith(_OTHER) else 1.0)
