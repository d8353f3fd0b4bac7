"""Points of a reference by its structure alone: what imported questions are graded by where no model helps."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from interviewer.facets import names_a_side
from interviewer.grading.aliases import aliases_in
from interviewer.grading.choosing import asks_for_nothing_else, asks_to_name, offered, wanted
from interviewer.grading.clauses import clauses_of, size_of
from interviewer.grading.pieces import bounded, pieces_apart, pieces_of, read_units
from interviewer.grading.structure import Unit
from interviewer.models import Choice, Language, Point, Question

_FEW_STATEMENTS = 2
"""Where a reference has no more, the clauses of its sentences are points."""
_LIGHTEST, _HEAVIEST = 0.5, 2.0
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_NUMBERING = re.compile(r"^\s*[(（]?\d{1,2}[)）.、]\s*|\s*[(（][^()（）]*[)）]\s*$")
_NO_NAME = re.compile(
    r"(?:参考|标准|示例)?(?:答案|回答|解答)|答|解析|详解|答案解析|(?:核心)?要点|详细说明"
    r"|(?:(?:short|long|sample|full) )?answer|solution|explanation",
    re.IGNORECASE,
)
"""Labels that only say that an answer follows."""


def extract_points(reference: str, language: Language, asked: str = "") -> tuple[Point, ...]:
    """The points of a reference alone, at most eight, in the reference's order, ids `p1`, `p2`, …

    List items, sentences and headed paragraphs each make one, and where there are no more than two of them, each of
    their clauses; what is nested below an item belongs to it, code and tables belong to the statement before them.
    Weights (0.5..2) follow from how much each says. Deterministic.
    An empty reference gives no points.

    Args:
        asked: The question, which may tell what a clause is about.
    """
    return _points(_in_clauses(pieces_of(reference), asked), language)


def extract_statements(reference: str, language: Language) -> tuple[Point, ...]:
    """As `extract_points`, with every statement whole, however many clauses it has: what grades found points was fitted
    on these.
    """
    return _points(pieces_of(reference), language)


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
    pieces = whole = pieces_of(reference)
    choice = _offered_ones(reference, pieces) or _wanted_ones(asked, reference, pieces)
    if choice is not None and len(choice.points) == len(pieces):
        pieces = pieces_apart(reference)
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
    if want is None or (want.number == 1 and not asks_for_nothing_else(asked, want)):
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
    items = [unit for unit in _all_units(read_units(reference)) if unit.item and not unit.children]
    return any(piece.text != item.folded and piece.text in item.folded for piece in pieces for item in items)


def _all_units(found: Sequence[Unit]) -> Iterator[Unit]:
    for unit in found:
        yield unit
        yield from _all_units(unit.children)


def is_brief(reference: str) -> bool:
    """Whether a reference makes one or two statements, each with all of its clauses."""
    return len(_statements_in(reference)) <= _FEW_STATEMENTS


@lru_cache(maxsize=512)
def _statements_in(reference: str) -> tuple[Unit, ...]:
    return tuple(pieces_of(reference))


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
    return bounded([unit for units in apart for unit in units])


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
            parts = [piece._replace(text=name + clause, named=False) for clause in clauses]
            yield parts, None if name or cut.sure else cut.topic


def _points(pieces: Sequence[Unit], language: Language) -> tuple[Point, ...]:
    mean = sum(size_of(piece.text) for piece in pieces) / len(pieces) if pieces else 1
    return tuple(
        _point(f"p{i}", piece, text, mean, language)
        for i, (piece, text) in enumerate(zip(pieces, _told(pieces), strict=True), start=1)
    )


def _told(pieces: Sequence[Unit]) -> list[str]:
    """What each piece says: with what it is about, which often stands in its label alone ("**AdamW**: it decouples …").

    A label that several pieces share is a heading of theirs, unless it is their own and others have other ones; one
    such as "Drawbacks" says only which side is meant.
    """
    shared = Counter(piece.label for piece in pieces)
    return [
        _with_name(piece) if shared[piece.label] == 1 or (piece.named and len(shared) > 1) else piece.text
        for piece in pieces
    ]


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
    whole = pieces_of(reference)
    ways = [whole, pieces_apart(reference)]
    if len(whole) <= _FEW_STATEMENTS:
        each = [([piece], clauses) for piece, (clauses, _) in zip(whole, _cut(whole), strict=True)]
        ways += [bounded([unit for units in way for unit in units]) for way in product(*each)]
    return tuple(tuple(_told(pieces)) for pieces in ways)


def _point(point_id: str, piece: Unit, text: str, mean: float, language: Language) -> Point:
    share = (size_of(piece.text) / mean) ** 0.5 if mean else 1.0
    weight = round(min(_HEAVIEST, max(_LIGHTEST, share)), 1)
    aliases = aliases_in(piece.text)
    return Point(
        id=point_id,
        weight=weight,
        text={language: text},
        aliases={language: aliases} if aliases else {},
        label=piece.label[:80],
    )
