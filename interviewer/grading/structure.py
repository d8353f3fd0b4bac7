"""The structure of a reference written as Markdown or plain text: sections, list items, paragraphs; no model needed."""

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import NamedTuple

from interviewer.language import clean, sentences, without_ornament

_FENCE = re.compile(r"^\s*(```|~~~)")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^[\s|:+-]+$")
_QUOTED = re.compile(r"^\s{0,3}(?:>\s?)+(?=\S)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_BOLD_LINE = re.compile(r"^\s*(\*\*|__)([^*_]{1,60})\1\s*[:：]?\s*$")
_ITEM = re.compile(
    r"^(?P<indent>\s*)(?:[-*+•·●▪◦–]\s+|-(?=[A-Z\u4e00-\u9fff])|\(?\d{1,2}[)）、]\s*|（\d{1,2}）\s*|\d{1,2}\.(?!\d)\s*"
    r"|[①②③④⑤⑥⑦⑧⑨⑩]\s*|[a-hA-H][.)]\s+)(?P<text>.*)$"
)
_FEWEST_LINED_UP = 3
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_SENTENCE_ENDS = ("。", "！", "？", "；", ".", "!", "?", ";")
_SHORT_LINE = re.compile(r"[^。.!！?？;；:：，,]{2,30}")
"""What a list has where it was copied without its bullets."""
_NUMBERED = re.compile(r"^\s*(?:\(?\d|（\d|[①-⑩])")
_TITLE = re.compile(r"[^\s，,。；;：:！!？?.](?:[^，,。；;：:！!？?.]{0,38}[^，,。；;：:！!？?.])?")
_INLINE_NUMBER = re.compile(
    r"(?:(?<=[\s。；;.:：，,])|^)(?:\(?(\d{1,2})[)）、]|（(\d{1,2})）|(\d{1,2})\.(?!\d)|([①②③④⑤⑥⑦⑧⑨⑩]))(?=\s*\S)"
)
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_MARKS = re.compile(r"(\*\*|__|~~|`+)")
_ITALICS = re.compile(r"(?<![\w*/])\*(?=[^\s*/])([^*\n]{1,200})(?<=[^\s*/])\*(?![\w*/])")
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\((?:[^()]|\([^()]*+\))*+\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_LEAD_IN = re.compile(
    r"^\s*(?:(?P<marks>\*\*|__)(?P<bold>[^*_]{1,60}?)\s*[:：]?\s*(?P=marks)\s*[:：]?"
    r"|(?P<plain>[^\s:：。，,.;；()（）]{1,24}(?: [^\s:：。，,.;；()（）]{1,24}){0,4})\s*(?:[:：](?!//)|——))"
    r"\s*(?P<rest>\S.*)?$",
    re.DOTALL,
)


class Unit(NamedTuple):
    """A statement-sized piece of a reference.

    Attributes:
        label: The heading or lead-in it stands under, without marks; may be empty.
        text: Its own words, Markdown marks removed.
        children: What is nested below it.
        item: Whether it stood in a list.
        attached: The code or table that followed it, bounded.
        opens: Whether it is numbered and stands above paragraphs of its own.
    """

    label: str
    text: str
    children: tuple["Unit", ...] = ()
    item: bool = False
    attached: str = ""
    opens: bool = False

    @property
    def folded(self) -> str:
        """Its words followed by those of everything nested below it."""
        below = [child.folded if not child.label else f"{child.label}: {child.folded}" for child in self.children]
        return _join([self.text, self.attached, *below])


class _Line(NamedTuple):
    kind: str
    indent: int
    text: str
    numbered: bool = False


def units(reference: str) -> tuple[Unit, ...]:
    """The top-level units of a reference in order; a heading's label is carried by the units below it."""
    found: list[Unit] = []
    label = ""
    blocks = list(_blocks(list(_lines(clean(reference)))))
    led = False
    for block, following in zip_longest(blocks, blocks[1:]):
        if block[0].kind == "heading" or (following and _is_title(block)):
            label = _named(block[0].text).rstrip(":：")
        elif block[0].kind == "item":
            label = _take_lead_in(found, label) if led else label
            opens = len(block) == 1 and block[0].numbered and following is not None
            found.extend(_with_label(unit, label)._replace(opens=opens) for unit in _tree(block))
        elif block[0].kind in ("code", "table"):
            _attach(found, block, label)
        else:
            found.extend(_paragraph([line.text.strip() for line in block], label))
        led = block[0].kind == "text"
    return tuple(unit for unit in found if unit.text or unit.children)


def _is_title(block: list[_Line]) -> bool:
    """Whether a number and a few words stand alone, above paragraphs of what they name."""
    return len(block) == 1 and block[0].numbered and bool(_TITLE.fullmatch(plain(block[0].text)))


def plain(text: str) -> str:
    """`text` without Markdown marks, links' targets and HTML tags, white space folded."""
    for _ in range(2):  # a picture can be a link
        text = _LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    return re.sub(r"\s+", " ", _ITALICS.sub(r"\1", _MARKS.sub("", text))).strip()


def _named(text: str) -> str:
    """A label's words, without the emoji around them."""
    return without_ornament(plain(text))


def split_lead_in(text: str) -> tuple[str, str]:
    """`("Cause", "the rest")` for "**Cause**: the rest" or "Cause: the rest"; an empty label where there is none."""
    match = _LEAD_IN.match(text)
    if match is None:
        return "", plain(text)
    label = _named(match["bold"] or match["plain"] or "")
    return label, plain(match["rest"] or "")


def _lines(text: str) -> Iterator[_Line]:
    fenced = False
    for raw in text.split("\n"):
        line = raw.expandtabs(4) if fenced else _QUOTED.sub("", raw.expandtabs(4))
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced:
            yield _Line("code", 0, line)
        elif not line.strip():
            yield _Line("blank", 0, "")
        else:
            yield from map(_classify, _numbered_apart(line))


def _numbered_apart(line: str) -> list[str]:
    """A line that numbers its statements 1, 2, 3 … as one line each; any other line as it is."""
    found = [(match.start(), _number(match)) for match in _INLINE_NUMBER.finditer(line)]
    starts: list[int] = []
    expected = 1 if not found or found[0][0] > 0 else found[0][1]
    for start, number in found:
        if number == expected:
            starts.append(start)
            expected += 1
    if len(starts) < 2:
        return [line]
    cuts = [0, *starts, len(line)] if line[: starts[0]].strip() else [*starts, len(line)]
    return [line[a:b].rstrip() for a, b in pairwise(cuts)]


def _number(match: re.Match[str]) -> int:
    digits = match[1] or match[2] or match[3]
    return int(digits) if digits else _CIRCLED.index(match[4]) + 1


def _classify(line: str) -> _Line:
    heading = _HEADING.match(line)
    if heading:
        return _Line("heading", 0, heading[1])
    if _TABLE_ROW.match(line):
        return _Line("table", 0, line)
    bold = _BOLD_LINE.match(line)
    if bold:
        return _Line("heading", 0, bold[2])
    item = _ITEM.match(line)
    if item and item["text"].strip():
        return _Line("item", len(item["indent"]), item["text"], bool(_NUMBERED.match(line)))
    return _Line("text", len(line) - len(line.lstrip()), line)


def _blocks(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Lines grouped: a list with its continuation lines is one block, as is a paragraph, a table, a piece of code."""
    block: list[_Line] = []
    for line in lines:
        if _continues(block, line):
            block.append(line)
            continue
        if any(kept.kind != "blank" for kept in block):
            yield [kept for kept in block if kept.kind != "blank"]
        block = [line]
    if any(kept.kind != "blank" for kept in block):
        yield [kept for kept in block if kept.kind != "blank"]


def _continues(block: list[_Line], line: _Line) -> bool:
    if not block or block[0].kind in ("heading", "blank") or line.kind == "heading":
        return False
    if block[0].kind == "item":
        after_blank = block[-1].kind == "blank"
        indented = line.kind in ("text", "code") and (not after_blank or line.indent > block[0].indent)
        return line.kind in ("item", "blank", "table") or indented
    return line.kind == block[0].kind


def _tree(block: list[_Line]) -> tuple[Unit, ...]:
    """The items of a list block, nested by their indent; bullets below a number are nested in it, too."""
    groups: list[list[_Line]] = []
    top = min(line.indent for line in block if line.kind == "item")
    numbered = block[0].numbered
    for line in block:
        outer = line.kind == "item" and line.indent <= top + 1 and line.numbered >= numbered
        if outer or not groups:
            groups.append([line])
        else:
            groups[-1].append(line)
    return tuple(_item(group) for group in groups)


def _item(group: list[_Line]) -> Unit:
    first_child = next((i for i, line in enumerate(group) if i and line.kind == "item"), len(group))
    own = " ".join(_cell_text(line) for line in group[:first_child])
    label, text = split_lead_in(own)
    children = _tree(group[first_child:]) if first_child < len(group) else ()
    return Unit(label, text, children, item=True)


def _cell_text(line: _Line) -> str:
    if line.kind != "table":
        return line.text.strip()
    return "" if _TABLE_RULE.match(line.text) else ", ".join(c.strip() for c in line.text.strip().strip("|").split("|"))


def _with_label(unit: Unit, label: str) -> Unit:
    return unit if unit.label or not label else unit._replace(label=label)


def _take_lead_in(found: list[Unit], label: str) -> str:
    """A paragraph that ends in a colon introduces the list after it: it becomes the items' label."""
    if found and not found[-1].item and found[-1].text.endswith((":", "：")):
        return found.pop().text.rstrip(":：").strip()
    return label


def _attach(found: list[Unit], block: list[_Line], label: str) -> None:
    """Code and tables belong to the statement before them; a table alone gives one unit a row."""
    if block[0].kind == "table" and not found:
        rows = [_cell_text(line) for line in block]
        found.extend(Unit(label, row, item=True) for row in rows[1:] if row)
        return
    if found:
        last = found[-1]
        text = _join([plain(_cell_text(line)) for line in block])[:400]
        found[-1] = last._replace(attached=_join([last.attached, text]))


def _paragraph(lines: list[str], label: str) -> list[Unit]:
    """A paragraph as one unit, or one a line where each line is a statement of its own."""
    if _stands_alone(lines):
        return _lined_up(lines, label)
    text = " ".join(lines)
    own, rest = split_lead_in(text)
    others = sentences(rest)[1:]
    if not own or not rest or (len(others) > 1 and all(all(split_lead_in(each)) for each in others)):
        return [Unit(label, plain(text))]
    return [Unit(own, rest)]


def _lined_up(lines: list[str], label: str) -> list[Unit]:
    found: list[Unit] = []
    listed = len(lines) >= _FEWEST_LINED_UP and all(_SHORT_LINE.fullmatch(line) for line in lines)
    for line in lines:
        if line.endswith((":", "：")) and line != lines[-1]:
            label = plain(line).rstrip(":： ")
        else:
            found.extend(unit._replace(item=listed) for unit in _paragraph([line], label))
    return found


def _stands_alone(lines: list[str]) -> bool:
    """Whether each line is a statement of its own: English that is wrapped goes on in lower case behind a line that
    ends no sentence, Chinese is not wrapped where a word such as "epoll" begins.
    """
    return len(lines) > 1 and not any(_goes_on(before, line) for before, line in pairwise(lines))


def _goes_on(before: str, line: str) -> bool:
    if before.endswith((",", "，", "、")):
        return True
    in_english = not (_HAN.search(before) and _HAN.search(line))
    return in_english and bool(re.match("[a-z]", line)) and not before.endswith(_SENTENCE_ENDS)


def _join(parts: list[str]) -> str:
    text = ""
    for part in filter(None, (p.strip() for p in parts)):
        if not text:
            text = part
        elif text[-1] in "。！？!?；;.:：":
            text += " " + part
        else:
            text += "; " + part
    return text
