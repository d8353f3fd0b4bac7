"""An import's report for people: what came in, and every problem under its heading."""

from pathlib import PurePath
from typing import NamedTuple

from knowledge.import_report import PROBLEM_TITLES, DocumentReport, ImportReport, Problem
from ui.render.markup import render
from ui.texts import Texts

SHOWN_OF_A_KIND = 300
"""Problems of one kind shown for a document; `interviewer import --json` has all of any number."""


class ProblemGroup(NamedTuple):
    kind: str
    total: int
    shown: tuple[Problem, ...]


class ImportedDocument(NamedTuple):
    name: str
    kind: str
    questions: int
    problems: int
    groups: tuple[ProblemGroup, ...]


def imported_html(report: ImportReport, t: Texts, *, waits: bool = False) -> str:
    """The report; `waits` says whether the questions wait for review."""
    return render(
        "imported", t, report=report, waits=waits, documents=[_document(document) for document in report.documents]
    )


def _document(document: DocumentReport) -> ImportedDocument:
    groups = (_group(document, kind) for kind in PROBLEM_TITLES)
    return ImportedDocument(
        name=PurePath(document.path).name,
        kind=document.kind,
        questions=document.questions,
        problems=len(document.problems),
        groups=tuple(group for group in groups if group.total),
    )


def _group(document: DocumentReport, kind: str) -> ProblemGroup:
    problems = tuple(problem for problem in document.problems if problem.kind == kind)
    return ProblemGroup(kind, len(problems), problems[:SHOWN_OF_A_KIND])
