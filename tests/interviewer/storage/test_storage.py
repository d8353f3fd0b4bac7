"""Events and questions survive, belong to one user, and keep their history."""

import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from interviewer.errors import ConflictError, NotFoundError, SettingsError
from interviewer.interview.events import Answered, Asked, Started
from interviewer.models import Plan, PlannedQuestion, PlanRequest
from interviewer.storage.database import Database
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.questions import Filter, QuestionStore
from interviewer.storage.tables import metadata


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path: Path):
    """The same promises hold on both databases."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'deep' / 'test.sqlite3'}"
    else:
        url = request.getfixturevalue("postgresql").new_database()
    database = Database(url)
    yield database
    database.close()


def started(clock):
    plan = Plan(request=PlanRequest(), questions=(PlannedQuestion(question_id="q1", topic="training", why="new"),))
    return Started(at=clock(), plan=plan)


def test_the_migrations_build_exactly_the_tables_the_code_uses(database):
    with database.read() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []


def test_sqlite_waits_for_writers_and_survives_a_crash(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 10000
    database.close()


def test_two_processes_that_start_at_once_migrate_once(tmp_path):
    url = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    code = f"from interviewer.storage.database import Database; Database({url!r})"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]


def test_an_unusable_url_says_which_setting_to_mend():
    with pytest.raises(SettingsError, match="INTERVIEWER_DATABASE_URL"):
        Database("nonsense")


def test_a_folder_that_cannot_be_written_says_which_setting_to_mend(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match="INTERVIEWER_DATABASE_URL"):
        Database(f"sqlite:///{tmp_path / 'file' / 'x.sqlite3'}")


def test_events_come_back_as_they_went_in(database, clock, question):
    store = InterviewStore(database, clock)
    events = [started(clock), Asked(at=clock(), question=question(), why="new")]
    interview = store.create("ann", events)
    answer = Answered(at=clock(), text="<script>alert(1)</script> 梯度 \u202e😀")
    store.append("ann", interview, [answer], at=2)
    assert store.load("ann", interview) == (*events, answer)


def test_two_writers_at_one_position_one_wins_and_nothing_of_the_other_is_stored(database, clock):
    store = InterviewStore(database, clock)
    interview = store.create("ann", [started(clock)])
    store.append("ann", interview, [Answered(at=clock(), text="first")], at=1)
    with pytest.raises(ConflictError):
        store.append("ann", interview, [Answered(at=clock(), text=t) for t in ("second", "third")], at=1)
    assert len(store.load("ann", interview)) == 2


def test_another_users_interview_does_not_exist(database, clock):
    store = InterviewStore(database, clock)
    interview = store.create("ann", [started(clock)])
    for call in (
        lambda: store.load("bob", interview),
        lambda: store.append("bob", interview, [Answered(at=clock(), text="x")], at=1),
        lambda: store.delete("bob", interview),
    ):
        with pytest.raises(NotFoundError):
            call()
    assert store.recent("bob", limit=5) == ()
    assert len(store.load("ann", interview)) == 1


def test_recent_gives_newest_first_and_only_the_types_asked_for(database, clock, question):
    store = InterviewStore(database, clock)
    first = store.create("ann", [started(clock), Asked(at=clock(), question=question(), why="new")])
    second = store.create("ann", [started(clock)])
    recent = store.recent("ann", limit=5, types=("asked",))
    assert [(s.id, len(s.events)) for s in recent] == [(second, 0), (first, 1)]


def test_deleting_an_interview_deletes_its_events(database, clock):
    store = InterviewStore(database, clock)
    interview = store.create("ann", [started(clock)])
    store.delete("ann", interview)
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == 0


def test_many_threads_append_without_losing_or_doubling(database, clock):
    store = InterviewStore(database, clock)
    interview = store.create("ann", [started(clock)])
    barrier, outcomes = Barrier(4), []

    def write(name: str) -> None:
        barrier.wait()
        try:
            store.append("ann", interview, [Answered(at=clock(), text=name)], at=1)
            outcomes.append("stored")
        except ConflictError:
            outcomes.append("conflict")

    threads = [Thread(target=write, args=(str(n),)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict"] * 3 + ["stored"]
    assert len(store.load("ann", interview)) == 2


def test_saving_the_same_question_twice_adds_nothing(database, question):
    store = QuestionStore(database)
    assert store.save([question("a"), question("b")], reason="import") == (2, 0, 0, ())
    assert store.save([question("a"), question("b")], reason="import") == (0, 0, 2, ())
    assert store.count() == 2
    assert len(store.versions("a")) == 1


def test_a_changed_question_keeps_its_history(database, question):
    store = QuestionStore(database)
    store.save([question("a")], reason="import")
    changed = question("a", difficulty=5)
    assert store.save([changed], reason="import") == (0, 1, 0, ())
    assert store.get("a") == changed
    assert [q.difficulty for q in store.versions("a")] == [3, 5]


def test_a_retired_question_is_not_asked_but_still_known_and_comes_back_when_saved_again(database, question):
    store = QuestionStore(database)
    store.save([question("a")], reason="import")
    store.retire(["a"])
    assert (store.count(), store.many(["a"]), store.get("a")) == (0, (), question("a"))
    store.save([question("a")], reason="import")
    assert store.count() == 1


def test_filters_pages_and_counts_agree(database, question):
    store = QuestionStore(database)
    store.save(
        [
            question("a", topic="training", difficulty=1),
            question("b", topic="inference", difficulty=2),
            question("c", set="mine", topic="training", question={"zh": "只有中文?"}, reference={"zh": "是。"}),
        ],
        reason="import",
    )
    assert [q.id for q in store.all(Filter(topics=("training",)))] == ["a", "c"]
    assert store.count(Filter(language="en")) == 2
    assert store.count(Filter(sets=("bank",), difficulties=(2, 3))) == 1
    assert store.topics(Filter()) == {"training": 2, "inference": 1}
    assert [tuple(s) for s in store.sets()] == [("bank", 2, 2, 2), ("mine", 1, 1, 0)]
    assert [q.id for q in store.page(Filter(), limit=1, offset=2)] == ["c"]


def test_documents_are_remembered_by_hash(database):
    store = QuestionStore(database)
    assert store.document_hash("mine", "a.md") is None
    store.save_document("mine", "a.md", "1" * 64, "qa", {"questions": 3}, None)
    store.save_document("mine", "a.md", "2" * 64, "blueprint", {}, {"title": "plan"})
    assert store.document_hash("mine", "a.md") == "2" * 64
    assert store.blueprints() == (("a.md", {"title": "plan"}),)
