"""What every reader makes of a document: lines with their role, or records with named fields."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

MAX_PROSE = 1200
"""Characters of the longest line that is looked at for questions and marks; longer ones are text and nothing else."""


class LineKind(StrEnum):
    TEXT = "text"
    HEADING = "heading"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"
    RULE = "rule"
    BLANK = "blank"


class Line(NamedTuple):
    """One line of a document.

    Attributes:
        number: 1-based, in the text as it was read.
        text: The line without its heading or bullet mark; code keeps its indentation.
        level: The heading's level, 1..6; 0 for everything else.
        indent: Columns of white space before the line.
        raw: The line as Markdown.
        spans: Line numbers of further lines that were joined into this one.
    """

    number: int
    text: str
    kind: LineKind
    level: int = 0
    indent: int = 0
    raw: str = ""
    spans: tuple[int, ...] = ()

    @property
    def is_blank(self) -> bool:
        return self.kind is LineKind.BLANK

    @property
    def is_prose(self) -> bool:
        """Whether the line can hold a question or a mark: neither code nor a table, nor longer than any of these."""
        return self.kind in (LineKind.TEXT, LineKind.HEADING, LineKind.ITEM) and len(self.text) <= MAX_PROSE


class Passage(NamedTuple):
    """Text that went nowhere, with the name of the rule that left it out and its first line."""

    rule: str
    line: int
    text: str


class Record(NamedTuple):
    """One row or object that has its question and answer in named fields.

    Attributes:
        line: The row's or object's place in the document, from 1.
        fields: Its other fields by the importer's own names (topic, difficulty, frequency, number, language).
    """

    line: int
    question: str
    answer: str
    fields: dict[str, str]


class LineDocument(NamedTuple):
    """A document as lines.

    Attributes:
        is_marked_up: Whether its structure is explicit (Markdown, HTML, DOCX), so that nothing has to be guessed.
        left_out: What the reader itself dropped (navigation, running headers).
    """

    title: str
    lines: tuple[Line, ...]
    is_marked_up: bool
    left_out: tuple[Passage, ...] = ()


class RecordDocument(NamedTuple):
    """A document as records; each entry is a record or a passage that could not be used. Read it once."""

    title: str
    entries: Iterator[Record | Passage]


Document = LineDocument | RecordDocument
