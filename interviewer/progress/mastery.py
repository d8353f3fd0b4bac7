"""How well each topic is known, from the cards alone: no word of anybody's answers is needed for it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from interviewer.interview.ports import Outline
from interviewer.memory.cards import Card
from interviewer.models import Language, Track, pick

Level = Literal["unseen", "weak", "fair", "good"]

FAIR_FROM = 0.4
GOOD_FROM = 0.7
"""The mastery from which a topic counts as known in part, and as known."""


class Known(NamedTuple):
    """A point that was asked for.

    Attributes:
        covered: Whether it was covered without help when it was last asked for.
        known: 0..1, how likely it is known now; 0 where it was not covered without help.
    """

    question_id: str
    covered: bool
    known: float


class Area(NamedTuple):
    """A part of what is asked: a topic of the questions there are, or one of a track.

    Attributes:
        weight: How much it matters to its track; 1 where there is none.
    """

    id: str
    title: str
    question_ids: frozenset[str]
    weight: float = 1.0


class Mastery(NamedTuple):
    """How well an area is known.

    Attributes:
        mastery: 0..1, the mean over the points asked for of how likely each is known now; None where none was.
        points: How many points were asked for, and `covered` of them without help when last asked for.
        asked: How many of its `questions` were asked.
    """

    id: str
    title: str
    mastery: float | None
    points: int
    covered: int
    asked: int
    questions: int
    weight: float = 1.0

    @property
    def level(self) -> Level:
        return level_of(self.mastery)


class TrackMastery(NamedTuple):
    """A track's topics, the heaviest first; `mastery` is their mean by weight, None where nothing of it was asked."""

    id: str
    title: str
    mastery: float | None
    topics: tuple[Mastery, ...]


def level_of(mastery: float | None) -> Level:
    """A mastery in a word."""
    if mastery is None:
        return "unseen"
    return "good" if mastery >= GOOD_FROM else "fair" if mastery >= FAIR_FROM else "weak"


def known_points(cards: Iterable[Card], likelihood: Iterable[float]) -> tuple[Known, ...]:
    """The points behind cards; `likelihood` gives for each card, in order, how likely it is remembered now."""
    return tuple(
        Known(card.question_id, not card.weak, 0.0 if card.weak else float(chance))
        for card, chance in zip(cards, likelihood, strict=True)
    )


def topic_areas(outlines: Iterable[Outline], title: Callable[[str], str]) -> tuple[Area, ...]:
    """The topics of these questions, by title."""
    questions: dict[str, set[str]] = defaultdict(set)
    for question in outlines:
        questions[question.topic].add(question.id)
    areas = (Area(topic, title(topic), frozenset(ids)) for topic, ids in questions.items())
    return tuple(sorted(areas, key=lambda area: (area.title, area.id)))


def track_areas(track: Track, outlines: Sequence[Outline], language: Language) -> tuple[Area, ...]:
    """The topics of a track that have questions, the heaviest first."""
    areas = [
        Area(
            topic.id,
            pick(topic.title, language) or topic.id,
            frozenset(q.id for q in outlines if q.topic in topic.topics or q.id in topic.question_ids),
            topic.weight,
        )
        for topic in track.topics
    ]
    return tuple(sorted((area for area in areas if area.question_ids), key=lambda area: -area.weight))


def masteries(areas: Iterable[Area], points: Iterable[Known]) -> tuple[Mastery, ...]:
    """How well each area is known, in the areas' order."""
    by_question: dict[str, list[Known]] = defaultdict(list)
    for point in points:
        by_question[point.question_id].append(point)
    return tuple(_mastery(area, by_question) for area in areas)


def track_mastery(track: Track, areas: Iterable[Area], points: Iterable[Known], language: Language) -> TrackMastery:
    """How well a track is known."""
    topics = masteries(areas, points)
    asked = [topic for topic in topics if topic.mastery is not None]
    weights = sum(topic.weight for topic in asked)
    mean = sum(topic.weight * (topic.mastery or 0.0) for topic in asked) / weights if asked else None
    return TrackMastery(track.id, pick(track.title, language) or track.id, mean, topics)


def _mastery(area: Area, by_question: Mapping[str, Sequence[Known]]) -> Mastery:
    asked = area.question_ids & by_question.keys()
    points = [point for question_id in asked for point in by_question[question_id]]
    return Mastery(
        id=area.id,
        title=area.title,
        mastery=sum(point.known for point in points) / len(points) if points else None,
        points=len(points),
        covered=sum(point.covered for point in points),
        asked=len(asked),
        questions=len(area.question_ids),
        weight=area.weight,
    )
