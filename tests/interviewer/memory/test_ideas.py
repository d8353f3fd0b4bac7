"""The same idea in two questions is one weak spot."""

from pathlib import Path

import numpy as np
import pytest

from interviewer.memory.ideas import alike_pairs, idea_groups
from interviewer.memory.reviews import PointKey
from interviewer.models import Point
from interviewer.sharing.readable import Readable
from tests.interviewer.conftest import make_question
from tests.interviewer.memory.conftest import Ideas, MemoryDesk, asks

A, B, C = PointKey("a", "one"), PointKey("b", "two"), PointKey("c", "three")


@pytest.fixture
def pair(desk: MemoryDesk) -> MemoryDesk:
    """Points `one` of a and `two` of b are one idea; `other` of a is another."""
    desk.questions.retire(["a", "b", "c"])
    same = {"one": "same", "two": "same"}
    desk.questions.save([asks("a", "one", "other", ideas=same), asks("b", "two", ideas=same)], reason="test")
    return desk


def test_two_missed_points_of_one_idea_are_one_weak_spot(pair: MemoryDesk) -> None:
    pair.answered("other", "nothing", question_ids=["a", "b"])
    (spot,) = pair.memory.weak_spots("ann")
    assert spot.points == (A, B)
    assert pair.memory.counts("ann").weak == 1


def test_covering_either_question_clears_the_idea_and_pushes_the_other_on(pair: MemoryDesk) -> None:
    pair.answered("other", "nothing", question_ids=["a", "b"])
    pair.to_day(1)
    before = pair.days()
    pair.answered("two", question_ids=["b"])
    assert pair.memory.weak_spots("ann") == ()
    assert pair.due() == []
    assert pair.days()["a/one"] > before["a/one"]
    assert pair.days()["a/other"] == before["a/other"]
    assert all(not card.weak for card in pair.memory.cards("ann"))


def test_help_does_not_clear_an_idea(pair: MemoryDesk) -> None:
    pair.answered("other", question_ids=["a"])
    view = pair.start(question_ids=["b"], followups=1)
    view = pair.press(pair.say(pair.say(view, "nothing"), "two"), "next")
    assert view.state.phase == "ended"
    assert [spot.points for spot in pair.memory.weak_spots("ann")] == [(A, B)]


def test_a_drill_asks_for_an_idea_in_the_question_that_did_not_ask_last(pair: MemoryDesk) -> None:
    pair.answered("other", question_ids=["a"])
    asked = []
    for day in range(1, 4):
        pair.to_day(day)
        (spot,) = pair.memory.due("ann")
        assert A in spot.points
        view = pair.drill(followups=0)
        (question,) = view.state.plan.questions
        asked.append((question.question_id, question.points, question.wording))
        pair.press(pair.say(view, "nothing"), "next")
        assert pair.due() == [], "an attempt in another question counts as one"
    assert asked == [("b", ("two",), "question"), ("a", ("one",), "question"), ("b", ("two",), "question")]


def test_what_was_never_asked_for_is_neither_weak_nor_covered(pair: MemoryDesk) -> None:
    pair.answered("two", question_ids=["b"])
    assert [card.key for card in pair.memory.cards("ann")] == [B]
    pair.answered("other", question_ids=["a"])
    assert [spot.points for spot in pair.memory.weak_spots("ann")] == [(A,)], "covered before it was missed"


def test_what_may_not_be_read_is_neither_due_nor_asked(pair: MemoryDesk) -> None:
    pair.questions.save([asks("b", "two", ideas={"two": "same"}, set="theirs", difficulty=5)], reason="moved")
    pair.answered("other", question_ids=["a"])
    pair.to_day(1)
    pair.memory._readable = lambda user_id: Readable(frozenset({"bank"}))
    assert pair.drill().state.plan.questions[0].question_id == "a"
    pair.memory._readable = lambda user_id: Readable(frozenset())
    assert pair.memory.due("ann") == ()
    assert pair.memory.counts("ann").due == 0


def test_a_point_whose_question_is_gone_is_not_due(pair: MemoryDesk) -> None:
    pair.answered("other", question_ids=["a"])
    pair.questions.retire(["a"])
    pair.to_day(1)
    assert pair.memory.due("ann") == ()
    assert len(pair.memory.cards("ann")) == 2


def test_ideas_are_worked_out_once_for_the_questions_as_they_are(pair: MemoryDesk) -> None:
    pair.answered("other", question_ids=["a"])
    for _ in range(3):
        pair.memory.due("ann")
    assert pair.encoder.calls == 2, "once for each language"
    pair.questions.save([asks("d", "new")], reason="one more")
    pair.memory.due("ann")
    assert pair.encoder.calls == 4


def test_three_points_of_one_idea_each_name_the_others() -> None:
    same = {"one": "same", "two": "same", "three": "same"}
    questions = [asks(*pair, ideas=same) for pair in (("a", "one"), ("b", "two"), ("c", "three"), ("d", "four"))]
    assert idea_groups(questions, Ideas()) == dict.fromkeys((A, B, C), (A, B, C))


@pytest.mark.parametrize(("text", "one_idea"), [("isolation", False), ("isolation keeps them apart", True)])
def test_a_mere_name_is_no_idea_that_questions_share(text: str, one_idea: bool) -> None:
    points = (Point(id="p", text={"en": f"{text} #same"}), Point(id="o", text={"en": "it is something else #other"}))
    questions = [make_question(id, points=points[:1] if id == "a" else points) for id in ("a", "b")]
    assert bool(idea_groups(questions, Ideas())) is one_idea


def test_pairs_are_found_a_block_of_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    sides = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in rng.normal(size=(2, 23, 3))]
    near = (sides[0] @ sides[0].T + sides[1] @ sides[1].T) / 2
    expected = {(i, j): near[i, j] for j in range(23) for i in range(j) if near[i, j] >= 0.5}
    assert expected
    monkeypatch.setattr("interviewer.memory.ideas._ROWS", 7)
    assert dict(alike_pairs(sides, 0.5)) == pytest.approx(expected)


def test_the_shipped_bank_has_ideas_in_common(tmp_path: Path) -> None:
    """The shipped encoder and bank: few groups, each of different questions."""
    from interviewer.compose import Embedders, ShippedEncoder
    from knowledge.bank import load_bank

    groups = set(idea_groups(load_bank(), ShippedEncoder(Embedders())).values())
    assert 5 <= len(groups) <= 60
    assert all(len({key.question_id for key in group}) == len(group) >= 2 for group in groups)
