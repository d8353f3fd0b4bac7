"""An import's report for people: what came in, and every problem under its heading."""

from pathlib import PurePath
from typing import NamedTuple

from interviewer.worded import said
from knowledge.import_report import MAX_EXCERPT, PROBLEM_TITLES, DocumentReport, ImportReport, Problem
from ui.render.markup import render
from ui.texts import Texts

SHOWN_OF_A_KIND = 300
"""Problems of one kind shown for a document; `interviewer import --json` has all of any number."""


_OF_ERRORS = frozenset({"unreadable", "points_by_structure"})
"""Kinds that tell an error, whose sentences are the interviewer's; one without a reason has an English detail alone."""


class ShownProblem(NamedTuple):
    line: int
    text: str
    excerpt: str


class ProblemGroup(NamedTuple):
    kind: str
    total: int
    shown: tuple[ShownProblem, ...]


class ImportedDocument(NamedTuple):
    name: str
    kind: str
    questions: int
    problems: int
    groups: tuple[ProblemGroup, ...]


def imported_html(report: ImportReport, t: Texts, *, waits: bool = False) -> str:
    """The report; `waits` says whether the questions wait for review."""
    return render(
        "imported", t, report=report, waits=waits, documents=[_document(document, t) for document in report.documents]
    )


def _document(document: DocumentReport, t: Texts) -> ImportedDocument:
    groups = (_group(document, kind, t) for kind in PROBLEM_TITLES)
    return ImportedDocument(
        name=PurePath(document.path).name,
        kind=document.kind,
        questions=document.questions,
        problems=len(document.problems),
        groups=tuple(group for group in groups if group.total),
    )


def _group(document: DocumentReport, kind: str, t: Texts) -> ProblemGroup:
    problems = tuple(problem for problem in document.problems if problem.kind == kind)
    shown = tuple(ShownProblem(each.line, _told(each, t), each.excerpt) for each in problems[:SHOWN_OF_A_KIND])
    return ProblemGroup(kind, len(problems), shown)


def _told(problem: Problem, t: Texts) -> str:
    """What is wrong, in the language of the page."""
    if problem.kind in _OF_ERRORS:
        return str(said(problem.reason, t.language, problem.values)) if problem.reason else problem.detail
    told = _finding(problem, t)
    return told if len(problem.excerpt) < MAX_EXCERPT else t("finding.cut", told=told, n=MAX_EXCERPT)


def _finding(problem: Problem, t: Texts) -> str:
    if problem.kind != "left_out":
        return t(f"finding.{problem.reason or problem.kind}", where=_where(problem, t))
    passage = t(f"left_out.{problem.reason}")
    if problem.more:
        return t("finding.more_left_out", passage=passage, n=problem.more)
    return t("finding.stands_elsewhere", passage=passage, where=_where(problem, t)) if problem.place else passage


def _where(problem: Problem, t: Texts) -> str:
    place = problem.place
    if place is None:
        return t("finding.in_the_set")
    values = {"document": PurePath(place.document).name, "line": place.line}
    if place.number:
        return t("finding.at_number", number=place.number, **values)
    return t("finding.at_line", **values)
