"""Brief everyday answers to notes of interviews: `evals/data/brief.jsonl`.

Eight writers invented questions with terse notes, as people import them, and three answers to each in the way that
engineers talk to a colleague: clause after clause, in other words than the note's. The first makes all points or all
but one, the second about half of them, the third little or something wrong. One writer's questions are measured; the
others' are there to be learnt from, those left out that come near a question anything is measured on.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from evals.answers import LABELS, Problem
from evals.grading.data import Graded
from interviewer.language import detect
from interviewer.models import Point, Question

DATA = Path(__file__).parents[1] / "data" / "brief.jsonl"
READINGS = DATA.with_name("brief-readings.json")
"""What a reader who saw no labels called some of the answers: the question, the answer and the letters."""
KINDS = ("full", "half", "little")
"""Of a question's three answers, in the order of the file."""

Part = Literal["train", "test"]


@cache
def brief_answers(part: Part) -> tuple[Graded, ...]:
    """The answers of a part; `source` is `brief/<kind>`, the reference lists the points."""
    return tuple(row for entry in _entries() if entry["part"] == part for row in _rows(entry))


def _entries() -> Iterator[dict[str, Any]]:
    return map(json.loads, DATA.read_text(encoding="utf-8").splitlines())


def _rows(entry: dict[str, Any]) -> Iterator[Graded]:
    language, points = entry["language"], entry["points"]
    question = Question(
        id="brief",
        set="brief",
        question={language: entry["question"]},
        reference={language: "\n".join(f"- {point}" for point in points)},
        points=tuple(Point(id=f"p{at}", text={language: point}) for at, point in enumerate(points, 1)),
    )
    for kind, answer, letters in zip(KINDS, entry["answers"], entry["labels"], strict=True):
        labels = tuple(max(0.0, LABELS[letter].credit) for letter in letters)
        yield Graded(f"brief/{entry['question']}", f"brief/{kind}", question, language, answer, None, labels, letters)


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data."""
    seen: set[str] = set()
    for entry in _entries():
        where = entry["question"]
        if where in seen:
            yield Problem(where, "twice")
        seen.add(where)
        if not 2 <= len(entry["points"]) <= 8:
            yield Problem(where, f"{len(entry['points'])} points")
        for text in (*entry["points"], *entry["answers"]):
            if text in seen:
                yield Problem(where, f"the same twice: {text}")
            seen.add(text)
        for answer, letters in zip(entry["answers"], entry["labels"], strict=True):
            if len(letters) != len(entry["points"]) or set(letters) - set(LABELS):
                yield Problem(where, f"labels {letters} of {len(entry['points'])} points")
            if detect(answer, entry["language"]) != entry["language"]:
                yield Problem(where, f"not in the question's language: {answer}")
