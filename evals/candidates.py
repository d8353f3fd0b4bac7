"""Answers by candidates who saw the question alone: what people say who do not know what is looked for.

The other answers were written to labels that were decided first. These were labelled afterwards by a reader who saw the
points; those of the test split by two, who saw nothing of each other, and a third settled where the two differed.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.answers import AnswerSet, Problem, read_sets, split
from interviewer.models import LANGUAGES, Language, Question

PATH = Path(__file__).parent / "data" / "candidates.yaml"
READINGS = Path(__file__).parent / "data" / "candidates-readings.json"
KINDS = ("senior", "junior")
"""Years in the field; one or two, or from a neighbouring one."""


class Reading(NamedTuple):
    """The letters that each of two readers gave the points of one answer, and those that were settled."""

    first: str
    second: str
    settled: str


def load_candidates() -> list[AnswerSet]:
    """The sets in the file's order; `labels` are the settled ones.

    Raises:
        ValidationError: if the file does not fit the schema.
    """
    return read_sets(PATH)


def readings() -> dict[tuple[str, Language, str], Reading]:
    """What the two readers said of each answer of the test split, by question, language and kind."""
    stored = json.loads(READINGS.read_text(encoding="utf-8"))
    found: dict[tuple[str, Language, str], Reading] = {}
    for entry in (entry for entry in load_candidates() if split(entry.question) == "test"):
        for language in LANGUAGES:
            for answer in entry.in_language(language):
                first, second = stored[entry.question][language][answer.kind]
                found[entry.question, language, answer.kind] = Reading(first, second, answer.labels)
    return found


def problems(bank: Sequence[Question]) -> Iterator[Problem]:
    """What is missing or wrong in them."""
    points = {question.id: tuple(point.id for point in question.points) for question in bank}
    for entry in load_candidates():
        if entry.points != points.get(entry.question):
            yield Problem(entry.question, f"points should be {points.get(entry.question)}")
        for language in LANGUAGES:
            kinds = tuple(answer.kind for answer in entry.in_language(language))
            if kinds != KINDS:
                yield Problem(f"{entry.question}/{language}", f"kinds {kinds}, wanted {KINDS}")
            for answer in entry.in_language(language):
                if len(answer.labels) != len(entry.points):
                    yield Problem(f"{entry.question}/{language}/{answer.kind}", f"labels {answer.labels}")
    for (question, spoken, kind), reading in readings().items():
        for at, (first, second, settled) in enumerate(zip(*reading, strict=True), start=1):
            if first == second != settled:
                yield Problem(f"{question}/{spoken}/{kind}", f"both readers say {first} of point {at}, not {settled}")
