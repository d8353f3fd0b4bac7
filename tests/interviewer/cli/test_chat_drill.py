"""Drills in the terminal."""

from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.cli.chat import USER, Terminal, with_minutes
from interviewer.errors import NothingDueError
from interviewer.interview.commands import Press, Say
from tests.interviewer.conftest import Clock
from tests.interviewer.memory.conftest import MemoryDesk, asks


@pytest.fixture
def desk(tmp_path):
    desk = MemoryDesk(f"sqlite:///{tmp_path / 'x.sqlite3'}", Clock())
    desk.questions.save([asks("a", "one", "two"), asks("b", "three")], reason="test")
    view = desk.service.start(USER, desk.request(question_ids=["a", "b"], followups=0))
    for command in (Say("one"), Press("next"), Say("nothing"), Press("next")):
        list(desk.service.act(USER, view.id, command))
    yield desk
    desk.database.close()


def test_a_drill_asks_for_what_is_due_with_feedback_at_once(desk):
    desk.to_day(1)
    plan = desk.service.draft(USER, desk.request(mode="drill", minutes=30, followups=0))
    assert with_minutes(plan) == plan, "a short drill is not stretched"
    view = desk.service.start_plan(USER, plan)
    lines = iter(["two", "", "next", "", "three", "", "next", ""])
    console = Console(file=StringIO(), highlight=False, width=200)
    console.input = lambda prompt: next(lines)
    Terminal(desk.service, console, view).run()
    screen = console.file.getvalue()
    assert "this is a drill" in screen
    assert "This time I only ask: Which part of a?" in screen
    assert screen.count("10.0 / 10") == 2
    state = desk.service.view(USER, view.id).state
    assert [[point.id for point in q.question.points] for q in state.questions] == [["two"], ["three"]]
    assert desk.memory.due(USER) == ()


@pytest.mark.usefixtures("indexed_home")
def test_the_command_says_when_nothing_is_due():
    result = CliRunner().invoke(app, ["chat", "--mode", "drill", "--language", "en"])
    assert isinstance(result.exception, NothingDueError)
    assert "Practise first" in str(result.exception)
