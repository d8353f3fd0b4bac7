"""Markdown to lines, with the block structure that markdown-it finds; HTML blocks in it are unwrapped."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from knowledge.documents.model import Line, LineDocument, LineKind, Passage
from knowledge.documents.plain import classify, split_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---\n(?P<body>(?:[^\n]*\n){1,60}?)---\n")
_TITLE = re.compile(r"^title:\s*[\"']?(?P<title>.+?)[\"']?\s*$", re.MULTILINE)
_SETEXT = re.compile(r"^(={3,}|-{3,})$")
_SUMMARY = re.compile(r"<summary\b[^>]*>(?P<text>.*?)</summary>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DROPPED = re.compile(r"<(script|style|svg|noscript)\b[^>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HEADING_TAG = re.compile(r"<h([1-6])\b[^>]*>(?P<text>.*?)</h\1>", re.IGNORECASE | re.DOTALL)
_BOLD_TAG = re.compile(r"<(b|strong)>(?P<text>[^<>\n]+)</\1>", re.IGNORECASE)
_WRAPPER_TAG = re.compile(r"</?(b|strong|i|em|u|p|div|span|details|center|font|sup|sub|kbd|a)\b[^>]*>", re.IGNORECASE)
_ADDED = "\ue002"
_HIDDEN = "\ue000\ue001"
_PLACEHOLDER = re.compile(f"{_HIDDEN[0]}(\\d+){_HIDDEN[1]}")
_PROTECTED = re.compile(r"(^[ \t]*(```+|~~~+).*?^[ \t]*\2[ \t]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def read_markdown(text: str, title: str) -> LineDocument:
    """Lines of a Markdown document. Front matter, comments and scripts are left out by name."""
    text = "\n".join(split_lines(text)) + "\n"
    left_out: list[Passage] = []
    text, title = _without_front_matter(text, title, left_out)
    text = _without_html(text, left_out)
    numbered = [(number, raw) for number, line in enumerate(text.split("\n"), start=1) for raw in line.split(_ADDED)]
    kinds = _block_kinds("\n".join(raw for _, raw in numbered), len(numbered))
    lines = [_line(number, raw, kind) for (number, raw), kind in zip(numbered, kinds, strict=True)]
    return LineDocument(title, tuple(_setext(lines)), is_marked_up=True, left_out=tuple(left_out))


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    """CommonMark with tables. Setext headings are found by line, as a stray `-` below a line is none."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable("lheading")


def _block_kinds(text: str, count: int) -> list[LineKind | None]:
    kinds: list[LineKind | None] = [None] * count
    for token in _parser().parse(text):
        kind = _kind_of(token)
        if kind is not None and token.map is not None:
            for index in range(token.map[0], min(token.map[1], count)):
                kinds[index] = kind
    return kinds


def _kind_of(token: "Token") -> LineKind | None:
    if token.type in ("fence", "code_block"):
        return LineKind.CODE
    return LineKind.TABLE if token.type == "table_open" else None


def _line(number: int, raw: str, kind: LineKind | None) -> Line:
    indent = len(raw) - len(raw.lstrip())
    if kind is LineKind.CODE:
        return Line(number, raw, kind, indent=indent, raw=raw)
    if kind is LineKind.TABLE and raw.strip():
        return Line(number, raw.strip(), kind, indent=indent, raw=raw)
    return classify(number, raw)


def _setext(lines: list[Line]) -> list[Line]:
    """A line of `===` or `---` right below a paragraph of one line makes it a heading."""
    out = list(lines)
    for index in range(1, len(out)):
        mark, above = out[index], out[index - 1]
        before = out[index - 2] if index > 1 else None
        alone = before is None or before.kind is not LineKind.TEXT
        if _SETEXT.match(mark.raw.strip()) and above.kind is LineKind.TEXT and above.indent < 4 and alone:
            level = 1 if mark.raw.strip().startswith("=") else 2
            out[index - 1] = above._replace(kind=LineKind.HEADING, level=level)
            out[index] = Line(mark.number, mark.text, LineKind.RULE, raw=mark.raw)
    return out


def _without_front_matter(text: str, title: str, left_out: list[Passage]) -> tuple[str, str]:
    match = _FRONT_MATTER.match(text)
    if not match or ":" not in match["body"]:
        return text, title
    left_out.append(Passage("front_matter", 1, match[0].strip()))
    named = _TITLE.search(match["body"])
    return _blanked(text, match.start(), match.end()), named["title"] if named else title


def _blanked(text: str, start: int, end: int) -> str:
    """`text` with a span replaced by its line ends, so that line numbers stay."""
    return text[:start] + "\n" * text.count("\n", start, end) + text[end:]


def _without_html(text: str, left_out: list[Passage]) -> str:
    """Tags outside code unwrapped; comments and scripts dropped; a summary becomes a bold line of its own.

    Lines that this adds are marked with `_ADDED` instead of a line end, so that line numbers stay true.
    """
    text = text.translate({ord(mark): "\ufffd" for mark in (_ADDED, *_HIDDEN)})
    if "<" not in text:
        return text
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"{_HIDDEN[0]}{len(kept) - 1}{_HIDDEN[1]}"

    def show(text: str) -> str:
        return _PLACEHOLDER.sub(lambda m: kept[int(m[1])], text)

    def drop(match: re.Match[str]) -> str:
        number = show(text[: match.start()]).count("\n") + 1
        left_out.append(Passage("html_script", number, show(match[0]).strip()))
        return "\n" * show(match[0]).count("\n")

    text = _PROTECTED.sub(hide, text)
    text = _DROPPED.sub(drop, text)
    text = _COMMENT.sub(drop, text)
    text = _SUMMARY.sub(_as_bold_line, text)
    text = _HEADING_TAG.sub(lambda m: f"{_ADDED}{'#' * int(m[1])} {_inner(m['text'])}{_ADDED}", text)
    text = _BREAK.sub(_as_line_end, text)
    text = _WRAPPER_TAG.sub("", _BOLD_TAG.sub(lambda m: f"**{m['text'].strip()}**", text))
    return show(text)


def _as_line_end(match: re.Match[str]) -> str:
    """A break ends the line, except in a table's row, which has no other way to hold two lines."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    is_row = match.string[start : match.start()].lstrip().startswith("|")
    return match[0] if is_row else f"  {_ADDED}"


def _as_bold_line(match: re.Match[str]) -> str:
    words = _inner(match["text"])
    blank = "\n" * match[0].count("\n")
    return f"{_ADDED}{_ADDED}**{words}**{_ADDED}{_ADDED}{blank}" if words else blank


def _inner(html: str) -> str:
    """The words of a one-line element, its own tags and Markdown emphasis removed."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html)).strip().strip("*").strip()
