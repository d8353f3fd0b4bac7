"""Three-way merging: edits stay, everything else follows the document."""

from hypothesis import given
from hypothesis import strategies as st

from interviewer.models import Point, Question, QuestionPhase
from interviewer.sharing.fields import build, fields
from interviewer.sharing.merging import merge


def make(**changes) -> Question:
    values = {
        "id": "q",
        "set": "s",
        "topic": "locks",
        "question": {"en": "What is a lock?"},
        "reference": {"en": "It excludes."},
        "points": (point("p1"), point("p2"), point("p3")),
    }
    return Question.model_validate(values | changes)


def point(id: str, text: str = "", **changes) -> Point:
    return Point.model_validate({"id": id, "text": {"en": text or f"statement {id}"}, **changes})


BASE = make()


def test_a_field_only_the_document_changed_follows_it_and_an_edited_one_stays():
    document = make(topic="mutexes", reference={"en": "It excludes others."})
    edited = make(question={"en": "What does a lock do?"})
    merged = merge(BASE, document, edited)
    assert merged.question == make(
        topic="mutexes", reference={"en": "It excludes others."}, question={"en": "What does a lock do?"}
    )
    assert merged.conflicts == ()


def test_a_field_changed_on_both_sides_keeps_the_edit_and_is_named():
    merged = merge(BASE, make(question={"en": "Document's"}), make(question={"en": "Lead's"}))
    assert merged.question.question == {"en": "Lead's"}
    assert merged.conflicts == (("question", "en"),)


def test_the_same_change_on_both_sides_is_no_conflict():
    assert merge(BASE, make(topic="x"), make(topic="x")).conflicts == ()


def test_fields_of_one_point_merge_apart():
    document = make(points=(point("p1", "clearer"), point("p2"), point("p3")))
    edited = make(points=(point("p1", weight=3, probe={"en": "why?"}), point("p2"), point("p3")))
    merged = merge(BASE, document, edited)
    assert merged.question.points[0] == point("p1", "clearer", weight=3, probe={"en": "why?"})
    assert merged.conflicts == ()


def test_a_point_the_document_drops_goes_unless_it_was_edited():
    document = make(points=(point("p3"),))
    edited = make(points=(point("p1", weight=3), point("p2"), point("p3")))
    merged = merge(BASE, document, edited)
    assert [p.id for p in merged.question.points] == ["p1", "p3"]
    assert merged.question.points[0].text == {"en": "statement p1"}
    assert merged.conflicts == (("points", "p1"),)


def test_a_point_a_person_removed_stays_away_and_a_change_of_it_is_named():
    edited = make(points=(point("p1"), point("p3")))
    again = merge(BASE, make(topic="other"), edited)
    assert [p.id for p in again.question.points] == ["p1", "p3"]
    assert again.conflicts == ()
    changed = merge(BASE, make(points=(point("p1"), point("p2", "new"), point("p3"))), edited)
    assert [p.id for p in changed.question.points] == ["p1", "p3"]
    assert changed.conflicts == (("points", "p2"),)


def test_added_points_of_both_sides_stand_where_they_stood():
    document = make(points=(point("p1"), point("d"), point("p2"), point("p3")))
    edited = make(points=(point("p1"), point("p2"), point("e"), point("p3")))
    assert [p.id for p in merge(BASE, document, edited).question.points] == ["p1", "d", "p2", "e", "p3"]


def test_an_order_a_person_chose_stays():
    document = make(points=(point("p1"), point("p2"), point("p3"), point("d")))
    edited = make(points=(point("p3"), point("p1"), point("p2")))
    assert [p.id for p in merge(BASE, document, edited).question.points] == ["p3", "d", "p1", "p2"]


def test_the_phase_of_a_point_merges_like_any_field():
    def phased(first, second, **changes):
        phases = (
            QuestionPhase(id="a", title={"en": "A"}, minutes=5, prompt={"en": "?"}, points=first),
            QuestionPhase(id="b", title={"en": "B"}, minutes=5, prompt={"en": "?"}, points=second),
        )
        return make(phases=phases, **changes)

    base = phased(("p1", "p2"), ("p3",))
    edited = phased(("p1",), ("p2", "p3"))
    document = phased(("p1", "p2"), ("p3",), topic="other")
    merged = merge(base, document, edited).question
    assert [phase.points for phase in merged.phases] == [("p1",), ("p2", "p3")]
    assert merged.topic == "other"
    gone = make(phases=(document.phases[0].model_copy(update={"points": ("p1", "p2", "p3")}),))
    assert merge(base, gone, edited).question.phases[0].points == ("p1", "p2", "p3")


def test_where_both_together_leave_nothing_valid_the_edit_counts():
    both = {"en": "x", "zh": "甲"}
    base, document, edited = (make(question=q) for q in (both, {"en": "x"}, {"zh": "甲"}))
    merged = merge(base, document, edited)
    assert merged.question == edited
    assert merged.conflicts == (("question", "zh"),)


some = st.sampled_from(["a", "b", "c"])
texts = st.fixed_dictionaries({"en": some}, optional={"zh": some})
points = st.lists(st.sampled_from(["p1", "p2", "p3", "p4"]), unique=True, max_size=4).flatmap(
    lambda ids: st.tuples(*(st.builds(Point, id=st.just(i), text=texts, weight=st.sampled_from([1, 2])) for i in ids))
)
questions = st.builds(
    make,
    question=texts,
    reference=texts,
    topic=st.sampled_from(["t", "u"]),
    points=points,
    difficulty=st.integers(1, 3),
)


@given(questions)
def test_fields_describe_a_question_whole(question):
    assert build(question.id, question.set, fields(question)) == question


@given(questions, questions)
def test_without_an_edit_the_document_counts_and_without_a_change_the_edit(base, other):
    assert merge(base, other, base).question == other
    assert merge(base, base, other) == (other, ())
    assert merge(base, other, other).question == other


@given(questions, questions, questions)
def test_a_merge_is_valid_and_every_edited_field_stays(base, document, edited):
    merged = merge(base, document, edited)
    before, ours, theirs, result = map(fields, (base, edited, document, merged.question))
    ids = {p.id for p in merged.question.points}
    for path, value in result.items():
        if path == ("points",):
            continue
        assert value == (ours.get(path) if ours.get(path) != before.get(path) else theirs.get(path, value))
    added = {p.id for p in edited.points} - {p.id for p in base.points}
    removed = {p.id for p in base.points} - {p.id for p in edited.points}
    assert added <= ids
    assert not removed & ids
    again = merge(document, document, merged.question)
    assert again == (merged.question, ())
