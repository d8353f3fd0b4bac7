"""The tracks an interview can follow: those shipped, and one for each imported blueprint."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from interviewer.errors import BankError
from interviewer.language import detect
from interviewer.models import Kind, Language, Localized, Question, Track, TrackRound, TrackTopic
from interviewer.models.blueprint import Blueprint, BlueprintRound

PATH = Path(__file__).parent / "tracks.yaml"

Find = Callable[[str], Sequence[str]]
"""Ids of the questions that a topic's name is about, best first."""

_PER_TOPIC = 4
_PROJECT = "project"
_DEFAULT_MINUTES = 25
_DEFAULT_WEIGHT = 3.0
_DESIGN_WORDS = ("设计", "design", "架构轮")
_PROJECT_WORDS = ("项目", "经历", "project", "experience", "behavio", "行为")
_BASIC_WORDS = ("基础", "basic", "fundamental", "warm")


class _Named(NamedTuple):
    name: str
    weight: float


@cache
def shipped_tracks(path: Path = PATH) -> tuple[Track, ...]:
    """The tracks of `tracks.yaml`, in its order.

    Raises:
        BankError: naming the file and the field, if one breaks the schema.
    """
    try:
        entries: list[Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["tracks"]
        return tuple(Track.model_validate(entry) for entry in entries)
    except (yaml.YAMLError, ValidationError, KeyError, TypeError) as error:
        raise BankError(f"{path.name} is broken: {error}", next_step="Correct it as docs/plan.md says.") from error


def unknown_names(tracks: Iterable[Track], questions: Sequence[Question]) -> tuple[str, ...]:
    """Topics and questions that tracks name and the bank lacks."""
    topics = {q.topic for q in questions}
    ids = {q.id for q in questions}
    named = [(track.id, topic) for track in tracks for topic in track.topics]
    missing = [f"{track}: topic {name}" for track, topic in named for name in topic.topics if name not in topics]
    return (*missing, *(f"{track}: question {i}" for track, topic in named for i in topic.question_ids if i not in ids))


def track_of(blueprint: Blueprint, document: str, find: Find, project: Sequence[str] = ()) -> Track | None:
    """The track an imported blueprint describes; None where none of its topics has a question.

    Its rated topics, or its areas where it rates none, become the topics, weighted by their stars, each with the
    questions that `find` gives for its name. Its rounds keep their names; what a round asks is read from its name.
    A design round lasts as long as the blueprint's phases together.

    Args:
        project: Questions on experience, for a round on projects: no topic's name finds those.
    """
    named = [_Named(t.name, float(t.frequency or _DEFAULT_WEIGHT)) for t in blueprint.topics]
    named = named or [_Named(area.name, _DEFAULT_WEIGHT) for area in blueprint.areas]
    found = [(entry, tuple(find(entry.name))[:_PER_TOPIC]) for entry in dict.fromkeys(named)]
    language = detect(" ".join((blueprint.title, *(entry.name for entry in named))), "en")
    topics = [
        TrackTopic(id=f"topic-{i}", title={language: entry.name[:200]}, weight=entry.weight, question_ids=ids)
        for i, (entry, ids) in enumerate(found, start=1)
        if ids
    ]
    if not topics:
        return None
    rated = tuple(topic.id for topic in topics)
    if project:
        title: Localized = {"zh": "项目经历", "en": "Project experience"}
        topics.append(TrackTopic(id=_PROJECT, title=title, question_ids=tuple(project)))
    minutes = sum(phase.minutes or 0 for phase in blueprint.phases)
    rounds = [_round(i, part, language, minutes, rated) for i, part in enumerate(blueprint.rounds, start=1)]
    rounds = [part for part in rounds if project or part.topics != (_PROJECT,)]
    whole = TrackRound(id="round-1", title={"zh": "面试", "en": "Interview"}, minutes=45, topics=rated)
    return Track(
        id=f"document-{document}"[:200],
        title={language: blueprint.title or document},
        topics=tuple(topics),
        rounds=tuple(rounds) or (whole,),
        source=document,
    )


def _round(
    number: int, part: BlueprintRound, language: Language, design_minutes: int, rated: tuple[str, ...]
) -> TrackRound:
    name = part.name.casefold()
    title = {language: part.name}
    values: dict[str, Any] = {"id": f"round-{number}", "title": title, "minutes": _DEFAULT_MINUTES, "topics": rated}
    if any(word in name for word in _DESIGN_WORDS):
        values |= {"kinds": (Kind.DESIGN,), "depth": 1, "minutes": min(240, design_minutes or 40)}
    elif any(word in name for word in _PROJECT_WORDS):
        values |= {"kinds": (Kind.EXPERIENCE,), "depth": 1, "minutes": 15, "topics": (_PROJECT,)}
    else:
        values |= {"kinds": (Kind.CONCEPT, Kind.TROUBLESHOOTING)}
        if any(word in name for word in _BASIC_WORDS):
            values |= {"easier": 1, "depth": 1}
    return TrackRound.model_validate(values)
