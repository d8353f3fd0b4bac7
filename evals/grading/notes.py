"""Answers to notes of interviews: `evals/data/notes.jsonl`.

Writers invented questions with terse notes, as people import them, and answers to each in other words than the note's.
Most are everyday answers, three to a question: `brief`, in the way that engineers talk to a colleague, clause after
clause, or `spoken`, as in an interview, at length. The first makes all points or all but one, the second about half of
them, the third little or something wrong. To other questions there are `slips`: two right answers, each of them once
more with one thing or two made wrong and nothing else changed. No writer wrote for two of the parts that are measured,
chosen by and learnt from; to learn from, those are left out that come near a question anything is measured on.
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

DATA = Path(__file__).parents[1] / "data" / "notes.jsonl"
READINGS = DATA.with_name("notes-readings.json")
"""What readers who saw no labels called some of the answers: the question, the answer and the letters."""
EVERYDAY = ("brief", "spoken")
KINDS = ("full", "half", "little")
"""Of a question's three everyday answers, in the order of the file."""
SLIPS = "slips"
SLIP_KINDS = ("right", "slip", "right-again", "slip-again")
"""Of the four answers to a question where something slips in; each slip follows the answer that it is made of."""

Part = Literal["train", "dev", "test"]
PARTS: tuple[Part, ...] = ("train", "dev", "test")


@cache
def everyday_answers(part: Part) -> tuple[Graded, ...]:
    """The everyday answers of a part; `source` is `brief/<kind>` or `spoken/<kind>`, the reference lists the points."""
    return _of(part, EVERYDAY)


@cache
def slipped_answers(part: Part) -> tuple[Graded, ...]:
    """The right answers of a part and those with slips; `source` is `slips/<kind>`, the reference lists the points."""
    return _of(part, (SLIPS,))


def kinds_of(manner: str) -> tuple[str, ...]:
    """What the answers of a manner are called, in the order of the file."""
    return SLIP_KINDS if manner == SLIPS else KINDS


def _of(part: Part, manners: tuple[str, ...]) -> tuple[Graded, ...]:
    chosen = (entry for entry in _entries() if entry["part"] == part and entry["manner"] in manners)
    return tuple(row for entry in chosen for row in _rows(entry))


def _entries() -> Iterator[dict[str, Any]]:
    return map(json.loads, DATA.read_text(encoding="utf-8").splitlines())


def _rows(entry: dict[str, Any]) -> Iterator[Graded]:
    language, points = entry["language"], entry["points"]
    question = Question(
        id="notes",
        set="notes",
        question={language: entry["question"]},
        reference={language: "\n".join(f"- {point}" for point in points)},
        points=tuple(Point(id=f"p{at}", text={language: point}) for at, point in enumerate(points, 1)),
    )
    for kind, answer, letters in zip(kinds_of(entry["manner"]), entry["answers"], entry["labels"], strict=True):
        labels = tuple(max(0.0, LABELS[letter].credit) for letter in letters)
        source = f"{entry['manner']}/{kind}"
        yield Graded(f"notes/{entry['question']}", source, question, language, answer, None, labels, letters)


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data: a question may have answers of several manners, all to the same points."""
    seen: set[str] = set()
    asked: dict[str, dict[str, Any]] = {}
    for entry in _entries():
        where, before = entry["question"], asked.get(entry["question"])
        if before is None:
            asked[where] = {"manners": set(), **{name: entry[name] for name in ("part", "language", "points")}}
            texts = [where, *entry["points"], *entry["answers"]]
        else:
            texts = entry["answers"]
            if any(before[name] != entry[name] for name in ("part", "language", "points")):
                yield Problem(where, "another part, another language or other points than the first time")
            if entry["manner"] in before["manners"]:
                yield Problem(where, f"twice {entry['manner']}")
        asked[where]["manners"].add(entry["manner"])
        if not 2 <= len(entry["points"]) <= 8:
            yield Problem(where, f"{len(entry['points'])} points")
        for text in texts:
            if text in seen:
                yield Problem(where, f"the same twice: {text}")
            seen.add(text)
        for answer, letters in zip(entry["answers"], entry["labels"], strict=True):
            if len(letters) != len(entry["points"]) or set(letters) - set(LABELS):
                yield Problem(where, f"labels {letters} of {len(entry['points'])} points")
            if detect(answer, entry["language"]) != entry["language"]:
                yield Problem(where, f"not in the question's language: {answer}")
