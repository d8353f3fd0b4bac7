"""What a reference says, piece by piece, by its structure: list items, sentences, clauses, the names in a row."""

import re
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from interviewer.facets import names_a_side
from interviewer.grading.choosing import without_notes
from interviewer.grading.clauses import size_of
from interviewer.grading.naming import is_item
from interviewer.grading.remarks import without_citations, without_remarks
from interviewer.grading.structure import Unit, split_lead_in, units
from interviewer.language import sentences
from interviewer.segmenting import cut_words

MAX_POINTS = 8
_MOST_TO_CHOOSE = 16
_LONGEST = 60
_FEWEST_LISTED, _LONGEST_NAME, _LONGEST_OF_TWO = 3, 4, 2
_MANY = 64
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_CLAUSE_END = re.compile(r"(?<=[；;])\s*")
_ORDINAL = re.compile(r"^(?:其?[一二三四五六七八九]是|[其第][一二三四五六七八九][，,、:：]\s*(?:是)?)(?=\S)")
_LISTED = re.compile(r"^(?P<lead>[^:：]{2,60})[:：]\s*(?P<items>.+?)[。.]?$", re.DOTALL)
_NAMED = re.compile(
    r"^(?P<lead>[^;；。:：]{2,60}?)(?:可以|可)?(?:——?|分为|分成|包括|包含|"
    r"\b(?:are|(?:can|may) be|includes?|comprises?|consists? of|stands? for)\b)"
    r"\s*(?P<items>.+?)[。.]?$",
    re.DOTALL,
)
_HALF_WIDTH = re.compile(r"(?<=[\u3400-\u9fff]),\s*(?=[\u3400-\u9fff])")
_SHORT_NAME = 2.5
_NAMES_END = re.compile(r"、|,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_ALTERNATIVES = re.compile(r"(?:\s+or\s+|或者?)[^,、，]*$")
"""Of "at the gateway, in a sidecar or in the service" one is enough."""
_AND_ZH = frozenset({"和", "与", "及", "以及"})
_COUNT = re.compile(r"(?:[两二三四五六七八九十]|\d+)[种类个项]\S{0,2}$")


def read_units(reference: str) -> tuple[Unit, ...]:
    """The structure of a reference without its sources and its notes to the grader."""
    return units(without_citations(without_notes(reference)))


def pieces_of(reference: str) -> list[Unit]:
    """What a reference says, in its order, at most eight pieces; what is too short to be checked goes with what stands
    before it.
    """
    return bounded(_merged(_pieces(read_units(reference))))


def pieces_apart(reference: str) -> list[Unit]:
    """As `pieces_of`, short ones on their own too, at most sixteen: things to choose from."""
    return bounded(_pieces(read_units(reference)), _MOST_TO_CHOOSE)


def _pieces(found: tuple[Unit, ...]) -> list[Unit]:
    """Statements: the top level where it has enough of them, else what stands below or within it."""
    found = tuple(without_remarks(found))
    while len(found) < 3 and any(unit.children for unit in found):
        beside = sum(bool(unit.children) for unit in found) > 1
        found = tuple(part for unit in found for part in (_opened(unit, beside=beside) if unit.children else [unit]))
    if len(found) == 1 and not found[0].children:
        listed = _enumerated(found[0])
        if len(listed) > 1:
            return listed
    pieces: list[Unit] = []
    for unit in found:
        whole = unit._replace(text=unit.folded, children=(), attached="")
        pieces.extend([whole] if unit.item and len(found) > 2 else _statements(unit))
    pieces = without_remarks([piece for piece in pieces if size_of(piece.text) > 0])
    listed = [item for piece in pieces for item in (_items_below(piece) if piece.label else [piece])]
    return listed if len(listed) <= MAX_POINTS else pieces


def _items_below(piece: Unit) -> list[Unit]:
    """ "Advantages: A, B and C" as one piece each, where each is a name of a few words.

    Two must be shorter, unless a mark parts them that parts names alone: "swap the order and average" is one thing to
    do. What stands below a name of its own stays whole, else nobody could tell whose advantages they are.
    """
    own, rest = split_lead_in(piece.text)
    if piece.named and own and rest and not names_a_side(piece.label):
        return [piece]
    label, listed = (own, rest) if own and rest else (piece.label, piece.text)
    items = _names_in(listed)
    longest = _LONGEST_NAME if len(items) >= _FEWEST_LISTED or "、" in listed else _LONGEST_OF_TWO
    names = len(items) > 1 and all(size_of(item) <= longest for item in items)
    apart = names and not _may_be_clauses(listed, items) and not _ALTERNATIVES.search(listed)
    return [Unit(label, item, item=True) for item in items] if apart else [piece]


def _without_ordinal(text: str) -> str:
    """ "一是验收项目" says no more than "验收项目", and who answers counts otherwise."""
    return _ORDINAL.sub("", text)


def _opened(unit: Unit, *, beside: bool) -> list[Unit]:
    """A unit's children as units of their own; its own words are their label, or a statement of their own.

    Args:
        beside: Whether another is opened beside it: then nobody can tell without its name which of them is meant.
    """
    own = unit.text.rstrip(":：").strip()
    is_title = size_of(own) < 12
    label = own if is_title and own and not unit.named else unit.label
    head = [] if is_title else [Unit(unit.label, unit.text, item=unit.item, named=unit.named)]
    if beside and label:
        return head + [_under(child, label) for child in unit.children]
    return head + [child if child.label else child._replace(label=label) for child in unit.children]


def _under(child: Unit, label: str) -> Unit:
    colon = "：" if _HAN.search(child.label) else ": "
    said = f"{child.label}{colon}{child.text}" if child.label else child.text
    return child._replace(label=label, text=said, named=True)


def _statements(unit: Unit) -> list[Unit]:
    """A paragraph's sentences, long ones split at semicolons."""
    out: list[Unit] = []
    for sentence in sentences(unit._replace(attached="").folded):
        clauses = [c for c in _CLAUSE_END.split(sentence) if c.strip()] if size_of(sentence) > _LONGEST else [sentence]
        for clause in clauses:
            label, rest = split_lead_in(clause)
            if label and rest and size_of(rest) >= 4 and not unit.label:
                out.append(Unit(label, rest, item=unit.item, named=True))
            else:
                out.append(Unit(unit.label, _without_ordinal(clause.strip()), item=unit.item, named=unit.named))
    if out and unit.attached:
        out[-1] = out[-1]._replace(text=f"{out[-1].text} {unit.attached}")
    return out


def _enumerated(unit: Unit) -> list[Unit]:
    """A sentence that lists things after a colon, or statements parted by semicolons: one point each."""
    if len(sentences(unit.text.replace("；", "，").replace(";", ","))) > 1:
        return [unit]
    match = _LISTED.match(f"{unit.label}: {unit.text}" if unit.label else unit.text)
    label, body = (match["lead"].strip(), match["items"]) if match else (unit.label, unit.text)
    for separator in _separators(body, after_colon=match is not None):
        items = [item.strip(" 。.").removesuffix("等") for item in re.split(separator, body)]
        items = [_without_ordinal(item) for item in items if item]
        if len(items) > 1 and all(size_of(item) <= _LONGEST for item in items):
            return [Unit(label, item, item=True) for item in items]
    return _named(unit)


def _named(unit: Unit) -> list[Unit]:
    """A sentence that names two things or more: "they include A, B and C" makes a point of each, and so does the list
    alone, unless what its half-width commas part may be clauses ("冻结权重,只训练低秩矩阵")."""
    match = _NAMED.match(unit.text)
    lead, listed = (match["lead"].strip(), match["items"]) if match else ("", unit.text)
    fewest = 2 if unit.label or (match and not re.search(r"\bare\b", match[0].removesuffix(listed))) else _FEWEST_LISTED
    items = _names_in(listed)
    if match is None and _may_be_clauses(listed, items):
        return [unit]
    return [Unit(unit.label or lead, item, item=True) for item in items] if len(items) >= fewest else [unit]


def _may_be_clauses(listed: str, items: Sequence[str]) -> bool:
    """Whether half-width commas between Chinese part what is too long for names."""
    return bool(_HALF_WIDTH.search(listed)) and any(size_of(item) > _SHORT_NAME for item in items)


def _names_in(listed: str) -> list[str]:
    """The items of a row of names; empty where it says more than names."""
    rows = [item for chunk in _NAMES_END.split(listed.rstrip(" 。.")) for item in _parted(chunk)]
    items = [_COUNT.sub("", item.strip()).removesuffix("等") for item in rows]
    named = "，" not in listed and all(item and is_item(item) and not _is_torn(item) for item in items)
    return items if named else []


def _is_torn(item: str) -> bool:
    """Whether quotation marks or brackets are open at its end: "C(n" of "C(n, k)"."""
    opened = len(re.findall(r"[(（\[]", item))
    return item.count('"') % 2 == 1 or opened != len(re.findall(r"[)）\]]", item))


def _parted(chunk: str) -> list[str]:
    """Cut where a Chinese "and" is a word of its own, as it is not in 饱和 or 参与者, and stands between two others."""
    found = [""]
    for word in cut_words(chunk) if _HAN.search(chunk) else [chunk]:
        if word in _AND_ZH and found[-1].strip():
            found.append("")
        else:
            found[-1] += word
    return found


def _separators(body: str, *, after_colon: bool) -> list[str]:
    found = [r"[；;]"]
    if after_colon:
        found.append(r"、|(?<=\S)[和与及](?=[^、和与及]*$)" if "、" in body else r"，")
        if re.search(r",.*\band\b|,.*,", body):
            found.append(r",\s*(?:and\s+)?|\s+and\s+")
    return found


def _merged(pieces: list[Unit]) -> list[Unit]:
    """Fragments too small to check alone go with the statement before them; members of one list, and what stands under
    another label, stay apart.
    """
    out: list[Unit] = []
    for piece in pieces:
        if out and not piece.item and piece.label in ("", out[-1].label) and (_is_tiny(piece) or _is_tiny(out[-1])):
            out[-1] = _joined(out[-1], piece)
        else:
            out.append(piece)
    return out


def _is_tiny(piece: Unit) -> bool:
    return size_of(piece.text) < 4 and not piece.item


def bounded(pieces: list[Unit], most: int = MAX_POINTS) -> list[Unit]:
    """At most so many: the lightest neighbours are joined first, those under one label before others."""
    if len(pieces) > _MANY:
        share = -(-len(pieces) // _MANY)
        pieces = [reduce(_joined, pieces[at : at + share]) for at in range(0, len(pieces), share)]
    while len(pieces) > most:
        costs = [size_of(a.text) + size_of(b.text) + (20 if _are_apart(a, b) else 0) for a, b in pairwise(pieces)]
        at = costs.index(min(costs))
        pieces = [*pieces[:at], _joined(pieces[at], pieces[at + 1]), *pieces[at + 2 :]]
    return pieces


def _are_apart(a: Unit, b: Unit) -> bool:
    return b.opens or a.label != b.label


def _joined(a: Unit, b: Unit) -> Unit:
    second = f"{b.label}: {b.text}" if b.label and b.label != a.label else b.text
    gap = " " if a.text.endswith(("。", ".", "；", ";", "！", "？", "!", "?")) else "; "
    return a._replace(text=a.text + gap + second, children=(), attached="")
