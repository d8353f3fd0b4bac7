"""Markdown from documents and the bank as safe HTML."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def render_markdown(text: str) -> str:
    """`text` as HTML: raw HTML is shown as text, scripts, styles, images and unsafe links can't come through."""
    import nh3

    return nh3.clean(_parser().render(text), tags=_TAGS, attributes={"a": {"href"}, "code": {"class"}})


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


_TAGS = {
    *("p", "br", "hr", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
