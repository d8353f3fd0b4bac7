"""Quotes are verbatim, invented ones void their verdict, highlights never overlap."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.quotes import highlights, locate, verify_quotes
from interviewer.models import Beyond, Grade, GraderInfo, PointGrade, Verdict

BUILTIN = GraderInfo(name="builtin", model="1")


def point(point_id: str, verdict: Verdict, quote: str, confidence: float = 0.9) -> PointGrade:
    return PointGrade(id=point_id, text="t", weight=1, verdict=verdict, quote=quote, confidence=confidence)


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("We use  KV\ncache here", "kv cache", "KV\ncache"),
        ("先分片，再通信", "分片,再通信", "分片，再通信"),
        ("ＢＦ１６ 不会溢出", "BF16不会溢出", "ＢＦ１６ 不会溢出"),
        ("a\u200bb c", "ab c", "a\u200bb c"),
        ("says “no”", 'says "no"', "says “no”"),
        ("İstanbul ok", "ok", "ok"),
        ("ﬁne grained", "fine", "ﬁne"),
    ],
)
def test_a_quote_is_found_up_to_spaces_width_and_case(text: str, quote: str, found: str) -> None:
    place = locate(text, quote)
    assert place is not None
    assert text[slice(*place)] == found


@pytest.mark.parametrize("quote", ["", "   ", "invented words", "no"])
def test_other_words_are_not_found(quote: str) -> None:
    assert locate("It shards the optimizer states", quote) is None


@given(st.text(min_size=1, max_size=80), st.data())
def test_every_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    place = locate(text, text[start:end])
    if place is not None:
        assert 0 <= place[0] < place[1] <= len(text)
        assert locate(text[slice(*place)], text[start:end]) is not None
    else:
        assert locate("x" + text[start:end] + "x", text[start:end]) is None


VERDICTS = st.sampled_from(list(Verdict))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12), VERDICTS), max_size=6))
def test_highlights_are_sorted_and_do_not_overlap(pieces: list[tuple[int, int, Verdict]]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF".swapcase()[:26] + "0123456789"
    points = [point(f"p{i}", v, text[a : a + n]) for i, (a, n, v) in enumerate(pieces) if text[a : a + n]]
    spans = highlights(text, points)
    assert list(spans) == sorted(spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.start < span.end and span.verdict != Verdict.MISSING for span in spans)


def test_a_contradiction_is_shown_over_what_it_overlaps() -> None:
    spans = highlights(
        "one two three", [point("a", Verdict.COVERED, "one two three"), point("b", Verdict.CONTRADICTED, "two")]
    )
    assert [(s.start, s.end, s.point_id) for s in spans] == [(0, 4, "a"), (4, 7, "b"), (7, 13, "a")]


def graded(*points: PointGrade, beyond: tuple[Beyond, ...] = (), language: str = "en") -> Grade:
    return Grade(status="graded", points=points, beyond=beyond, grader=BUILTIN, language=language)


@pytest.mark.parametrize("verdict", [Verdict.COVERED, Verdict.PARTIAL, Verdict.CONTRADICTED])
@pytest.mark.parametrize("quote", ["words never said", "", "  "])
def test_a_quote_that_is_not_in_the_answer_voids_the_verdict(verdict: Verdict, quote: str) -> None:
    (checked,) = verify_quotes(graded(point("p1", verdict, quote)), "it shards the states").points
    assert checked.verdict == Verdict.MISSING
    assert checked.quote == ""
    assert checked.confidence <= 0.3
    assert "not in the answer" in checked.reason


def test_the_reason_is_in_the_language_of_the_interview() -> None:
    (checked,) = verify_quotes(graded(point("p1", Verdict.COVERED, "没说过"), language="zh"), "只说了别的").points
    assert "回答" in checked.reason


def test_a_true_quote_is_kept_as_the_candidate_wrote_it() -> None:
    (checked,) = verify_quotes(
        graded(point("p1", Verdict.COVERED, "shards the STATES")), "it shards  the states"
    ).points
    assert checked.verdict == Verdict.COVERED
    assert checked.quote == "shards  the states"


def test_beyond_needs_a_quote_too() -> None:
    said, invented = Beyond(quote="it overlaps", passage="x"), Beyond(quote="it never said", passage="x")
    assert verify_quotes(graded(beyond=(said, invented)), "and it overlaps them").beyond == (said,)


def test_missing_points_are_left_alone() -> None:
    grade = graded(point("p1", Verdict.MISSING, ""))
    assert verify_quotes(grade, "anything") == grade


def test_a_nearest_sentence_is_kept_in_the_candidates_own_form_and_an_invented_one_goes() -> None:
    answer = "It shards  the Optimizer states."
    points = (
        point("a", Verdict.MISSING, "").model_copy(update={"unsure": True, "nearest": "it shards the optimizer"}),
        point("b", Verdict.MISSING, "").model_copy(update={"unsure": True, "nearest": "it shards nothing"}),
    )
    found = verify_quotes(Grade(status="graded", points=points, grader=BUILTIN), answer).points
    assert [each.nearest for each in found] == ["It shards  the Optimizer", ""]
    assert all(each.unsure for each in found)


@pytest.mark.parametrize(
    ("answer", "quote", "said"),
    [
        (
            "Step 1\ufe0f\u20e3: old keys \u27a1\ufe0f values stay.",
            "old keys \u27a1 values",
            "old keys \u27a1\ufe0f values",
        ),
        ("It grows token-by-token.", "token\u2011by\u2013token", "token-by-token"),
        ("It grows token by token.", "\u201cgrows token by token\u201d", "grows token by token"),
        ("缓存随序列增长。", "「随序列增长」", "随序列增长"),
        ('He said "no" twice.', '"no"', '"no"'),
    ],
)
def test_how_a_model_copies_what_it_was_shown_does_not_matter(answer, quote, said):
    found = locate(answer, quote)
    assert found
    assert answer[found[0] : found[1]] == said


def test_marks_around_nothing_are_found_nowhere():
    assert locate("a and b", '""') is None
    assert locate("a and b", '"c"') is None
