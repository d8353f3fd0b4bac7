"""What an import found, as values for people and programs."""

from collections import Counter
from typing import Any, Literal

from interviewer.models import Frozen, Language
from interviewer.models.blueprint import Blueprint

DocumentKind = Literal["qa", "blueprint"]
MAX_EXCERPT = 20_000

PROBLEM_TITLES = {
    "unreadable": "could not be read",
    "nothing_found": "nothing found",
    "no_answer": "questions without an answer",
    "answer_is_question": "answers that only repeat the question",
    "too_short": "answers too short to grade well",
    "garbled": "garbled text",
    "repeated": "repeated questions",
    "near_repeat": "questions much like another",
    "similar_meaning": "questions similar in meaning to another",
    "document_changed": "edited questions whose document changed as well",
    "left_out": "passages left out",
    "points_by_structure": "points taken from the structure, as the model failed",
}
"""Kind of problem -> its heading in the report, in the order of the report."""


class Place(Frozen):
    """Where a question or a passage stands: its number as printed, if any, its line, its document."""

    number: str = ""
    line: int
    document: str


class Problem(Frozen):
    """Something a person may want to look at.

    Attributes:
        kind: One of `PROBLEM_TITLES`.
        detail: One sentence in English; for `left_out` it begins with the rule's name.
        reason: Which of the ways its kind comes about in, for whoever tells it in another language: of `left_out` the
            rule, of `unreadable` and `points_by_structure` the sentence in `interviewer/locales/`. Empty where there is
            one way only.
        values: What the sentence of `reason` has to be told.
        line: Line, row or object of the document it is about, from 1; 0 where it is about the whole.
        excerpt: The text it is about; for `left_out` all of it, up to 20,000 characters.
        question: Id of the question it is about, where that was imported.
        other: Id of the question it is compared with, if one.
        place: Where that stands, if this import has seen it; of a passage where its text stands again.
        more: How many more of the same were left out without being listed.
    """

    kind: str
    detail: str
    reason: str = ""
    values: dict[str, str | int] = {}
    line: int = 0
    excerpt: str = ""
    question: str = ""
    other: str = ""
    place: Place | None = None
    more: int = 0


class DocumentReport(Frozen):
    """What became of one document; `questions` counts those that can be asked."""

    path: str
    kind: DocumentKind = "qa"
    questions: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def is_read(self) -> bool:
        return not any(problem.kind == "unreadable" for problem in self.problems)

    def count(self, kind: str) -> int:
        return sum(1 for problem in self.problems if problem.kind == kind)


class ReportedPoint(Frozen):
    """One point of a question, in the question's language."""

    id: str
    text: str
    weight: float


class ReportedQuestion(Frozen):
    """A question as it would be imported."""

    id: str
    number: str
    question: str
    answer: str
    language: Language
    topic: str
    source: str
    points: tuple[ReportedPoint, ...]
    has_code: bool


class SaveCounts(Frozen):
    """How saving changed a set."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    retired: int = 0

    def __add__(self, other: "SaveCounts") -> "SaveCounts":
        return SaveCounts(
            added=self.added + other.added,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
            retired=self.retired + other.retired,
        )


class ImportReport(Frozen):
    """The whole import.

    Attributes:
        questions: All of them for a preview; empty after an import, whose questions are in the store.
        blueprint: That of the first document that has one.
        counts: How the set changed; all zero for a preview.
    """

    documents: tuple[DocumentReport, ...] = ()
    questions: tuple[ReportedQuestion, ...] = ()
    blueprint: Blueprint | None = None
    counts: SaveCounts = SaveCounts()
    is_preview: bool = True

    @property
    def found(self) -> int:
        """Questions that can be asked, over all documents."""
        return sum(document.questions for document in self.documents)

    @property
    def is_read(self) -> bool:
        """Whether any document could be read at all."""
        return any(document.is_read for document in self.documents)

    def problem_counts(self) -> dict[str, int]:
        """Kind -> how many, in the report's order, kinds without any left out."""
        counts = Counter(problem.kind for document in self.documents for problem in document.problems)
        return {kind: counts[kind] for kind in PROBLEM_TITLES if counts[kind]}

    def as_json(self) -> dict[str, Any]:
        """The object of `interviewer import --json`; an import adds its counts."""
        content: dict[str, Any] = {
            "documents": [document.model_dump(mode="json") for document in self.documents],
            "questions": [question.model_dump(mode="json") for question in self.questions],
            "blueprint": self.blueprint.model_dump(mode="json") if self.blueprint else None,
        }
        return content if self.is_preview else content | {"counts": self.counts.model_dump(mode="json")}
