"""Weak spots that are one: points of different questions that state the same idea, so that it is drilled once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from interviewer.models import LANGUAGES, Point, pick

ALIKE = 0.8
"""Closeness from which two points count as one idea; chosen on pairs read one by one (docs/retrieval.md)."""


Pairs = Mapping[tuple[int, int], float]
"""How near points are that are alike, by their places, the lower one first."""


class Vectors(Protocol):
    """What says how near two texts are in meaning; the built-in encoder, seen from here."""

    def closeness(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The cosine, -1..1, of each text with each."""
        ...


class Missed(NamedTuple):
    """A point that was not covered, and the question it belongs to."""

    question_id: str
    point: Point


def merge(missed: Sequence[Missed], vectors: Vectors, *, alike: float = ALIKE) -> tuple[tuple[Missed, ...], ...]:
    """Groups of points that state the same idea; what has no like is a group of its own.

    Every two points of a group are alike (complete linkage), so a chain of small steps never joins what differs at
    its ends. Two points of one question are never joined: its author tells them apart.

    Args:
        missed: At most one of each question and point; their order is kept, by the first of each group.
        vectors: Loaded by whoever calls.
        alike: Closeness, 0..1, from which two points may be joined.
    """
    points = list(dict.fromkeys((m.question_id, m.point.id) for m in missed))
    if len(points) != len(missed):
        raise ValueError("a point was given twice")
    near = pair_closeness([m.point for m in missed], vectors)
    pairs = {(i, j): near[i][j] for j in range(len(near)) for i in range(j) if near[i][j] >= alike}
    groups = join([m.question_id for m in missed], pairs)
    return tuple(tuple(missed[place] for place in group) for group in groups)


def join(questions: Sequence[str], near: Pairs) -> tuple[tuple[int, ...], ...]:
    """Groups of places, every two of which are a pair of `near` and of different questions; see `merge`.

    Args:
        questions: The question each point belongs to.
        near: The closeness of the points that are alike, by their places, the lower one first.
    """
    groups = [group for part in _connected(len(questions), near) for group in _joined(part, near, questions)]
    return tuple(tuple(group) for group in sorted(groups))


def _connected(count: int, near: Pairs) -> list[list[int]]:
    """The parts that no pair leads out of: what is joined lies within one of them."""
    beside: dict[int, list[int]] = defaultdict(list)
    for first, second in near:
        beside[first].append(second)
        beside[second].append(first)
    parts: list[list[int]] = []
    seen: set[int] = set()
    for place in range(count):
        if place in seen:
            continue
        part, waiting = {place}, [place]
        while waiting:
            new = set(beside[waiting.pop()]) - part
            part |= new
            waiting += new
        seen |= part
        parts.append(sorted(part))
    return parts


def _joined(part: Sequence[int], near: Pairs, questions: Sequence[str]) -> list[list[int]]:
    groups = [[place] for place in part]
    while (best := _closest(groups, near, questions)) is not None:
        first, second = best
        groups[first] = sorted(groups[first] + groups.pop(second))
    return groups


def pair_closeness(points: Sequence[Point], vectors: Vectors) -> list[list[float]]:
    """How near each two points are: the mean over both languages; a point that lacks one stands in with the other."""
    sides = (
        [vectors.closeness([pick(p.text, language) or "" for p in points]) for language in LANGUAGES] if points else []
    )
    return [[sum(side[i][j] for side in sides) / len(sides) for j in range(len(points))] for i in range(len(points))]


def _closest(groups: Sequence[Sequence[int]], near: Pairs, questions: Sequence[str]) -> tuple[int, int] | None:
    """The two groups whose farthest points are nearest, as far as they may be joined."""
    found = max(_joinable(groups, near, questions), default=None)
    return None if found is None else (-found[1], -found[2])


def _joinable(
    groups: Sequence[Sequence[int]], near: Pairs, questions: Sequence[str]
) -> Iterator[tuple[float, int, int]]:
    """Closeness and negated places of each two groups that may be joined; of equals the first is largest."""
    asked = [{questions[place] for place in group} for group in groups]
    for second in range(len(groups)):
        for first in range(second):
            pairs = [(min(i, j), max(i, j)) for i in groups[first] for j in groups[second]]
            if not asked[first] & asked[second] and all(pair in near for pair in pairs):
                yield min(near[pair] for pair in pairs), -first, -second
