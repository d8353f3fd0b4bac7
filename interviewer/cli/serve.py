"""`interviewer serve`: the web page."""

import errno
import gc
import os
import socket
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.errors import SettingsError

if TYPE_CHECKING:
    from interviewer.compose import App

_BACKLOG = 2048
"""Connections that may wait, as uvicorn has it."""


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
    # Before the index is built: who comes early waits for the page, and a port that is taken costs nobody minutes.
    listening = listen(host, settings.port if port is None else port)
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

    serve(app, listening, on_ready)


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections there.

    Args:
        port: 0 takes a free one.

    Raises:
        SettingsError: if the port is taken or reserved, or the address is none of this machine's.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # "localhost" is two addresses; browsers that try the other one first come back to this one.
        family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as error:
        raise _cant_listen(error, host, port) from error


def _cant_listen(error: OSError, host: str, port: int) -> SettingsError:
    if error.errno == errno.EADDRINUSE:
        return SettingsError(
            f"Port {port} of {host} is taken by another program; it may be another Interviewer.",
            next_step=f"Stop that one, or take another port: {_another(port)}.",
        )
    if error.errno == errno.EACCES:
        return SettingsError(
            f"This system does not let you serve on port {port}.", next_step=f"Take one above 1023: {_another(port)}."
        )
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return SettingsError(
            f"{host!r} is no address of this machine.",
            next_step="Set INTERVIEWER_HOST, or --host, to one that it has, such as 127.0.0.1.",
        )
    return SettingsError(f"Port {port} of {host} can't be served on: {os.strerror(error.errno or 0)}.")


def _another(port: int) -> str:
    other = port + 1 if 1023 < port < 65535 else 7860
    return f"INTERVIEWER_PORT={other} make run, or interviewer serve --port {other}"


def _print_owner_link(app: "App", address: str) -> None:
    """At every start until somebody has used one; only who reads the terminal can become the owner."""
    from interviewer.accounts.keys import link_path

    link = app.accounts.links.owner_link()
    typer.echo(f"Create the owner's account: {address}{link_path(link.token)}")
    typer.echo(f"The link works once, until {link.link.expires_at:%Y-%m-%d %H:%M} UTC. Give it to nobody else.")
