"""A field's text as Markdown: cards and exports often hold HTML in their fields."""

import html
import re

_TAG = re.compile(
    r"</?(br|div|p|ul|ol|li|b|strong|i|em|code|pre|span|h[1-6]|table|tr|td|img|a)\b[^<>]*>", re.IGNORECASE
)
_BREAK = re.compile(r"<br\s*/?>\n?", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:nbsp|lt|gt|amp|quot|#\d+);")


def as_markdown(value: str) -> str:
    """`value` with its HTML converted; text without tags is only trimmed."""
    value = value.strip()
    tags = {match[1].lower() for match in _TAG.finditer(value)}
    if tags == {"br"}:
        return _tidied(html.unescape(_BREAK.sub("\n", value)))
    if tags and "```" not in value:
        try:
            return _tidied(_converted(value))
        except RecursionError:
            return value
    return html.unescape(value).replace("\u00a0", " ") if _ENTITY.search(value) and "`" not in value else value


def _converted(value: str) -> str:
    from bs4 import BeautifulSoup

    from knowledge.documents.html import keep_bars, to_markdown

    soup = BeautifulSoup(value, "html.parser")
    for tag in soup(["script", "style", "iframe", "object"]):
        tag.decompose()
    keep_bars(soup)
    return to_markdown(str(soup))


def _tidied(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
