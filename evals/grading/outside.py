"""Questions of no bank with answers labelled point by point: what is learnt from them is not about the bank.

Each file has a writer of its own, who saw no other's. Most are learnt from, three are for choosing settings, and one
for the figures alone: of that a reader labelled every answer again, who saw neither labels nor kinds, and where the two
differed a third look settled it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from evals.answers import Problem, Split, list_units, longest_run
from evals.candidates import Reading
from evals.grading.data import Graded, read_labelled
from interviewer.models import Language

FOLDER = Path(__file__).parents[1] / "data" / "outside"
READINGS = FOLDER / "test-readings.json"
PARTS: Mapping[Split, tuple[str, ...]] = {
    "train": (
        "databases",
        "machines",
        "networks",
        "algorithms",
        "learning",
        "services",
        "kernels",
        "computing",
        "media",
        "languages",
        "statistics",
        "security",
        "structures",
        "design",
        "household",
        "incidents",
        "whatif",
        "abstract",
        "numbers",
        "dry",
        "money",
        "nature",
        "city",
        "symptoms",
        "simple",
        "chat",
        "sports",
        "history",
        "contrast",
        "senior",
        "letters",
        "teacher",
        "pupils",
        "learners",
        "students",
        "examinees",
        "college",
        "graduate",
        "aloud",
        "nervous",
        "turns",
        "mixed",
        "inverted",
        "dense",
        "long",
        "dictated",
    ),
    "dev": ("development", "trades", "plain"),
    "test": ("test",),
}
KINDS = ("strong", "terse", "spoken", "half", "weak", "wrong", "muddled", "cross")
"""Of the answers to each question. A strong one says everything, far from the points' words; a terse one in fragments;
a wrong one is fluent; one across is in the other language than its question."""
_RUN: Mapping[Language, int] = {"zh": 6, "en": 3}
"""A strong or spoken answer shares no longer run with a point: characters of Chinese, words of English."""


@cache
def outside_answers(part: Split) -> tuple[Graded, ...]:
    """The answers of a part; `label` holds the labels as letters, `source` is `outside/<kind>`."""
    return tuple(row for name in PARTS[part] for row in read_labelled(FOLDER / f"{name}.yaml", "outside"))


@cache
def outside_readings() -> Mapping[tuple[str, str], Reading]:
    """What the writer and the reader said of each answer of the test part, by `Graded.group` and `source`."""
    stored = json.loads(READINGS.read_text(encoding="utf-8"))
    found: dict[tuple[str, str], Reading] = {}
    for row in outside_answers("test"):
        first, second = stored[row.group.removeprefix("outside/")][row.source.removeprefix("outside/")]
        found[row.group, row.source] = Reading(first, second, row.label)
    return found


def problems(part: Split) -> Iterator[Problem]:
    """What is missing or wrong in a part."""
    kinds: dict[str, list[str]] = {}
    for row in outside_answers(part):
        kind = row.source.removeprefix("outside/")
        kinds.setdefault(row.group, []).append(kind)
        where, points = f"{row.group}/{kind}", row.question.points
        if len(row.label) != len(points) or not re.fullmatch("[cpmx]+", row.label):
            yield Problem(where, f"labels {row.label} for {len(points)} points")
        if kind in ("strong", "terse") and row.label.count("c") < len(points) - (kind == "terse"):
            yield Problem(where, f"labels {row.label}")
        if kind == "wrong" and row.label.count("x") < len(points) / 2:
            yield Problem(where, f"labels {row.label}")
        if kind == "muddled" and not {"c", "x"} <= set(row.label):
            yield Problem(where, f"labels {row.label}")
        if kind in ("strong", "spoken"):
            yield from _wording_problems(where, row)
    for group, found in kinds.items():
        if tuple(found) != KINDS:
            yield Problem(group, f"kinds {found}")
    if part == "test":
        yield from _reading_problems()


def _reading_problems() -> Iterator[Problem]:
    for (group, source), reading in outside_readings().items():
        where = f"{group}/{source.removeprefix('outside/')}"
        if not len(reading.first) == len(reading.second) == len(reading.settled):
            yield Problem(where, f"read as {reading.first} and {reading.second}, labelled {reading.settled}")
        for first, second, settled in zip(*reading, strict=False):
            if first == second != settled:
                yield Problem(where, f"both say {first}, labelled {settled}")


def _wording_problems(where: str, row: Graded) -> Iterator[Problem]:
    said = list_units(row.answer, row.language)
    for point in row.question.points:
        run = longest_run(said, list_units(point.in_language(row.language), row.language))
        if len(run) > _RUN[row.language]:
            yield Problem(where, f"shares {run} with point {point.id}")
