"""`interviewer doctor`: what is configured, what is reachable, what is missing."""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

import typer

from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.compose import App
    from interviewer.settings import Settings

Health = Literal["ok", "note", "missing"]
SIGN = {"ok": "[green]✓[/green]", "note": "[yellow]•[/yellow]", "missing": "[red]✗[/red]"}


class Finding(NamedTuple):
    """One thing looked at; `missing` means that something configured does not work."""

    health: Health
    what: str
    detail: str


def doctor_command() -> None:
    """Say what is configured, what is reachable and what is missing. Exit code 1 if something configured fails."""
    from rich.console import Console
    from rich.markup import escape

    from interviewer.compose import compose
    from interviewer.settings import load_settings

    console = Console(soft_wrap=True, highlight=False)
    failed = False
    for finding in examine(compose(load_settings())):
        failed = failed or finding.health == "missing"
        console.print(f"{SIGN[finding.health]} [bold]{finding.what}[/bold] {escape(finding.detail)}")
    if failed:
        raise typer.Exit(1)


def examine(app: "App") -> Iterator[Finding]:
    """Every finding, quick ones first."""
    settings = app.settings
    yield Finding("ok", "Home", str(settings.folder))
    yield _tried("Database", lambda: Finding("ok", "Database", _database(app)))
    yield _tried("Questions", lambda: Finding("ok", "Questions", _questions(app)))
    yield _tried("Index", lambda: _index(app))
    yield _chat_model(app) if settings.chat_model else _no_chat_model(settings)


def _tried(what: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except InterviewerError as error:
        return Finding("missing", what, str(error))


def _database(app: "App") -> str:
    return app.database.engine.url.render_as_string(hide_password=True)


def _questions(app: "App") -> str:
    return ", ".join(f"{s.name}: {s.questions} ({s.zh} zh, {s.en} en)" for s in app.questions.sets())


def _index(app: "App") -> Finding:
    app.load_questions()
    status = app.index.status()
    healthy: Health = "missing" if status.state in ("unreachable", "failed", "mismatch") else "ok"
    where = app.settings.chroma_url or str(app.settings.folder / "index")
    model = f"model {status.model}" if status.model else "no model"
    detail = f"{status.state}, {model}, {status.questions} questions, in {where}. {status.message} {status.next_step}"
    return Finding(healthy, "Index", detail.strip())


def _no_chat_model(settings: "Settings") -> Finding:
    detail = "none: answers are graded by the built-in grader and stay on this machine."
    if settings.chat_api_key.get_secret_value() or os.environ.get("OPENAI_BASE_URL"):
        detail += " A key or endpoint is set; name a model in INTERVIEWER_CHAT_MODEL to use it."
    return Finding("note", "Chat model", detail)


def _chat_model(app: "App") -> Finding:
    chat = app.chat_model
    assert chat is not None
    status = chat.ping()
    return Finding("missing" if status.problem else "ok", "Chat model", status.problem or chat.describe())
