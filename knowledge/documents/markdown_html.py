"""HTML within Markdown: tags outside code unwrapped, comments and scripts dropped, in time linear in the text."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from knowledge.documents.model import Passage

ADDED = "\ue002"
"""Stands for a line end that unwrapping adds, so that the numbers of lines stay true."""

_HIDDEN = "\ue000\ue001"
_PLACEHOLDER = re.compile(f"{_HIDDEN[0]}(\\d+){_HIDDEN[1]}")
_FENCE = re.compile(r"^[ \t]{0,12}(?P<mark>`{3,}|~{3,})")
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
_ATTRIBUTES = r"(?:\s[^<>]{0,500})?>"
_DROPPED = re.compile(rf"<(?P<tag>script|style|svg|noscript){_ATTRIBUTES}", re.IGNORECASE)
_COMMENT = re.compile(r"<!--")
_SUMMARY = re.compile(rf"<summary{_ATTRIBUTES}", re.IGNORECASE)
_HEADING = re.compile(rf"<h(?P<level>[1-6]){_ATTRIBUTES}", re.IGNORECASE)
_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_BOLD = re.compile(r"<(b|strong)>(?P<text>[^<>\n]{1,500})</\1>", re.IGNORECASE)
_WRAPPER = re.compile(
    r"</?(?:b|strong|i|em|u|p|div|span|details|center|font|sup|sub|kbd|a)(?:\s[^<>]{0,500})?/?>", re.IGNORECASE
)


class Unwrapped(NamedTuple):
    """Markdown without HTML, `ADDED` standing for new line ends; comments and scripts that were dropped."""

    text: str
    left_out: list[Passage]


class _Element(NamedTuple):
    """An element's opening tag, and where its content ends and where it ends itself."""

    opening: re.Match[str]
    content_end: int
    end: int


def unwrap_html(text: str) -> Unwrapped:
    """Summaries become bold lines, headings Markdown's, wrappers vanish; what stands in code marks stays."""
    text = text.translate({ord(mark): "\ufffd" for mark in (ADDED, *_HIDDEN)})
    if "<" not in text:
        return Unwrapped(text, [])
    return _Unwrapper().run(text)


class _Unwrapper:
    def __init__(self) -> None:
        self._code: list[str] = []
        self._left_out: list[Passage] = []

    def run(self, text: str) -> Unwrapped:
        text = self._without_code(text)
        text = self._dropped(text, _DROPPED, lambda match: f"</{match['tag']}")
        text = self._dropped(text, _COMMENT, lambda match: "--")
        text = _replaced(text, _SUMMARY, lambda match: "</summary", _as_bold_line)
        text = _replaced(text, _HEADING, lambda match: f"</h{match['level']}", _as_heading)
        text = _BREAK.sub(_as_line_end, text)
        text = _WRAPPER.sub("", _BOLD.sub(lambda match: f"**{match['text'].strip()}**", text))
        return Unwrapped(self._with_code(text), self._left_out)

    def _without_code(self, text: str) -> str:
        """Fenced lines and inline code as placeholders."""
        out, fence = [], ""
        for line in text.split("\n"):
            mark = _FENCE.match(line)
            if fence or mark:
                out.append(self._hide(line))
                fence = _next_fence(fence, mark, line)
            else:
                out.append(_INLINE_CODE.sub(lambda match: self._hide(match[0]), line))
        return "\n".join(out)

    def _hide(self, code: str) -> str:
        self._code.append(code)
        return f"{_HIDDEN[0]}{len(self._code) - 1}{_HIDDEN[1]}"

    def _with_code(self, text: str) -> str:
        return _PLACEHOLDER.sub(lambda match: self._code[int(match[1])], text)

    def _dropped(self, text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]) -> str:
        out, at, line = [], 0, 1
        for element in _elements(text, opening, closing):
            before, inside = text[at : element.opening.start()], text[element.opening.start() : element.end]
            line += before.count("\n")
            self._left_out.append(Passage("html_script", line, self._with_code(inside).strip()))
            line += inside.count("\n")
            out += [before, "\n" * inside.count("\n")]
            at = element.end
        return "".join([*out, text[at:]])


def _next_fence(fence: str, mark: re.Match[str] | None, line: str) -> str:
    if not fence:
        return mark["mark"] if mark else ""
    closes = mark is not None and mark["mark"].startswith(fence) and line.strip() == mark["mark"]
    return "" if closes else fence


def _elements(text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]) -> Iterator[_Element]:
    """Elements one after another; those never closed are none."""
    at = 0
    never: set[str] = set()
    while (match := opening.search(text, at)) is not None:
        tag = closing(match)
        end = (
            None
            if tag in never
            else re.compile(rf"{re.escape(tag)}\s{{0,3}}>", re.IGNORECASE).search(text, match.end())
        )
        if end is None:
            never.add(tag)
            at = match.end()
            continue
        yield _Element(match, end.start(), end.end())
        at = end.end()


def _replaced(
    text: str,
    opening: re.Pattern[str],
    closing: Callable[[re.Match[str]], str],
    render: Callable[[re.Match[str], str], str],
) -> str:
    out, at = [], 0
    for element in _elements(text, opening, closing):
        content = text[element.opening.end() : element.content_end]
        out += [text[at : element.opening.start()], render(element.opening, content)]
        at = element.end
    return "".join([*out, text[at:]])


def _as_bold_line(opening: re.Match[str], content: str) -> str:
    words = _inner(content)
    blank = "\n" * (opening[0].count("\n") + content.count("\n"))
    return f"{ADDED}{ADDED}**{words}**{ADDED}{ADDED}{blank}" if words else blank


def _as_heading(opening: re.Match[str], content: str) -> str:
    blank = "\n" * (opening[0].count("\n") + content.count("\n"))
    return f"{ADDED}{'#' * int(opening['level'])} {_inner(content)}{ADDED}{blank}"


def _as_line_end(match: re.Match[str]) -> str:
    """A break ends the line, except in a table's row, which has no other way to hold two lines."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    is_row = match.string[start : start + 4].lstrip().startswith("|")
    return match[0] if is_row else f"  {ADDED}"


def _inner(html: str) -> str:
    """The words of an element on one line, its own tags and Markdown emphasis removed."""
    return re.sub(r"\s+", " ", re.sub(r"<[^<>]{1,500}>", "", html)).strip().strip("*").strip()
