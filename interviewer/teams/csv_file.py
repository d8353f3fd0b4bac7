"""Tables as CSV that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

Cell = str | int | float | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet would work out; some also take the full-width signs."""


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The table, with the mark that makes spreadsheets read it as UTF-8; nothing stands for None."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row in (header, *rows):
        writer.writerow([_harmless(cell) for cell in row])
    return "\ufeff" + out.getvalue()


def _harmless(cell: Cell) -> Cell:
    """Text that begins like a formula, perhaps after blanks, gets an apostrophe in front and is text."""
    if not isinstance(cell, str):
        return cell
    begins = cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA)
    return f"'{cell}" if begins else cell
