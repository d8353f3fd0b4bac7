"""A question as the texts that are embedded: what is asked, the whole of it, its passages and its points."""

import hashlib
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from interviewer.language import clean, sentences
from interviewer.models import Language, Question

TEXT_VERSION = 3
"""Counts up with every change to what is stored for a question; an index of another version must be rebuilt."""

PASSAGE_WIDTH = 450
"""Longest passage, in half-width columns: a Chinese character counts as two, as it says about as much."""

WHOLE_WIDTH = 4_000
"""Longest whole text, in the same columns; most models read less."""

RecordKind = Literal["question", "whole", "passage", "point"]
"""What is asked, all of it, a passage of the reference, or a point with its probe."""

_FENCE = re.compile(r"^\s*(```|~~~)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s|^\s*\*\*[^*]+\*\*[:：]?\s*$")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]")


class Record(NamedTuple):
    """One embedded text.

    Attributes:
        id: Names question, set, language, kind and text: another text is another record.
        asked: What the question asks, in the record's language.
        text: The text itself; for a passage, as it stands in the reference.
    """

    id: str
    question_id: str
    set: str
    language: Language
    kind: RecordKind
    asked: str
    text: str

    @property
    def embedded(self) -> str:
        """What the model is given. A passage alone often leaves out what it is about, so its question comes first."""
        return self.text if self.kind == "question" else f"{self.asked}\n{self.text}"


def list_records(question: Question) -> tuple[Record, ...]:
    """Every text of the question that is embedded, in each of its languages."""
    found: dict[str, Record] = {}
    for language in question.languages:
        for kind, text in _texts(question, language):
            record = _name(question, language, kind, text)
            found.setdefault(record.id, record)
    return tuple(found.values())


def _texts(question: Question, language: Language) -> Iterator[tuple[RecordKind, str]]:
    asked = _asked(question, language)
    reference = clean(question.reference.get(language, "")).strip()
    yield "question", asked
    if reference:
        yield "whole", cut(reference, WHOLE_WIDTH)
    for passage in split_passages(reference):
        yield "passage", passage
    for point in question.points:
        if probe := point.probe.get(language):  # without one, the point says what the reference says
            yield "point", cut(clean(f"{point.text.get(language, '')}\n{probe}").strip(), WHOLE_WIDTH)


def _asked(question: Question, language: Language) -> str:
    return cut(clean(question.question[language]).strip(), PASSAGE_WIDTH)


def _name(question: Question, language: Language, kind: RecordKind, text: str) -> Record:
    asked = _asked(question, language)
    parts = (question.id, question.set, language, kind, asked, text)
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16)
    return Record(digest.hexdigest(), question.id, question.set, language, kind, asked, text)


def width(text: str) -> int:
    """Columns of the text: a Chinese character counts as two."""
    return len(text) + len(_WIDE.findall(text))


def cut(text: str, columns: int) -> str:
    """The beginning of the text, at most so many columns wide."""
    if 2 * len(text) <= columns:
        return text
    used = 0
    for place, character in enumerate(text[: columns + 1]):
        used += 2 if _WIDE.match(character) else 1
        if used > columns:
            return text[:place]
    return text


def split_passages(markdown: str) -> tuple[str, ...]:
    """The passages of a Markdown text, in order: its blocks, short neighbours joined, long ones split.

    A heading stays with what follows it and a code block in one piece, as far as the width allows.
    """
    passages: list[str] = []
    for block in _blocks(markdown):
        for piece in _fit(block):
            joined = f"{passages[-1]}\n{piece}" if passages else piece
            if passages and _short(passages[-1], piece) and width(joined) <= PASSAGE_WIDTH:
                passages[-1] = joined
            else:
                passages.append(piece)
    return tuple(passages)


def _short(previous: str, piece: str) -> bool:
    """Whether the piece belongs to the passage before it: that is a heading, or either says little alone."""
    if _HEADING.match(piece):
        return False
    return bool(_HEADING.match(previous.rsplit("\n", 1)[-1])) or min(width(previous), width(piece)) < PASSAGE_WIDTH // 4


def _blocks(markdown: str) -> Iterator[str]:
    """Runs of lines between blank lines; a fenced block is one run, a heading its own."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        ends = not fenced and (not line.strip() or _HEADING.match(line))
        if ends and lines:
            yield "\n".join(lines)
            lines = []
        if line.strip() or fenced:
            lines.append(line.rstrip())
    if lines:
        yield "\n".join(lines)


def _fit(block: str) -> Iterator[str]:
    """The block in pieces of bounded width, split at its lines, else its sentences, else anywhere."""
    if width(block) <= PASSAGE_WIDTH:
        yield block
        return
    piece = ""
    for line in block.split("\n"):
        for part in [line] if width(line) <= PASSAGE_WIDTH else _hard(line):
            if piece and width(piece) + width(part) + 1 > PASSAGE_WIDTH:
                yield piece
                piece = ""
            piece = f"{piece}\n{part}" if piece else part
    if piece:
        yield piece


def _hard(line: str) -> Iterator[str]:
    for sentence in sentences(line):
        rest = sentence
        while rest:
            head = cut(rest, PASSAGE_WIDTH)
            yield head
            rest = rest[len(head) :]
