"""Two homes with everything one person can have, and a clock."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import insert, select, text

from interviewer.accounts.passwords import Passwords
from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.service import Accounts
from interviewer.interview.commands import Press, Say
from interviewer.interview.disputes import Disputes
from interviewer.interview.service import InterviewService
from interviewer.memory.cards import Schedule
from interviewer.models import PlanRequest, Verdict
from interviewer.mydata.service import MyData
from interviewer.sharing.readable import EVERYTHING
from interviewer.storage import tables as t
from interviewer.storage.accounts import AccountStore
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.memory import MemoryStore
from interviewer.storage.questions import QuestionStore
from tests.databases import open_database
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import NoPassages, ToldGrader

SECRET = "an answer nobody else may ever read"


class Home:
    """One installation: the real stores and services, a grader that is told what to say."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.clock = clock
        self.database = open_database(f"sqlite:///{folder / 'home.sqlite3'}")
        self.questions = QuestionStore(self.database, clock)
        self.interviews = InterviewStore(self.database, clock)
        self.memory = MemoryStore(self.database, Schedule())
        grader = ToldGrader()
        self.service = InterviewService(self.interviews, self.questions, grader, NoPassages(), now=clock)
        self.disputes = Disputes(self.interviews, grader, NoPassages(), now=clock, readable=lambda _: EVERYTHING)
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        self.accounts = Accounts(AccountStore(self.database), passwords=Passwords(hasher), now=clock)
        self.reindexed = 0
        self.data = MyData(self.database, lambda topic, _: topic, clock, self.memory.rebuild, self._reindex)

    def _reindex(self) -> None:
        self.reindexed += 1

    def export(self, person: Person = LOCAL, name: str = "mine.zip") -> Path:
        path = self.folder / name
        path.write_bytes(b"".join(self.data.export(person)))
        return path

    def rows(self, table: str, **where: Any) -> list[dict[str, Any]]:
        found = t.metadata.tables[table]
        query = select(found).where(*(found.c[name] == value for name, value in where.items()))
        with self.database.read() as connection:
            rows = [dict(row._mapping) for row in connection.execute(query)]
        return sorted(rows, key=repr)

    def count_rows(self) -> dict[str, int]:
        return {name: len(self.rows(name)) for name in t.metadata.tables}

    def everything(self) -> str:
        """Every value of every table."""
        with self.database.read() as connection:
            return "\n".join(
                f"{table.name}.{column}: {value}"
                for table in t.metadata.tables.values()
                for row in connection.execute(select(table))
                for column, value in row._mapping.items()
            )

    def practise(self, user_id: str, *, text: str = "sum of it", end: bool = True) -> str:
        """An interview over two questions with an answer, a hint, a concession and a decided dispute."""
        view = self.service.start(user_id, PlanRequest(question_ids=("q1", "mine-1"), language="en"))
        list(self.service.act(user_id, view.id, Say(text)))
        list(self.service.act(user_id, view.id, Press("hint")))
        list(self.service.act(user_id, view.id, Say("half memory")))
        list(self.disputes.dispute(user_id, view.id, 0, "memory", "I said it"))
        self.disputes.decide(user_id, view.id, 0, "memory", Verdict.COVERED)
        if end:
            list(self.service.act(user_id, view.id, Press("next")))
            list(self.service.act(user_id, view.id, Say(SECRET)))
            list(self.service.act(user_id, view.id, Press("stop")))
        return view.id

    def fill(self, person: Person = LOCAL) -> list[str]:
        """Everything one person can have; gives the ids of the interviews."""
        user = person.id
        self._own_set(user)
        done = [self.practise(user), self.practise(user, end=False)]
        with self.database.write() as connection:
            run = connection.execute
            kept = {"language": "en", "question": "What?", "text": f"# Model\n{SECRET}", "kept_at": self.clock()}
            run(insert(t.kept_answers).values(user_id=user, question_id="mine-1", **kept))
            if not self.rows("cohorts"):
                run(insert(t.cohorts).values(id="c1", name="Autumn", created_at=self.clock()))
            share = {"interview_id": done[0], "cohort_id": "c1", "user_id": user, "shared_at": self.clock()}
            run(insert(t.shares).values(**share))
        self.memory.rebuild(user)
        return done

    def _own_set(self, user: str) -> None:
        self.questions.save([make_question("q1")], reason="shipped bank")
        first = make_question("mine-1", set="mine", difficulty=2)
        gone = make_question("mine-2", set="mine")
        self.questions.save([first, gone], reason="mine.md")
        self.questions.save([make_question("mine-1", set="mine", difficulty=4)], reason="edited")
        self.questions.retire(["mine-2"])
        self.questions.save_document("mine", "mine.md", "a" * 64, "qa", {"found": 2}, None)
        content = make_question("mine-1", set="mine", difficulty=5).model_dump(mode="json")
        with self.database.write() as connection:
            if connection.scalar(select(t.users.c.id).where(t.users.c.id == user)) is None:
                connection.execute(insert(t.users).values(id=user, created_at=self.clock()))
            connection.execute(text("DELETE FROM question_sets WHERE name = 'mine'"))
            connection.execute(
                insert(t.question_sets).values(
                    name="mine", owner_id=user, visibility="private", source="My notes", created_at=self.clock()
                )
            )
            connection.execute(
                t.question_versions.update().where(t.question_versions.c.version == 2).values(user_id=user)
            )
            connection.execute(
                insert(t.edits).values(
                    question_id="mine-1",
                    state="draft",
                    base=first.model_dump(mode="json"),
                    content=content,
                    conflicts=[["difficulty"]],
                    user_id=user,
                    updated_at=self.clock(),
                )
            )

    def join(self, name: str, role: str = "member") -> Person:
        """A new account; the first one is the owner's."""
        if not self.accounts.owned:
            link = self.accounts.links.owner_link()
        else:
            link = self.accounts.links.invite(self.owner, role=role)
        person = self.accounts.links.accept(link.token, login=name, name=name, password=f"{name} four unlikely words")
        if role == "owner" or not hasattr(self, "owner"):
            self.owner = person
        return person


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_home(tmp_path: Path, clock: Clock) -> Iterator[Callable[[str], Home]]:
    homes: list[Home] = []

    def make(name: str) -> Home:
        homes.append(Home(tmp_path / name, clock))
        return homes[-1]

    yield make
    for home in homes:
        home.database.close()


@pytest.fixture
def home(new_home) -> Home:
    return new_home("first")


@pytest.fixture
def other(new_home) -> Home:
    return new_home("second")
