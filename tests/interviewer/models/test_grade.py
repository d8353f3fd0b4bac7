"""The score, and the points it is out of where some are enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.models import Choice, Grade, GraderInfo, PointGrade, Verdict

C, P, M, X = Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def grade(verdicts: str, *choices: Choice, weights: tuple[float, ...] = ()) -> Grade:
    """A grade of points `0`, `1`, …: `c` covered, `p` partial, `m` missing, `x` contradicted."""
    named = {"c": C, "p": P, "m": M, "x": X}
    points = tuple(
        PointGrade(id=str(at), text="t", weight=weights[at] if weights else 1, verdict=named[letter])
        for at, letter in enumerate(verdicts)
    )
    return Grade(status="graded", points=points, choices=choices, grader=GraderInfo(name="builtin"))


def any_of(enough: int, ids: str) -> Choice:
    return Choice(points=tuple(ids), enough=enough)


@pytest.mark.parametrize(
    ("verdicts", "choice", "score", "spare"),
    [
        ("ccmmm", any_of(2, "01234"), 10.0, "234"),
        ("mmmcc", any_of(2, "01234"), 10.0, "012"),
        ("cmmmm", any_of(2, "01234"), 5.0, "234"),
        ("cpmmm", any_of(2, "01234"), 7.5, "234"),
        ("ccpmm", any_of(2, "01234"), 10.0, "234"),
        ("ccccc", any_of(2, "01234"), 10.0, ""),
        ("ccxmm", any_of(2, "01234"), 8.8, "34"),
        ("mmmmm", any_of(2, "01234"), 0.0, "234"),
        # The first is needed by every answer.
        ("mccmm", any_of(2, "1234"), 6.7, "34"),
        ("ccmmm", any_of(1, "1234"), 10.0, "234"),
        # Nothing to choose, and points that are gone.
        ("cm", any_of(2, "01"), 5.0, ""),
        ("cmm", any_of(1, "0189"), 5.0, "1"),
    ],
)
def test_of_a_choice_the_best_count(verdicts: str, choice: Choice, score: float, spare: str) -> None:
    found = grade(verdicts, choice)
    assert found.score == score
    assert found.spare == set(spare)


def test_of_equally_good_points_the_weightiest_is_needed() -> None:
    found = grade("cmm", any_of(2, "012"), weights=(1, 1, 3))
    assert [point.id for point in found.needed] == ["0", "2"]
    assert found.score == 2.5


def test_what_is_decided_counts_in_the_choice() -> None:
    found = grade("cmm", any_of(2, "012"))
    decided = found.model_copy(
        update={"points": (*found.points[:2], found.points[2].model_copy(update={"decided": C}))}
    )
    assert decided.score == 10
    assert decided.spare == {"1"}


@given(st.text("cpmx", min_size=1, max_size=8), st.integers(1, 9), st.data())
def test_a_choice_never_costs_and_saying_more_never_does(verdicts: str, enough: int, data: st.DataObject) -> None:
    ids = "".join(map(str, range(len(verdicts))))
    chosen = grade(verdicts, any_of(enough, ids))
    assert chosen.score >= grade(verdicts).score or "x" in verdicts
    assert 0 <= chosen.score <= 10
    at = data.draw(st.sampled_from(range(len(verdicts))))
    more = verdicts[:at] + "c" + verdicts[at + 1 :]
    assert grade(more, any_of(enough, ids)).score >= chosen.score
