"""Questions of no bank with answers labelled point by point: what is learnt from them is not about the bank.

Each file has a writer of its own, who saw no other's. Six are learnt from, one is for choosing settings, and one for
the figures alone.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from evals.answers import Problem, Split, list_units, longest_run
from evals.grading.data import Graded, read_labelled
from interviewer.models import Language

FOLDER = Path(__file__).parents[1] / "data" / "outside"
PARTS: Mapping[Split, tuple[str, ...]] = {
    "train": ("databases", "machines", "networks", "algorithms", "learning", "services"),
    "dev": ("development",),
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


def _wording_problems(where: str, row: Graded) -> Iterator[Problem]:
    said = list_units(row.answer, row.language)
    for point in row.question.points:
        run = longest_run(said, list_units(point.in_language(row.language), row.language))
        if len(run) > _RUN[row.language]:
            yield Problem(where, f"shares {run} with point {point.id}")
