"""docs/plan.md says what is in force."""

from pathlib import Path

from evals.simulation.candidates import CANDIDATES
from interviewer.interview import adapting
from interviewer.planning import drawing, rounds
from knowledge.tracks import shipped_tracks

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "plan.md").read_text(encoding="utf-8")
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def test_the_weights_of_a_question():
    assert f"times {rounds.PAST_WEIGHT['weak']:g} if one of its points is a weak spot" in GUIDE
    assert f"times {rounds.PAST_WEIGHT['known']:g} if it was asked before and none is" in GUIDE
    assert f"times {rounds.FOCUS_QUESTION:g} if a job description speaks of it" in GUIDE
    assert f"times {rounds.FOCUS_TOPIC:g} if a job description speaks of them" in GUIDE
    assert f"times {rounds.OFF_BY_ONE:g} for each step away from the difficulty wanted" in GUIDE
    assert f"times {rounds.SHALLOWER:g} if it is easier than the one before" in GUIDE
    assert f"times {rounds.WITHOUT_PHASES:g} for a design question without phases" in GUIDE
    assert f"within {NUMBERS[drawing.RECENT.days]} days" in GUIDE


def test_the_levels_and_the_tracks():
    start = rounds.START
    assert f"(junior {start['junior']}, mid {start['mid']}, senior {start['senior']} of 5;" in GUIDE
    assert f"{NUMBERS[len(shipped_tracks())].capitalize()} are shipped" in GUIDE


def test_when_the_difficulty_moves():
    row = NUMBERS[adapting.IN_A_ROW]
    assert f"After {row} strong answers in a row ({adapting.STRONG:g} or more" in GUIDE
    assert f"after {row} weak ones ({adapting.WEAK:g} or less" in GUIDE


def test_what_simulated_candidates_know():
    knows = {each.name: each.knows for each in CANDIDATES}
    told = f"(strong {knows['strong']:.0%} at difficulty 3, medium {knows['medium']:.0%}, weak {knows['weak']:.0%};"
    assert told in GUIDE
    assert knows["evasive"] == knows["nonsense"] == 0
