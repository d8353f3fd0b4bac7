"""`interviewer export` and `interviewer import-mine`, over a real home."""

import stat
import zipfile

import pytest
from typer.testing import CliRunner

from interviewer.accounts.person import LOCAL
from interviewer.cli.app import app as commands
from interviewer.compose import compose
from interviewer.errors import InterviewerError
from interviewer.interview.commands import Press
from interviewer.models import PlanRequest
from interviewer.settings import load_settings


def run(*arguments):
    return CliRunner().invoke(commands, [str(each) for each in arguments])


@pytest.mark.usefixtures("indexed_home")
def test_out_of_one_home_and_into_another(tmp_path, monkeypatch, copy_home):
    first = compose(load_settings())
    view = first.service.start(LOCAL.id, PlanRequest(count=1))
    list(first.service.act(LOCAL.id, view.id, Press("stop")))
    file = tmp_path / "mine.zip"
    result = run("export", file)
    assert result.exit_code == 0
    assert "1 interviews" in result.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as opened:
        assert any(view.id in name for name in opened.namelist())
    again = run("export", file)
    assert isinstance(again.exception, InterviewerError)
    assert run("export", file, "--force").exit_code == 0

    monkeypatch.setenv("INTERVIEWER_HOME", str(copy_home(tmp_path / "other")))
    result = run("import-mine", file)
    assert result.exit_code == 0
    assert "Interviews: 1 new, 0 went on, 0 known already" in result.output
    assert "1 known already" in run("import-mine", file).output
    assert compose(load_settings()).service.view(LOCAL.id, view.id).id == view.id


@pytest.mark.usefixtures("indexed_home")
def test_a_bad_file_and_a_bad_place_are_told(tmp_path):
    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"no")
    for arguments in (
        ("import-mine", bad),
        ("import-mine", tmp_path / "none.zip"),
        ("export", tmp_path / "no" / "x.zip"),
    ):
        result = run(*arguments)
        assert isinstance(result.exception, InterviewerError), arguments
        assert result.exception.next_step


def test_in_a_team_everybody_uses_their_own_page(tmp_path, monkeypatch):
    monkeypatch.setenv("INTERVIEWER_TEAM", "1")
    with pytest.raises(InterviewerError, match="My data"):
        raise run("export", tmp_path / "x.zip").exception
