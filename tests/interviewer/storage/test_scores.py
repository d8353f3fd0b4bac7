"""Scores and kept answers are read alike from SQLite and PostgreSQL."""

from datetime import UTC, datetime

import pytest

from interviewer.interview.commands import Press, Say
from interviewer.storage.kept import Kept, KeptStore
from interviewer.storage.scores import ScoreStore
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk


@pytest.fixture(params=["sqlite", "postgresql"])
def desk(request, tmp_path):
    folder = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    url = folder if request.param == "sqlite" else request.getfixturevalue("postgresql").new_database()
    desk = Desk(url, Clock())
    desk.questions.save([make_question("q1")], reason="test")
    yield desk
    desk.database.close()


def test_a_finished_interview_has_its_score(desk):
    view = desk.start(question_ids=("q1",), followups=0, mode="mock")
    for command in (Say("sum"), Press("next")):
        view = desk.updates(view, command)[-1].view
    (found,) = ScoreStore(desk.database).finished("ann")
    assert (found.interview_id, found.mode, found.track, found.questions) == (view.id, "mock", "", 1)
    assert found.score == view.state.score == 7.5
    assert found.at == view.state.started_at


def test_a_kept_answer_comes_back_as_it_was(desk):
    store = KeptStore(desk.database)
    kept = Kept("q1", "zh", "问题", "**答案**\n" * 1000, datetime(2026, 1, 5, 9, 0, 0, 123456, tzinfo=UTC))
    store.save("new person", kept)
    store.save("new person", kept)
    assert store.all("new person") == (kept,)
    assert store.all("ann") == ()
