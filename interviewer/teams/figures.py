"""What the answers of a cohort say together, so that nobody's own answer can be told from it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

SMALLEST = 3
"""The fewest people, or points, that a figure is made of."""


class Answer(NamedTuple):
    """What one question of an interview showed of one point, of one member.

    Attributes:
        covered: Whether the point was covered without help.
        before: Whether that was before the period that is looked at.
    """

    user_id: str
    question_id: str
    point_id: str
    topic: str
    covered: bool
    before: bool


class Share(NamedTuple):
    """Points covered without help when last asked for, of those asked for."""

    covered: int = 0
    asked: int = 0

    @property
    def percent(self) -> int | None:
        """0..100; None where fewer than `SMALLEST` points were asked for, as it would tell of each."""
        return round(100 * self.covered / self.asked) if self.asked >= SMALLEST else None


class PointFigure(NamedTuple):
    """How many of the members who were asked for a point did not cover it without help when last asked.

    Attributes:
        asked: At least `SMALLEST`.
        missed: 0..asked.
    """

    question_id: str
    point_id: str
    topic: str
    asked: int
    missed: int

    @property
    def share(self) -> float:
        """0..1, how many of them missed it."""
        return self.missed / self.asked


class TopicFigure(NamedTuple):
    """A topic of a cohort; `people` were asked about it."""

    topic: str
    people: int
    share: Share


class Standing(NamedTuple):
    """What a member knows now, and what they knew when the period began."""

    now: Share
    then: Share


def point_figures(answers: Iterable[Answer], people: int) -> tuple[PointFigure, ...]:
    """The figure of every point that enough members were asked for, most missed first; none for a small cohort.

    A figure only changes by steps: it stands until `SMALLEST` different members have answered since, and then takes in
    all of their answers at once. So no two figures, looked at one after the other, differ by one person's answer.

    Args:
        answers: In the order they were given; of members only, as a lead knows their own.
        people: How many members the cohort has.
    """
    if people < SMALLEST:
        return ()
    found = [
        PointFigure(question_id, point_id, steps.topic, *steps.shown)
        for (question_id, point_id), steps in _by_point(answers).items()
        if steps.shown is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.share, -each.missed, each.question_id, each.point_id)))


def topic_figures(answers: Iterable[Answer]) -> tuple[TopicFigure, ...]:
    """Every topic that was asked about, least known first; of each member's points the newest answer counts."""
    newest = {(a.user_id, a.question_id, a.point_id): a for a in answers}
    by_topic: dict[str, list[Answer]] = defaultdict(list)
    for answer in newest.values():
        by_topic[answer.topic].append(answer)
    found = [TopicFigure(topic, len({a.user_id for a in of}), _share(of)) for topic, of in by_topic.items()]
    return tuple(sorted(found, key=_least_known))


def standings(answers: Iterable[Answer]) -> Mapping[str, Standing]:
    """Where each member stands who answered anything, by id."""
    now: dict[str, dict[tuple[str, str], Answer]] = defaultdict(dict)
    then: dict[str, dict[tuple[str, str], Answer]] = defaultdict(dict)
    for answer in answers:
        key = (answer.question_id, answer.point_id)
        now[answer.user_id][key] = answer
        if answer.before:
            then[answer.user_id][key] = answer
    return {
        user_id: Standing(_share(points.values()), _share(then[user_id].values() if user_id in then else ()))
        for user_id, points in now.items()
    }


def in_steps(values: Iterable[float]) -> tuple[float, ...]:
    """The values of a figure that takes in `SMALLEST` people at a time; empty while there are fewer.

    Args:
        values: One a person, in the order they came.
    """
    known = tuple(values)
    return known[: len(known) - len(known) % SMALLEST]


class _Steps:
    """The figure of one point as it grows."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.shown: tuple[int, int] | None = None
        self._covered: dict[str, bool] = {}
        self._missed = 0
        self._since: set[str] = set()

    def take(self, user_id: str, covered: bool) -> None:
        self._missed += (not covered) - (not self._covered.get(user_id, True))
        self._covered[user_id] = covered
        self._since.add(user_id)
        if len(self._since) >= SMALLEST:
            self.shown = (len(self._covered), self._missed)
            self._since.clear()


def _by_point(answers: Iterable[Answer]) -> dict[tuple[str, str], _Steps]:
    points: dict[tuple[str, str], _Steps] = {}
    for answer in answers:
        key = (answer.question_id, answer.point_id)
        if key not in points:
            points[key] = _Steps(answer.topic)
        points[key].take(answer.user_id, answer.covered)
    return points


def _share(answers: Iterable[Answer]) -> Share:
    known = tuple(answers)
    return Share(sum(answer.covered for answer in known), len(known))


def _least_known(figure: TopicFigure) -> tuple[float, str]:
    percent = figure.share.percent
    return (101 if percent is None else percent, figure.topic)
