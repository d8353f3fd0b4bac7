"""Points of a document that was imported again keep their ids: what people remember hangs on them."""

import hashlib
from collections.abc import Sequence

from interviewer.models import Point

ALIKE = 60.0
"""Likeness of two statements, 0..100, from which one is the other reworded."""


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


def _words(point: Point) -> str:
    return "\n".join(" ".join(text.casefold().split()) for _, text in sorted(point.text.items()))


def _fresh(point: Point, taken: set[str]) -> str:
    """Follows from the statement, so that a number that stood for another one is not used again."""
    text = _words(point)
    while (found := f"p-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}") in taken:
        text += "'"
    return found
