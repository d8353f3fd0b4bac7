"""Tracks: what interviews for a kind of job are made of, from which plans are drawn."""

from typing import Literal

from pydantic import Field, model_validator

from interviewer.models.base import Frozen, Localized
from interviewer.models.question import Kind

Level = Literal["junior", "mid", "senior"]
"""The level interviewed for; it decides the difficulty to begin with and which rounds there are."""

LEVELS: tuple[Level, ...] = ("junior", "mid", "senior")


class TrackTopic(Frozen):
    """A part of what a track asks about: the questions of some topics, or questions named one by one.

    Attributes:
        weight: How much it matters to the track, relative to its other topics; how often its questions are asked
            counts on top.
        topics: Topics of questions.
        question_ids: Questions found for it, where its name is not a topic of the bank (an imported blueprint).
    """

    id: str = Field(min_length=1, max_length=200)
    title: Localized = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0, le=10)
    topics: tuple[str, ...] = ()
    question_ids: tuple[str, ...] = ()


class TrackRound(Frozen):
    """One round of a track.

    Attributes:
        minutes: How long it takes; 1..240.
        kinds: Kinds of questions it asks; empty for all.
        topics: Ids of the track's topics it draws from; empty for all.
        easier: How far below the level's difficulty it begins; negative for harder.
        depth: How many questions it asks on a topic before it goes on to the next.
        levels: For which levels it is part of the interview unless the candidate chooses otherwise.
    """

    id: str = Field(min_length=1, max_length=80)
    title: Localized = Field(min_length=1)
    minutes: int = Field(ge=1, le=240)
    kinds: tuple[Kind, ...] = ()
    topics: tuple[str, ...] = ()
    easier: int = Field(default=0, ge=-2, le=2)
    depth: int = Field(default=2, ge=1, le=5)
    levels: tuple[Level, ...] = LEVELS


class Track(Frozen):
    """A kind of interview.

    Attributes:
        about: For whom it is, in a sentence.
        source: The imported document it comes from; empty for the shipped ones.
    """

    id: str = Field(min_length=1, max_length=200)
    title: Localized = Field(min_length=1)
    about: Localized = {}
    topics: tuple[TrackTopic, ...] = Field(min_length=1)
    rounds: tuple[TrackRound, ...] = Field(min_length=1)
    source: str = ""

    @model_validator(mode="after")
    def _rounds_name_their_topics(self) -> "Track":
        for name, ids in (("topic", [x.id for x in self.topics]), ("round", [x.id for x in self.rounds])):
            if len(ids) != len(set(ids)):
                raise ValueError(f"track {self.id!r} has a {name} twice: {ids}")
        known = {topic.id for topic in self.topics}
        for part in self.rounds:
            unknown = set(part.topics) - known
            if unknown:
                raise ValueError(f"round {part.id!r} of track {self.id!r} draws from unknown topics {sorted(unknown)}")
        return self

    def topics_of(self, part: TrackRound) -> tuple[TrackTopic, ...]:
        """The topics a round draws from."""
        return tuple(topic for topic in self.topics if not part.topics or topic.id in part.topics)
