"""An answer's lines as nodes: items, paragraphs, code, tables; inline code that stood on lines of its own rejoined."""

import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind, Passage
from knowledge.extraction.code import flattened_code
from knowledge.extraction.inline import bold_colon, escaped_marks, formula_only, repair_inline
from knowledge.extraction.signals import ends_sentence

_GLUE = re.compile(r"(?<=[。;；！？!?.…)）\]】\"”’:：}])(?P<space> ?)-\s(?=[A-Za-z\u3400-\u9fff“\"*_`/《【])")
_GLUED_DASH = re.compile(r"(?<=[。;；！？!?.…)）\]】\"”’:：}A-Za-z0-9])\s?-$")
_STARTS_LATIN = re.compile(r"^[A-Za-z0-9_\[\]/.(\\`{@~\"'<$&+=*|-]")
_NUMBERED = re.compile(r"^\(?\d{1,3}\s*[.、)）．](?!\d)")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_CODE_LED = re.compile(r"^(?P<label>[A-Za-z_./@][\x21-\x7e ]{0,60}?)\s?[:：]\s?(?=\S)")
_LED_BOUNDARY = re.compile(r"(?<=[。；])(?=[A-Za-z_./@][\x21-\x39\x3b-\x7e ]{0,60}[:：])")
_OPEN_BRACKET = re.compile(r"[(（\[【《“][^)）\]】》”]*$")


LOOK_BACK = 200
"""Nodes that are searched for the beginning of a list that a repeated fragment ends."""


class Node(NamedTuple):
    """One piece of an answer.

    Attributes:
        kind: `item`, `para`, `code`, `table`, `close` (the end of a nested list) or `raw` (kept as it stands).
        glue: How an item was glued to the line before it: not at all, with a space (`space`) or without (`tight`).
        loose: Whether the item's dash stood on a line of its own.
        code_led: Whether the item began with code, so that its dash was lost.
        first: The words an item had before the first inline code, by which its repetition is known.
        continued: Whether anything was joined to it.
        span: For a `close`: the position of the first node of the list that ends there; -1 where unknown.
        language: Of code, for its fence.
        attached: Whether a paragraph belongs to the item right before it.
    """

    kind: str
    text: str
    line: int
    indent: int = 0
    glue: str = ""
    loose: bool = False
    code_led: bool = False
    first: str = ""
    continued: bool = False
    span: int = -1
    language: str = ""
    attached: bool = False

    @property
    def opens(self) -> bool:
        """Whether its words announce a list."""
        return self.text.rstrip("*_ ").endswith((":", "：")) and self.kind in ("item", "para")


class Parsed(NamedTuple):
    """Nodes in order, and repeated fragments that were dropped."""

    nodes: list[Node]
    left_out: list[Passage]


def parse_nodes(lines: Sequence[Line]) -> Parsed:
    """Nodes of a flattened answer."""
    builder = _Builder(any(line.kind is LineKind.ITEM and not line.text for line in lines))
    pending: list[Line] = []
    for line in lines:
        if line.kind in (LineKind.CODE, LineKind.TABLE):
            pending.append(line)
            continue
        builder.block(pending)
        pending = []
        builder.line(line._replace(text=escaped_marks(bold_colon(line.text))))
    builder.block(pending)
    builder.finish()
    return Parsed(builder.nodes, builder.left_out)


class _Builder:
    def __init__(self, has_lone_dashes: bool) -> None:
        self.nodes: list[Node] = []
        self.left_out: list[Passage] = []
        self._has_lone_dashes = has_lone_dashes
        self._dash = False
        self._dash_line = 0

    def block(self, lines: list[Line]) -> None:
        """A fence or a table that was whole."""
        if lines:
            self._close_dash()
            kind = "raw" if lines[0].kind is LineKind.CODE else "table"
            self.nodes.append(Node(kind, fenced(lines), lines[0].number))

    def line(self, line: Line) -> None:
        if line.kind is LineKind.ITEM:
            self._settle()
            if line.text:
                self._close_dash()
                self._item(line.text, line.number, indent=line.indent)
            else:
                self._close_dash()
                self._dash, self._dash_line = True, line.number
        elif line.kind is LineKind.HEADING:
            self._settle()
            self._close_dash()
            self.nodes.append(Node("para", f"{'#' * line.level} {line.text}", line.number, line.indent))
        elif line.kind is LineKind.TEXT:
            self._text(line)
        elif line.is_blank:
            self._settle()

    def finish(self) -> None:
        self._settle()
        self._close_dash()

    def _settle(self) -> None:
        """The last item, if nothing was joined to it and it repeats the start of one that was, ends that one's list."""
        last = self.nodes[-1] if self.nodes else None
        if last is None or last.kind != "item" or last.continued or last.loose:
            return
        first = _first_of_list(self.nodes[:-1], last.first)
        if first is not None:
            self.left_out.append(Passage("repeated_fragment", last.line, last.first))
            self.nodes[-1] = Node("close", "", last.line, span=first)

    def _close_dash(self) -> None:
        """A lone dash with nothing after it is the end of a nested list."""
        if self._dash:
            self.nodes.append(Node("close", "", self._dash_line))
            self._dash = False

    def _item(self, text: str, line: int, *, indent: int = 0, glue: str = "", code_led: bool = False) -> None:
        self.nodes.append(Node("item", text, line, indent, glue, code_led=code_led, first=text))

    def _text(self, line: Line) -> None:
        head, glued = _unglued(line.text, is_after_item=self._is_in_list(), lone_dashes=self._has_lone_dashes)
        if self._dash:
            self._dash = False
            self._loose_item(head, line)
        else:
            self._continuation(head, line, glued[0][0] if glued else "")
        for glue, text in glued:
            self._settle()
            if glue == "dash":
                self._close_dash()
                self._dash, self._dash_line = True, line.number
            else:
                self._item(text, line.number, glue=glue)

    def _loose_item(self, text: str, line: Line) -> None:
        code = flattened_code(repair_inline(text))
        if code:
            self.nodes.append(Node("item", "", line.number, loose=True, continued=True))
            self._code(code.text, code.language, code.prose, line.number)
            return
        self.nodes.append(Node("item", text, line.number, loose=True, first=text))

    def _is_in_list(self) -> bool:
        return self._dash or any(node.kind == "item" for node in self.nodes)

    def _continuation(self, text: str, line: Line, glue: str) -> None:
        last = self.nodes[-1] if self.nodes else None
        if last is None or last.kind not in ("item", "para"):
            self._after_block(text, line)
            return
        repaired = repair_inline(text)
        code = None if _is_open(last.text) and not last.opens else flattened_code(repaired)
        if code:
            self._mark_continued()
            self._code(code.text, code.language, code.prose, line.number)
        elif led := _code_led(text, last, glue == "tight"):
            self._mark_continued()
            for part in led:
                self._item(part, line.number, code_led=True)
        elif _joins(last, text) or (glue and last.kind == "item" and _STARTS_LATIN.match(text)):
            self.nodes[-1] = last._replace(text=_joined(last.text, text), continued=True)
        elif formula_only(text) or (last.attached and not ends_sentence(last.text)) or _explains_item(last, text):
            self._mark_continued()
            self.nodes.append(Node("para", text, line.number, line.indent, attached=self._is_in_item()))
        else:
            self._settle()
            self.nodes.append(Node("para", text, line.number, line.indent))

    def _is_in_item(self) -> bool:
        return self.nodes[-1].kind == "item" or self.nodes[-1].attached

    def _after_block(self, text: str, line: Line) -> None:
        """Text after code, a table or a list's end, or at the very start."""
        code = flattened_code(repair_inline(text))
        if code:
            self._code(code.text, code.language, code.prose, line.number)
        else:
            self.nodes.append(Node("para", text, line.number, line.indent))

    def _code(self, text: str, language: str, prose: str, line: int) -> None:
        self.nodes.append(Node("code", text, line, language=language))
        if prose:
            self.nodes.append(Node("para", prose, line))

    def _mark_continued(self) -> None:
        if self.nodes[-1].kind == "item":
            self.nodes[-1] = self.nodes[-1]._replace(continued=True)


def _first_of_list(nodes: list[Node], words: str) -> int | None:
    """Position of the item that began with `words` before its inline code and whose list has not ended yet.

    Of several, the last one that opens a list; else the first of the run.
    """
    found: list[int] = []
    opening: list[int] = []
    for i in range(len(nodes) - 1, max(-1, len(nodes) - LOOK_BACK), -1):
        node = nodes[i]
        if node.loose or (node.kind == "para" and not node.attached):
            break
        if node.kind == "item" and node.continued and node.first == words and not _is_closed(nodes, i):
            found.append(i)
            before = nodes[i - 1] if i else None
            if node.glue == "tight" or (before is not None and (before.opens or before.loose)):
                opening.append(i)
    return opening[0] if opening else found[-1] if found else None


def _is_closed(nodes: list[Node], at: int) -> bool:
    return any(node.kind == "close" and node.span == at for node in nodes[at : at + LOOK_BACK])


def fenced(lines: Sequence[Line]) -> str:
    """A block as it stands; code without a fence gets one."""
    text = "\n".join(line.raw.rstrip() for line in lines)
    if lines[0].kind is LineKind.CODE and not _FENCE.match(lines[0].raw):
        return f"```\n{textwrap.dedent(text).strip()}\n```"
    return text


class _Unglued(NamedTuple):
    """A line's own words, and the items glued to it as (`space` | `tight` | `dash`, text)."""

    head: str
    glued: list[tuple[str, str]]


def _unglued(text: str, *, is_after_item: bool, lone_dashes: bool) -> _Unglued:
    if not is_after_item:
        return _Unglued(text, [])
    tail: list[tuple[str, str]] = []
    if lone_dashes and _GLUED_DASH.search(text):
        text = _GLUED_DASH.sub("", text)
        tail = [("dash", "")]
    pieces = _GLUE.split(text)
    glued = [
        ("space" if space else "tight", piece.strip()) for space, piece in zip(pieces[1::2], pieces[2::2], strict=True)
    ]
    return _Unglued(pieces[0].strip(), glued + tail)


def _is_open(text: str) -> bool:
    """Whether a line stops in mid-sentence: an open bracket, a comma, or a Chinese word without a full stop."""
    if ends_sentence(text) or _NUMBERED.match(text):
        return False
    if _OPEN_BRACKET.search(text):
        return True
    return bool(re.search(r"[\u3400-\u9fff,，、+/=(（]$", text.rstrip("*")))


def _joins(last: Node, text: str) -> bool:
    """Whether `text` continues the node before it: inline code always begins a line of its own on these pages."""
    if not _STARTS_LATIN.match(text) or _NUMBERED.match(text) or formula_only(text) or formula_only(last.text):
        return bool(_OPEN_BRACKET.search(last.text)) and not ends_sentence(last.text)
    if last.kind == "item" and last.opens:
        return not last.continued or not last.loose
    return _is_open(last.text) and not last.text.startswith("#")


def _code_led(text: str, last: Node, tight_follows: bool) -> list[str]:
    """Items that began with code, so that their dashes were lost: `command: what it does`, one after another."""
    if not last.opens:
        return []
    parts = [part.strip() for part in _LED_BOUNDARY.split(text) if part.strip()]
    if all(_CODE_LED.match(part) for part in parts) and (len(parts) > 1 or _explains(parts[0])):
        return parts
    return [text] if tight_follows and last.kind == "item" and _STARTS_LATIN.match(text) else []


def _explains_item(last: Node, text: str) -> bool:
    """Whether a line says what an item's label announced."""
    return last.kind == "item" and last.opens and not last.loose and not text.rstrip().endswith((":", "："))


def _explains(part: str) -> bool:
    """Whether a label in code is followed by words about it."""
    match = _CODE_LED.match(part)
    return bool(match and re.match(r"[\u3400-\u9fff]", part[match.end() :]))


def _joined(first: str, text: str) -> str:
    tight = first.endswith(("(", "（", "“", "[", "/")) or text.startswith((",", "，", "。", ")", "）", ";"))
    return f"{first}{text}" if tight else f"{first} {text}"
