"""Which points there are and which state one idea, worked out once for the questions as they are."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np

from interviewer.grading.naming import is_name
from interviewer.memory.reviews import PointKey
from interviewer.memory.weakspots import ALIKE, join
from interviewer.models import LANGUAGES, Question, pick

Groups = Mapping[PointKey, tuple[PointKey, ...]]
"""For each point that shares its idea with another one, all points of the idea."""

State = tuple[int, datetime | None, datetime | None]
_ROWS = 512


class Encoder(Protocol):
    """What gives texts a direction by their meaning; loaded when it is first asked."""

    def encode(self, texts: list[str]) -> Any:
        """Unit rows, (len(texts), dimensions)."""
        ...


class Questions(Protocol):
    """All questions in use."""

    def all(self) -> Iterable[Question]: ...

    def many(self, question_ids: Sequence[str]) -> tuple[Question, ...]: ...

    def state(self) -> State:
        """Equal as long as no question changed."""
        ...


class Home(NamedTuple):
    """What a question in use has: the set it is in, and the ids of its points."""

    set: str
    points: frozenset[str]


class Catalog(NamedTuple):
    """All points there are.

    Attributes:
        groups: Which of them state one idea; those that share theirs with none are left out.
        homes: By the ids of the questions in use.
    """

    groups: Groups
    homes: Mapping[str, Home]


EMPTY = Catalog({}, {})


class _Known(NamedTuple):
    state: State
    catalog: Catalog


class Ideas:
    """The points of all questions, and which state one idea; worked out again when a question changed."""

    def __init__(self, questions: Questions, encoder: Encoder) -> None:
        self._questions = questions
        self._encoder = encoder
        self._lock = Lock()
        self._known: _Known | None = None

    def catalog(self) -> Catalog:
        """Takes seconds on the first call, then nothing."""
        with self._lock:
            state = self._questions.state()
            if self._known is None or self._known.state != state:
                questions = tuple(self._questions.all())
                homes = {q.id: Home(q.set, frozenset(point.id for point in q.points)) for q in questions}
                self._known = _Known(state, Catalog(idea_groups(questions, self._encoder), homes))
            return self._known.catalog


def idea_groups(questions: Sequence[Question], encoder: Encoder) -> Groups:
    """The groups of two and more points of `questions`; see `weakspots.merge` for what is joined.

    A mere name is no idea of its own: "isolation" is one thing of transactions and another of containers.
    """
    points = [
        (PointKey(question.id, point.id), point)
        for question in questions
        for point in question.points
        if not all(map(is_name, point.text.values()))
    ]
    if len(points) < 2:
        return {}
    sides = [encoder.encode([pick(point.text, language) or "" for _, point in points]) for language in LANGUAGES]
    owners = [key.question_id for key, _ in points]
    near = {pair: closeness for pair, closeness in alike_pairs(sides) if owners[pair[0]] != owners[pair[1]]}
    groups = (tuple(points[place][0] for place in group) for group in join(owners, near) if len(group) > 1)
    return {key: group for group in groups for key in group}


def alike_pairs(sides: Sequence[Any], least: float = ALIKE) -> Iterable[tuple[tuple[int, int], float]]:
    """Pairs of places, the lower one first, that are at least so near by the mean of their sides' cosines.

    Args:
        sides: For each language the unit rows of the same texts.
    """
    for start in range(0, len(sides[0]), _ROWS):
        # A block of rows at a time: all pairs of ten thousand points would take hundreds of megabytes.
        near = sum(side[start : start + _ROWS] @ side.T for side in sides) / len(sides)
        for row, column in np.argwhere(near >= least).tolist():
            if start + row < column:
                yield (start + row, column), float(near[row, column])
