"""A whole document to question drafts: cleaning, blueprint, segmentation and repair, one after another."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interviewer.models.blueprint import Blueprint
from knowledge.documents.model import Document, Line, LineDocument, LineKind, Passage, Record, RecordDocument
from knowledge.extraction.answers import build_answer
from knowledge.extraction.blueprint import find_blueprint
from knowledge.extraction.boundaries import find_questions
from knowledge.extraction.cleaning import clean_lines
from knowledge.extraction.inline import repair_inline
from knowledge.extraction.question_tables import take_question_tables
from knowledge.extraction.schemes import marker_of
from knowledge.extraction.segments import Segment, segment
from knowledge.extraction.signals import is_title_like, question_likeness, unmarked

LIKELY = 0.6
"""From here on a text counts as a question, 0..1."""


class Draft(NamedTuple):
    """A question as found, before it is checked.

    Attributes:
        line: Where its question stands.
        fields: What a record's other columns said, by the importer's names.
    """

    question: str
    answer: str
    number: str
    line: int
    topic: str
    fields: dict[str, str]


class Extracted(NamedTuple):
    """What a document holds; `entries` is read once."""

    title: str
    entries: Iterator[Draft | Passage]
    blueprint: Blueprint | None = None


def extract(document: Document) -> Extracted:
    """Drafts and left-out passages of a document, in order where it is a table or data, else drafts last."""
    if isinstance(document, RecordDocument):
        return Extracted(document.title, _from_records(document))
    return _from_lines(document)


def _from_records(document: RecordDocument) -> Iterator[Draft | Passage]:
    for entry in document.entries:
        yield _draft_of_record(entry, document.title) if isinstance(entry, Record) else entry


def _draft_of_record(record: Record, title: str) -> Draft:
    topic = record.fields.get("topic", "") or title
    return Draft(record.question, record.answer, record.fields.get("number", ""), record.line, topic, record.fields)


def _from_lines(document: LineDocument) -> Extracted:
    title = _title_of(document)
    cleaned = clean_lines(document.lines)
    tables = take_question_tables(cleaned.lines)
    questions = find_questions(tables.lines)
    first = questions[0].at if questions else len(tables.lines)
    found = find_blueprint(tables.lines[:first], title)
    lines = [line for line in tables.lines if not (found and line.number in found.used)]
    segmented = segment(lines, are_optional=bool(tables.records or found))
    left_out = [*document.left_out, *cleaned.left_out, *tables.left_out, *segmented.left_out]
    drafts: list[Draft | Passage] = [_draft_of_record(record, title) for record in tables.records]
    drafts += _drafts(segmented.segments, title, document.is_marked_up)
    return Extracted(title, iter([*left_out, *drafts]), found.blueprint if found else None)


def _drafts(segments: Sequence[Segment], title: str, is_marked_up: bool) -> list[Draft | Passage]:
    out: list[Draft | Passage] = []
    for piece in segments:
        answer = build_answer(piece.answer, is_marked_up=is_marked_up)
        out += answer.left_out
        question = repair_inline(piece.question)
        out.append(Draft(question, answer.text, piece.number, piece.line, piece.topic or title, {}))
    return out


def _title_of(document: LineDocument) -> str:
    """The first heading of the highest level, else a short first line, else the file's name."""
    lines = [line for line in document.lines[:60] if not line.is_blank]
    headings = [x for x in lines if x.kind is LineKind.HEADING and x.level <= 2 and not _asks(x)]
    heading = min(headings, key=lambda x: (x.level, x.number), default=None)
    if heading is not None:
        return unmarked(heading.text)
    if lines and _can_be_title(lines[0]):
        return unmarked(lines[0].text)
    return document.title


_GENERIC = re.compile(
    r"^\W*(?:前言|引言|导语|摘要|简介|序|写在前面|preface|introduction|foreword|abstract|overview)\W*$", re.IGNORECASE
)


def _asks(line: Line) -> bool:
    marker = marker_of(line)
    return marker is not None and (marker.number is not None or question_likeness(marker.text) >= LIKELY)


def _can_be_title(line: Line) -> bool:
    is_marked = re.match(
        r"^(?:(?:Q|A|问|答|Question|Problem|问题|题目)\s*\d*\s*(?:[.、:：]|$)|\d+\s*[.、:：)）])", unmarked(line.text)
    )
    return line.kind is LineKind.TEXT and is_title_like(line.text) and not is_marked and not _GENERIC.match(line.text)
