"""A table that a spreadsheet opens without working anything out."""

import csv
import io

import pytest

from interviewer.teams.csv_file import csv_text

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\n=1",
    " =1",
    "＝1",
    '=HYPERLINK("http://a","b")',
    "|calc",
    "%0A",
]


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize("cell", FORMULAS)
def test_what_begins_like_a_formula_is_text(cell):
    header, row = read(csv_text([cell], [[cell]]))
    assert header == row == [f"'{cell}"]


def test_other_text_and_numbers_are_as_they_are():
    cells = ["Ann = Bob", "组长", 'a "b", c', 12, 0.5, None]
    assert read(csv_text(["x"], [cells]))[1] == ["Ann = Bob", "组长", 'a "b", c', "12", "0.5", ""]


def test_spreadsheets_are_told_that_it_is_utf8():
    assert csv_text(["名"], []) == "\ufeff名\r\n"
