"""Talk around answers: what is told apart from it, what is fitted on answers with it, and what it does to a score."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import yaml

from evals.grading.data import HERE, Graded, in_a_row
from interviewer.grading.asides import ASIDE_FEATURES, describe_sentences
from interviewer.grading.evidence import Collector, Encoder, Reader, make_target
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer
from interviewer.language import detect, sentences
from interviewer.models import LANGUAGES, Language

PADDED = "padded/"
"""What the sources of answers with talk around them start with."""

_STRENGTH = 1.0
_SERVING = (
    "answers/strong",
    "answers/short-strong",
    "answers/half-a",
    "answers/half-b",
    "answers/weak",
    "answers/cross",
)
_EVERY = 3
"""Of the labelled answers every third one gives sentences that serve, and the same number of asides."""
_PADDED = 0.4
_LEAST, _MOST = 120, 2400
_ELSEWHERE = 0.3


@cache
def aside_sentences(part: str) -> dict[Language, tuple[str, ...]]:
    """What candidates say around answers.

    Args:
        part: `train` or `test`.
    """
    stored = yaml.safe_load((HERE / "asides.yaml").read_text(encoding="utf-8"))[part]
    return {language: tuple(stored[language]) for language in LANGUAGES}


def aside(language: Language, part: str, characters: int, choose: random.Random) -> str:
    """Talk of at least this many characters, a sentence only said twice where all were said."""
    known = list(aside_sentences(part)[language])
    said: list[str] = []
    while sum(map(len, said)) < characters:
        if len(said) % len(known) == 0:
            choose.shuffle(known)
        said.append(known[len(said) % len(known)])
    return in_a_row(said, language)


def padded(rows: Sequence[Graded], share: float = _PADDED, seed: int = 1) -> Iterator[Graded]:
    """Some of the answers again with talk before or behind them; now and then it is an answer to another question.

    Their scores stay as they were; `source` is `PADDED` and the answer's own.
    """
    choose = random.Random(seed)
    for row in rows:
        if choose.random() > share:
            continue
        spoken = detect(row.answer, row.language)
        around = aside(spoken, "train", choose.randint(_LEAST, _MOST), choose)
        other = choose.choice(rows)
        if choose.random() < _ELSEWHERE and other.group != row.group:
            around = other.answer
        parts = [row.answer, around] if choose.random() < 0.5 else [around, row.answer]
        yield row._replace(source=f"{PADDED}{row.source}", answer="\n".join(parts))


def with_talk(row: Graded, *, before: bool, characters: int = 1500) -> Graded:
    """An answer with talk that nothing was fitted on, before or behind it; the same talk every time."""
    choose = random.Random(f"{row.group}/{row.source}/{row.language}")
    around = aside(detect(row.answer, row.language), "test", characters, choose)
    parts = [around, row.answer] if before else [row.answer, around]
    return row._replace(answer="\n".join(parts))


def fit_serves(rows: Sequence[Graded], encoder: Encoder | None) -> dict[str, Any]:
    """What tells a sentence that serves its question from an aside, as plain data.

    Args:
        rows: Labelled answers, as the grader sees them where only a reference is given.
    """
    from sklearn.linear_model import LogisticRegression

    reader, choose = Reader(encoder), random.Random(0)
    own = [row for row in rows if row.source in _SERVING and row.question.points]
    found: list[tuple[float, ...]] = []
    serves: list[bool] = []
    for row in own[::_EVERY]:
        other = choose.choice(own)
        texts = [row.answer, " ".join(choose.sample(aside_sentences("train")[detect(row.answer, row.language)], 4))]
        if other.group != row.group:
            texts.append(" ".join(sentences(other.answer)[:4]))
        for number, text in enumerate(texts):
            described = _describe(reader, row, text)
            found += described
            serves += [number == 0] * len(described)
    values = np.array(found)
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale = np.where(scale < 1e-4, 1.0, scale)
    model = LogisticRegression(C=_STRENGTH).fit((values - mean) / scale, serves)

    def named(numbers: Any) -> dict[str, float]:
        return {name: round(float(number), 4) for name, number in zip(ASIDE_FEATURES, numbers, strict=True)}

    weights, bias = named(model.coef_[0]), round(float(model.intercept_[0]), 4)
    return {"mean": named(mean), "scale": named(scale), "weights": weights, "bias": bias}


def _describe(reader: Reader, row: Graded, text: str) -> list[tuple[float, ...]]:
    asked = row.question.asked_in(row.language)
    points = [point.in_language(row.language) for point in row.question.points]
    answer = read_answer(text, (asked,), points=points)
    if not answer.windows:
        return []
    heard = frozenset(keys(asked))
    targets = [make_target(reader, text, (), heard) for text in points]
    return describe_sentences(Collector(reader, answer, targets, asked))
