"""A field's text as Markdown: cards and exports often hold HTML in their fields."""

import re

_TAG = re.compile(
    r"</?(?:br|div|p|ul|ol|li|b|strong|i|em|code|pre|span|h[1-6]|table|tr|td|img|a)\b[^<>]*>", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:nbsp|lt|gt|amp|quot|#\d+);")


def as_markdown(value: str) -> str:
    """`value` with its HTML converted; text without tags is only trimmed."""
    if _TAG.search(value) and "```" not in value:
        from bs4 import BeautifulSoup

        from knowledge.documents.html import to_markdown

        soup = BeautifulSoup(value, "html.parser")
        for tag in soup(["script", "style", "iframe", "object"]):
            tag.decompose()
        return re.sub(r"\n{3,}", "\n\n", to_markdown(str(soup))).strip()
    if _ENTITY.search(value) and "`" not in value:
        import html

        return html.unescape(value).replace("\u00a0", " ").strip()
    return value.strip()
