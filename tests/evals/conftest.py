"""What the tests of the evaluations share."""

import pytest

from evals.grading import fit, fit_found, fit_given, suspicion
from evals.grading.command import built_in_grader
from interviewer.grading.guarded import GuardedGrader


@pytest.fixture(scope="session")
def shipped() -> GuardedGrader:
    """The built-in grader as it is shipped, behind its guard; reading its weights takes seconds."""
    return GuardedGrader(built_in_grader())


@pytest.fixture
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fits grow a sixth of their trees, with steps as much longer: enough for a few answers made up for a test."""
    for module in (fit, fit_found, fit_given, suspicion):
        full = module._GROWTH
        few = full._replace(trees=full.trees // 6, rate=min(0.3, full.rate * 6))
        monkeypatch.setattr(module, "_GROWTH", few)
