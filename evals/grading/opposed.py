"""What people say of single points, and what those say who have them the wrong way round: `evals/data/opposed.yaml`.

Eight writers gave each point of a training question outside the bank two texts: one says the point, the other
contradicts it with much the same words and as sure. Most of either kind tell what things are not, so that a denial
proves nothing. The cross-encoder learns from them, alone and put together into answers.
"""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from evals.answers import Problem, list_units, longest_run
from evals.grading.data import Graded, in_a_row
from evals.grading.outside import outside_answers
from interviewer.language import detect
from interviewer.models import Language, Question

DATA = Path(__file__).parents[1] / "data" / "opposed.yaml"
READINGS = DATA.with_name("opposed-readings.json")
"""What a reader who saw neither kinds nor the other text called some of them: letters, by question and `point/kind`."""
SAID, OPPOSED = 0.95, 0.1
_RIGHT, _ASTRAY = 0.45, 0.4
"""How often a point of an answer put together is said, and how often it is told the wrong way round."""
_ANSWERS = 2
"""Put together for each question in a drawing."""
_RUN: dict[Language, int] = {"zh": 11, "en": 7}
"""No text shares a longer run with its point: characters of Chinese, words of English."""


class Told(NamedTuple):
    """What was said of one point: `right` makes it, `astray` contradicts it."""

    right: str
    astray: str


class Opposed(NamedTuple):
    """A question; `points` in its order, texts in its language."""

    group: str
    question: Question
    language: Language
    points: tuple[Told, ...]


@cache
def load_opposed() -> tuple[Opposed, ...]:
    """All that were written, in the file's order.

    Raises:
        KeyError: if a question is none of the training questions outside the bank.
    """
    asked = {row.group: row for row in outside_answers("train")}
    found = []
    for entry in yaml.load(DATA.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        row = asked[entry["question"]]
        told = tuple(Told(each["right"], each["astray"]) for each in entry["points"])
        found.append(Opposed(row.group, row.question, row.language, told))
    return tuple(found)


def opposed_rows(choose: random.Random) -> Iterator[Graded]:
    """Each point with either text alone, as a question of one point; and answers of several, in any order."""
    for each in load_opposed():
        for point, told in zip(each.question.points, each.points, strict=True):
            alone = each.question.model_copy(update={"points": (point,)})
            yield Graded(each.group, "opposed/alone", alone, each.language, told.right, None, (SAID,), "c")
            yield Graded(each.group, "opposed/alone", alone, each.language, told.astray, None, (OPPOSED,), "x")
        for _ in range(_ANSWERS):
            yield put_together(each, "opposed/company", choose)


def put_together(each: Opposed, source: str, choose: random.Random) -> Graded:
    """An answer that makes some of the points, contradicts some, and leaves some out; at least one is told."""
    drawn = [choose.random() for _ in each.points]
    letters = ["c" if chance < _RIGHT else "x" if chance < _RIGHT + _ASTRAY else "m" for chance in drawn]
    if set(letters) == {"m"}:
        letters[0] = "x"
    texts = [
        told.right if letter == "c" else told.astray
        for told, letter in zip(each.points, letters, strict=True)
        if letter != "m"
    ]
    choose.shuffle(texts)
    labels = tuple({"c": SAID, "x": OPPOSED, "m": 0.0}[letter] for letter in letters)
    said = in_a_row(texts, each.language)
    return Graded(each.group, source, each.question, each.language, said, None, labels, "".join(letters))


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data."""
    seen: set[str] = set()
    for each in load_opposed():
        if each.group in seen:
            yield Problem(each.group, "twice")
        seen.add(each.group)
        if len(each.points) != len(each.question.points):
            yield Problem(each.group, f"{len(each.points)} of {len(each.question.points)} points")
            continue
        for point, told in zip(each.question.points, each.points, strict=True):
            where = f"{each.group}/{point.id}"
            if told.right == told.astray:
                yield Problem(where, "the same twice")
            for text in told:
                yield from _wording_problems(where, text, point.in_language(each.language), each.language)


def _wording_problems(where: str, text: str, point: str, language: Language) -> Iterator[Problem]:
    if detect(text, language) != language:
        yield Problem(where, f"not in the question's language: {text}")
    run = longest_run(list_units(text, language), list_units(point, language))
    if len(run) > _RUN[language]:
        yield Problem(where, f"shares {run} with the point")
