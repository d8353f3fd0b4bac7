"""`interviewer eval`: measures grading, retrieval, follow-ups and resistance to attacks."""

import typer

app = typer.Typer(help="Measure grading, retrieval, follow-ups and resistance to attacks.", no_args_is_help=True)
