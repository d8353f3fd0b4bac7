"""One file of any supported format to a document, or an error that names the next step."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from interviewer.language import clean
from interviewer.worded import UnreadableError
from knowledge.documents.decoding import decode, sound
from knowledge.documents.model import Document

MAX_BYTES = 64 * 1024 * 1024
MAX_STREAMED_BYTES = 256 * 1024 * 1024
_STREAMED = (".csv", ".tsv", ".jsonl", ".ndjson")
FORMATS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".txt": "text",
    ".text": "text",
    "": "text",
}
_HTML_START = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)


class ReadFile(NamedTuple):
    """A file's document, and the SHA-256 of its bytes, by which a change is noticed."""

    document: Document
    sha256: str


def read_file(path: Path) -> ReadFile:
    """What `path` holds.

    Raises:
        DocumentError: if its format is unknown, or it is empty, too large, damaged, encrypted or unreadable.
    """
    data = _bytes_of(path)
    title = sound(clean(path.stem)).strip() or "document"
    return ReadFile(_document(data, _format_of(path, data), title), hashlib.sha256(data).hexdigest())


def _bytes_of(path: Path) -> bytes:
    limit = MAX_STREAMED_BYTES if path.suffix.lower() in _STREAMED else MAX_BYTES
    try:
        size = path.stat().st_size
        if size > limit:
            raise UnreadableError("document_too_large", size=round(size / 2**20), limit=limit // 2**20)
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableError("document_closed", error=error.strerror or error) from error
    if not data.strip():
        raise UnreadableError("document_empty")
    return data


def _format_of(path: Path, data: bytes) -> str:
    suffix = path.suffix.lower()
    known = FORMATS.get(suffix)
    if known is None and len(suffix) > 6:
        known = "text"
    if known is None:
        raise UnreadableError("document_other_kind", suffix=suffix)
    if known == "text" and data.startswith(b"%PDF-"):
        return "pdf"
    return known


def _document(data: bytes, kind: str, title: str) -> Document:
    if kind == "pdf":
        from knowledge.documents.pdf import read_pdf

        return read_pdf(data, title)
    if kind == "docx":
        from knowledge.documents.office import read_docx

        return read_docx(data, title)
    return _text_document(decode(data), kind, title)


def _is_tab_table(text: str) -> bool:
    """Whether plain text is an export of cards: it says so in its first line, or all its lines have the same tabs."""
    if text.startswith("#separator:"):
        return True
    lines = [line for line in text[:20_000].split("\n")[:50] if line.strip()]
    tabs = [line.count("\t") for line in lines]
    return len(lines) > 1 and min(tabs) >= 1 and tabs.count(tabs[0]) >= 0.9 * len(tabs)


def _text_document(text: str, kind: str, title: str) -> Document:
    from knowledge.documents import data, html, markdown, plain, tables

    if kind == "html" or (kind == "text" and _HTML_START.match(text[:1000])):
        return html.read_html(text, title)
    if kind in ("csv", "tsv") or (kind == "text" and _is_tab_table(text)):
        return tables.read_table(text, title, tabs=kind != "csv")
    readers: dict[str, Callable[[str, str], Document]] = {
        "markdown": markdown.read_markdown,
        "json": data.read_json,
        "jsonl": data.read_json_lines,
        "yaml": data.read_yaml,
        "text": plain.read_plain,
    }
    return readers[kind](text, title)
