"""The lines of an answer as clean Markdown, with every dropped fragment named."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind, Passage
from knowledge.extraction.inline import repair_inline
from knowledge.extraction.nesting import Placed, place
from knowledge.extraction.nodes import parse_nodes

_ORDINAL = re.compile(r"^\d{1,3}[.)]\s")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


class Answer(NamedTuple):
    """Markdown, and what was dropped while repairing it."""

    text: str
    left_out: list[Passage]


def build_answer(lines: Sequence[Line], *, is_marked_up: bool) -> Answer:
    """The answer as Markdown: as it stands where its structure is explicit, else with its structure repaired."""
    if is_marked_up and not _is_flattened(lines):
        return Answer(_as_it_stands(lines), [])
    parsed = parse_nodes(lines)
    return Answer(_rendered(place(parsed.nodes)), parsed.left_out)


def _is_flattened(lines: Sequence[Line]) -> bool:
    """Whether a page's conversion left its marks: dashes alone on their lines, or items glued to inline code."""
    lone = sum(1 for line in lines if line.kind is LineKind.ITEM and not line.text)
    glued = sum(
        1 for line in lines if line.kind is LineKind.TEXT and re.search(r"[。；;)]\s?- [\u3400-\u9fff]", line.text)
    )
    return lone >= 2 or glued >= 1


def _as_it_stands(lines: Sequence[Line]) -> str:
    """Raw Markdown without the indentation that all lines share."""
    indents = [line.indent for line in lines if not line.is_blank]
    rest = indents[1:] or indents
    shared = min(rest, default=0)
    out, blank = [], False
    for line in lines:
        if line.is_blank and blank:
            continue
        blank = line.is_blank
        raw = line.raw.rstrip()
        out.append(raw[min(shared, len(raw) - len(raw.lstrip())) :])
    return _balanced("\n".join(out).strip("\n"))


def _balanced(text: str) -> str:
    """A fence left open is closed, so that it can't swallow what is shown after the answer."""
    fences = sum(1 for line in text.split("\n") if _FENCE.match(line))
    return f"{text}\n```" if fences % 2 else text


def _rendered(placed: Sequence[Placed]) -> str:
    out: list[str] = []
    for i, (node, level) in enumerate(placed):
        before = placed[i - 1] if i else None
        if before is not None and not _is_same_list(before, placed[i]):
            out.append("")
        pad = "  " * (level + 1)
        if node.kind == "item":
            out.append(_item("  " * level, node.text))
        elif node.kind == "code":
            out += [f"{pad}```{node.language}", *(pad + line for line in node.text.split("\n")), f"{pad}```"]
        elif node.kind in ("raw", "table"):
            out += [pad + line if line else "" for line in node.text.split("\n")]
        else:
            out.append(pad + repair_inline(node.text))
    return _balanced("\n".join(line.rstrip() for line in out).strip("\n"))


def _item(pad: str, text: str) -> str:
    return f"{pad}- {repair_inline(text)}".rstrip()


def _is_same_list(before: Placed, after: Placed) -> bool:
    """Whether no blank line is needed between: items of one list, or rows that belong together."""
    if after.node.kind == "item":
        return before.node.kind == "item" or (before.level >= 0 and after.level >= 0 and before.node.kind != "table")
    if after.node.kind == "para" and before.node.kind == "para":
        return bool(_ORDINAL.match(before.node.text) and _ORDINAL.match(after.node.text))
    return after.node.kind == "code" and before.node.kind == "item"
