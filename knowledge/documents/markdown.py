"""Markdown to lines, with the block structure that markdown-it finds; HTML blocks in it are unwrapped."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from knowledge.documents.markdown_html import ADDED, unwrap_html
from knowledge.documents.model import Line, LineDocument, LineKind, Passage
from knowledge.documents.plain import classify, split_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---\n(?P<body>(?:[^\n]*\n){1,60}?)---\n")
_TITLE = re.compile(r"^title:\s*[\"']?(?P<title>.+?)[\"']?\s*$", re.MULTILINE)
_SETEXT = re.compile(r"^(={3,}|-{3,})$")


def read_markdown(text: str, title: str) -> LineDocument:
    """Lines of a Markdown document. Front matter, comments and scripts are left out by name."""
    text = "\n".join(split_lines(text)) + "\n"
    left_out: list[Passage] = []
    text, title = _without_front_matter(text, title, left_out)
    unwrapped = unwrap_html(text)
    text, left_out = unwrapped.text, left_out + unwrapped.left_out
    numbered = [(number, raw) for number, line in enumerate(text.split("\n"), start=1) for raw in line.split(ADDED)]
    kinds = _block_kinds("\n".join(raw for _, raw in numbered), len(numbered))
    lines = [_line(number, raw, kind) for (number, raw), kind in zip(numbered, kinds, strict=True)]
    return LineDocument(title, tuple(_setext(lines)), is_marked_up=True, left_out=tuple(left_out))


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    """Blocks of CommonMark with tables. Setext headings are found by line, as a stray `-` below a line is none."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable(["lheading", "inline"])


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
