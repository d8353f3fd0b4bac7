"""Files that can't be read give an error that names the next step; odd ones are read all the same."""

import io
import time
import zipfile
from pathlib import Path

import pytest

from interviewer.errors import DocumentError
from knowledge.documents import reading
from knowledge.documents.model import LineDocument, RecordDocument
from knowledge.documents.reading import read_file
from knowledge.importing import preview


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def zipped(entries: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def encrypted_pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt="secret")
    canvas.drawString(100, 700, "Q: What is hidden?")
    canvas.save()
    return out.getvalue()


def picture_pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.rect(10, 10, 100, 100, fill=1)
    canvas.save()
    return out.getvalue()


BAD = {
    "nothing.txt": (b"", "empty"),
    "blanks.md": (b"  \n\t\n ", "empty"),
    "rubbish.txt": (bytes(range(256)) * 40, "no readable text"),
    "picture.png": (b"\x89PNG", "'.png' can't be read"),
    "sheet.xlsx": (b"PK", "'.xlsx' can't be read"),
    "broken.pdf": (b"%PDF-1.7\nrubbish", "damaged"),
    "not.pdf": (b"hello", "damaged"),
    "locked.pdf": (encrypted_pdf(), "encrypted"),
    "pictures.pdf": (picture_pdf(), "no text"),
    "broken.docx": (b"PK\x03\x04rubbish", "no Word document"),
    "old.docx": (b"\xd0\xcf\x11\xe0rest", "encrypted, or in the old .doc format"),
    "other.docx": (zipped({"a.txt": b"x"}), "no Word document"),
    "hollow.docx": (zipped({"word/document.xml": b"<x"}), "damaged"),
    "bomb.docx": (zipped({"word/document.xml": b"0" * 40_000_000}), "unpacks to"),
    "broken.json": (b'{"a": ', "no valid JSON"),
    "deep.json": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "broken.yaml": (b"a: [1, 2", "no valid YAML"),
    "objects.yaml": (b"!!python/object/apply:os.system ['true']", "no valid YAML"),
    "one_column.csv": (b"a\nb\nc\n", "no two columns"),
    "unnamed.csv": (b"id,topic,notes\n1,2,3\n", "named as a question"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_bad_file_names_the_trouble_and_the_next_step(name: str, tmp_path: Path) -> None:
    content, trouble = BAD[name]
    path = write(tmp_path, name, content)
    with pytest.raises(DocumentError, match=trouble) as raised:
        _drained(path)
    assert raised.value.next_step


def _drained(path: Path) -> None:
    document = read_file(path).document
    if isinstance(document, RecordDocument):
        list(document.entries)


def test_aliases_that_multiply_come_to_an_end(tmp_path: Path) -> None:
    layers = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    layers += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    path = write(tmp_path, "laughs.yaml", "\n".join(layers).encode())
    with pytest.raises(DocumentError, match="nested too deeply"):
        _drained(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="can't be opened"):
        read_file(tmp_path / "missing.md")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    with pytest.raises(DocumentError, match="are read at most"):
        read_file(write(tmp_path, "large.md", b"# a heading and more"))


@pytest.mark.parametrize(
    "name", ["问题🚀.txt", "\u202etxt.exe.txt", "<script>alert(1)<_script>.md", "a" * 200 + ".txt", "no_ending"]
)
def test_odd_names_are_no_trouble(name: str, tmp_path: Path) -> None:
    document = read_file(write(tmp_path, name, b"Q: What is this?\nA: A file with an odd name.")).document
    assert isinstance(document, LineDocument)
    assert sum(1 for line in document.lines if not line.is_blank) == 2


def test_text_that_is_a_page_or_a_pdf_is_read_as_one(tmp_path: Path) -> None:
    page = read_file(write(tmp_path, "page.txt", b"<!DOCTYPE html><html><body><h2>What is a page?</h2></body></html>"))
    assert isinstance(page.document, LineDocument)
    assert page.document.is_marked_up
    assert page.sha256 == reading.read_file(tmp_path / "page.txt").sha256


LONG = 20_000
HOSTILE = {
    "letters": "a" * LONG,
    "brackets": "(" * LONG,
    "square": "[" * LONG,
    "links": "[a](b " * (LONG // 6),
    "marks": "**a" * (LONG // 3),
    "underlines": "_" * LONG,
    "numbers": "1. " * (LONG // 3),
    "comments": "<!--" * (LONG // 4),
    "summaries": "<summary>" * (LONG // 9),
    "spaces": " " * LONG + "x",
    "code": "x = f(x) " * (LONG // 9),
    "glue": "x。 - 中" * (LONG // 6),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("suffix", ["txt", "md", "html"])
def test_hostile_lines_end_in_time(name: str, suffix: str, tmp_path: Path) -> None:
    text = f"1. 什么是甲?\n答案:\n- 先\n{HOSTILE[name]}\n2. 什么是乙?\n答案:\n-\n{HOSTILE[name]}\n-\n好。"
    start = time.monotonic()
    report = preview([write(tmp_path, f"a.{suffix}", text.encode())])
    assert time.monotonic() - start < 30
    assert len(report.documents) == 1
