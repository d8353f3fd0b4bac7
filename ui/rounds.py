"""Which rounds of a track to propose for the time there is: as much of it as leaves every round room for a question."""

from collections.abc import Iterable
from itertools import combinations

from interviewer.models import Level, Track, TrackRound
from interviewer.models.question import Kind

_NEEDED = {Kind.CONCEPT: 6, Kind.TROUBLESHOOTING: 8, Kind.EXPERIENCE: 9, Kind.DESIGN: 25}
"""Minutes for one question of a kind that is worth beginning."""

_MOST_LOOKED_AT = 8
"""Rounds of a track beyond these are left to the person."""


def proposed_rounds(track: Track, level: Level, minutes: int) -> tuple[str, ...]:
    """Ids of the level's rounds that fit into `minutes`, each shortened alike; at least one."""
    usual = [part for part in track.rounds if level in part.levels] or list(track.rounds)
    fitting = [parts for parts in _choices(usual[:_MOST_LOOKED_AT]) if _have_room(parts, minutes)]
    best = max(fitting, key=_length, default=(max(usual, key=lambda part: part.minutes),))
    return tuple(part.id for part in best)


def is_proposed(track: Track, level: Level, rounds: tuple[str, ...], minutes: Iterable[int]) -> bool:
    """Whether `rounds` is what would be proposed for any of `minutes`, and not a person's own choice."""
    return any(rounds == proposed_rounds(track, level, each) for each in minutes)


def _choices(parts: list[TrackRound]) -> Iterable[tuple[TrackRound, ...]]:
    return (chosen for size in range(len(parts), 0, -1) for chosen in combinations(parts, size))


def _length(parts: tuple[TrackRound, ...]) -> int:
    return sum(part.minutes for part in parts)


def _have_room(parts: tuple[TrackRound, ...], minutes: int) -> bool:
    scale = minutes / _length(parts)
    return all(part.minutes * scale >= min((_NEEDED[kind] for kind in part.kinds), default=6) for part in parts)
