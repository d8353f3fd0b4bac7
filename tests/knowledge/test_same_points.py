"""Points keep their ids when their document is imported again."""

from interviewer.models import Point
from knowledge.same_points import with_known_ids


def points(*texts: str) -> tuple[Point, ...]:
    return tuple(Point(id=f"p{n}", text={"en": text}) for n, text in enumerate(texts, start=1))


OLD = points("locks exclude other threads", "a semaphore counts permits", "a condition wakes waiters")


def test_a_statement_put_in_front_shifts_no_id():
    new = points("barriers hold all until the last arrives", *(p.text["en"] for p in OLD))
    first, *others = with_known_ids(new, OLD)
    assert [p.id for p in others] == ["p1", "p2", "p3"]
    assert first.id not in {"p1", "p2", "p3"}


def test_a_reworded_statement_is_the_same_point_and_another_one_is_not():
    new = points("a lock excludes all other threads", "fairness is not promised")
    reworded, other = with_known_ids(new, OLD)
    assert reworded.id == "p1"
    assert other.id not in {p.id for p in OLD}


def test_the_id_of_a_point_that_is_gone_is_not_given_to_another():
    shorter = with_known_ids(points("locks exclude other threads"), OLD)
    longer = with_known_ids(points("locks exclude other threads", "fairness is not promised"), shorter)
    assert longer[0].id == "p1"
    assert longer[1].id not in {p.id for p in OLD}


def test_equal_statements_get_different_ids():
    new = with_known_ids(points("brand new words", "brand new words"), OLD)
    assert len({p.id for p in new}) == 2


def test_a_new_question_keeps_the_ids_it_was_given():
    assert with_known_ids(OLD, ()) == OLD
