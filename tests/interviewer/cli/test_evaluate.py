"""`interviewer eval` runs from the command line; what it measures is tested with the measures themselves."""

import pytest
from typer.testing import CliRunner

from evals.grading import data
from interviewer.cli.evaluate import app
from interviewer.errors import SettingsError


@pytest.mark.parametrize("command", ["grading", "injection"])
def test_a_model_that_is_not_configured_is_asked_for_by_name(command):
    result = CliRunner().invoke(app, [command, "--grader", "model"])
    assert isinstance(result.exception, SettingsError)
    assert "INTERVIEWER_CHAT_MODEL" in str(result.exception)


def test_grading_measures_the_built_in_grader(monkeypatch):
    few, probes = data.battery()[:8], data.probes()[:7]
    monkeypatch.setattr(data, "battery", lambda: few)
    monkeypatch.setattr(data, "probes", lambda: probes)
    result = CliRunner().invoke(app, ["grading", "--limit", "20"])
    assert result.exit_code == 0, result.output
    assert "battery/strong" in result.output
    assert "sentences about one claim, zh" in result.output
    assert "ms an answer" in result.output


def test_people_s_grades_are_asked_for_where_they_are_not(tmp_path):
    result = CliRunner().invoke(app, ["grading", "--shared", str(tmp_path)])
    assert result.exit_code != 0
