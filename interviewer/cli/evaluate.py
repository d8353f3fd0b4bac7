"""`interviewer eval`: measures retrieval, grading, follow-ups, plans and resistance to attacks."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

if TYPE_CHECKING:
    from interviewer.chat_model import ChatUsage
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
    from evals.retrieval.report import retrieval_command
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
    from evals.injection.report import injection_command
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


@app.command("agreement")
def agreement(
    grader: Annotated[Literal["builtin", "model"], typer.Option(help="Which grader to measure.")] = "builtin",
    limit: Annotated[int | None, typer.Option(min=1, help="About so many answers, by whole questions; or all.")] = None,
    repeat: Annotated[bool, typer.Option(help="Also grade a second time and with the points reversed.")] = True,
    price_in: Annotated[float | None, typer.Option(min=0, help="Price of a million tokens sent.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="Price of a million tokens received.")] = None,
    write: Annotated[Path | None, typer.Option(help="Also store the figures here, as JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Agreement with labelled answers to unseen questions; how steady, fast and dear the grader is."""
    from evals.agreement.measure import Prices
    from evals.agreement.report import agreement_command
    from interviewer.cli.progress import progress_bar

    chosen = _chosen(grader)
    with progress_bar("Grading") as on_progress:
        text = agreement_command(
            chosen.grader,
            chosen.name,
            limit=limit,
            repeat=repeat,
            usage=chosen.usage,
            prices=Prices(price_in, price_out),
            write=write,
            as_json=as_json,
            on_answer=lambda done, total: on_progress(done, total, ""),
        )
    typer.echo(text)


@app.command("evidence")
def evidence(
    write: Annotated[bool, typer.Option("--write", help="Renew docs/evidence.md and the app's page.")] = False,
) -> None:
    """All stored figures as one page."""
    from evals.evidence.page import evidence_command

    typer.echo(evidence_command(write=write))


@app.command("grading")
def grading(
    grader: Annotated[Literal["builtin", "model"], typer.Option(help="Which grader to measure.")] = "builtin",
    shared: Annotated[Path | None, typer.Option(help="Folder with grading_dev/: people's grades as well.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="About so many sentences about one claim, and of people's answers a set.")
    ] = 200,
    as_json: AsJson = False,
) -> None:
    """Agreement with labelled answers of our own, true sentences against false ones, and people's grades at hand."""
    from evals.grading.command import grading_command
    from interviewer.cli.progress import progress_bar

    chosen = _chosen(grader)
    with progress_bar("Grading") as on_progress:
        text = grading_command(
            chosen.grader,
            chosen.name,
            shared=shared,
            as_json=as_json,
            limit=limit,
            on_answer=lambda done, total: on_progress(done, total, ""),
        )
    typer.echo(text)


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


@app.command("load")
def load(
    members: Annotated[int, typer.Option(min=1, max=1000, help="How many practise at once.")] = 100,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="How long is measured.")] = 60,
    ramp: Annotated[float, typer.Option(min=0, max=600, help="Seconds over which they come in.")] = 40,
    think: Annotated[float, typer.Option(min=1, max=600, help="Mean seconds of thought before an answer.")] = 20,
    as_json: AsJson = False,
    write: Write = False,
) -> None:
    """Lets many members practise at once at a real server: time per answered turn, memory, errors."""
    from evals.load.report import load_command

    typer.echo(load_command(members=members, seconds=seconds, ramp=ramp, think=think, as_json=as_json, write=write))


@app.command("decisions")
def decisions(as_json: AsJson = False) -> None:
    """The answers whose verdicts you disputed and decided on: labelled data for calibration."""
    from interviewer.cli.chat import USER
    from interviewer.compose import compose
    from interviewer.interview.decisions import decided_answers, with_decisions
    from interviewer.settings import load_settings

    found = list(decided_answers(with_decisions(compose(load_settings()).interviews, USER)))
    if as_json:
        for answer in found:
            typer.echo(answer.model_dump_json())
        return
    points = [point for answer in found for point in answer.points if point.decided]
    kept = sum(point.decided == point.verdict for point in points)
    typer.echo(f"{len(found)} answers, {len(points)} points decided; in {kept} of them the first verdict was kept.")


def _simulate(interviews: int, *, only: str = "", as_json: bool = False, write: bool = False) -> None:
    from evals.simulation.report import simulation_command
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
    return _chosen(name).grader


class _Chosen(NamedTuple):
    """A grader, what its runs are called, and what its endpoint has counted."""

    grader: "Grader"
    name: str
    usage: "Callable[[], ChatUsage] | None" = None


def _chosen(name: Literal["builtin", "model"]) -> _Chosen:
    from interviewer.compose import compose
    from interviewer.errors import SettingsError
    from interviewer.settings import load_settings

    parts = compose(load_settings())
    if name == "builtin":
        return _Chosen(parts.builtin_grader, "builtin")
    chat = parts.chat_model
    if chat is None:
        raise SettingsError("No chat model is configured.", next_step="Name one in INTERVIEWER_CHAT_MODEL.")
    return _Chosen(parts.grader, f"model {chat.name}", lambda: chat.usage)
