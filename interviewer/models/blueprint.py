"""What an interview is made of: topics and how often they are asked, rounds, phases, levels, chapters."""

from pydantic import Field

from interviewer.models.base import Frozen


class BlueprintTopic(Frozen):
    """A topic that is asked about.

    Attributes:
        group: The heading it stood under, such as "System design".
        frequency: 1 (rare) to 5 (asked everywhere); None where the document gives none.
        difficulty: 1 (warm-up) to 5 (expert); None where the document gives none.
        difficulty_label: The document's own word for it.
    """

    name: str = Field(min_length=1)
    group: str = ""
    frequency: int | None = Field(default=None, ge=1, le=5)
    difficulty: int | None = Field(default=None, ge=1, le=5)
    difficulty_label: str = ""


class BlueprintRound(Frozen):
    """One round of the interview process and what it covers."""

    name: str = Field(min_length=1)
    items: tuple[str, ...] = ()


class BlueprintPhase(Frozen):
    """One phase within an interview; `minutes` is None where the document gives none."""

    name: str = Field(min_length=1)
    focus: str = ""
    minutes: int | None = Field(default=None, ge=0)


class BlueprintLevel(Frozen):
    """A level of preparation and what belongs to it."""

    name: str = Field(min_length=1)
    items: tuple[str, ...] = ()


class BlueprintSection(Frozen):
    """A section of a chapter's outline; `questions` is its label such as "Q1-Q6", empty where it has none."""

    title: str = ""
    items: tuple[str, ...] = ()
    questions: str = ""


class BlueprintChapter(Frozen):
    """A chapter's outline."""

    title: str = Field(min_length=1)
    sections: tuple[BlueprintSection, ...] = ()


class BlueprintArea(Frozen):
    """An area of the knowledge map, within its group."""

    name: str = Field(min_length=1)
    group: str = ""
    items: tuple[str, ...] = ()


class Blueprint(Frozen):
    """A document's account of how interviews are made up. Every part may be empty, but not all at once."""

    title: str = ""
    topics: tuple[BlueprintTopic, ...] = ()
    rounds: tuple[BlueprintRound, ...] = ()
    phases: tuple[BlueprintPhase, ...] = ()
    levels: tuple[BlueprintLevel, ...] = ()
    chapters: tuple[BlueprintChapter, ...] = ()
    areas: tuple[BlueprintArea, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.topics or self.rounds or self.phases or self.levels or self.chapters or self.areas)
