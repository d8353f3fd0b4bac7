"""The structure of a reference written as Markdown or plain text: sections, list items, paragraphs; no model needed."""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile, zip_longest
from typing import NamedTuple

from interviewer.grading.clauses import size_of
from interviewer.language import clean, sentences, without_ornament

_FENCE = re.compile(r"^\s*(```|~~~)")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^[\s|:+-]+$")
_QUOTED = re.compile(r"^\s{0,3}(?:>\s?)+(?=\S)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_BOLD_LINE = re.compile(r"^\s*(\*\*|__)([^*_]{1,60})\1\s*[:：]?\s*$")
_ITEM = re.compile(
    r"^(?P<indent>\s*)(?:[-*+•·●▪◦–○■□◆◇►▶➢✓✔]\s+|-(?=[A-Z\u4e00-\u9fff])|\(?\d{1,2}[)）、]\s*|（\d{1,2}）\s*|\d{1,2}\.(?!\d)\s*"
    r"|[①②③④⑤⑥⑦⑧⑨⑩]\s*|[一二三四五六七八九十]{1,3}、\s*(?![一二三四五六七八九十])"
    r"|[(（][一二三四五六七八九十]{1,3}[)）]\s*|[a-hA-H][.)]\s+)(?P<text>.*)$"
)
_SENTENCE = 12
_TO_COME = re.compile(
    r"(?:如下|以下|思路|步骤|方面|几点|案例|说明|[有是为]|包括|包含|分为|[几两三四五六][种类个点]|方式|方法|原因|区别|不同|特点|优点|类型"
    r"|as follows|(?:the )?following|steps|\b(?:are|is|includes?|involves?|reasons|ways|differences|advantages|benefits"
    r"|components|parts|types|factors|things|points))\s*[:：]$",
    re.IGNORECASE,
)
_LAST_ASIDE = re.compile(r"\s{0,2}[(（][^()（）]{1,200}[)）]\s{0,2}(?=[:：]$)")
_FEWEST_LINED_UP = 3
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_SENTENCE_ENDS = ("。", "！", "？", "；", ".", "!", "?", ";")
_SHORT_LINE = re.compile(r"[^。.!！?？;；:：，,]{2,30}")
"""What a list has where it was copied without its bullets."""
_NUMBERED = re.compile(
    r"^\s*[(（]?(?:(?P<digits>\d{1,2})|(?P<circled>[①-⑩])|(?P<han>[一二三四五六七八九十]{1,3})[、)）])"
)
_BELOW = ("○", "◦", "▪")
_RANKS = {"han": 2, "digits": 1, "circled": 1}
"""Which stand above which: 一、 above 1., any number above a bullet, and a filled bullet above a hollow one."""
_WIDE = 56
"""Columns, a Chinese character is two: a line as long may have been wrapped."""
_TITLE = re.compile(r"[^\s，,。；;：:！!？?.](?:[^，,。；;：:！!？?.]{0,38}[^，,。；;：:！!？?.])?")
_INLINE_NUMBER = re.compile(
    r"(?:(?<=[\s。；;.:：，,])|^)(?:\(?(\d{1,2})[)）、]|（(\d{1,2})）|(\d{1,2})\.(?!\d)|([①②③④⑤⑥⑦⑧⑨⑩]))(?=\s*\S)"
)
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_HAN_NUMBERS = (*"一二三四五六七八九十", *(f"十{unit}" for unit in "一二三四五六七八九"))
_AHEAD = 60
"""Lines in which the next item is looked for."""
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
        named: Whether the label is its own, rather than that of what it stands under.
    """

    label: str
    text: str
    children: tuple["Unit", ...] = ()
    item: bool = False
    attached: str = ""
    opens: bool = False
    named: bool = False

    @property
    def folded(self) -> str:
        """Its words followed by those of everything nested below it."""
        below = [child.folded if not child.label else f"{child.label}: {child.folded}" for child in self.children]
        return _join([self.text, self.attached, *below])


class _Line(NamedTuple):
    kind: str
    indent: int
    text: str
    rank: int = 0
    number: str = ""


def units(reference: str) -> tuple[Unit, ...]:
    """The top-level units of a reference in order; a heading's label is carried by the units below it."""
    found: list[Unit] = []
    heading = label = ""
    blocks = list(_blocks(list(_lines(clean(reference)))))
    led = False
    for block, following in zip_longest(blocks, blocks[1:]):
        if led and block[0].kind in ("item", "table"):
            label = _take_lead_in(found, label)
        if block[0].kind == "heading" or (following and _is_title(block)):
            heading = label = _named(block[0].text).rstrip(":：")
        elif block[0].kind == "item":
            opens = len(block) == 1 and block[0].rank > 0 and following is not None
            found.extend(_with_label(unit, label)._replace(opens=opens) for unit in _tree(block))
        elif block[0].kind == "table":
            found.extend(Unit(label, row, item=True) for row in _rows(block))
        elif block[0].kind == "code":
            _attach(found, block)
        else:
            label = heading
            found.extend(_paragraph([line.text.strip() for line in block], label))
        led = block[0].kind == "text"
    found = [unit for unit in found if unit.text or unit.children]
    return tuple(found or [Unit("", _code_of(block)) for block in blocks if block[0].kind == "code"])


def _is_title(block: list[_Line]) -> bool:
    """Whether a number and a few words stand alone, above paragraphs of what they name."""
    return len(block) == 1 and block[0].rank > 0 and bool(_TITLE.fullmatch(plain(block[0].text)))


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
        number = _NUMBERED.match(line)
        kind = number.lastgroup if number else None
        counted = (_RANKS[kind], number[kind]) if number and kind else (-line.lstrip().startswith(_BELOW), "")
        return _Line("item", len(item["indent"]), item["text"], *counted)
    return _Line("text", len(line) - len(line.lstrip()), line)


def _blocks(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Lines grouped: a list with its continuation lines is one block, as is a paragraph, a table, a piece of code."""
    block: list[_Line] = []
    for at, line in enumerate(lines):
        if _continues(block, line, lines[at + 1 : at + 1 + _AHEAD]):
            block.append(line)
            continue
        if any(kept.kind != "blank" for kept in block):
            yield [kept for kept in block if kept.kind != "blank"]
        block = [line]
    if any(kept.kind != "blank" for kept in block):
        yield [kept for kept in block if kept.kind != "blank"]


def _continues(block: list[_Line], line: _Line, ahead: list[_Line]) -> bool:
    if not block or block[0].kind in ("heading", "blank") or line.kind == "heading":
        return False
    if block[0].kind == "item":
        after_blank = block[-1].kind == "blank"
        if line.kind == "text" and line.indent <= block[0].indent and not after_blank:
            return _is_of_item(block, line, ahead)
        indented = line.kind in ("text", "code") and (not after_blank or line.indent > block[0].indent)
        return line.kind in ("item", "blank", "table") or indented
    return line.kind == block[0].kind


def _is_of_item(block: list[_Line], line: _Line, ahead: list[_Line]) -> bool:
    """Whether a line at the margin goes on with the item before it, rather than with what follows the list.

    It does where the sentence does, and where other items have such lines or follow it, unless it introduces what
    follows.
    """
    text, before = line.text.strip(), block[-1].text.strip()
    top = block[0]
    after = next((each for each in ahead if each.kind != "blank"), None)
    following = next((each for each in _until_heading(ahead) if _is_beside(each, top)), None)
    last = next(each for each in reversed(block) if _is_beside(each, top))
    counted = following is not None and top.rank > 0 and following.number in (last.number, _next(last.number))
    if text.endswith((":", "：")):
        return counted and after is not following and after is not None and after.kind == "item"
    if (
        before.endswith((":", "："))
        or _goes_on(before, text)
        or (_width(before) >= _WIDE and not before.endswith((*_SENTENCE_ENDS, ":", "：")))
    ):
        return True
    if following is not None:
        return counted or top.rank == 0
    return any(each.kind == "text" and each.indent <= top.indent for each in block)


def _until_heading(lines: list[_Line]) -> Iterator[_Line]:
    return takewhile(lambda line: line.kind != "heading", lines)


def _is_beside(line: _Line, top: _Line) -> bool:
    return line.kind == "item" and line.indent <= top.indent + 1 and line.rank >= top.rank


def _next(number: str) -> str:
    if number.isascii():
        return str(int(number) + 1) if number else ""
    row = _CIRCLED if number in _CIRCLED else _HAN_NUMBERS
    return row[min(row.index(number) + 1, len(row) - 1)] if number in row else ""


def _width(text: str) -> int:
    return len(text) + len(_HAN.findall(text))


def _tree(block: list[_Line]) -> tuple[Unit, ...]:
    """The items of a list block, nested by their indent; bullets below a number are nested in it, too."""
    groups: list[list[_Line]] = []
    top = min(line.indent for line in block if line.kind == "item")
    rank = block[0].rank
    for line in block:
        outer = line.kind == "item" and line.indent <= top + 1 and line.rank >= rank
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
    return Unit(label, text, children, item=True, named=bool(label))


def _cell_text(line: _Line) -> str:
    if line.kind != "table":
        return line.text.strip()
    return "" if _TABLE_RULE.match(line.text) else ", ".join(c.strip() for c in line.text.strip().strip("|").split("|"))


def _with_label(unit: Unit, label: str) -> Unit:
    return unit if unit.label or not label else unit._replace(label=label)


def _take_lead_in(found: list[Unit], label: str) -> str:
    """A paragraph that ends in a colon introduces the list or table after it: its last sentence becomes their label.

    What is said before it stays, and so does a sentence that says something by its length.
    """
    if not found or found[-1].item or not found[-1].text.endswith((":", "：")):
        return label
    unit = found.pop()
    said = _LAST_ASIDE.sub("", unit.text)
    if said in (":", "："):
        return unit.label
    *told, lead = sentences(said)
    if told:
        found.append(unit._replace(text="".join(told) if _HAN.search(unit.text) else " ".join(told)))
    elif not leads_on(lead):
        found.append(unit._replace(text=said.rstrip(":：").rstrip()))
    return unit.label if unit.named and not told else lead.rstrip(":：").strip()


def leads_on(text: str) -> bool:
    """Whether a text that ends in a colon only leads on to what follows: a whole sentence before it says something."""
    return text.endswith((":", "：")) and (size_of(text) < _SENTENCE or bool(_TO_COME.search(text)))


def _attach(found: list[Unit], block: list[_Line]) -> None:
    """Code belongs to the statement before it."""
    if found:
        last = found[-1]
        found[-1] = last._replace(attached=_join([last.attached, _code_of(block)]))


def _code_of(block: list[_Line]) -> str:
    return _join([plain(line.text) for line in block])[:400]


def _rows(block: list[_Line]) -> Iterator[str]:
    """What each row of a table says: its first cell, and the others under the names of their columns."""
    rows = [[plain(cell) for cell in line.text.strip().strip("|").split("|")] for line in block]
    rows = [row for row, line in zip(rows, block, strict=True) if not _TABLE_RULE.match(line.text)]
    head, *told = rows if len(rows) > 1 else ([], *rows)
    for first, *others in told:
        chinese = _HAN.search("".join((first, *others)))
        names = head[1:] if len(others) > 1 else []
        cells = [" ".join(filter(None, pair)) for pair in zip_longest(names, others, fillvalue="") if pair[1]]
        said = ("，" if chinese else ", ").join(cells)
        yield (f"{first}：{said}" if chinese else f"{first}: {said}") if first and said else first or said


def _paragraph(lines: list[str], label: str) -> list[Unit]:
    """A paragraph as one unit, or one a line where each line is a statement of its own."""
    if _stands_alone(lines):
        return _lined_up(lines, label)
    text = " ".join(lines)
    own, rest = split_lead_in(text)
    others = sentences(rest)[1:]
    if not own or not rest or (len(others) > 1 and all(all(split_lead_in(each)) for each in others)):
        return [Unit(label, plain(text))]
    return [Unit(own, rest, named=True)]


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
