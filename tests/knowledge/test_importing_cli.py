"""`interviewer import` at the command line."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from interviewer.cli.importing import import_command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Runs the command with a home of its own."""
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    app = typer.Typer()
    app.command("import")(import_command)

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return invoke


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "[bold]notes.md"
    path.write_text("## What is a [red]lock[/red]?\n\nA way to exclude others.\n\n## What is a latch?\n")
    return path


def test_a_dry_run_touches_no_home(run, notes: Path, tmp_path: Path) -> None:
    result = run(notes, "--dry-run")
    assert result.exit_code == 0
    assert not (tmp_path / "home").exists()
    assert "[bold]notes.md: 1 question" in result.stdout
    assert "questions without an answer: 1" in result.stdout
    assert "nothing was kept (dry run)" in result.stdout


def test_json_is_all_of_standard_output(run, notes: Path) -> None:
    content = json.loads(run(notes, "--dry-run", "--json").stdout)
    assert content["documents"][0]["questions"] == 1
    assert content["questions"][0]["question"] == "What is a [red]lock[/red]?"
    assert content["blueprint"] is None


def test_nothing_readable_fails(run, tmp_path: Path) -> None:
    result = run(tmp_path / "missing.md", "--dry-run")
    assert result.exit_code == 1
    assert "can't be opened" in result.stdout


@pytest.mark.parametrize("name", ["bank", " ", "x" * 81])
def test_a_set_needs_a_name_of_its_own(run, notes: Path, name: str) -> None:
    assert run(notes, "--dry-run", "--set", name).exit_code == 2


def test_an_import_is_kept_and_found_again(run, notes: Path, tmp_path: Path, copy_home) -> None:
    copy_home(tmp_path / "home")
    first = json.loads(run(notes, "--set", "mine", "--json").stdout)
    assert first["counts"] == {"added": 1, "updated": 0, "unchanged": 0, "retired": 0}
    assert first["questions"] == []
    again = run(notes, "--set", "mine")
    assert "set mine: 0 added, 0 updated, 1 unchanged, 0 retired." in again.stdout
