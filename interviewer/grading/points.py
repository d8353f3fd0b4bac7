"""Points of a reference by its structure alone: what imported questions are graded by where no model helps."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise

from interviewer.grading.naming import is_item
from interviewer.grading.structure import Unit, split_lead_in, units
from interviewer.language import sentences
from interviewer.models import Language, Point
from interviewer.segmenting import cut_words

MAX_POINTS = 8
_LIGHTEST, _HEAVIEST = 0.5, 2.0
_LONGEST = 60
_FEWEST_LISTED, _LONGEST_NAME = 3, 4
_MANY = 64
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_CLAUSE_END = re.compile(r"(?<=[；;])\s*")
_ABBREVIATION = re.compile(
    r"(?P<long>(?<![^\s()（）,，。:：;；])[^\s()（）,，。:：;；]{1,40}(?: [^\s()（）,，。:：;；]{1,40}){0,6})"
    r"\s?[(（](?P<short>[^()（）]{2,48})[)）]"
)
_ORDINAL = re.compile(r"^(?:其?[一二三四五六七八九]是|[其第][一二三四五六七八九][，,、:：]\s*(?:是)?)(?=\S)")
_LISTED = re.compile(r"^(?P<lead>[^:：]{2,60})[:：]\s*(?P<items>.+?)[。.]?$", re.DOTALL)
_NAMED = re.compile(
    r"^(?P<lead>[^;；。:：]{2,60}?)(?:可以|可)?(?:——?|分为|分成|包括|包含|"
    r"\b(?:are|(?:can|may) be|includes?|comprises?|consists? of|stands? for)\b)"
    r"\s*(?P<items>.+?)[。.]?$",
    re.DOTALL,
)
_NAMES_END = re.compile(r"、|,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_AND_ZH = frozenset({"和", "与", "及", "以及"})
_COUNT = re.compile(r"(?:[两二三四五六七八九十]|\d+)[种类个项]\S{0,2}$")


def extract_points(reference: str, language: Language) -> tuple[Point, ...]:
    """The points of a reference, at most eight, in the reference's order, ids `p1`, `p2`, …

    List items, sentences and headed paragraphs each make one; what is nested below an item belongs to it, code and
    tables belong to the statement before them. Weights (0.5..2) follow from how much each says. Deterministic.
    An empty reference gives no points.
    """
    pieces = _bounded(_merged(_pieces(units(reference))))
    mean = sum(_size(piece.text) for piece in pieces) / len(pieces) if pieces else 1
    return tuple(_point(f"p{i}", piece, mean, language) for i, piece in enumerate(pieces, start=1))


def are_found(points: Sequence[Point], references: Mapping[Language, str]) -> bool:
    """Whether points are those of `extract_points`: nobody wrote them anew to grade by, and they say things as a text
    does.
    """
    languages = {language for point in points for language in point.text}
    if len(languages) != 1 or not languages <= references.keys():
        return False
    (language,) = languages
    return tuple(point.text[language] for point in points) == _extracted_texts(references[language])


@lru_cache(maxsize=512)
def _extracted_texts(reference: str) -> tuple[str, ...]:
    return tuple(text for point in extract_points(reference, "en") for text in point.text.values())


def _point(point_id: str, piece: Unit, mean: float, language: Language) -> Point:
    share = (_size(piece.text) / mean) ** 0.5 if mean else 1.0
    weight = round(min(_HEAVIEST, max(_LIGHTEST, share)), 1)
    aliases = _aliases(piece.text)
    return Point(
        id=point_id,
        weight=weight,
        text={language: piece.text},
        aliases={language: aliases} if aliases else {},
        label=piece.label[:80],
    )


def _pieces(found: tuple[Unit, ...]) -> list[Unit]:
    """Statements: the top level where it has enough of them, else what stands below or within it."""
    while len(found) < 3 and any(unit.children for unit in found):
        largest = max((u for u in found if u.children), key=lambda unit: _size(unit.folded))
        at = found.index(largest)
        found = (*found[:at], *_opened(largest), *found[at + 1 :])
    if len(found) == 1 and not found[0].children:
        listed = _enumerated(found[0])
        if len(listed) > 1:
            return listed
    pieces: list[Unit] = []
    for unit in found:
        whole = unit._replace(text=unit.folded, children=(), attached="")
        pieces.extend([whole] if unit.item and len(found) > 2 else _statements(unit))
    pieces = [piece for piece in pieces if _size(piece.text) > 0]
    listed = [item for piece in pieces for item in (_items_below(piece) if piece.label else [piece])]
    return listed if len(listed) <= MAX_POINTS else pieces


def _items_below(piece: Unit) -> list[Unit]:
    """ "Advantages: A, B and C" as one piece each, where each is a name of a few words."""
    own, rest = split_lead_in(piece.text)
    label, listed = (own, rest) if own and rest else (piece.label, piece.text)
    items = _names_in(listed)
    few = all(_size(item) <= _LONGEST_NAME for item in items)
    return [Unit(label, item, item=True) for item in items] if len(items) > 1 and few else [piece]


def _without_ordinal(text: str) -> str:
    """ "一是验收项目" says no more than "验收项目", and who answers counts otherwise."""
    return _ORDINAL.sub("", text)


def _opened(unit: Unit) -> list[Unit]:
    """A unit's children as units of their own; its own words are their label, or a statement of their own."""
    own = unit.text.rstrip(":：").strip()
    is_title = _size(own) < 12
    label = unit.label or (own if is_title else "")
    head = [] if is_title else [Unit(unit.label, unit.text, item=unit.item)]
    return head + [child if child.label else child._replace(label=label) for child in unit.children]


def _statements(unit: Unit) -> list[Unit]:
    """A paragraph's sentences, long ones split at semicolons."""
    out: list[Unit] = []
    for sentence in sentences(unit._replace(attached="").folded):
        clauses = [c for c in _CLAUSE_END.split(sentence) if c.strip()] if _size(sentence) > _LONGEST else [sentence]
        for clause in clauses:
            label, rest = split_lead_in(clause)
            if label and rest and _size(rest) >= 4 and not unit.label:
                out.append(Unit(label, rest, item=unit.item))
            else:
                out.append(Unit(unit.label, _without_ordinal(clause.strip()), item=unit.item))
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
        if len(items) > 1 and all(_size(item) <= _LONGEST for item in items):
            return [Unit(label, item, item=True) for item in items]
    return _named(unit)


def _named(unit: Unit) -> list[Unit]:
    """A sentence that names two things or more: "they include A, B and C" makes a point of each, and so does the list
    alone."""
    match = _NAMED.match(unit.text)
    lead, listed = (match["lead"].strip(), match["items"]) if match else ("", unit.text)
    fewest = 2 if unit.label or (match and not re.search(r"\bare\b", match[0].removesuffix(listed))) else _FEWEST_LISTED
    items = _names_in(listed)
    return [Unit(unit.label or lead, item, item=True) for item in items] if len(items) >= fewest else [unit]


def _names_in(listed: str) -> list[str]:
    """The items of a row of names; empty where it says more than names."""
    rows = [item for chunk in _NAMES_END.split(listed.rstrip(" 。.")) for item in _parted(chunk)]
    items = [_COUNT.sub("", item.strip()).removesuffix("等") for item in rows]
    return items if "，" not in listed and all(item and is_item(item) for item in items) else []


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
    """Fragments too small to check alone go with the statement before them; members of one list stay apart."""
    out: list[Unit] = []
    for piece in pieces:
        tiny = _size(piece.text) < 4 and not piece.item
        if out and (tiny or (_size(out[-1].text) < 4 and not out[-1].item and not piece.item)):
            out[-1] = _joined(out[-1], piece)
        else:
            out.append(piece)
    return out


def _bounded(pieces: list[Unit]) -> list[Unit]:
    """At most `MAX_POINTS`: the lightest neighbours are joined first, those under one label before others."""
    if len(pieces) > _MANY:
        share = -(-len(pieces) // _MANY)
        pieces = [reduce(_joined, pieces[at : at + share]) for at in range(0, len(pieces), share)]
    while len(pieces) > MAX_POINTS:
        costs = [_size(a.text) + _size(b.text) + (0 if a.label == b.label else 20) for a, b in pairwise(pieces)]
        at = costs.index(min(costs))
        pieces = [*pieces[:at], _joined(pieces[at], pieces[at + 1]), *pieces[at + 2 :]]
    return pieces


def _joined(a: Unit, b: Unit) -> Unit:
    second = f"{b.label}: {b.text}" if b.label and b.label != a.label else b.text
    gap = " " if a.text.endswith(("。", ".", "；", ";", "！", "？", "!", "?")) else "; "
    return Unit(a.label, a.text + gap + second, item=a.item)


def _size(text: str) -> float:
    """About how many words a text has: Latin words and numbers, and Chinese characters at two a word."""
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2


def _aliases(text: str) -> tuple[str, ...]:
    """Both sides of "Global Interpreter Lock (GIL)"; only where one side looks like a name of the other."""
    found: list[str] = []
    for match in _ABBREVIATION.finditer(text):
        long, short = match["long"].strip(), match["short"].strip()
        name = _named_by(long, short)
        if name:
            found.extend((name, short))
    return tuple(dict.fromkeys(found))[:12]


def _named_by(long: str, short: str) -> str:
    """The end of `long` that `short` abbreviates or translates; empty where it is only a remark."""
    words = long.split(" ")
    if re.fullmatch(r"[A-Z][A-Za-z0-9-]{1,9}", short):
        initials = len(re.findall(r"[A-Z]", short)) or len(short)
        tail = words[-initials:] if len(words) > initials else words
        letters = "".join(part[:1] for word in tail for part in word.split("-")).casefold()
        if letters and letters[0] == short[0].casefold():
            return " ".join(tail)
    chinese, latin = (words[-1], short) if _HAN.search(words[-1]) else (short, long)
    names = re.fullmatch(r"[\u4e00-\u9fff]{2,8}", chinese) and re.fullmatch(r"[A-Za-z]{2}[A-Za-z .\-/]{0,40}", latin)
    return words[-1] if names and _HAN.search(words[-1]) else long if names else ""
