"""PDF: wrapped lines, running heads, headings, bullets, tables, code."""

import io

import pytest

from knowledge.documents.model import LineKind
from knowledge.documents.pdf import read_pdf

SENTENCE = (
    "A very long sentence that certainly does not fit into one printed line of an ordinary page, so that it must wrap. "
)


@pytest.fixture(scope="module")
def printed() -> bytes:
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, Preformatted, SimpleDocTemplate, Spacer, Table

    styles = getSampleStyleSheet()
    parts: list[object] = []
    for number in range(1, 5):
        parts += [
            Paragraph(f"Chapter {number}", styles["Heading1"]),
            Paragraph(f"{number}. What is the thing of chapter {number}?", styles["Normal"]),
            Paragraph(SENTENCE * 2, styles["Normal"]),
            Paragraph("- first", styles["Normal"]),
            Spacer(1, 20),
            Table([["name", "use"], ["lock", "order"]], style=[("GRID", (0, 0), (-1, -1), 1, colors.black)]),
            Preformatted("if ready:\n    go()", styles["Code"]),
            PageBreak(),
        ]
    out = io.BytesIO()

    def head(canvas: object, document: object) -> None:
        canvas.drawString(72, 815, "Internal handbook")
        canvas.drawString(300, 20, f"Page {document.page}")

    SimpleDocTemplate(out).build(parts, onFirstPage=head, onLaterPages=head)
    return out.getvalue()


def test_running_heads_and_page_numbers_are_left_out(printed: bytes) -> None:
    document = read_pdf(printed, "t")
    assert {p.text for p in document.left_out} == {"Internal handbook", "Page 1", "Page 2", "Page 3", "Page 4"}
    assert all("handbook" not in line.text for line in document.lines)


def test_wrapped_lines_are_joined(printed: bytes) -> None:
    joined = [line.text for line in read_pdf(printed, "t").lines if line.text.startswith("A very long")]
    assert joined == [(SENTENCE * 2).strip()] * 4


def test_headings_tables_items_and_code_are_told_apart(printed: bytes) -> None:
    lines = read_pdf(printed, "t").lines
    assert [line.text for line in lines if line.kind is LineKind.HEADING] == [f"Chapter {n}" for n in range(1, 5)]
    assert [line.text for line in lines if line.kind is LineKind.TABLE][:2] == ["| name | use |", "| lock | order |"]
    assert [line.raw for line in lines if line.kind is LineKind.CODE][:4] == ["```", "if ready:", "    go()", "```"]
    assert [line.text for line in lines if line.kind is LineKind.ITEM] == ["first"] * 4
