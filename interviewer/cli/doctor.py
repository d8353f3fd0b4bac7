"""`interviewer doctor`: what is configured, what is reachable, what is missing."""

import os
from collections.abc import Callable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

import typer

from interviewer.errors import InterviewerError
from interviewer.settings import is_loopback

if TYPE_CHECKING:
    from interviewer.compose import App
    from interviewer.settings import Settings

Health = Literal["ok", "note", "missing"]
SIGN = {"ok": "[green]✓[/green]", "note": "[yellow]•[/yellow]", "missing": "[red]✗[/red]"}


class LargerModel(NamedTuple):
    """An embedding model that can be chosen instead of the built-in one, and what it costs.

    Attributes:
        download: GB.
        memory: GB while it is used.
        speed: Texts of 160 tokens a second on two CPU cores, measured on networks of the same shape.
    """

    name: str
    download: float
    memory: float
    speed: float


LARGER_MODELS = (
    LargerModel("intfloat/multilingual-e5-small", download=0.5, memory=1.0, speed=16),
    LargerModel("BAAI/bge-m3", download=2.3, memory=2.7, speed=1.6),
)


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
    yield _tried("Accounts", lambda: _accounts(app))
    yield _tried("Questions", lambda: Finding("ok", "Questions", _questions(app)))
    yield _tried("Index", lambda: _index(app))
    if not settings.embedding_model:
        yield _larger_models(app.index.status().records)
    yield _chat_model(app) if settings.chat_model else _no_chat_model(settings)


def _tried(what: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except InterviewerError as error:
        return Finding("missing", what, str(error))


def _database(app: "App") -> str:
    return app.database.engine.url.render_as_string(hide_password=True)


def _accounts(app: "App") -> Finding:
    from interviewer.accounts.keys import signing_secret

    accounts, settings = app.accounts, app.settings
    if not accounts.team:
        return Finding("note", "Accounts", "none: one person, on this machine only. INTERVIEWER_TEAM=1 asks for them.")
    signing_secret(settings)
    if not accounts.owned:
        return Finding("note", "Accounts", "no owner yet: `interviewer people owner-link` prints the link for one.")
    provider = f", and through {settings.oidc_issuer}" if settings.oidc_issuer else ""
    reached = settings.link("/")
    if reached.startswith("https://") or is_loopback(urlsplit(reached).hostname or ""):
        return Finding("ok", "Accounts", f"people sign in at {reached}{provider}.")
    detail = (
        f"people sign in at {reached}{provider}: passwords travel in the clear. Set INTERVIEWER_PUBLIC_URL to https."
    )
    return Finding("note", "Accounts", detail)


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


def _larger_models(texts: int) -> Finding:
    """What a larger model would cost, where none was chosen. The default stays: two machines then behave alike."""
    offers = "; ".join(
        f"{m.name}: {m.download:g} GB to download, {m.memory:g} GB of memory, about {m.speed:g} texts a second on two "
        f"CPU cores, so {_duration(texts / m.speed)} to index the {texts} texts there are"
        for m in LARGER_MODELS
    )
    detail = (
        "the built-in model is used: no download, 25 MB, thousands of texts a second. A larger one usually "
        f"finds more: {offers}. Set INTERVIEWER_EMBEDDING_MODEL and run `interviewer index --rebuild`."
    )
    return Finding("note", "Embedding model", detail)


def _duration(seconds: float) -> str:
    """Rounded up: `1 minute`, `45 minutes`, `3 hours`."""
    minutes = max(1, ceil(seconds / 60))
    number, unit = (minutes, "minute") if minutes < 90 else (ceil(minutes / 60), "hour")
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


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
