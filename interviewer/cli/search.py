"""`interviewer search` and `interviewer index`."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.accounts.person import LOCAL
from interviewer.language import clean, detect

if TYPE_CHECKING:
    from interviewer.compose import App
    from knowledge.index import Hit, IndexStatus


def search_command(
    query: Annotated[list[str], typer.Argument(help="What to look for; several queries are answered one by one.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Results of a query.")] = 10,
    set_name: Annotated[list[str] | None, typer.Option("--set", help="Set to search; repeat for several.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a query, one a line.")] = False,
) -> None:
    """Find questions by meaning and by words, in either language."""
    from interviewer.compose import compose
    from interviewer.settings import load_settings

    app = compose(load_settings())
    app.load_questions()
    app.index.prepare()
    for text in (part.encode("utf-8", "replace").decode() for part in query):
        hits = app.index.search(text, limit=k, sets=tuple(set_name or ()))
        if as_json:
            typer.echo(
                json.dumps({"query": text, "results": [_result(app, text, h) for h in hits]}, ensure_ascii=False)
            )
        else:
            _print(app, text, hits)


def _result(app: "App", query: str, hit: "Hit") -> dict[str, Any]:
    question = app.library.get(LOCAL, hit.question_id)
    return {
        "id": hit.question_id,
        "question": question.asked_in(detect(query)),
        "set": hit.set,
        "source": question.source.title or question.source.document or question.source.url,
        "score": round(hit.score, 4),
    }


def _print(app: "App", query: str, hits: "tuple[Hit, ...]") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(clean(query)), title_justify="left", box=None, show_header=False, pad_edge=False)
    for hit in hits:
        found = _result(app, query, hit)
        table.add_row(f"{hit.score:.2f}", Text(clean(found["question"])), Text(f"{hit.set} · {hit.question_id}", "dim"))
    if not hits:
        table.add_row("–", "Nothing found.", "")
    Console().print(table)


def index_command(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Throw the index away and build it anew.")] = False,
) -> None:
    """Build the index, or bring it up to date."""
    from interviewer.cli.progress import progress_bar
    from interviewer.compose import compose
    from interviewer.settings import load_settings

    app = compose(load_settings())
    with progress_bar("Building the index") as on_progress:
        app.reindex(lambda step: on_progress(step.done, step.total, _STAGE.get(step.stage, "")), rebuild=rebuild)
    typer.echo(describe(app.index.status()))


def describe(status: "IndexStatus") -> str:
    """The state of the index in a line or two."""
    counts = f"{status.questions} questions, {status.stored} of {status.records} texts with vectors."
    return (
        f"{status.message} {status.next_step}".strip()
        + f"\n{counts if status.model else f'{status.questions} questions.'}"
    )


_STAGE = {"loading": "Loading the embedding model", "encoding": "Building the index"}
