"""Points keep their ids when their document is imported again."""

from interviewer.grading.points import extract
from interviewer.models import Choice, Point, Question
from knowledge.bank import load_bank
from knowledge.same_points import are_quoted, grade_alike, with_known_ids


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


def test_what_is_found_by_structure_is_told_in_the_reference_s_words_and_what_was_written_is_not():
    for question in load_bank():
        assert not are_quoted(question.points, question.reference), question.id
        for language, reference in question.reference.items():
            assert are_quoted(extract("", reference, language).points, question.reference), question.id


def test_points_are_told_apart_by_what_they_say_and_not_by_their_ids():
    def question(points, chosen=("a", "b")):
        choice = Choice(points=chosen, enough=1)
        return Question(id="q", set="s", question={"en": "Q?"}, reference={"en": "R"}, points=points, choices=(choice,))

    first, second = Point(id="a", text={"en": "one"}), Point(id="b", text={"en": "two"})
    renamed = (first.model_copy(update={"id": "b"}), second.model_copy(update={"id": "a"}))
    assert grade_alike(question((first, second)), question(renamed, ("b", "a")))
    assert not grade_alike(question((first, second)), question(renamed))
    assert not grade_alike(question((first, second)), question((first, second.model_copy(update={"weight": 2}))))
