"""What points that people wrote are graded by: which answers it is fitted on, and what it sees of them."""

from collections import Counter

import numpy as np
import pytest

from evals.answers import split
from evals.grading import fit_given
from evals.grading.data import Graded, battery
from evals.grading.fit_given import Gathered, gather_given, rows_to_fit
from evals.grading.suspicion import Paired, fit_suspicion
from interviewer.grading.evidence import FEATURES
from interviewer.grading.nearness import NEARNESS
from interviewer.grading.scoring import ALONE, GIVEN_FEATURES, load_scorer, read_forest
from interviewer.grading.suspicion import PAIR_FEATURES


def labelled(letters: str, source: str = "answers/strong", group: str = "bank/a") -> Gathered:
    """An answer whose points have one sentence each; a point's evidence is 1 where it was made, rightly or wrongly."""
    row = battery()[0]._replace(
        group=group, source=source, label=letters, labels=tuple(float(letter == "c") for letter in letters)
    )
    values = np.zeros((len(letters), len(FEATURES) + len(NEARNESS)))
    values[:, 0] = [letter in "cx" for letter in letters]
    pairs = tuple(np.full((1, len(PAIR_FEATURES)), float(letter == "x")) for letter in letters)
    return Gathered(row, values, pairs)


@pytest.fixture(scope="module")
def rows() -> list[Graded]:
    return rows_to_fit()


def test_only_training_questions_are_fitted_on_and_every_answer_in_both_languages(rows: list[Graded]) -> None:
    assert {split(row.group.removeprefix("bank/")) for row in rows} == {"train"}
    kinds = Counter(row.source.split("/")[0] for row in rows)
    own = kinds["answers"] + kinds["honest"] + kinds["candidates"] + kinds["mistakes"]
    assert kinds["other-language"] == own > 1000
    assert min(kinds["honest"], kinds["candidates"], kinds["mistakes"]) > 300
    assert {row.source for row in rows if row.source.startswith("bank/")} == {"bank/off"}
    assert all(not any(row.labels or (1,)) for row in rows if row.source.startswith("bank/"))


def test_people_and_the_battery_are_left_for_measuring(rows: list[Graded]) -> None:
    assert all(row.group.startswith("bank/") and row.labels is not None for row in rows)


def test_what_is_gathered_is_all_but_the_doubts(rows: list[Graded]) -> None:
    (each,) = gather_given(rows[:1], None, load_scorer("words").serves)
    assert each.values.shape == (len(each.row.label), len(FEATURES) + len(NEARNESS))
    assert len(each.pairs) == len(each.row.label)
    assert each.values.shape[1] + 2 == len(GIVEN_FEATURES)
    assert gather_given([rows[0]._replace(answer="")], None, load_scorer("words").serves) == []


@pytest.mark.usefixtures("few_trees")
def test_a_point_made_counts_unless_it_is_contradicted_and_doubts_are_those_of_questions_left_out() -> None:
    letters = ("cmx", "ccm", "xmc", "mmc", "cxm")
    gathered = [labelled(letters[n % 5], group=f"bank/{n % 10}") for n in range(300)]
    fitted = fit_given.fit_given(gathered)
    trees = read_forest(fitted["given"], GIVEN_FEATURES)

    def logit(made: float, doubt: float) -> float:
        return trees.logit([made, *[0.0] * (len(GIVEN_FEATURES) - 3), doubt, ALONE])

    assert logit(1, ALONE) > 1.5
    assert logit(0, ALONE) < -1.5
    assert logit(1, 3.0) < logit(1, ALONE) - 1.5
    suspicion = read_forest(fitted["suspicion"], PAIR_FEATURES)
    assert suspicion.logit([1.0] * len(PAIR_FEATURES)) > 1 > -1 > suspicion.logit([0.0] * len(PAIR_FEATURES))


@pytest.mark.usefixtures("few_trees")
def test_what_is_not_among_the_answers_with_mistakes_does_not_teach_suspicion() -> None:
    gathered = [labelled("cmx", group=f"bank/{n % 10}") for n in range(100)]
    odd = [labelled("xxx", source="other-language/answers/strong", group=f"bank/{n % 10}") for n in range(100)]
    assert fit_given.fit_given(gathered)["suspicion"] == fit_given.fit_given([*gathered, *odd])["suspicion"]


@pytest.mark.usefixtures("few_trees")
def test_the_suspicion_is_fitted_as_if_no_misconceptions_were_known_too() -> None:
    told = PAIR_FEATURES.index("misconception_lead")
    denied = PAIR_FEATURES.index("negations_here")
    pairs: list[Paired] = []
    for number in range(400):
        values = np.zeros((1, len(PAIR_FEATURES)))
        wrong = number % 2 == 0
        values[0, told] = values[0, denied] = float(wrong)
        pairs.append(Paired(f"bank/{number % 10}", number, wrong, values))
    fitted, _ = fit_suspicion(pairs)
    trees = read_forest(fitted["suspicion"], PAIR_FEATURES)
    unknown = np.zeros(len(PAIR_FEATURES))
    unknown[denied] = 1.0
    assert trees.logit(unknown) > trees.logit(np.zeros(len(PAIR_FEATURES))) + 2
