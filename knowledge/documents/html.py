"""HTML to lines: page furniture dropped by name, the rest converted to Markdown by markdownify."""

import re
from typing import TYPE_CHECKING

from interviewer.worded import UnreadableError
from knowledge.documents.markdown import read_markdown
from knowledge.documents.model import LineDocument, Passage

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

MAX_DEPTH = 200
MAX_GAP = 200
_LONG_GAP = re.compile(rf"[ \t]{{{MAX_GAP},}}")
_SCRIPTS = ("script", "style", "noscript", "template", "svg", "iframe", "object", "head")
_CHROME = ("nav", "footer", "aside", "form", "dialog")
_CHROME_ROLES = ("navigation", "contentinfo", "banner", "search", "complementary", "dialog")


def read_html(text: str, title: str) -> LineDocument:
    """Lines of an HTML page; its title is the first `<h1>`'s or the `<title>`'s."""
    try:
        return _read(text, title)
    except RecursionError as error:
        raise UnreadableError("document_page_too_deep") from error


def _read(text: str, title: str) -> LineDocument:
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(_LONG_GAP.sub(lambda gap: gap[0][:MAX_GAP], text), "html.parser")
    if _depth(soup) > MAX_DEPTH:
        raise RecursionError
    heading = soup.find("title")
    title = heading.get_text(" ", strip=True) if heading and heading.get_text(strip=True) else title
    left_out = _without_furniture(soup)
    _open_folded_parts(soup)
    keep_bars(soup)
    document = read_markdown(to_markdown(str(soup)), title)
    return document._replace(left_out=(*left_out, *document.left_out))


def keep_bars(soup: "BeautifulSoup") -> None:
    """Escapes every bar in a table's cells, which would part them in Markdown."""
    for cell in soup.find_all(["td", "th"]):
        for text in cell.find_all(string=True):
            if "|" in text and text.find_parent(["td", "th"]) is cell:
                text.replace_with(text.replace("|", "\\|"))


def _depth(soup: "BeautifulSoup") -> int:
    """How deep the page's elements are nested."""
    depths: dict[int, int] = {}
    for tag in soup.find_all(True):
        depths[id(tag)] = depths.get(id(tag.parent), 0) + 1
    return max(depths.values(), default=0)


def to_markdown(html: str) -> str:
    """HTML as Markdown: ATX headings, dashes for bullets, fences with the language of a `language-x` class."""
    from markdownify import markdownify

    return str(
        markdownify(
            html,
            heading_style="ATX",
            bullets="-",
            escape_asterisks=False,
            escape_underscores=False,
            escape_misc=False,
            code_language_callback=_code_language,
            newline_style="SPACES",
            table_infer_header=True,
        )
    )


def _code_language(pre: "Tag") -> str:
    """The language named by a class of the block or of the code within it."""
    for tag in (pre, pre.find("code")):
        classes = tag.get("class") if tag else None
        for name in classes or []:
            if str(name).startswith(("language-", "lang-")):
                return str(name).split("-", 1)[1]
    return ""


def _without_furniture(soup: "BeautifulSoup") -> list[Passage]:
    """Takes scripts and page furniture out of `soup`, returning the furniture's words."""
    for tag in soup(list(_SCRIPTS)):
        tag.decompose()
    left_out = []
    for tag in soup.find_all(_is_furniture):
        words = tag.get_text(" ", strip=True) if not tag.decomposed else ""
        if words:
            left_out.append(Passage("page_furniture", tag.sourceline or 0, words))
        tag.decompose()
    return left_out


def _is_furniture(tag: "Tag") -> bool:
    if tag.name in _CHROME or tag.get("role") in _CHROME_ROLES or tag.get("aria-hidden") == "true":
        return True
    return tag.name == "header" and tag.find_parent(["article", "main", "section"]) is None and _only_links(tag)


def _only_links(tag: "Tag") -> bool:
    """Whether the words of a page's header are mostly those of its links."""
    words = len(tag.get_text(strip=True))
    linked = sum(len(link.get_text(strip=True)) for link in tag.find_all("a"))
    return linked * 2 >= words


def _open_folded_parts(soup: "BeautifulSoup") -> None:
    """Summaries and definition terms become bold paragraphs; buttons in headings become text."""
    for tag in soup.find_all(["summary", "dt"]):
        words = tag.get_text(" ", strip=True)
        paragraph, strong = soup.new_tag("p"), soup.new_tag("strong")
        strong.string = words
        paragraph.append(strong)
        tag.replace_with(paragraph)
    for tag in soup.find_all(["dd", "details", "dl"]):
        tag.name = "div"
    for tag in soup.find_all("button"):
        if tag.find_parent(["h1", "h2", "h3", "h4", "h5", "h6"]) or tag.get_text(strip=True).endswith(("?", "？")):
            tag.name = "span" if tag.find_parent(["h1", "h2", "h3", "h4", "h5", "h6"]) else "p"
        else:
            tag.decompose()
