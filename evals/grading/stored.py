"""The grades behind the published figures, answer by answer: whether the grader still gives them can be seen from a few
of them, without grading all anew."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.candidates import GROUPS
from evals.grading import data
from evals.grading.data import Graded
from evals.grading.elsewhere import elsewhere_answers
from evals.grading.notes import everyday_answers, slipped_answers
from evals.grading.outcomes import Outcome
from evals.grading.outside import outside_answers
from evals.grading.pictured import pictured_answers

SCORES = data.HERE / "scores.json"
WAYS = ("given", "reference_only")
"""With the question's points, and with its reference alone."""

Scores = dict[str, dict[str, list[float]]]


def measured_rows() -> dict[str, Sequence[Graded]]:
    """The answers that the grader is measured on both ways, by the names that the figures have."""
    return {
        "labelled": data.labelled_answers("test"),
        "mistakes": data.mistaken_answers("test"),
        "honest": data.honest_answers("test"),
        **{group.key: data.candidate_answers("test", group=group) for group in GROUPS},
        "outside": outside_answers("test"),
        "everyday": everyday_answers("test"),
        "slips": slipped_answers("test"),
        "elsewhere": elsewhere_answers("test"),
        "pictured": pictured_answers("test"),
    }


def write_scores(graded: Mapping[str, Sequence[Sequence[Outcome]]], path: Path = SCORES) -> None:
    """The scores, 0..10, of each set in the order of `measured_rows`.

    Args:
        graded: Of each set the outcomes of both `WAYS`.
    """
    scores: Scores = {
        name: {way: [outcome.score for outcome in outcomes] for way, outcomes in zip(WAYS, both, strict=True)}
        for name, both in graded.items()
    }
    lines = ",\n".join(f'"{name}": {json.dumps(ways, separators=(",", ":"))}' for name, ways in scores.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def read_scores(path: Path = SCORES) -> Scores:
    """What `write_scores` wrote."""
    scores: Scores = json.loads(path.read_text(encoding="utf-8"))
    return scores
