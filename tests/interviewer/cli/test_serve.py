"""`interviewer serve` up to the moment it is ready; the page itself is tested in a browser."""

import gc

import pytest
import typer
from typer.testing import CliRunner

import ui.app
from interviewer.cli.serve import serve_command
from interviewer.compose import App


@pytest.fixture(autouse=True)
def _as_before():
    yield
    gc.unfreeze()
    gc.enable()


def test_garbage_is_collected_from_the_moment_it_is_ready(indexed_home, monkeypatch):
    collecting = []

    def serve(app, host, port, on_ready):
        collecting.append(gc.isenabled())
        on_ready("http://127.0.0.1:1")
        collecting.append(gc.isenabled())

    monkeypatch.setattr(ui.app, "serve", serve)
    monkeypatch.setattr(App, "warm_up_behind", lambda _: None)
    command = typer.Typer()
    command.command()(serve_command)
    result = CliRunner().invoke(command, [])
    assert result.stdout == "Ready: http://127.0.0.1:1\n", result.output
    assert collecting == [False, True]
    assert gc.get_freeze_count()
