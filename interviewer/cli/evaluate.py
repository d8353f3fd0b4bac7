"""`interviewer eval`: measures retrieval, grading and resistance to attacks."""

from typing import Annotated

import typer

app = typer.Typer(help="Measure retrieval, grading and resistance to attacks.", no_args_is_help=True)

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
