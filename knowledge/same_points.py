"""Points of a document that is imported again: they keep their ids, on which hangs what people remember, and those that
an earlier version found otherwise are told from those that somebody wrote.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from interviewer.models import Language, Point, Question

ALIKE = 60.0
"""Likeness of two statements, 0..100, from which one is the other reworded."""

QUOTED = 0.8
"""Share of the letters of points from which they are taken out of a reference rather than written."""

_COMMA = re.compile(r"[，,]")
_CLAUSE_ENDS = re.compile(r"[;；:：。！？\n]|[.!?](?=\s|$)")


def with_known_ids(points: Sequence[Point], known: Sequence[Point]) -> tuple[Point, ...]:
    """`points` under the ids that the same statements have in `known`; new ones get ids that were never used.

    Statements are the same where their words are, else the likeliest ones are taken for each other, best first.
    """
    if not known:
        return tuple(points)
    from rapidfuzz import fuzz

    pairs = sorted(
        ((fuzz.ratio(_words(new), _words(old)), -i, old.id) for i, new in enumerate(points) for old in known),
        reverse=True,
    )
    ids: dict[int, str] = {}
    for likeness, place, old_id in pairs:
        if likeness >= ALIKE and -place not in ids and old_id not in ids.values():
            ids[-place] = old_id
    taken = {point.id for point in known}
    for i, point in enumerate(points):
        if i not in ids:
            ids[i] = _fresh(point, taken)
            taken.add(ids[i])
    return tuple(point.model_copy(update={"id": ids[i]}) for i, point in enumerate(points))


def grade_alike(one: Question, other: Question) -> bool:
    """Whether two questions have the same points and choices, whatever the ids of the points."""
    return _rubric(one) == _rubric(other)


def are_quoted(points: Sequence[Point], references: Mapping[Language, str]) -> bool:
    """Whether points are told in the words of their reference, nearly all of them: so are those that are found by
    structure, by whichever version. A model tells them in its own.
    """
    told = {language: (_plain(reference), _cells(reference)) for language, reference in references.items()}
    clauses = [
        (len(_plain(clause)), _quoted(clause, *told.get(language, ("", frozenset()))))
        for point in points
        for language, text in point.text.items()
        for clause in _CLAUSE_ENDS.split(text)
    ]
    return sum(quoted for _, quoted in clauses) >= QUOTED * sum(length for length, _ in clauses)


def _quoted(clause: str, told: str, cells: frozenset[str]) -> int:
    """How many of a clause's letters are the reference's; in a row of a table each stands behind its column's name."""
    whole = _plain(clause)
    if whole in told:
        return len(whole)
    parts = [_plain(part) for part in _COMMA.split(clause)] if cells else []
    return sum(len(part) for part in parts if part in told or any(_follows(part, cell, told) for cell in cells))


def _follows(part: str, cell: str, told: str) -> bool:
    return part.startswith(cell) and part[len(cell) :] in told


def _cells(reference: str) -> frozenset[str]:
    """The cells of the tables in a reference, without what is no letter or digit."""
    rows = (line for line in reference.splitlines() if line.lstrip().startswith("|"))
    return frozenset(filter(None, (_plain(cell) for row in rows for cell in row.split("|"))))


def _plain(text: str) -> str:
    """Its letters and digits alone: marks and spaces are told otherwise by one version than by another."""
    return "".join(filter(str.isalnum, text.casefold()))


def _rubric(question: Question) -> tuple[list[dict[str, Any]], list[tuple[list[int], int]]]:
    places = {point.id: place for place, point in enumerate(question.points)}
    points = [point.model_dump(exclude={"id"}) for point in question.points]
    return points, [([places[id] for id in choice.points], choice.enough) for choice in question.choices]


def _words(point: Point) -> str:
    return "\n".join(" ".join(text.casefold().split()) for _, text in sorted(point.text.items()))


def _fresh(point: Point, taken: set[str]) -> str:
    """Follows from the statement, so that a number that stood for another one is not used again."""
    text = _words(point)
    while (found := f"p-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}") in taken:
        text += "'"
    return found
