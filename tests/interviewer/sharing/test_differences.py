"""What differs between two versions, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from interviewer.sharing.differences import differences


def joined(change, *parts):
    return "".join(piece.text for piece in change.pieces if piece.part in parts)


def test_a_changed_word_is_all_that_is_marked(question):
    before = question("q", question={"en": "What is a spin lock?", "zh": "什么是自旋锁？"})
    after = question("q", question={"en": "What is a ticket lock?", "zh": "什么是票据锁？"})
    found = {change.path: change for change in differences(before, after)}
    assert set(found) == {("question", "en"), ("question", "zh")}
    assert joined(found["question", "en"], "gone") == "spin"
    assert joined(found["question", "en"], "new") == "ticket"
    assert joined(found["question", "zh"], "gone") == "自旋"


def test_points_that_only_come_or_go_are_no_change_of_order(question):
    before = question("q")
    fewer = before.model_copy(update={"points": before.points[:1]})
    turned = before.model_copy(update={"points": before.points[::-1]})
    assert ("points",) not in {change.path for change in differences(before, fewer)}
    assert {change.path for change in differences(before, turned)} == {("points",)}


def test_choices_are_told_by_the_numbers_of_their_points(question):
    before = question("q")
    after = question("q", choices=[{"points": ["sum", "memory"], "enough": 1}])
    (change,) = differences(before, after)
    assert change.path == ("choices",)
    assert joined(change, "new") == "1 / 1, 2"


def test_two_long_texts_are_compared_in_time(question):
    long = "\n".join(f"line {n} of many words here" for n in range(4000))
    (change,) = differences(
        question("q", reference={"en": long}), question("q", reference={"en": long.replace("line 7 ", "line seven ")})
    )
    assert joined(change, "new") == "line seven of many words here\n"


@given(st.text(min_size=1), st.text(min_size=1))
def test_the_pieces_spell_out_both_texts(old, new):
    from tests.interviewer.conftest import make_question

    changes = differences(make_question("q", reference={"en": old}), make_question("q", reference={"en": new}))
    for change in changes:
        assert joined(change, "same", "gone") == old
        assert joined(change, "same", "new") == new
    assert bool(changes) == (old != new)
