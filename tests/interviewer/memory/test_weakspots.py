"""Joining weak spots that state one idea."""

from collections.abc import Sequence

import pytest

from interviewer.memory.weakspots import Missed, merge
from interviewer.models import Point


class Line:
    """Texts are numbers on a line; closeness falls with their distance."""

    def closeness(self, texts: Sequence[str]) -> list[list[float]]:
        places = [float(text) for text in texts]
        return [[1 - abs(a - b) for b in places] for a in places]


def missed(question: str, place: float, **more: str) -> Missed:
    return Missed(question, Point.model_validate({"id": f"p{place}", "weight": 1, "text": {"zh": str(place), **more}}))


def groups(*given: Missed, alike: float = 0.75) -> list[list[str]]:
    return [[m.question_id for m in group] for group in merge(given, Line(), alike=alike)]


def test_points_of_one_idea_are_joined_and_others_stand_alone() -> None:
    assert groups(missed("a", 0), missed("b", 5), missed("c", 0.1)) == [["a", "c"], ["b"]]
    assert merge([], Line()) == ()


def test_a_chain_of_small_steps_does_not_join_its_ends() -> None:
    chain = [missed(name, 0.2 * place) for place, name in enumerate("abcd")]
    assert groups(*chain) == [["a", "b"], ["c", "d"]]


def test_the_nearest_are_joined_first() -> None:
    assert groups(missed("a", 0), missed("b", 0.2), missed("c", 0.3)) == [["a"], ["b", "c"]]


def test_points_of_one_question_are_never_joined_not_even_through_a_third() -> None:
    assert groups(missed("a", 0), missed("a", 0.01)) == [["a"], ["a"]]
    assert groups(missed("a", 0), missed("b", 0.01), missed("a", 0.02)) == [["a", "b"], ["a"]]


def test_closeness_is_the_mean_over_both_languages() -> None:
    near_in_one = missed("a", 0, en="0"), missed("b", 0.1, en="0.6")
    assert groups(*near_in_one) == [["a"], ["b"]]
    assert groups(*near_in_one, alike=0.6) == [["a", "b"]]


def test_order_is_kept_and_nothing_is_lost_or_given_twice() -> None:
    given = [missed(str(n), n % 3) for n in range(9)]
    found = groups(*given)
    assert found == [["0", "3", "6"], ["1", "4", "7"], ["2", "5", "8"]]
    with pytest.raises(ValueError, match="twice"):
        merge([given[0], given[0]], Line())
