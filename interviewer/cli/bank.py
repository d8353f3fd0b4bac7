"""`interviewer bank`: checks questions written for the bank, and starts a new one from a template."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.errors import BankError

if TYPE_CHECKING:
    from knowledge.bank import TopicFile
    from knowledge.bank.check import Problem

app = typer.Typer(help="Check the shipped questions, or write your own.", no_args_is_help=True)

_FILE_HELP = "A topic file of your own."


@app.callback()
def bank() -> None:
    """Check the shipped questions, or write your own."""


@app.command()
def check(
    file: Annotated[list[Path] | None, typer.Option("--file", help=f"{_FILE_HELP} Repeat for several.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Also renew the figures in docs/bank.md.")] = False,
) -> None:
    """Check the shipped bank, or topic files of your own, against every rule; exit code 1 if one is broken."""
    from knowledge.bank import read_topic_files, topic_files
    from knowledge.bank.check import check_bank
    from knowledge.bank.meaning import same_meaning
    from knowledge.encoder.light import LightEncoder

    shipped = topic_files()
    files = read_topic_files(file, "own") if file else shipped
    questions = [question for topic in files for question in topic.questions]
    beside = [question for topic in shipped for question in topic.questions] if file else []
    problems = (*check_bank(questions, beside), *same_meaning(questions, beside, LightEncoder().encode))
    paths = {question.id: topic.path for topic in files for question in topic.questions}
    for problem in problems:
        typer.echo(f"{paths[problem.question_id].name}  {problem.question_id}  {problem.rule}  {problem.message}")
    if write:
        _write_figures(shipped, problems)
    if problems:
        broken = len({problem.question_id for problem in problems})
        typer.echo(f"Rules broken: {len(problems)}, in {broken} of {len(questions)} questions.")
        raise typer.Exit(1)
    typer.echo(f"Questions: {len(questions)}, topic files: {len(files)}. Every rule is kept.")


def _write_figures(files: "tuple[TopicFile, ...]", problems: "Sequence[Problem]") -> None:
    from knowledge.bank.figures import PAGE, bank_table, renew_page

    if not PAGE.is_file():
        raise BankError(f"There is no {PAGE}.", next_step="Only a checkout has figures to renew.")
    page = renew_page(PAGE.read_text(encoding="utf-8"), bank_table(files, problems))
    PAGE.write_text(page, encoding="utf-8")


@app.command()
def new(
    topic: Annotated[str, typer.Argument(help="Topic of the question, such as `training`.")],
    question_id: Annotated[str, typer.Argument(metavar="ID", help="Its id, such as `training-zero-stages`.")],
    file: Annotated[Path | None, typer.Option("--file", help=f"{_FILE_HELP} Made where there is none.")] = None,
) -> None:
    """Write a question to fill in at the end of the topic's file."""
    from knowledge.bank import topic_files
    from knowledge.bank.template import add_question

    shipped = topic_files()
    if any(question.id == question_id for other in shipped for question in other.questions):
        raise BankError(f"The bank has a question {question_id!r} already.", next_step="Choose another id.")
    path = file or _shipped_path(shipped, topic)
    add_question(path, topic, question_id)
    option = f" --file {path}" if file else ""
    typer.echo(f"{path} now ends with {question_id}. Fill in every ✎, then run `interviewer bank check{option}`.")


def _shipped_path(shipped: "tuple[TopicFile, ...]", topic: str) -> Path:
    for file in shipped:
        if file.topic == topic:
            return file.path
    names = ", ".join(file.topic for file in shipped)
    raise BankError(f"The bank has no topic {topic!r}.", next_step=f"Use one of {names}, or give --file PATH.")
