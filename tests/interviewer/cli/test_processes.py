"""The real command as a process: killed and started again, misconfigured, asked for help."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.cli.app import app

pytestmark = pytest.mark.process

ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("INTERVIEWER_", "OPENAI_"))}


@pytest.fixture
def home(tmp_path: Path, copy_home: Callable[[Path], Path]) -> Path:
    return copy_home(tmp_path / "home")


@pytest.fixture
def interviewer(home: Path, tmp_path: Path) -> Callable[..., subprocess.Popen]:
    def start(*arguments: str, **environment: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "interviewer", *arguments],
            env={**ENVIRONMENT, "INTERVIEWER_HOME": str(home), "PYTHONPATH": os.getcwd(), **environment},
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def wait_for_event(home: Path, kind: str) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if (home / "interviewer.sqlite3").exists():
            connection = sqlite3.connect(home / "interviewer.sqlite3", timeout=5)
            try:
                if connection.execute("SELECT count(*) FROM events WHERE type = ?", (kind,)).fetchone()[0]:
                    return
            except sqlite3.OperationalError:
                pass  # the tables are still being made
            finally:
                connection.close()
        time.sleep(0.1)
    raise AssertionError(f"no {kind} event after 90 seconds")


def test_a_chat_that_was_killed_goes_on_where_it_was(interviewer, home):
    first = interviewer("chat", "--count", "2", "--seed", "3", "--language", "en")
    first.stdin.write("It keeps what was computed before, so nothing is computed twice.\n\n")
    first.stdin.flush()
    wait_for_event(home, "graded")
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=30)
    again = interviewer("chat")
    out, _ = again.communicate("stop\n\n", timeout=120)
    assert "Question 1 of 2" in out
    assert "/ 10" in out
    assert "Your report covers what we got through" in " ".join(out.split())
    assert again.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (("serve", "--host", "0.0.0.0"), {}, "nobody has to sign in"),
        (("serve",), {"INTERVIEWER_PORT": "abc"}, "INTERVIEWER_PORT"),
        (("chat",), {"INTERVIEWER_DATABASE_URL": "nonsense"}, "INTERVIEWER_DATABASE_URL"),
        (("chat", "--topic", "astrology", "--new"), {}, "No question fits"),
    ],
)
def test_what_the_user_can_mend_is_one_sentence_and_no_traceback(interviewer, arguments, environment, told):
    process = interviewer(*arguments, **environment)
    out, _ = process.communicate("", timeout=120)
    assert process.returncode == 1
    assert told in out
    assert "Traceback" not in out


def test_the_doctor_says_what_there_is(interviewer):
    process = interviewer("doctor")
    out, _ = process.communicate("", timeout=120)
    assert process.returncode == 0
    for word in ("Database", "bank:", "Index", "built-in grader"):
        assert word in out


def test_the_doctor_fails_where_a_configured_model_does_not_answer(interviewer):
    endpoint = {"INTERVIEWER_CHAT_MODEL": "m", "INTERVIEWER_CHAT_BASE_URL": "http://127.0.0.1:9/v1"}
    process = interviewer("doctor", OPENAI_API_KEY="sk-secret", **endpoint)
    out, _ = process.communicate("", timeout=120)
    assert process.returncode == 1
    assert "127.0.0.1:9" in out
    assert "sk-secret" not in out


def test_every_command_of_the_design_is_there():
    named = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    assert named >= {"serve", "chat", "import", "bank", "index", "search", "grade", "eval", "doctor"}


def test_an_import_says_whose_points_a_model_out_of_reach_did_not_find(interviewer, tmp_path):
    notes = "\n\n".join(f"## What is the {w} lock?\n\nA {w} lock is held by one." for w in ("spin", "ticket", "fair"))
    (tmp_path / "locks.md").write_text(notes, encoding="utf-8")
    endpoint = {"INTERVIEWER_CHAT_MODEL": "m", "INTERVIEWER_CHAT_BASE_URL": "http://127.0.0.1:9/v1"}
    process = interviewer("import", "locks.md", "--set", "locks", OPENAI_API_KEY="sk-secret", **endpoint)
    out, _ = process.communicate("", timeout=120)
    assert process.returncode == 0, out
    assert out.count("The service of the model m can't be reached") == 3
    assert "sk-secret" not in out
