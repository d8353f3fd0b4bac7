"""`interviewer eval`: measures retrieval, grading, follow-ups, plans and resistance to attacks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from interviewer.grading.protocol import Grader

app = typer.Typer(help="Measure retrieval, grading, follow-ups, plans and resistance to attacks.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="The whole result as JSON.")]
Write = Annotated[bool, typer.Option("--write", help="Also renew the stored figures and the page in docs/.")]


@app.command("retrieval")
def retrieval(
    model: Annotated[str, typer.Option(help="Embedding model; INTERVIEWER_EMBEDDING_MODEL otherwise.")] = "",
    as_json: AsJson = False,
    write: Write = False,
) -> None:
    """Hit@1, Hit@3 and MRR over the shipped questions: words, meaning and both."""
    from evals.retrieval_report import retrieval_command
    from interviewer.settings import load_settings

    chosen = model or load_settings().embedding_model
    typer.echo(retrieval_command(embedding_model=chosen, as_json=as_json, write=write))


@app.command("injection")
def injection(
    grader: Annotated[Literal["builtin", "model"], typer.Option(help="Which grader to attack.")] = "builtin",
    as_json: AsJson = False,
    write: Write = False,
) -> None:
    """Sends attacks that ask for points instead of earning them, and counts the scores they raise."""
    from evals.injection_report import injection_command
    from interviewer.cli.progress import progress_bar
    from interviewer.settings import load_settings

    name = "builtin" if grader == "builtin" else f"model {load_settings().chat_model}"
    with progress_bar("Attacking") as on_attack:
        text = injection_command(
            _grader(grader),
            name,
            honest=_grader("builtin"),
            as_json=as_json,
            write=write,
            on_attack=lambda done, total: on_attack(done, total, ""),
        )
    typer.echo(text)


@app.command("grading")
def grading(
    grader: Annotated[Literal["builtin", "model"], typer.Option(help="Which grader to measure.")] = "builtin",
    shared: Annotated[Path | None, typer.Option(help="Folder with grading_dev/: people's grades as well.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many of people's answers a set.")] = 200,
    as_json: AsJson = False,
) -> None:
    """Agreement with labelled answers of our own, and with people's grades where they are at hand."""
    from evals.grading import grading_command

    typer.echo(grading_command(_grader(grader), shared=shared, as_json=as_json, limit=limit))


@app.command("simulation")
def simulation(
    interviews: Annotated[int, typer.Option(min=1, help="Interviews a track, rounded up to 25.")] = 500,
    as_json: AsJson = False,
    write: Write = False,
) -> None:
    """Runs whole interviews with simulated candidates: plans, time, difficulty and follow-ups."""
    _simulate(interviews, as_json=as_json, write=write)


@app.command("followup")
def followup(
    interviews: Annotated[int, typer.Option(min=1, help="Interviews a track, rounded up to 25.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Whether follow-ups ask for what is truly missing, with simulated candidates whose knowledge is known."""
    _simulate(interviews, only="followup", as_json=as_json)


def _simulate(interviews: int, *, only: str = "", as_json: bool = False, write: bool = False) -> None:
    from evals.simulation_report import simulation_command
    from interviewer.cli.progress import progress_bar

    with progress_bar("Interviewing") as on_progress:
        text = simulation_command(
            interviews,
            only=only,
            as_json=as_json,
            write=write,
            on_progress=lambda done, total: on_progress(done, total, ""),
        )
    typer.echo(text)


def _grader(name: Literal["builtin", "model"]) -> "Grader":
    from interviewer.compose import compose
    from interviewer.errors import SettingsError
    from interviewer.settings import load_settings

    parts = compose(load_settings())
    if name == "model" and parts.chat_model is None:
        raise SettingsError("No chat model is configured.", next_step="Name one in INTERVIEWER_CHAT_MODEL.")
    return parts.builtin_grader if name == "builtin" else parts.grader
