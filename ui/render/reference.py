"""Markdown of references as safe HTML: no raw HTML, no images, no scripts, code and formulas kept readable."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

from interviewer.language import clean

_TAGS = set(
    [
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "s",
        "code",
        "pre",
        "ul",
        "ol",
        "li",
        "blockquote",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "span",
        "div",
        "sub",
        "sup",
    ]
)
_ATTRIBUTES = {"a": {"href", "title"}, "span": {"class"}, "div": {"class"}, "code": {"class"}, "ol": {"start"}}
_FENCES = (("$$", "$$", True), ("\\[", "\\]", True), ("\\(", "\\)", False), ("$", "$", False))
_LONGEST = 200_000


@lru_cache(maxsize=256)
def reference_html(text: str) -> Markup:
    """`text` as HTML. Formulas stand in `.iv-math` as TeX; the page draws them where it can."""
    html = _parser().render(text[:_LONGEST])
    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return Markup(cleaned)


def formulas_html(text: str) -> Markup:
    """Plain text, escaped, with its formulas in `.iv-math`; nothing else is read as Markdown."""
    return Markup(_plain_parser().renderInline(clean(text[:_LONGEST])))


@cache
def _plain_parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"html": False})
    parser.inline.ruler.before("text", "math", _math)
    parser.add_render_rule("math", _render_math)
    return parser


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "math", _math)
    parser.add_render_rule("math", _render_math)
    parser.add_render_rule("image", _render_image)
    parser.add_render_rule("heading_open", _render_heading)
    parser.add_render_rule("heading_close", _render_heading)
    return parser


def _math(state: StateInline, silent: bool) -> bool:
    """Takes `$x$`, `$$x$$`, `\\(x\\)` and `\\[x\\]` before Markdown eats their backslashes and underscores."""
    for left, right, display in _FENCES:
        if state.src.startswith(left, state.pos):
            start = state.pos + len(left)
            end = state.src.find(right, start, state.posMax)
            if end > start and _is_formula(state.src, start, end, left):
                if not silent:
                    token = state.push("math", "", 0)
                    token.content = state.src[start:end]
                    token.meta = {"display": display}
                state.pos = end + len(right)
                return True
    return False


def _is_formula(text: str, start: int, end: int, fence: str) -> bool:
    """Whether what stands between single dollars is a formula, not two prices."""
    if fence != "$":
        return True
    inner = text[start:end]
    return not inner[0].isspace() and not inner[-1].isspace() and not text[end + 1 : end + 2].isdigit()


def _render_math(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    kind = "iv-math iv-math-block" if token.meta["display"] else "iv-math"
    return f'<span class="{kind}">{escape(token.content.strip())}</span>'


def _render_image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """A picture would be fetched from somebody's server; its description is kept instead."""
    return f'<span class="iv-noimage">[{escape(tokens[index].content)}]</span>' if tokens[index].content else ""


def _render_heading(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Headings of a reference stand below those of the page."""
    token = tokens[index]
    level = min(6, int(token.tag[1:]) + 3)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"
