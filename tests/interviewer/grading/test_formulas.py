"""Formulas: what is one, what it comes to, and whether an answer gives the one that was asked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.grading.formulas import among, find_formulas, formulas_given, is_mostly_formulas, same_formula


def texts(text: str) -> list[str]:
    return [formula.text for formula in find_formulas(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("（1）n/2\n（2）（2n+1）/3", ["n/2", "(2n+1)/3"]),
        ("1.n/2;\n2.(2n+1)/3", ["n/2", "(2n+1)/3"]),
        ("①平均移动n/2个", ["n/2"]),
        ("ai = 3n-3(i-1)，1<=i<=n", ["3n-3(i-1)"]),
        ("It takes O(n²) time and O(n log n) with a heap", ["o(n^2)", "o(nlogn)"]),
        ("时间复杂度为O（1），但", ["o(1)"]),
        ("(1-p)^n of them", ["(1-p)^n"]),
        ("2×L×H×d bytes", ["2*l*h*d"]),
        ("a layer from n to m has nm+m parameters", ["nm+m"]),
        ("TCP/IP, A/B tests, I/O, C++, k-v, n-gram, 7B/13B, 4k, p99, pass@k", []),
        ("10-20 ms on 2024-11-27, 24/7", []),
        ("softmax(QK^T/√d)V", []),
        ("x^1000 and 9^9^9^9*n", []),
        ("n/0", []),
        ("(" * 80 + "n+1" + ")" * 80, []),
        ("", []),
    ],
)
def test_formulas_are_found_and_names_are_not(text: str, found: list[str]) -> None:
    assert texts(text) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3n-3(i-1)", "3*(n-i+1)", True),
        ("(2n+1)/3", "（2*n＋1）/3", True),
        ("O(n log n)", "O(n*lg(n))", True),
        ("O(n^2)", "O(n*n)", True),
        ("(a-b)^2", "(b-a)^2", True),
        ("n/2", "(n+1)/2", False),
        ("n/2", "2/n", False),
        ("O(n)", "O(n^2)", False),
        ("O(n+1)", "n+1", False),
        ("n*m", "n+m", False),
    ],
)
def test_formulas_are_compared_by_what_they_come_to(one: str, other: str, same: bool) -> None:
    (a,), (b,) = find_formulas(one), find_formulas(other)
    assert same_formula(a, b) is same
    assert among(a, (b,)) is same


ASKED = "What is the time complexity of merge sort?"
POINT = "The time complexity of merge sort is O(n log n)."


@pytest.mark.parametrize(
    ("point", "asked", "said", "given"),
    [
        (POINT, ASKED, "O(n lg n)", 1.0),
        (POINT, ASKED, "n log n", 1.0),
        (POINT, ASKED, "O(n²), since each element meets each other", 0.0),
        (POINT, ASKED, "It is not O(n log n)", None),
        (POINT, ASKED, "It halves the list", None),
        (POINT, ASKED, "O(1), O(n), O(log n), O(n log n), O(n^2)", 0.0),
        (POINT, "Is merge sort O(n log n)?", "O(n log n)", None),
        ("It merges sorted halves in O(n) and recurses on both", ASKED, "O(n^2)", None),
        ("时间复杂度是O(nlogn)，空间复杂度是O(n)", "归并排序的时间复杂度和空间复杂度是多少？", "O(nlogn)", 0.5),
        ("时间复杂度是O(nlogn)，空间复杂度是O(n)", "归并排序的时间复杂度和空间复杂度是多少？", "O(n)，O(nlogn)", None),
    ],
)
def test_who_is_asked_for_a_formula_gives_it_or_does_not(
    point: str, asked: str, said: str, given: float | None
) -> None:
    assert formulas_given(point, asked, said) == given


def test_a_text_of_formulas_has_hardly_a_word_beside_them() -> None:
    assert is_mostly_formulas("时间O(n)，空间O(h)")
    assert not is_mostly_formulas("Radix sort takes O(nk) because it looks at every digit of every number once")
    assert not is_mostly_formulas("n and m")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="n2+-*/^()log.O （）²i,= \n", max_size=200))
def test_any_text_is_read_without_failing_and_a_formula_equals_itself(text: str) -> None:
    for formula in find_formulas(text):
        assert same_formula(formula, formula)
