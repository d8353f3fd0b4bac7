"""Three-way merging: what the document said, what it says now, and what people made of it."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import ValidationError

from interviewer.models import Question
from interviewer.sharing.fields import ORDER, Fields, Path, build, fields, fields_of_point


class Merged(NamedTuple):
    """A question, and the paths of what was changed on both sides: there the edit counts."""

    question: Question
    conflicts: tuple[Path, ...]


def merge(base: Question, document: Question, edited: Question) -> Merged:
    """`edited` with everything that `document` changed since `base` and no person did.

    A point a person removed stays away, one they added stays; a point the document dropped goes unless it was edited.
    Where both changes together would leave no valid question, the edit counts whole.
    """
    b, d, e = fields(base), fields(document), fields(edited)
    kept, torn = _points(b, d, e)
    values: Fields = {ORDER: _order(b[ORDER], d[ORDER], e[ORDER], kept)}
    conflicts = list(torn)
    for path in {**e, **d, **b}:
        if path == ORDER or (len(path) > 2 and path[1] not in kept):
            continue
        before, theirs, ours = b.get(path), d.get(path), e.get(path)
        whole = path[:2] in torn
        value = ours if whole or ours != before else theirs
        if not whole and ours != before and theirs not in (before, ours):
            conflicts.append(path)
        if value is not None:
            values[path] = value
    try:
        return Merged(build(edited.id, edited.set, values), tuple(sorted(conflicts)))
    except ValidationError:
        differing = (path for path in {**d, **b} if d.get(path) != b.get(path))
        return Merged(edited, tuple(sorted(differing)))


def _points(b: Fields, d: Fields, e: Fields) -> tuple[frozenset[str], frozenset[Path]]:
    """Ids of the points that stay, and the paths of points that one side removed and the other changed."""
    kept: set[str] = set()
    torn: set[Path] = set()
    for point_id in {*b[ORDER], *d[ORDER], *e[ORDER]}:
        before, theirs, ours = (fields_of_point(values, point_id) for values in (b, d, e))
        if (ours and (theirs or ours != before)) or (theirs and not before):
            kept.add(point_id)
        if before and bool(ours) != bool(theirs) and (ours or theirs) != before:
            torn.add(("points", point_id))
    return frozenset(kept), frozenset(torn)


def _order(base: Sequence[str], document: Sequence[str], edited: Sequence[str], kept: frozenset[str]) -> list[str]:
    """The edited order where a person changed it, else the document's; the other side's points stand after the one
    they stood after there."""
    both = frozenset(base) & frozenset(edited)
    moved = [i for i in base if i in both] != [i for i in edited if i in both]
    first, second = (edited, document) if moved else (document, edited)
    result = [i for i in first if i in kept]
    for at, point_id in enumerate(second):
        if point_id in kept and point_id not in result:
            before = next((i for i in reversed(second[:at]) if i in result), None)
            result.insert(0 if before is None else result.index(before) + 1, point_id)
    return result
