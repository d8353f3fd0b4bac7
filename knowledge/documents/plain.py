"""Plain text to lines: bullets, headings, fences and tables as people type them, without indented code."""

import re

from interviewer.language import clean
from knowledge.documents.code_runs import mark_code_runs
from knowledge.documents.model import Line, LineDocument, LineKind

_FENCE = re.compile(r"^\s*(?P<mark>```+|~~~+)")
_HEADING = re.compile(r"^(?P<marks>#{1,6})\s+(?P<text>\S.*?)\s*#*$")
_BULLET = re.compile(r"^(?P<mark>[-*+•·●▪◦‣○■□◆–])(?:\s+(?P<text>.*))?$")
_RULE = re.compile(r"^([-*_=])(?:\s*\1){2,}$")
_TABLE = re.compile(r"^\|.*\|$")
_COMMAND_FLAG = re.compile(r"\s--\w")


def read_plain(text: str, title: str) -> LineDocument:
    """Lines of plain text; control and zero-width characters are dropped, tabs count four columns."""
    lines: list[Line] = []
    fence = ""
    for number, raw in enumerate(split_lines(text), start=1):
        mark = _FENCE.match(raw)
        if fence or mark:
            lines.append(Line(number, raw, LineKind.CODE, indent=_indent(raw), raw=raw))
            fence = _next_fence(fence, mark)
        else:
            lines.append(classify(number, raw))
    return LineDocument(title, tuple(mark_code_runs(_comments_are_code(lines))), is_marked_up=False)


def split_lines(text: str) -> list[str]:
    """Lines with hidden characters removed and form feeds and vertical tabs as line ends."""
    text = clean(text.replace("\f", "\n").replace("\v", "\n").replace("\u2028", "\n").replace("\u2029", "\n"))
    return [line.rstrip().replace("\u00a0", " ").expandtabs(4) for line in text.split("\n")]


def classify(number: int, raw: str) -> Line:
    """The role of one line outside a fence."""
    stripped = raw.strip()
    indent = _indent(raw)
    if not stripped:
        return Line(number, "", LineKind.BLANK)
    if heading := _HEADING.match(stripped):
        return Line(number, heading["text"], LineKind.HEADING, len(heading["marks"]), indent, raw)
    if _RULE.match(stripped):
        return Line(number, stripped, LineKind.RULE, indent=indent, raw=raw)
    if _TABLE.match(stripped):
        return Line(number, stripped, LineKind.TABLE, indent=indent, raw=raw)
    bullet = _BULLET.match(stripped)
    if bullet and not stripped.startswith("**"):
        return Line(number, bullet["text"] or "", LineKind.ITEM, indent=indent, raw=raw)
    return Line(number, stripped, LineKind.TEXT, indent=indent, raw=raw)


def _indent(raw: str) -> int:
    return len(raw) - len(raw.lstrip())


def _next_fence(fence: str, mark: re.Match[str] | None) -> str:
    if not fence:
        return mark["mark"] if mark else ""
    closes = mark is not None and mark["mark"].startswith(fence[:3]) and len(mark["mark"]) >= len(fence)
    return "" if closes else fence


def _comments_are_code(lines: list[Line]) -> list[Line]:
    """A `# ` line that holds a command's flags is a shell comment and its command, not a heading."""
    return [
        line._replace(kind=LineKind.TEXT, level=0, text=line.raw.strip())
        if line.kind is LineKind.HEADING and _COMMAND_FLAG.search(line.text)
        else line
        for line in lines
    ]
