"""Figures of answers to notes, everyday ones and those with slips, and of answers to other questions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals.grading.data import Graded
from evals.grading.elsewhere import ELSEWHERE
from evals.grading.labelled import means_by, scores_alone, with_intervals
from evals.grading.notes import EVERYDAY
from evals.grading.outcomes import Outcome, true_score, verdicts_of
from interviewer.models import Verdict

_Figures = dict[str, Any]
_WRONG = "x"
ALMOST_NOTHING = 1.0
"""Of 10: what an answer to another question may get."""


def everyday_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Mean scores by manner, language and kind, and by manner how the scores agree with the labels."""
    return {
        "kinds": means_by(manner_and_kind, given, extracted),
        "manners": {
            manner: {
                "given": with_intervals(_of(manner, given), scores_alone),
                "reference_only": with_intervals(_of(manner, extracted), scores_alone),
            }
            for manner in EVERYDAY
        },
    }


def slip_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Mean scores of right answers and of the same with slips, by language; and with points given how much lower the
    second ones are, how often (a tie counts half), and what the points that are made wrong were called."""
    pairs = [*zip(given[::2], given[1::2], strict=True)]
    falls = [(one.score - other.score, true_score(one.row) - true_score(other.row)) for one, other in pairs]
    called = [ours for outcome in given for ours, true in verdicts_of(outcome) if true == Verdict.CONTRADICTED]
    return {
        "kinds": means_by(right_or_not, given, extracted),
        "falls": round(float(np.mean([ours for ours, _ in falls])), 1),
        "should_fall": round(float(np.mean([right for _, right in falls])), 1),
        "order": round(float(np.mean([(ours > 0) + (ours == 0) / 2 for ours, _ in falls])), 2),
        "called": {verdict.value: round(called.count(verdict) / max(1, len(called)), 3) for verdict in Verdict},
    }


def elsewhere_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Mean scores of answers to other questions, by manner and language, and the share that gets more than
    `ALMOST_NOTHING`."""
    return {
        "kinds": means_by(told_elsewhere, given, extracted),
        "answers": len(given),
        "given": _too_much(given),
        "reference_only": _too_much(extracted),
    }


def _too_much(found: Sequence[Outcome]) -> _Figures:
    scores = [outcome.score for outcome in found]
    return {
        "mean": round(float(np.mean(scores)), 2),
        "above": round(float(np.mean([score > ALMOST_NOTHING for score in scores])), 3),
    }


def manner_and_kind(row: Graded) -> str:
    """What an everyday answer is called in the figures."""
    return ", ".join((row.source.split("/")[0], row.language, row.source.split("/")[1]))


def right_or_not(row: Graded) -> str:
    """What an answer with a slip, or the right one, is called in the figures."""
    return f"{row.language}, {'with slips' if _WRONG in row.label else 'right'}"


def told_elsewhere(row: Graded) -> str:
    """What an answer to another question is called in the figures."""
    return f"{row.source.replace(ELSEWHERE, '/')}, {row.language}"


def _of(manner: str, found: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in found if outcome.row.source.startswith(f"{manner}/")]
