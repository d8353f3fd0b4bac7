"""Repairs within a line."""

import pytest

from knowledge.extraction.inline import RULES, formula_only, repair_inline


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("校验**:**每次都做", "校验:每次都做"),
        ("\\4. 部署", "4. 部署"),
        ("很快。([site.org][3])", "很快。(site.org [3])"),
        ("令 (\\frac{a}{b}) 变大", "令 $\\frac{a}{b}$ 变大"),
        ("其中 (w_t) 是权重", "其中 $w_t$ 是权重"),
        ("形状 (batch, seq_len) 不变", "形状 (batch, seq_len) 不变"),
        ("路径 (C:\\temp\\x) 不变", "路径 (C:\\temp\\x) 不变"),
        ("flag = Truea.b = 1", "flag = True a.b = 1"),
        ("w = f(x)v = w * 2", "w = f(x) v = w * 2"),
        ("`f(x)v = 1` 与 $(x_1)$ 不动", "`f(x)v = 1` 与 $(x_1)$ 不动"),
    ],
)
def test_repairs(damaged: str, repaired: str) -> None:
    assert repair_inline(damaged) == repaired


def test_every_rule_is_documented() -> None:
    assert all(rule.__doc__ for rule in RULES)


def test_a_repaired_text_stays_as_it_is() -> None:
    text = "令 (\\frac{a}{b}) 变大**:**([x][1])"
    assert repair_inline(repair_inline(text)) == repair_inline(text)


def test_lines_that_are_one_formula() -> None:
    assert formula_only("( y = f(x) \\cdot g(\\dots) )")
    assert not formula_only("(a) 与 (b)")
