"""What a page of evidence is made of, and how it reads as Markdown."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from interviewer.models import Frozen

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_FENCE = re.compile(r"`{3,}")


class Block(Frozen):
    """One part of the page.

    Attributes:
        kind: `said` is somebody's text as it is; `text` may hold code in backticks and links, as our own texts do.
        level: Of a heading: 1 is the page's own.
        columns, rows: Of a table; the first column names the row.
        name: Of a picture: its file without ending.
        svg: The picture, without styles of its own.
    """

    kind: Literal["heading", "text", "table", "picture", "said"]
    text: str = ""
    level: int = 2
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    name: str = ""
    svg: str = ""


def heading(text: str, level: int = 2) -> Block:
    return Block(kind="heading", text=text, level=level)


def paragraph(text: str) -> Block:
    return Block(kind="text", text=text)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Block:
    return Block(kind="table", columns=tuple(columns), rows=tuple(tuple(map(str, row)) for row in rows))


def markdown(blocks: Sequence[Block], pictures: Mapping[str, str]) -> str:
    """The blocks as Markdown; `pictures` gives the address of each picture, and one without is left out."""
    return "\n\n".join(filter(None, (_markdown(block, pictures) for block in blocks))) + "\n"


def _markdown(block: Block, pictures: Mapping[str, str]) -> str:
    if block.kind == "heading":
        return f"{'#' * block.level} {escaped(block.text)}"
    if block.kind == "text":
        return block.text
    if block.kind == "said":
        fence = max([*_FENCE.findall(block.text), "``"], key=len) + "`"
        return f"{fence}text\n{block.text.strip()}\n{fence}"
    if block.kind == "picture":
        return f"![{escaped(block.text)}]({pictures[block.name]})" if block.name in pictures else ""
    lines = [block.columns, ("---",) * len(block.columns), *(tuple(map(escaped, row)) for row in block.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    """Text on one line in which Markdown and HTML find nothing to act on."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
