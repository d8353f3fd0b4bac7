"""docs/memory.md says what is in force."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.memory.cards import LONGEST_DAYS, RETENTION, Schedule
from interviewer.memory.reviews import AGAIN, EASY, GOOD, HARD, Review, rate
from interviewer.memory.weakspots import ALIKE
from interviewer.models import Verdict
from interviewer.planning.drilling import (
    LEAST_MINUTES,
    MOST_PROBES,
    POINT_MINUTES,
    QUESTION_MINUTES,
    USUAL_MINUTES,
)
from ui.choices import LEAST_DRILL_MINUTES

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "memory.md").read_text(encoding="utf-8")
NAMES = {"again": AGAIN, "hard": HARD, "good": GOOD, "easy": EASY}


def rows(*, columns: int) -> list[list[str]]:
    """The cells of the page's tables with so many columns, without their heads."""
    lines = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in cells] for cells in lines if len(cells) == columns][1:]


@pytest.mark.parametrize("row", rows(columns=3), ids=lambda row: row[0])
def test_the_table_of_ratings(row: list[str]) -> None:
    shown, interview, drill = row
    verdict, earned = {
        "covered at once": (Verdict.COVERED, "answer"),
        "covered after a follow-up": (Verdict.COVERED, "probe"),
        "covered after a hint": (Verdict.COVERED, "hint"),
        "partly covered": (Verdict.PARTIAL, "answer"),
        "missing": (Verdict.MISSING, "answer"),
        "contradicted": (Verdict.CONTRADICTED, "answer"),
    }[shown]
    assert rate(verdict, earned) == NAMES[interview]
    assert rate(verdict, earned, drill=True) == NAMES[drill]


@pytest.mark.parametrize("row", rows(columns=2), ids=lambda row: row[0])
def test_the_table_of_days(row: list[str]) -> None:
    past, days = row
    first, later = re.fullmatch(r"(?:asked once: (\w+)|missed, then (\w+) in every drill)", past).groups()
    ratings = [NAMES[first]] if first else [AGAIN, *[NAMES[later]] * 4]
    schedule, at = Schedule(UTC), datetime(2026, 1, 5, 9, tzinfo=UTC)
    card, rests = None, []
    for index, rating in enumerate(ratings):
        card = schedule.after(card, Review("i", index, "q", "p", "t", at, Verdict.PARTIAL, "answer", rating))
        rest = card.due_at.date() - at.date()
        rests.append(rest.days)
        at += rest
    assert rests == [int(number) for number in days.split(", ")]


def test_the_figures_in_the_text() -> None:
    assert len(rows(columns=3)) == len(rows(columns=2)) == 6
    assert f"a likelihood of {RETENTION:.0%}, after {LONGEST_DAYS} days at the latest" in PAGE
    assert f"at least {ALIKE:g} alike" in PAGE
    minutes = f"{LEAST_MINUTES} at least and {USUAL_MINUTES} where nothing is said"
    assert f"{minutes} ({QUESTION_MINUTES:g} for each question and {POINT_MINUTES:g} for each point)" in PAGE
    assert LEAST_DRILL_MINUTES == LEAST_MINUTES
    assert f"up to {MOST_PROBES} points of a question are asked by their probes" in PAGE
