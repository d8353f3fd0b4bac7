"""What stands where in an exported file, and how much of it there may be.

The file names nobody: where an id of a person would stand, it says `me` or `other`.
"""

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field, field_validator, model_validator

from interviewer.models import Frozen, Language, Question
from interviewer.sharing.readable import BANK

FORMAT: Literal["interviewer-my-data"] = "interviewer-my-data"
VERSION = 1
ME: Literal["me"] = "me"
OTHER: Literal["other"] = "other"

MANIFEST = "manifest.json"
README = "README.md"
ACCOUNT = "account.json"
KEPT = "kept-answers.json"
KEPT_TO_READ = "kept-answers.md"
DECISIONS = "decisions.json"
EDITS = "edits.json"
INTERVIEW = re.compile(r"interviews/[\w-]{1,80}\.json")
SET = re.compile(r"question-sets/(\d{1,4})/set\.json")

LARGEST_FILE = 200_000_000
"""Bytes of the file itself."""
LARGEST_MEMBER = 32_000_000
"""Bytes of one JSON document in it, or of one line of a file of lines."""
LARGEST_TOTAL = 1_000_000_000
"""Bytes of everything in it that is read."""
MOST_MEMBERS = 60_000
MOST_EVENTS = 5_000
"""Events of one interview."""


def set_file(number: int | str) -> str:
    """Where a set of questions is described."""
    return f"question-sets/{number}/set.json"


def questions_file(number: int | str) -> str:
    """Its questions, one a line."""
    return f"question-sets/{number}/questions.jsonl"


def _in_our_time(moment: datetime) -> datetime:
    if not 2000 <= moment.year <= 2200:
        raise ValueError("the moment is not in our time")
    return moment


When = Annotated[AwareDatetime, AfterValidator(_in_our_time)]
By = Literal["me", "other"] | None


class DataCounts(Frozen):
    """How much there is of everything."""

    interviews: int = Field(ge=0)
    kept_answers: int = Field(ge=0)
    sets: int = Field(ge=0)
    questions: int = Field(ge=0)
    edits: int = Field(ge=0)


class Manifest(Frozen):
    """What the file is."""

    format: Literal["interviewer-my-data"]
    version: int
    made_at: When
    counts: DataCounts


class StoredInterviewEntry(Frozen):
    """An interview.

    Attributes:
        shared_at: When its answers were shown to the own cohort's leads; None for never. Not brought in again.
        assignment: Title of the assignment it was done for; empty for none. Not brought in again.
        events: As they happened; see `interviewer.interview.events`.
    """

    id: str = Field(pattern=r"^[0-9a-f]{1,32}$")
    shared_at: When | None = None
    assignment: str = ""
    events: tuple[dict[str, Any], ...] = Field(min_length=1, max_length=MOST_EVENTS)


class KeptAnswerEntry(Frozen):
    """A model answer that was kept."""

    question_id: str = Field(min_length=1, max_length=200)
    language: Language
    question: str
    text: str
    kept_at: When


class DocumentEntry(Frozen):
    """A document that questions of a set came from."""

    document: str = Field(max_length=500)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    kind: str = Field(max_length=32)
    imported_at: When
    report: Any
    blueprint: dict[str, Any] | None = None


class SetEntry(Frozen):
    """A set of one's own; what others could see of it is not brought in again: it is private at first."""

    name: str = Field(min_length=1, max_length=80)
    visibility: Literal["private", "cohort", "everyone"]
    source: str = Field(default="", max_length=10_000)
    licence: str = Field(default="", max_length=200)
    created_at: When
    documents: tuple[DocumentEntry, ...] = Field(default=(), max_length=10_000)

    @field_validator("name")
    @classmethod
    def _can_be_ones_own(cls, name: str) -> str:
        if name == BANK or name != name.strip() or not name.isprintable():
            raise ValueError("no set of one's own is called that")
        return name


class VersionEntry(Frozen):
    """A question as it once was."""

    version: int = Field(ge=1, le=2**31 - 1)
    reason: str = Field(max_length=10_000)
    created_at: When
    content: Question
    by: By = None


class EditEntry(Frozen):
    """What a person changed in a question; see the table `edits`."""

    state: Literal["live", "draft"]
    base: Question
    content: Question
    conflicts: tuple[tuple[str, ...], ...] = Field(default=(), max_length=10_000)
    by: By = None
    updated_at: When


class QuestionEntry(Frozen):
    """A question of a set, with every version it ever had."""

    content: Question
    version: int = Field(ge=1, le=2**31 - 1)
    position: float = Field(allow_inf_nan=False)
    retired: bool
    state: Literal["live", "draft", "rejected"]
    merged_into: str | None = Field(default=None, max_length=200)
    updated_at: When
    versions: tuple[VersionEntry, ...] = Field(max_length=10_000)
    edit: EditEntry | None = None

    @property
    def contents(self) -> tuple[Question, ...]:
        """Every text of it."""
        edit = (self.edit.base, self.edit.content) if self.edit else ()
        return (self.content, *(version.content for version in self.versions), *edit)

    @model_validator(mode="after")
    def _is_one_question(self) -> "QuestionEntry":
        if len({(content.id, content.set) for content in self.contents}) > 1:
            raise ValueError("the versions belong to different questions")
        numbers = [version.version for version in self.versions]
        if numbers != sorted(set(numbers)):
            raise ValueError("the versions are not in order")
        return self


class EditElsewhere(Frozen):
    """One's own edit of a question in a set that is not one's own, such as the shipped bank."""

    question_id: str = Field(max_length=200)
    set: str = Field(max_length=80)
    edit: EditEntry
