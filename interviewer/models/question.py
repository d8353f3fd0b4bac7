"""Questions and what is needed to grade, probe and teach them."""

import hashlib
from enum import StrEnum

from pydantic import Field, model_validator

from interviewer.models.base import Frozen, Language, Localized, pick


class Kind(StrEnum):
    CONCEPT = "concept"
    TROUBLESHOOTING = "troubleshooting"
    EXPERIENCE = "experience"
    DESIGN = "design"


class Point(Frozen):
    """One checkable statement of the reference.

    Attributes:
        id: Unique within its question, stable across edits.
        weight: Share of the score, relative to the other points; 0 < weight <= 10.
        text: The statement.
        aliases: Other ways to name what the point is about (synonyms, abbreviations, symbols), by language.
        probe: The follow-up that asks for the point without giving it away; may be empty for imported questions.
        hint: A nudge, more telling than the probe; may be empty for imported questions.
        label: The heading the point stood under in its document, if any, such as "Cause".
    """

    id: str = Field(min_length=1, max_length=80)
    weight: float = Field(default=1.0, gt=0, le=10)
    text: Localized = Field(min_length=1)
    aliases: dict[Language, tuple[str, ...]] = {}
    probe: Localized = {}
    hint: Localized = {}
    label: str = ""

    def in_language(self, language: Language) -> str:
        return pick(self.text, language) or ""


class Misconception(Frozen):
    """A wrong statement people often make about the question, with its correction."""

    text: Localized = Field(min_length=1)
    correction: Localized = Field(min_length=1)
    point: str | None = Field(default=None, description="id of the point it contradicts, if one")


class Source(Frozen):
    """Where a question comes from."""

    title: str = ""
    document: str = Field(default="", description="file name of the imported document")
    url: str = ""
    author: str = ""
    licence: str = ""
    number: str = Field(default="", description="the question's number as printed in its document")


class QuestionPhase(Frozen):
    """One phase of a question that is talked through in phases, as a design interview is.

    Attributes:
        minutes: The time for it.
        prompt: What the interviewer says to begin it; gives none of its points away.
        points: Ids of the points that belong to it.
    """

    id: str = Field(min_length=1, max_length=80)
    title: Localized = Field(min_length=1)
    minutes: int = Field(ge=1, le=120)
    prompt: Localized = Field(min_length=1)
    points: tuple[str, ...] = ()


class Choice(Frozen):
    """Points of which some are enough, as where a question asks to name two of something that there are five of.

    Attributes:
        points: Ids of the points to choose from; those the question no longer has are passed over.
        enough: How many of them make a full answer; where they are no more than that, all of them do.
    """

    points: tuple[str, ...] = Field(min_length=1)
    enough: int = Field(ge=1, le=100)


class Question(Frozen):
    """What is asked, with its reference.

    Attributes:
        id: Stable and unique over all sets.
        set: Name of the set it belongs to; the shipped one is `bank`.
        difficulty: 1 (warm-up) to 5 (expert).
        frequency: 1 (rare) to 5 (asked everywhere).
        question: What is asked, by language.
        reference: The model answer as Markdown, by language.
        further: Pointers to primary sources: name and section.
        choices: Points of which some are enough; a point belongs to one choice at most. Others must all be covered.
        phases: How it is talked through, in order; each point belongs to one phase. Empty for all other questions.
    """

    id: str = Field(min_length=1, max_length=200)
    set: str = Field(min_length=1, max_length=80)
    topic: str = Field(default="general", min_length=1, max_length=200)
    tags: tuple[str, ...] = ()
    kind: Kind = Kind.CONCEPT
    difficulty: int = Field(default=3, ge=1, le=5)
    frequency: int = Field(default=3, ge=1, le=5)
    level: int = Field(default=2, ge=1, le=3, description="1 basics, 2 principles, 3 practice")
    question: Localized = Field(min_length=1)
    reference: Localized = Field(min_length=1)
    points: tuple[Point, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()
    source: Source = Source()
    further: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    phases: tuple[QuestionPhase, ...] = ()

    @model_validator(mode="after")
    def _phases_share_out_the_points(self) -> "Question":
        if not self.phases:
            return self
        placed = sorted(point_id for phase in self.phases for point_id in phase.points)
        known = sorted(point.id for point in self.points)
        if placed != known:
            raise ValueError(f"the phases of question {self.id!r} hold points {placed}, its points are {known}")
        return self

    @model_validator(mode="after")
    def _point_ids_are_unique(self) -> "Question":
        ids = [p.id for p in self.points]
        if len(ids) != len(set(ids)):
            raise ValueError(f"question {self.id!r} uses a point id twice: {ids}")
        return self

    @model_validator(mode="after")
    def _a_point_is_in_one_choice(self) -> "Question":
        chosen = [point_id for choice in self.choices for point_id in choice.points]
        if len(chosen) != len(set(chosen)):
            raise ValueError(f"the choices of question {self.id!r} hold a point twice: {chosen}")
        return self

    @property
    def languages(self) -> tuple[Language, ...]:
        return tuple(self.question)

    def asked_in(self, language: Language) -> str:
        """The question's text in `language`, or in the language it has."""
        return pick(self.question, language) or ""

    def reference_in(self, language: Language) -> str:
        return pick(self.reference, language) or ""

    def point(self, point_id: str) -> Point:
        return next(p for p in self.points if p.id == point_id)

    def choice_of(self, point_id: str) -> Choice | None:
        """The choice a point belongs to; None where all answers need it."""
        return next((choice for choice in self.choices if point_id in choice.points), None)

    @property
    def content_hash(self) -> str:
        """SHA-256 of everything that can change in an edit; names a version of the question."""
        # Left out where there are none, so that questions stored before there were choices keep the names they have.
        without = {"set"} if self.choices else {"set", "choices"}
        return hashlib.sha256(self.model_dump_json(exclude=without).encode()).hexdigest()
