"""Answers told in pictures of which only some is right: `evals/data/pictured.jsonl`.

Of those who tell things in pictures outside the bank nearly all make all points. So writers told pictures, to some of
the same questions, that make half of the points, and others that tell one point or two the wrong way round, both as
lively as the right ones. No writer wrote for two of the parts that are measured, chosen by and learnt from.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from evals.answers import LABELS, Problem
from evals.grading.data import Graded
from evals.grading.outside import outside_answers
from interviewer.language import detect

DATA = Path(__file__).parents[1] / "data" / "pictured.jsonl"
KINDS = ("half", "wrong")
"""Of a question's two answers, in the order of the file."""

Part = Literal["train", "dev", "test"]
PARTS: tuple[Part, ...] = ("train", "dev", "test")


@cache
def pictured_answers(part: Part) -> tuple[Graded, ...]:
    """The answers of a part; `source` is `pictured/<kind>`."""
    asked = {(row.group, row.language): row for row in outside_answers(part)}
    entries = [entry for entry in _entries() if entry["part"] == part]
    return tuple(row for entry in entries for row in _rows(entry, asked[entry["question"], entry["language"]]))


def _entries() -> Iterator[dict[str, Any]]:
    return map(json.loads, DATA.read_text(encoding="utf-8").splitlines())


def _rows(entry: dict[str, Any], asked: Graded) -> Iterator[Graded]:
    for kind, answer, letters in zip(KINDS, entry["answers"], entry["labels"], strict=True):
        labels = tuple(max(0.0, LABELS[letter].credit) for letter in letters)
        yield asked._replace(source=f"pictured/{kind}", answer=answer, labels=labels, label=letters)


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data."""
    points = {(row.group, row.language): len(row.question.points) for part in PARTS for row in outside_answers(part)}
    seen: set[str] = set()
    for entry in _entries():
        where = entry["question"]
        count = points.get((where, entry["language"]))
        for answer, letters in zip(entry["answers"], entry["labels"], strict=True):
            if answer in seen:
                yield Problem(where, f"the same twice: {answer}")
            seen.add(answer)
            if len(letters) != count or set(letters) - set(LABELS):
                yield Problem(where, f"labels {letters} of {count} points")
            if detect(answer, entry["language"]) != entry["language"]:
                yield Problem(where, f"not in the question's language: {answer}")
        half, wrong = entry["labels"]
        if "x" in half or "m" not in half or "x" not in wrong:
            yield Problem(where, f"labels {half}, {wrong}")
