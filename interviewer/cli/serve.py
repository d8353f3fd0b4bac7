"""`interviewer serve`: the web page."""

import gc
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from interviewer.compose import App


def serve_command(
    host: Annotated[str | None, typer.Option(help="Address to bind to; INTERVIEWER_HOST otherwise.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; INTERVIEWER_PORT otherwise. 0 takes a free one.")] = None,
) -> None:
    """Serve the page; the first start builds the index."""
    from interviewer.cli.progress import build_bar
    from interviewer.compose import compose
    from interviewer.settings import check_bind_address, load_settings

    gc.disable()  # what a start makes stays: looking for garbage among it took a sixth of the time
    # Gradio's own file routes make FastAPI warn about a field it reads all the same.
    warnings.filterwarnings("ignore", message="The 'alias' attribute with value 'path_or_url'")
    settings = load_settings()
    host = host or settings.host
    app = compose(settings)
    check_bind_address(host, team=app.accounts.team)
    if app.first_start:
        with build_bar() as on_progress:
            app.reindex(on_progress)
    else:
        app.load_questions()
    from ui.app import serve

    def on_ready(address: str) -> None:
        gc.freeze()  # nor is it looked through again whenever a busy server collects
        gc.enable()
        typer.echo(f"Ready: {address}")
        if app.accounts.team and not app.accounts.owned:
            _print_owner_link(app, settings.public_url.rstrip("/") or address)
        app.warm_up_behind()  # only now, since loading libraries in a thread would hold up the page's own

    serve(app, host, settings.port if port is None else port, on_ready)


def _print_owner_link(app: "App", address: str) -> None:
    """At every start until somebody has used one; only who reads the terminal can become the owner."""
    from interviewer.accounts.keys import link_path

    link = app.accounts.links.owner_link()
    typer.echo(f"Create the owner's account: {address}{link_path(link.token)}")
    typer.echo(f"The link works once, until {link.link.expires_at:%Y-%m-%d %H:%M} UTC. Give it to nobody else.")
