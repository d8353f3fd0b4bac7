"""`interviewer serve` up to the moment it is ready; the page itself is tested in a browser."""

import gc
import socket

import pytest
import typer
from typer.testing import CliRunner

import ui.app
from interviewer.cli.serve import listen, serve_command
from interviewer.compose import App
from interviewer.errors import SettingsError


@pytest.fixture(autouse=True)
def _as_before():
    yield
    gc.unfreeze()
    gc.enable()


def run(*arguments: str):
    command = typer.Typer()
    command.command()(serve_command)
    return CliRunner().invoke(command, arguments)


def test_garbage_is_collected_from_the_moment_it_is_ready(indexed_home, monkeypatch):
    collecting = []

    def serve(app, listening, on_ready):
        listening.close()
        collecting.append(gc.isenabled())
        on_ready("http://127.0.0.1:1")
        collecting.append(gc.isenabled())

    monkeypatch.setattr(ui.app, "serve", serve)
    monkeypatch.setattr(App, "warm_up_behind", lambda _: None)
    result = run("--port", "0")
    assert result.stdout == "Ready: http://127.0.0.1:1\n", result.output
    assert collecting == [False, True]
    assert gc.get_freeze_count()


def test_a_port_that_is_taken_is_told_before_the_index_is_built(own_home, monkeypatch):
    built = []
    monkeypatch.setattr(App, "reindex", lambda *_: built.append(True))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        error = run("--port", str(port)).exception
    assert isinstance(error, SettingsError)
    assert error.message == f"Port {port} of 127.0.0.1 is taken by another program; it may be another Interviewer."
    assert f"--port {port + 1}" in error.next_step
    assert not built


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_named(host):
    with pytest.raises(SettingsError, match="is no address of this machine") as raised:
        listen(host, 0)
    assert "INTERVIEWER_HOST" in raised.value.next_step


def _has_ipv6() -> bool:
    """Python may know it where the machine has switched it off."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_connections_are_taken_from_the_start(host):
    if host == "::1" and not _has_ipv6():
        pytest.skip("no IPv6 here")
    with listen(host, 0) as listening, socket.create_connection(listening.getsockname()[:2]) as early:
        assert early.getpeername()[1] == listening.getsockname()[1] > 0
        assert (listening.family == socket.AF_INET6) is (host == "::1")


def test_a_reserved_port_is_told(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(SettingsError, match="does not let you serve on port 80"):
        listen("127.0.0.1", 80)
