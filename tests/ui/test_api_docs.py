"""The examples of docs/api.md, run as they stand against a real server with accounts."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from interviewer.accounts.values import SCOPES
from interviewer.compose import compose
from interviewer.settings import Settings
from tests.browser.server import ServerProcess
from tests.ui.test_api import NOTES
from ui.api.limits import LARGEST, LARGEST_BY_PATH

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.process
def test_the_examples_work_as_they_stand(tmp_path, copy_home):
    home = copy_home(tmp_path / "home")
    accounts = compose(Settings(home=home, _env_file=None)).accounts
    owner = accounts.links.accept(
        accounts.links.owner_link().token, login="ann", name="Ann", password="four unlikely words together"
    )
    secret = accounts.tokens.create(owner, "docs", list(SCOPES)).secret
    (tmp_path / "notes.md").write_text(NOTES)
    script = "\n".join(re.findall(r"```sh\n(.*?)```", (DOCS / "api.md").read_text(), re.S))
    assert script.count("api ") >= 14
    server = ServerProcess(home, INTERVIEWER_TEAM="1").start()
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "SITE": server.url, "TOKEN": secret},
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        server.stop()
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert '"login"' not in done.stdout
    assert "inference-gpu-sizing" in done.stdout
    assert "# " in done.stdout
    assert '"known":1' in done.stdout


def test_the_limits_are_those_of_the_code():
    text = (DOCS / "api.md").read_text()
    assert LARGEST == 1_000_000
    assert "at most 1 MB" in text
    assert LARGEST_BY_PATH["/questions/import"] == 50_000_000
    assert "documents 50 MB" in text
    assert set(re.findall(r"^\| `([a-z]+:[a-z]+)`", text, re.M)) == set(SCOPES)
