"""`interviewer export` and `interviewer import-mine`: everything of the person at home as one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from interviewer.compose import App
    from interviewer.mydata.bringing import Tally


def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ZIP file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write everything that is yours into one file: interviews, kept answers, your own sets."""
    from interviewer.accounts.person import LOCAL
    from interviewer.errors import InterviewerError

    if file.exists() and not force:
        raise InterviewerError(f"{str(file)!r} is there already.", next_step="Choose another name, or add --force.")
    app = _at_home()
    draft = file.with_name(f".{file.name}.part")
    try:
        # Nobody else on this machine may read it.
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
            for piece in app.my_data.export(LOCAL):
                target.write(piece)
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InterviewerError(
            f"{str(file)!r} can't be written: {error.strerror}.", next_step="Choose another place."
        ) from error
    counts = app.my_data.counts(LOCAL)
    typer.echo(
        f"{file}: {counts.interviews} interviews, {counts.kept_answers} kept answers, "
        f"{counts.sets} sets with {counts.questions} questions."
    )


def import_mine_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `interviewer export` or the page made.")],
) -> None:
    """Bring in what such a file holds and is not here yet; a second time changes nothing."""
    from interviewer.accounts.person import LOCAL

    brought = _at_home().my_data.bring_in(LOCAL, file)
    typer.echo(f"Interviews: {_told(brought.interviews)}")
    typer.echo(f"Kept answers: {_told(brought.kept_answers)}")
    typer.echo(f"Questions: {_told(brought.questions)}")
    for old, new in brought.sets.items():
        typer.echo(f"Set {old}" + (f", called {new} here" if new != old else ""))


def _at_home() -> "App":
    """The home, if it is one person's.

    Raises:
        InterviewerError: where people have accounts; each has the page "My data" then.
    """
    from interviewer.compose import compose
    from interviewer.errors import InterviewerError
    from interviewer.settings import load_settings

    app = compose(load_settings())
    if app.accounts.team:
        raise InterviewerError(
            "People have accounts here, and what is theirs is theirs.",
            next_step='Sign in and open the page "My data", or use the API with your token.',
        )
    app.load_questions()
    return app


def _told(tally: "Tally") -> str:
    return f"{tally.added} new, {tally.renewed} went on, {tally.known} known already"
