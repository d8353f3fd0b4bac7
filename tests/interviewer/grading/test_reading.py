"""What a cross-encoder is given to read, and what the built-in grader makes of what it says."""

from collections.abc import Sequence

import numpy as np
import pytest

from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.protocol import GradingContext
from interviewer.grading.reading import make_pair
from interviewer.grading.scoring import Joint, Reading, load_scorer
from interviewer.models import Point, Question, Verdict
from knowledge.encoder.light import LightEncoder

QUESTION = Question(
    id="q",
    set="s",
    question={"en": "Why do operating systems cache file pages?"},
    reference={
        "en": "Memory answers in nanoseconds. Writes can be gathered. A page that is used again is not read twice."
    },
    points=(
        Point(id="fast", text={"en": "Memory answers in nanoseconds while a disk takes milliseconds"}),
        Point(id="gather", text={"en": "Writes are gathered and go to the disk together"}),
        Point(id="again", text={"en": "A page that is used again need not be read from the disk twice"}),
    ),
)
ANSWER = "RAM is orders of magnitude quicker than the spindle. Several updates get flushed in one go."
CONTEXT = GradingContext(language="en", asked=(QUESTION.question["en"],))
TRUSTING = Reading(credit=(0.0, 1.0, 0.0), wrong=(0.0, 1.0, 0.0, 0.0, 0.0), surely=0.8, least=-30.0)


class Scripted:
    """Says of each point what it was told to, and keeps what it was given."""

    def __init__(self, **said: tuple[float, float]) -> None:
        self.said = {point.text["en"]: said.get(point.id, (-6.0, -6.0)) for point in QUESTION.points}
        self.asked: list[tuple[str, str]] = []

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked += pairs
        return np.array([self.said[point] for point, _ in pairs], np.float32).reshape(-1, 2)


def grade(cross: Scripted | None, answer: str = ANSWER, encoder: LightEncoder | None = None, question=QUESTION):
    scorer = load_scorer("encoder")
    scorer = scorer._replace(joint=Joint(TRUSTING, TRUSTING, scorer.chances))
    grader = BuiltinGrader(encoder or LightEncoder(), scorer, cross)
    return {point.id: point for point in grader.grade(question, answer, CONTEXT).points}


def test_the_nearest_sentences_are_read_in_the_order_of_the_answer_as_far_as_they_fit():
    sentences = [f"{name} {'talk ' * 70}".strip() for name in ("first", "second", "third")]
    pair = make_pair("a point", sentences, [0.5, 0.1, 0.9])
    assert pair.said.startswith("first") or pair.said.startswith("third")
    assert "second" not in pair.said
    short = make_pair("a point", ["one", "two", "three"], [0.1, 0.9, 0.5])
    assert short == ("a point", "one two three")


@pytest.mark.parametrize(("text", "most"), [("长" * 500, 272), ("long " * 200, 760)])
def test_what_is_read_is_bounded_even_where_it_is_one_sentence(text: str, most: int):
    pair = make_pair(text, [text], [1.0])
    assert 50 < len(pair.said) <= most
    assert 50 < len(pair.point) <= most


def test_what_is_said_again_is_read_once_but_a_heading_may_come_again():
    sentences = ["Pros:", "it answers at once and costs nothing while idle", "Pros:"]
    again = [*sentences, sentences[1], sentences[1]]
    pair = make_pair("a point", again, [0.1, 0.9, 0.1, 0.9, 0.9])
    assert pair.said == "Pros: it answers at once and costs nothing while idle Pros:"


def test_nothing_said_gives_an_empty_excerpt():
    assert make_pair("a point", [], []).said == ""


def test_a_paraphrase_that_the_cross_encoder_recognises_is_covered_and_quoted():
    cross = Scripted(fast=(5, -6), gather=(0.1, -6))
    found = grade(cross)
    assert found["fast"].verdict == Verdict.COVERED
    assert found["fast"].quote in ANSWER
    assert found["gather"].verdict == Verdict.PARTIAL
    assert found["again"].verdict == Verdict.MISSING
    assert [point for point, _ in cross.asked] == [point.text["en"] for point in QUESTION.points]
    assert all(said == ANSWER for _, said in cross.asked)


def test_a_point_told_in_a_picture_is_read_though_none_of_its_words_are_there():
    """A third of such points had been made, and was never read: the words alone gave them less than a tenth."""
    told = "The pantry is an arm's length from the stove, the cellar three flights down. The cook fetches once a day."
    examined = BuiltinGrader(LightEncoder()).examine(QUESTION, told, CONTEXT)[0]
    assert examined.credit < 0.1
    assert examined.open
    found = grade(Scripted(fast=(7, -6)), told)["fast"]
    assert found.verdict == Verdict.COVERED
    assert found.quote in told


def test_an_answer_of_usual_length_is_read_whole():
    """Which sentence of a picture is near a point no vector tells."""
    sentences = [f"sentence {at} of an answer told in a picture that is carried through to its end" for at in range(9)]
    pair = make_pair("a point", sentences, [0.0] * 9)
    assert pair.said == " ".join(sentences)
    assert 600 < len(pair.said) < 760


def test_what_it_holds_for_wrong_is_contradicted_and_corrected():
    found = grade(Scripted(fast=(-2, 4)))["fast"]
    assert found.verdict == Verdict.CONTRADICTED
    assert found.correction == QUESTION.points[0].text["en"]
    assert found.quote in ANSWER


def test_below_its_threshold_it_accuses_nobody():
    assert Verdict.CONTRADICTED not in {point.verdict for point in grade(Scripted(fast=(-2, 1))).values()}


def test_what_a_rule_found_denied_stays_contradicted_whatever_it_says():
    denied = "Memory does not answer in nanoseconds while a disk takes milliseconds."
    assert grade(None, denied)["fast"].verdict == Verdict.CONTRADICTED
    assert grade(Scripted(fast=(6, -6)), denied)["fast"].verdict == Verdict.CONTRADICTED


def test_who_is_right_about_the_rest_is_suspected_less():
    forgiving = TRUSTING._replace(wrong=(0.0, 1.0, 0.0, -3.0, 0.0))
    scorer = load_scorer("encoder")
    scorer = scorer._replace(joint=Joint(forgiving, forgiving, scorer.chances))
    verdicts = {}
    for rest in (6.0, -6.0):
        cross = Scripted(fast=(-6, 2), gather=(rest, -6), again=(rest, -6))
        graded = BuiltinGrader(LightEncoder(), scorer, cross).grade(QUESTION, ANSWER, CONTEXT)
        verdicts[rest] = [point.verdict for point in graded.points]
    assert verdicts[6.0] == [Verdict.MISSING, Verdict.COVERED, Verdict.COVERED]
    assert verdicts[-6.0] == [Verdict.CONTRADICTED, Verdict.MISSING, Verdict.MISSING]


def test_what_looks_contradicted_is_not_surely_missing():
    """A missing point that may have been contradicted is doubtful: the candidate is asked about it."""
    calm, suspect = (grade(Scripted(fast=(-3, wrong)))["fast"] for wrong in (-6, 1.2))
    assert calm.verdict == suspect.verdict == Verdict.MISSING
    assert suspect.confidence < calm.confidence
    assert suspect.unsure
    assert suspect.nearest


def test_without_an_encoder_or_where_nothing_was_said_it_is_not_asked():
    cross = Scripted(fast=(6, -6))
    scorer = load_scorer("words")._replace(joint=Joint(TRUSTING, TRUSTING, load_scorer("words").chances))
    BuiltinGrader(None, scorer, cross).grade(QUESTION, ANSWER, CONTEXT)
    assert not cross.asked
    assert {point.verdict for point in grade(cross, "").values()} == {Verdict.MISSING}
    assert not cross.asked


def test_points_found_in_a_reference_are_read_too():
    alone = QUESTION.model_copy(update={"points": ()})
    asked: list[tuple[str, str]] = []

    class Yes:
        def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            asked.extend(pairs)
            return np.array([(5.0, -5.0)] * len(pairs), np.float32)

    found = grade(Yes(), question=alone)
    assert len(asked) >= 2
    assert sum(point.verdict == Verdict.COVERED for point in found.values()) == len(asked)


@pytest.mark.parametrize(
    ("reference", "believed"),
    [
        ("Memory answers in nanoseconds. Writes can be gathered. A page that is used again is not read twice.", True),
        ("Memory answers in nanoseconds. Writes can be gathered.", False),
    ],
)
def test_one_or_two_points_found_in_a_reference_are_weighed_otherwise_than_many(reference, believed):
    class Yes:
        def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            return np.array([(5.0, -5.0)] * len(pairs), np.float32)

    deaf = TRUSTING._replace(credit=(0.0, 0.0, -5.0))
    scorer = load_scorer("encoder")
    scorer = scorer._replace(joint=Joint(TRUSTING, deaf, scorer.chances))
    alone = QUESTION.model_copy(update={"points": (), "reference": {"en": reference}})
    graded = BuiltinGrader(LightEncoder(), scorer, Yes()).grade(alone, ANSWER, CONTEXT)
    assert any(point.verdict == Verdict.COVERED for point in graded.points) == believed


def test_an_answer_that_says_nothing_can_be_examined_and_has_nothing_open():
    examined = BuiltinGrader(LightEncoder()).examine(QUESTION, "", CONTEXT)
    assert [(each.pair.said, each.open, each.credit) for each in examined] == [("", False, 0.0)] * len(QUESTION.points)


def test_what_is_joined_is_a_weighted_sum_of_logits():
    reading = Reading(credit=(1.0, 2.0, -1.0), wrong=(0.5, 1.0, -1.0, -2.0, 1.0), surely=0.5, least=-30.0)
    assert reading.credit_of(0.5, 0.5) == pytest.approx(0.5)
    assert reading.credit_of(0.5, 3.0) == pytest.approx(1 / (1 + np.exp(-5)))
    assert reading.suspicion_of(0.5, 1.0, 1.0, 0.5) == pytest.approx(0.5)
    assert reading.suspicion_of(0.5, 1.0, 1.0, 0.0) == pytest.approx(1 / (1 + np.exp(-1)))
    assert 0 < reading.credit_of(0.0, -100.0) < 1e-9
    bounded = reading._replace(least=-1.0)
    assert bounded.credit_of(0.01, 2.0) == bounded.credit_of(0.1, 2.0) == pytest.approx(1 / (1 + np.exp(-2)))
    assert bounded.credit_of(0.5, 0.5) == pytest.approx(0.5)
