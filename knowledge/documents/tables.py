"""CSV and TSV to records: the delimiter is sniffed; columns are found by name or, without a header, by place."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain, islice

from interviewer.language import clean
from interviewer.worded import UnreadableError
from knowledge.documents.fields import field_of, mapping_of
from knowledge.documents.model import Passage, Record, RecordDocument
from knowledge.documents.rich_fields import as_markdown

MAX_FIELD = 1_000_000
_DIRECTIVE = re.compile(r"^#(?P<key>[a-z ]+):(?P<value>.*)$")
_NAMED_SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "colon": ":"}


def read_table(text: str, title: str, *, tabs: bool) -> RecordDocument:
    """Records of a table, read as they are asked for.

    Raises:
        DocumentError: if it has no two columns, or none that could be a question.
    """
    body, directives = _without_directives(text)
    delimiter = _delimiter(body, directives, tabs=tabs)
    rows = _rows(body, delimiter, first=text.count("\n") - body.count("\n") + 1)
    head = list(islice(rows, 20))
    if not any(len(row) > 1 for _, row in head):
        raise UnreadableError("document_one_column")
    columns, has_header = _columns(head[0][1])
    if not columns:
        raise UnreadableError("document_columns_unnamed", names=", ".join(head[0][1][:8]))
    entries = chain(head[1:] if has_header else head, rows)
    dropped = [Passage("table_header", head[0][0], " ".join(head[0][1]))] if has_header else []
    dropped += [Passage("table_header", 1, line) for line in directives]
    return RecordDocument(title, chain(dropped, _entries(entries, columns, head[0][1] if has_header else [])))


def _without_directives(text: str) -> tuple[str, list[str]]:
    """Anki's exports begin with lines such as `#separator:tab`."""
    lines = []
    while (match := _DIRECTIVE.match(text.split("\n", 1)[0])) is not None:
        lines.append(match[0])
        text = text.split("\n", 1)[1] if "\n" in text else ""
    return text, lines


def _delimiter(text: str, directives: list[str], *, tabs: bool) -> str:
    for line in directives:
        match = _DIRECTIVE.match(line)
        if match and match["key"] == "separator":
            return _NAMED_SEPARATORS.get(match["value"].strip().lower(), match["value"].strip() or "\t")
    if tabs:
        return "\t"
    first = text.split("\n", 1)[0]
    try:
        sniffed = csv.Sniffer().sniff("\n".join(text.split("\n")[:20])[:20_000], delimiters=",;\t|").delimiter
    except csv.Error:
        sniffed = ","
    return sniffed if sniffed in first else max(",;\t|", key=first.count)


def _rows(text: str, delimiter: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold anything, each with the number of the line it starts on."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    line = first
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise UnreadableError("document_table_breaks_off", line=reader.line_num, error=error) from error
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield line, [clean(cell) for cell in row]
        line = first + reader.line_num


def _columns(header: list[str]) -> tuple[dict[str, int], bool]:
    """Field -> column, and whether the row names the columns. Where no name fits, the first column asks and the second
    answers; of two columns with one name that fits, the other one is what is missing.
    """
    mapping = {field: header.index(name) for field, name in mapping_of(header).items()}
    if "question" in mapping and "answer" in mapping:
        return mapping, True
    if len(header) == 2 and mapping:
        asks = 1 if mapping.get("question") == 1 or mapping.get("answer") == 0 else 0
        return {"question": asks, "answer": 1 - asks}, True
    if any(field_of(name) for name in header) and len(header) > 2:
        return {}, True
    return ({"question": 0, "answer": 1, "topic": 2} if len(header) >= 2 else {}), False


def _entries(
    rows: Iterator[tuple[int, list[str]]], columns: dict[str, int], names: list[str]
) -> Iterator[Record | Passage]:
    for line, row in rows:
        cells = {field: row[index].strip() for field, index in columns.items() if index < len(row)}
        rest = [cell for index, cell in enumerate(row) if index not in columns.values() and cell.strip()]
        if rest:
            yield Passage("unused_column", line, " ".join(rest))
        question, answer = as_markdown(cells.pop("question", "")), as_markdown(cells.pop("answer", ""))
        yield Record(line, question, answer, {key: value for key, value in cells.items() if value})
