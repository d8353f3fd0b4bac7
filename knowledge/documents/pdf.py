"""PDF to lines: pdfplumber finds the words; running heads, wrapped lines, headings, code and tables are told apart."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from interviewer.worded import UnreadableError
from knowledge.documents.model import LineDocument, Passage
from knowledge.documents.plain import read_plain

if TYPE_CHECKING:
    from pdfplumber.page import Page

MAX_PAGES = 2000
MARGIN = 0.08
"""Share of a page's height at its top and bottom where running heads stand."""
_MONOSPACED = re.compile(r"mono|courier|consol|menlo|typewriter", re.IGNORECASE)
_STARTS_ANEW = re.compile(
    r"^(?:[-*•·●▪◦–]\s|\(?\d{1,4}[.)、．:：]|[（(]?[一二三四五六七八九十]+[)）、]|(?:Q|A|Question|Answer)\s?\d*\s*[:：.]"
    r"|(?:问|答|问题|答案|参考答案|解析)\s*\d*\s*[:：]|第.{1,4}[题章节部])",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_PAGE_NUMBER = re.compile(r"^\W*(?:page|第)?\s*\d{1,4}\s*(?:页|(?:/|of|共)\s*\d{1,4}\s*页?)?\W*$", re.IGNORECASE)


class _Row(NamedTuple):
    """One printed line: its words, edges and top in points, letter size, page, font, and whether a margin holds it."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    page: int
    mono: bool
    table: bool = False
    in_margin: bool = False


def read_pdf(data: bytes, title: str) -> LineDocument:
    """Lines of a PDF file.

    Raises:
        DocumentError: if it is damaged, encrypted, too long, or holds pictures of pages only.
    """
    rows = _rows(data)
    if not rows:
        raise UnreadableError("document_pdf_pictures")
    body, left_out = _without_running_heads(rows)
    document = read_plain("\n".join(_as_text(body)), title)
    return document._replace(left_out=tuple(left_out))


def _rows(data: bytes) -> list[_Row]:
    import pdfplumber
    from pdfminer.pdfdocument import PDFPasswordIncorrect
    from pdfminer.pdfexceptions import PDFException
    from pdfplumber.utils.exceptions import PdfminerException

    try:
        with pdfplumber.open(io.BytesIO(data)) as pdf:
            if len(pdf.pages) > MAX_PAGES:
                raise UnreadableError("document_pdf_long", pages=len(pdf.pages), limit=MAX_PAGES)
            return [row for page in pdf.pages for row in _page_rows(page)]
    except (PdfminerException, PDFException, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        locked = any(isinstance(e, PDFPasswordIncorrect) for e in (error, *error.args))
        raise UnreadableError("document_pdf_locked" if locked else "document_pdf_damaged") from error


def _page_rows(page: "Page") -> Iterator[_Row]:
    tables = page.find_tables() if page.lines or page.rects else []
    boxes = [table.bbox for table in tables]
    height = float(page.height)
    rows = [_row(line, page.page_number, height) for line in page.extract_text_lines(return_chars=True)]
    kept = [row for row in rows if not any(_is_inside(row, box) for box in boxes)]
    for table in tables:
        x0, top, x1, bottom = table.bbox
        for cells in table.extract():
            text = "| " + " | ".join((cell or "").replace("\n", " ").strip() for cell in cells) + " |"
            kept.append(_Row(text, x0, x1, top, bottom, 10, page.page_number, mono=False, table=True))
    page.close()
    yield from sorted(kept, key=lambda row: row.top)


def _row(line: dict[str, Any], page: int, height: float) -> _Row:
    chars = line["chars"]
    mono = sum(1 for char in chars if _MONOSPACED.search(char["fontname"])) * 2 > len(chars)
    size = median(char["size"] for char in chars)
    in_margin = line["bottom"] < height * MARGIN or line["top"] > height * (1 - MARGIN)
    edges = (line["x0"], line["x1"], line["top"], line["bottom"])
    return _Row(line["text"], *edges, size, page, mono, in_margin=in_margin)


def _is_inside(row: _Row, box: tuple[float, float, float, float]) -> bool:
    middle = (row.top + row.bottom) / 2
    return box[1] <= middle <= box[3] and row.x0 >= box[0] - 2 and row.x1 <= box[2] + 2


def _without_running_heads(rows: list[_Row]) -> tuple[list[_Row], list[Passage]]:
    """Page numbers, and the same words in the margin of several pages, are no part of the text."""
    pages = max(row.page for row in rows)
    seen = Counter(_masked(row.text) for row in rows if row.in_margin)
    kept, left_out = [], []
    for row in rows:
        repeated = seen[_masked(row.text)] >= max(2, pages // 2)
        if row.in_margin and (repeated or _PAGE_NUMBER.match(row.text.strip())):
            left_out.append(Passage("running_head", row.page, row.text))
        else:
            kept.append(row)
    return kept, left_out


def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", text.strip())


def _as_text(rows: list[_Row]) -> list[str]:
    """Rows as Markdown-like text: wrapped lines joined, gaps as blank lines, large letters as headings."""
    prose = [row for row in rows if not row.mono and not row.table]
    body = median(row.size for row in prose) if prose else 10.0
    right = max((row.x1 for row in prose), default=0.0)
    lefts = _lefts(rows)
    out: list[str] = []
    previous: _Row | None = None
    for row, left in zip(rows, lefts, strict=True):
        if previous is not None and row.mono != previous.mono:
            out.append("```")
        if previous is None and row.mono:
            out.append("```")
        if previous is not None and _continues(previous, row, right):
            out[-1] = _joined(out[-1], row.text)
        else:
            if previous is not None and not row.mono and not previous.mono and _gap(previous, row) > 0.9 * row.size:
                out.append("")
            out.append(_marked(row, body, left))
        previous = row
    return [*out, "```"] if previous is not None and previous.mono else out


def _lefts(rows: list[_Row]) -> list[float]:
    """For every row the left edge of the block of code, or of prose, it stands in."""
    lefts: list[float] = []
    for _, block in groupby(rows, key=lambda row: row.mono):
        found = list(block)
        lefts += [min(row.x0 for row in found)] * len(found)
    return lefts


def _marked(row: _Row, body: float, left: float) -> str:
    if row.mono:
        return " " * round(max(0.0, row.x0 - left) / (row.size * 0.6)) + row.text
    if row.size > body * 1.15 and len(row.text) < 120 and not row.table:
        return f"{'#' if row.size > body * 1.6 else '##'} {row.text}"
    return row.text


def _gap(above: _Row, below: _Row) -> float:
    return below.top - above.bottom if below.page == above.page else 0.0


def _continues(above: _Row, below: _Row, right: float) -> bool:
    """Whether a line goes on: the one above reaches the right margin and this one starts nothing new."""
    if above.mono or below.mono or above.table or below.table or abs(above.size - below.size) > 0.5:
        return False
    reaches = above.x1 > right - 2.2 * above.size or (not _CJK.search(above.text[-1:]) and above.x1 > right * 0.86)
    return reaches and _gap(above, below) < above.size and not _STARTS_ANEW.match(below.text)


def _joined(above: str, below: str) -> str:
    if above.endswith("-") and below[:1].islower():
        return above[:-1] + below
    tight = bool(_CJK.search(above[-1:])) and bool(_CJK.search(below[:1]))
    return f"{above}{'' if tight else ' '}{below}"
