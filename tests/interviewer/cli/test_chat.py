"""The terminal: its options, and the time it tells."""

import re
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.cli.chat import USER, Terminal, time_left, track_line, with_minutes
from interviewer.interview.clock import Clock as TimeUsed
from interviewer.models import PlanRequest
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk
from tests.interviewer.interview.test_phases import design


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(tmp_path, clock):
    desk = Desk(f"sqlite:///{tmp_path / 'x.sqlite3'}", clock)
    desk.questions.save([make_question(f"q{n}", difficulty=2) for n in range(3)], reason="test")
    desk.questions.save([design("d1")], reason="test")
    yield desk
    desk.database.close()


class Typist:
    """A console at which somebody types the given lines; a number lets so many seconds pass first."""

    def __init__(self, clock, *lines):
        self.console = Console(file=StringIO(), highlight=False, width=200)
        self._clock = clock
        self._lines = list(lines)
        self.console.input = self.input

    def input(self, prompt):
        while self._lines and isinstance(self._lines[0], int):
            self._clock.forward(seconds=self._lines.pop(0))
        if not self._lines:
            raise EOFError
        return self._lines.pop(0)

    @property
    def screen(self):
        return self.console.file.getvalue()


def run(desk, clock, *lines, ids=("q0", "q1"), mode="mock", minutes=10):
    plan = desk.service.draft(USER, PlanRequest(question_ids=ids, mode=mode, followups=0))
    questions = tuple(q.model_copy(update={"minutes": minutes}) for q in plan.questions)
    view = desk.service.start_plan(USER, plan.model_copy(update={"questions": questions}))
    typist = Typist(clock, *lines)
    Terminal(desk.service, typist.console, view).run()
    return typist.screen, desk.service.view(USER, view.id).state


def test_each_question_of_a_mock_interview_comes_with_the_time_left(desk, clock):
    screen, state = run(desk, clock, 60, "sum and memory", "", "sum", "")
    assert state.ended == "finished"
    assert "Time left: 9:5" in screen
    assert "in all" in screen
    assert re.search(r"Time left: (9:5|10:0)\d for this question, 18:5", screen)


def test_practice_tells_no_time_and_reads_on_after_an_empty_line(desk, clock):
    screen, state = run(desk, clock, "", "sum and memory", "", mode="practice")
    assert "Time left" not in screen
    assert state.questions[0].answers == ("sum and memory",)


def test_an_empty_line_looks_at_the_clock(desk, clock):
    screen, state = run(desk, clock, 300, "", 301, "")
    assert "Time left: 4:5" in screen
    assert [q.closed for q in state.questions] == ["time", None]
    assert "nothing was said" in screen


def test_what_was_typed_too_late_is_graded_first(desk, clock):
    _, state = run(desk, clock, "sum and", 700, "memory", "")
    assert state.questions[0].answers == ("sum and\nmemory",)
    assert (state.questions[0].closed, state.questions[0].score) == ("answered", 10.0)
    assert len(state.questions) == 2


def test_phases_are_shown_with_their_own_time(desk, clock):
    screen, state = run(desk, clock, "next phase", "", ids=("d1",), minutes=40)
    assert "Phase 1 of 4: Part needs · 5 min" in screen
    assert "Phase 2 of 4: Part plan · 10 min" in screen
    assert "9:5" in screen or "10:00 for this phase" in screen
    assert len(state.current.phases) == 2


def test_a_paused_clock_is_not_shown_as_if_it_ran(desk, clock):
    screen, state = run(desk, clock, "pause", "")
    assert state.phase == "paused"
    assert screen.count("Time left") == 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_time_that_is_over_is_nothing_left(language):
    over = TimeUsed(question_seconds=700, question_limit=600, overall_seconds=700, overall_limit=1200, running=True)
    assert "0:00" in time_left(over, language)
    assert "8:20" in time_left(over, language)
    assert time_left(TimeUsed(), language) == ""


def test_minutes_are_shared_out_where_there_is_no_track(desk):
    plan = desk.service.draft("ann", PlanRequest(question_ids=("q0", "d1"), minutes=30))
    assert with_minutes(plan).minutes == pytest.approx(30)
    assert with_minutes(plan.model_copy(update={"request": PlanRequest()})) == plan.model_copy(
        update={"request": PlanRequest()}
    )


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The real command with a home of its own; nothing is typed."""
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))

    def run(*arguments):
        return CliRunner().invoke(app, ["chat", *arguments])

    return run


def test_the_tracks_are_listed_with_their_rounds(command):
    result = command("--tracks", "--language", "en")
    assert result.exit_code == 0
    for name in ("llm-application", "inference-infrastructure"):
        assert name in result.output
    assert "System design 40" in result.output
    assert len(result.output.splitlines()) >= 5


def test_a_mock_interview_on_a_track_begins(command, tmp_path, copy_home):
    copy_home(tmp_path / "home")
    result = command("--track", "llm-application", "--level", "senior", "--minutes", "60", "--mode", "mock")
    assert result.exit_code == 0, result.output
    screen = " ".join(result.output.split())
    for words in ("track “LLM applications”", "It takes up to", "Round 1 of", "Time left"):
        assert words in screen


def test_a_track_says_its_rounds():
    from knowledge.tracks import shipped_tracks

    for track in shipped_tracks():
        for language in ("en", "zh"):
            line = track_line(track, language)
            assert line.startswith(f"{track.id}: ")
            assert all(part.title[language] in line for part in track.rounds)


def test_what_the_model_answer_costs_is_told_before_it_is_shown(desk, clock):
    asks = ("show me the answer", "")
    screen, state = run(desk, clock, *asks, ids=("q0",), mode="practice")
    assert "this question is not scored" in screen
    assert "micro-batches are summed" not in screen
    assert state.current.closed is None
    screen, state = run(desk, clock, *asks, *asks, "next", "", ids=("q0",), mode="practice")
    assert "micro-batches are summed" in screen
    assert state.current.closed == "revealed"
    assert state.score is None
