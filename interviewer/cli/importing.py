"""`interviewer import`: documents to questions of a set, with a report for people or as JSON."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.progress import progress_bar

if TYPE_CHECKING:
    from rich.console import Console

    from knowledge.import_report import DocumentReport, ImportReport, Problem
    from knowledge.importing import Progress

_SHOWN = 5
_WIDTH = 100


def import_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders to import.")],
    set_name: Annotated[
        str, typer.Option("--set", metavar="NAME", help="The set that takes the questions.")
    ] = "imported",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report; keep nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as one JSON object.")] = False,
) -> None:
    """Import questions from Markdown, HTML, PDF, DOCX, CSV, TSV, JSON, JSONL, YAML and text files."""
    name = set_name.strip()
    if not name or name == "bank" or len(name) > 80:
        raise typer.BadParameter("Give a name of 1 to 80 characters other than `bank`.", param_hint="--set")
    report = _previewed(paths, name) if dry_run else _imported(paths, name)
    if as_json:
        typer.echo(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        print_report(report, set_name=name)
    if not report.is_read:
        raise typer.Exit(1)


def _previewed(paths: list[Path], set_name: str) -> "ImportReport":
    from knowledge.importing import preview

    with _progress() as tell:
        return preview(paths, set_name=set_name, on_progress=tell)


def _imported(paths: list[Path], set_name: str) -> "ImportReport":
    from interviewer.accounts.person import LOCAL
    from interviewer.compose import compose
    from interviewer.settings import load_settings
    from interviewer.sharing.sets import ImportTarget

    app = compose(load_settings())
    with _progress() as tell:
        return app.import_files(LOCAL, paths, ImportTarget(set=set_name), tell)


@contextmanager
def _progress() -> "Iterator[Progress]":
    """A bar on standard error, so that standard output holds nothing but the report."""
    from rich.markup import escape

    with progress_bar("Reading") as on_progress:
        yield lambda done, total, what: on_progress(done, total, escape(_shortened(what, 48)))


def print_report(report: "ImportReport", *, set_name: str, console: "Console | None" = None) -> None:
    """Writes the report for people; text from documents is never read as markup."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(soft_wrap=True)
    for document in report.documents:
        _print_document(document, console)
    console.print()
    console.print(Text(_summary(report, set_name), style="bold"))
    if report.blueprint is not None:
        console.print(Text(_blueprint_line(report)))


def _print_document(document: "DocumentReport", console: "Console") -> None:
    from rich.text import Text

    from knowledge.import_report import PROBLEM_TITLES

    what = "interview blueprint, " if document.kind == "blueprint" else ""
    console.print(Text(f"{document.path}: {what}{_count(document.questions, 'question')}", style="bold"))
    for kind, title in PROBLEM_TITLES.items():
        problems = [problem for problem in document.problems if problem.kind == kind]
        if not problems:
            continue
        console.print(Text(f"  {title}: {len(problems)}" if document.is_read else f"  {title}", style="yellow"))
        for problem in problems[:_SHOWN]:
            console.print(Text(f"    {_problem_line(problem)}"))
        if len(problems) > _SHOWN:
            console.print(Text(f"    … and {len(problems) - _SHOWN} more; --json gives all of them"))


def _problem_line(problem: "Problem") -> str:
    place = f"line {problem.line}: " if problem.line else ""
    excerpt = f" «{_shortened(problem.excerpt, 60)}»" if problem.excerpt else ""
    return f"{place}{problem.detail}{excerpt}"


def _summary(report: "ImportReport", set_name: str) -> str:
    found = f"{_count(report.found, 'question')} in {_count(len(report.documents), 'document')}"
    if report.is_preview:
        return f"{found}; nothing was kept (dry run)."
    counts = report.counts
    return (
        f"{found}; set {set_name}: {counts.added} added, {counts.updated} updated, {counts.unchanged} unchanged, "
        f"{counts.retired} retired."
    )


def _blueprint_line(report: "ImportReport") -> str:
    parts = report.blueprint.model_dump() if report.blueprint else {}
    told = [f"{len(value)} {name}" for name, value in parts.items() if isinstance(value, list | tuple) and value]
    return f"Blueprint {parts.get('title', '')}: {', '.join(told)}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _shortened(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
