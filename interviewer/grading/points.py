"""Points of a reference by its structure alone: what imported questions are graded by where no model helps."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise, product
from typing import NamedTuple

from interviewer.facets import names_a_side
from interviewer.grading.choosing import asks_for_nothing_else, asks_to_name, offered, wanted, without_notes
from interviewer.grading.clauses import clauses_of, size_of
from interviewer.grading.naming import is_item
from interviewer.grading.remarks import without_citations, without_remarks
from interviewer.grading.structure import Unit, split_lead_in, units
from interviewer.language import sentences
from interviewer.models import Choice, Language, Point, Question
from interviewer.segmenting import cut_words

MAX_POINTS = 8
_MOST_TO_CHOOSE = 16
_FEW_STATEMENTS = 2
"""Where a reference has no more, the clauses of its sentences are points."""
_LIGHTEST, _HEAVIEST = 0.5, 2.0
_LONGEST = 60
_FEWEST_LISTED, _LONGEST_NAME, _LONGEST_OF_TWO = 3, 4, 2
_MANY = 64
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
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
_HALF_WIDTH = re.compile(r"(?<=[\u3400-\u9fff]),\s*(?=[\u3400-\u9fff])")
_SHORT_NAME = 2.5
_NAMES_END = re.compile(r"、|,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_ALTERNATIVES = re.compile(r"(?:\s+or\s+|或者?)[^,、，]*$")
"""Of "at the gateway, in a sidecar or in the service" one is enough."""
_AND_ZH = frozenset({"和", "与", "及", "以及"})
_NUMBERING = re.compile(r"^\s*[(（]?\d{1,2}[)）.、]\s*|\s*[(（][^()（）]*[)）]\s*$")
_NO_NAME = re.compile(
    r"(?:参考|标准|示例)?(?:答案|回答|解答)|答|解析|详解|答案解析|(?:核心)?要点|详细说明"
    r"|(?:(?:short|long|sample|full) )?answer|solution|explanation",
    re.IGNORECASE,
)
"""Labels that only say that an answer follows."""
_COUNT = re.compile(r"(?:[两二三四五六七八九十]|\d+)[种类个项]\S{0,2}$")


def extract_points(reference: str, language: Language, asked: str = "") -> tuple[Point, ...]:
    """The points of a reference alone, at most eight, in the reference's order, ids `p1`, `p2`, …

    List items, sentences and headed paragraphs each make one, and where there are no more than two of them, each of
    their clauses; what is nested below an item belongs to it, code and tables belong to the statement before them.
    Weights (0.5..2) follow from how much each says. Deterministic.
    An empty reference gives no points.

    Args:
        asked: The question, which may tell what a clause is about.
    """
    return _points(_in_clauses(_pieces_of(reference), asked), language)


def extract_statements(reference: str, language: Language) -> tuple[Point, ...]:
    """As `extract_points`, with every statement whole, however many clauses it has: what grades found points was fitted
    on these.
    """
    return _points(_pieces_of(reference), language)


def with_points(question: Question, language: Language) -> Question:
    """The question as it stands where it has points, else with those of its reference in `language`, or in the language
    it has, and with the choices among them.
    """
    if question.points:
        return question
    spoken = language if language in question.reference else next(iter(question.reference))
    reference = question.reference_in(spoken)
    return question.model_copy(update=extract(question.asked_in(spoken), reference, spoken)._asdict())


class Rubric(NamedTuple):
    """What a question is graded by, as far as its reference tells."""

    points: tuple[Point, ...]
    choices: tuple[Choice, ...]


def extract(asked: str, reference: str, language: Language) -> Rubric:
    """The points of a reference, and of which of them some are enough: "name two", "列举三种", "at least 4" of what is
    listed, or what it says itself ("One of the following", "答出两点即可").

    Of a choice all points weigh alike; where it is among all of them there may be sixteen, since each is a thing of its
    own, however short. There is no choice where no more than enough are listed, or where it can't be told which points
    are meant: then all count.

    Args:
        asked: The question.
    """
    pieces = whole = _pieces_of(reference)
    choice = _offered_ones(reference, pieces) or _wanted_ones(asked, reference, pieces)
    if choice is not None and len(choice.points) == len(pieces):
        pieces = _pieces_apart(reference)
        choice = _choice(range(len(pieces)), choice.enough)
    if choice is None or len(choice.points) <= choice.enough:
        return Rubric(_points(_in_clauses(whole, asked), language), ())
    points = _points(pieces, language)
    alike = (point.model_copy(update={"weight": 1.0}) if point.id in choice.points else point for point in points)
    return Rubric(tuple(alike), (choice,))


def _offered_ones(reference: str, pieces: Sequence[Unit]) -> Choice | None:
    for label in dict.fromkeys(piece.label for piece in pieces if piece.label):
        enough = offered(label)
        if enough:
            return _choice([at for at, piece in enumerate(pieces) if piece.label == label], enough)
    enough = offered(reference)
    return _choice(_listed_ones(reference, pieces), enough) if enough else None


def _wanted_ones(asked: str, reference: str, pieces: Sequence[Unit]) -> Choice | None:
    want = wanted(asked)
    if want is None:
        return None
    if want.freely and asks_for_nothing_else(asked, want) and not _are_parted(reference, pieces):
        return _choice(range(len(pieces)), want.number)
    return _choice(_listed_ones(reference, pieces), want.number)


def _choice(places: Sequence[int], enough: int) -> Choice | None:
    return Choice(points=tuple(f"p{at + 1}" for at in places), enough=enough) if places else None


def _listed_ones(reference: str, pieces: Sequence[Unit]) -> list[int]:
    """The places of the pieces that are items of the one list there is; none where an item makes several."""
    places = [at for at, piece in enumerate(pieces) if piece.item]
    whole = not places or places[-1] - places[0] == len(places) - 1
    return places if whole and not _are_parted(reference, pieces) else []


def _are_parted(reference: str, pieces: Sequence[Unit]) -> bool:
    """Whether some item of a list makes several pieces, so that their number is not that of the items."""
    items = [unit for unit in _all_units(_read(reference)) if unit.item and not unit.children]
    return any(piece.text != item.folded and piece.text in item.folded for piece in pieces for item in items)


def _all_units(found: Sequence[Unit]) -> Iterator[Unit]:
    for unit in found:
        yield unit
        yield from _all_units(unit.children)


def _pieces_of(reference: str) -> list[Unit]:
    return _bounded(_merged(_pieces(_read(reference))), MAX_POINTS)


def _pieces_apart(reference: str) -> list[Unit]:
    """As `_pieces_of`, short ones on their own too: things to choose from."""
    return _bounded(_pieces(_read(reference)), _MOST_TO_CHOOSE)


def _read(reference: str) -> tuple[Unit, ...]:
    return units(without_citations(without_notes(reference)))


def is_brief(reference: str) -> bool:
    """Whether a reference makes one or two statements, each with all of its clauses."""
    return len(_statements_in(reference)) <= _FEW_STATEMENTS


@lru_cache(maxsize=512)
def _statements_in(reference: str) -> tuple[Unit, ...]:
    return tuple(_pieces_of(reference))


def _in_clauses(pieces: Sequence[Unit], asked: str) -> list[Unit]:
    """Of a reference that makes one or two statements the clauses of each. Where it makes two, a clause must tell by
    itself which of them it is about: a statement whose topic nobody can be sure of stays whole.
    """
    if len(pieces) > _FEW_STATEMENTS:
        return list(pieces)
    apart = [
        clauses if len(pieces) == 1 or topic is None or (topic and topic in asked) else [piece]
        for piece, (clauses, topic) in zip(pieces, _cut(pieces), strict=True)
    ]
    return _bounded([unit for units in apart for unit in units], MAX_POINTS)


def _cut(pieces: Sequence[Unit]) -> Iterator[tuple[list[Unit], str | None]]:
    """Each piece in its clauses, with what it is about in front of them where others stand beside it, and that topic
    where it is not certain (empty where there is none).
    """
    before = ""
    for piece, told in zip(pieces, _told(pieces), strict=True):
        cut, name = clauses_of(piece.text, before), told.removesuffix(piece.text)
        before = piece.text
        if cut is None:
            yield [piece], None
        else:
            clauses = [cut.first, *cut.others] if name or len(pieces) == 1 else cut.joined()
            yield [piece._replace(text=name + clause) for clause in clauses], None if name or cut.sure else cut.topic


def _points(pieces: Sequence[Unit], language: Language) -> tuple[Point, ...]:
    mean = sum(size_of(piece.text) for piece in pieces) / len(pieces) if pieces else 1
    return tuple(
        _point(f"p{i}", piece, text, mean, language)
        for i, (piece, text) in enumerate(zip(pieces, _told(pieces), strict=True), start=1)
    )


def _told(pieces: Sequence[Unit]) -> list[str]:
    """What each piece says: with what it is about, which often stands in its label alone ("**AdamW**: it decouples …").

    A label that several pieces share is a heading of theirs, and one such as "Drawbacks" says only which side is meant.
    """
    shared = Counter(piece.label for piece in pieces)
    return [_with_name(piece) if shared[piece.label] == 1 else piece.text for piece in pieces]


def names_asked_for(question: Question) -> list[str]:
    """For each text of each point the name in front of it, where the question asks to name some of them: saying that
    will do. Empty for a text without one, and where more than names is asked for.
    """
    naming = bool(question.choices) and any(map(asks_to_name, question.question.values()))
    return [_name_in(point, text) if naming else "" for point in question.points for text in point.text.values()]


def _name_in(point: Point, text: str) -> str:
    name = _NUMBERING.sub("", point.label).strip()
    return name if name and text.startswith((f"{name}:", f"{name}：")) else ""


def _with_name(piece: Unit) -> str:
    name = _NUMBERING.sub("", piece.label).strip()
    if not name or name.endswith(("?", "？")) or names_a_side(name) or _NO_NAME.fullmatch(name):
        return piece.text
    return f"{name}：{piece.text}" if _HAN.search(name) else f"{name}: {piece.text}"


def are_found(points: Sequence[Point], references: Mapping[Language, str]) -> bool:
    """Whether points are those of `extract`, in clauses or in whole statements: nobody wrote them anew to grade by, and
    they say things as a text does.
    """
    languages = {language for point in points for language in point.text}
    if len(languages) != 1 or not languages <= references.keys():
        return False
    (language,) = languages
    return tuple(point.text[language] for point in points) in _extracted_texts(references[language])


@lru_cache(maxsize=512)
def _extracted_texts(reference: str) -> tuple[tuple[str, ...], ...]:
    """As whole statements, in clauses, and, where there are two, one of them in clauses; and as things to choose from.

    Which of them it was the words of the question decided, and those may have been changed since.
    """
    whole = _pieces_of(reference)
    ways = [whole, _pieces_apart(reference)]
    if len(whole) <= _FEW_STATEMENTS:
        each = [([piece], clauses) for piece, (clauses, _) in zip(whole, _cut(whole), strict=True)]
        ways += [_bounded([unit for units in way for unit in units], MAX_POINTS) for way in product(*each)]
    return tuple(tuple(_told(pieces)) for pieces in ways)


def _point(point_id: str, piece: Unit, text: str, mean: float, language: Language) -> Point:
    share = (size_of(piece.text) / mean) ** 0.5 if mean else 1.0
    weight = round(min(_HEAVIEST, max(_LIGHTEST, share)), 1)
    aliases = _aliases(piece.text)
    return Point(
        id=point_id,
        weight=weight,
        text={language: text},
        aliases={language: aliases} if aliases else {},
        label=piece.label[:80],
    )


def _pieces(found: tuple[Unit, ...]) -> list[Unit]:
    """Statements: the top level where it has enough of them, else what stands below or within it."""
    found = tuple(without_remarks(found))
    while len(found) < 3 and any(unit.children for unit in found):
        largest = max((u for u in found if u.children), key=lambda unit: size_of(unit.folded))
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
    pieces = without_remarks([piece for piece in pieces if size_of(piece.text) > 0])
    listed = [item for piece in pieces for item in (_items_below(piece) if piece.label else [piece])]
    return listed if len(listed) <= MAX_POINTS else pieces


def _items_below(piece: Unit) -> list[Unit]:
    """ "Advantages: A, B and C" as one piece each, where each is a name of a few words.

    Two must be shorter, unless a mark parts them that parts names alone: "swap the order and average" is one thing to
    do.
    """
    own, rest = split_lead_in(piece.text)
    label, listed = (own, rest) if own and rest else (piece.label, piece.text)
    items = _names_in(listed)
    longest = _LONGEST_NAME if len(items) >= _FEWEST_LISTED or "、" in listed else _LONGEST_OF_TWO
    names = len(items) > 1 and all(size_of(item) <= longest for item in items)
    apart = names and not _may_be_clauses(listed, items) and not _ALTERNATIVES.search(listed)
    return [Unit(label, item, item=True) for item in items] if apart else [piece]


def _without_ordinal(text: str) -> str:
    """ "一是验收项目" says no more than "验收项目", and who answers counts otherwise."""
    return _ORDINAL.sub("", text)


def _opened(unit: Unit) -> list[Unit]:
    """A unit's children as units of their own; its own words are their label, or a statement of their own."""
    own = unit.text.rstrip(":：").strip()
    is_title = size_of(own) < 12
    label = unit.label or (own if is_title else "")
    head = [] if is_title else [Unit(unit.label, unit.text, item=unit.item)]
    return head + [child if child.label else child._replace(label=label) for child in unit.children]


def _statements(unit: Unit) -> list[Unit]:
    """A paragraph's sentences, long ones split at semicolons."""
    out: list[Unit] = []
    for sentence in sentences(unit._replace(attached="").folded):
        clauses = [c for c in _CLAUSE_END.split(sentence) if c.strip()] if size_of(sentence) > _LONGEST else [sentence]
        for clause in clauses:
            label, rest = split_lead_in(clause)
            if label and rest and size_of(rest) >= 4 and not unit.label:
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


def _bounded(pieces: list[Unit], most: int) -> list[Unit]:
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
    return Unit(a.label, a.text + gap + second, item=a.item, opens=a.opens)


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
