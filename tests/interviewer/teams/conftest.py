"""Two cohorts with their leads, over the real services and a real database; a grader that is told what to say."""

from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert

from interviewer.accounts.person import Person
from interviewer.interview.commands import Press, Say
from interviewer.interview.disputes import Disputes
from interviewer.interview.service import InterviewService
from interviewer.memory.cards import Schedule
from interviewer.models import PlanRequest, Track, Verdict
from interviewer.storage import tables as t
from interviewer.storage.accounts import AccountStore
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.memory import MemoryStore
from interviewer.storage.questions import QuestionStore
from interviewer.storage.sets import SetStore
from interviewer.storage.teams import TeamStore
from interviewer.teams.assignments import Assignments
from interviewer.teams.cohort import CohortPages
from interviewer.teams.shares import SharedInterviews
from tests.databases import open_database
from tests.interviewer.interview.conftest import NoPassages, ToldGrader

ALL = "sum memory"
"""An answer that covers both points of a question."""

TRACK = Track.model_validate(
    {
        "id": "backend",
        "title": {"zh": "后端", "en": "Backend"},
        "topics": [{"id": "t", "title": {"zh": "训练", "en": "Training"}, "topics": ["training", "systems"]}],
        "rounds": [{"id": "one", "title": {"zh": "一", "en": "One"}, "minutes": 30}],
    }
)


class Team:
    """Cohorts `red` and `blue`: rita leads red, bert leads blue; ann, bob, cem, dan are of red, eve of blue."""

    def __init__(self, url: str, clock: Any) -> None:
        self.clock = clock
        self.database = open_database(url)
        self.interviews = InterviewStore(self.database, clock)
        self.questions = QuestionStore(self.database, clock)
        self.store = TeamStore(self.database)
        self.sets = SetStore(self.database)
        self.grader = ToldGrader()
        self.service = InterviewService(
            self.interviews, self.questions, self.grader, NoPassages(), now=clock, readable=self.sets.readable_by
        )
        self.records = MemoryStore(self.database, Schedule(UTC))
        self.disputes = Disputes(self.interviews, self.grader, NoPassages(), now=clock)
        self.accounts = AccountStore(self.database)
        self.cohort = CohortPages(self.store, self.records, self.questions, self.sets.readable, clock)
        self.shares = SharedInterviews(self.store, self.interviews, self.disputes, lambda topic, _: topic, clock)
        self.assignments = Assignments(
            self.store, self.service, self.questions, self.sets.readable, lambda _: (TRACK,), clock
        )
        with self.accounts.write() as rows:
            rows.add_cohort("red", "Red", clock())
            rows.add_cohort("blue", "Blue", clock())
        self.rita, self.bert = self.add("rita", "red", "lead"), self.add("bert", "blue", "lead")
        self.ann, self.bob, self.cem = (self.add(name, "red") for name in ("ann", "bob", "cem"))
        self.eve = self.add("eve", "blue")

    def add(self, name: str, cohort: str | None, role: str = "member") -> Person:
        with self.accounts.write() as rows:
            rows.add(name, self.clock(), name=name.title(), login=name, role=role, cohort_id=cohort)
        return self.person(name)

    def person(self, name: str) -> Person:
        with self.accounts.read() as rows:
            return rows.account(name).person

    def move(self, name: str, cohort: str | None) -> Person:
        with self.accounts.write() as rows:
            rows.change(name, cohort_id=cohort)
        return self.person(name)

    def private(self, owner: Person, questions: list[Any]) -> None:
        """Questions of a set that only its owner may read."""
        self.questions.save(questions, reason="test")
        values = {"name": questions[0].set, "owner_id": owner.id, "visibility": "private", "created_at": self.clock()}
        with self.database.write() as connection:
            connection.execute(delete(t.question_sets).where(t.question_sets.c.name == questions[0].set))
            connection.execute(insert(t.question_sets).values(values))

    def practise(self, person: Person, answer: str, *questions: str, end: bool = True) -> str:
        """The id of an interview of `questions`, each answered with `answer`."""
        request = PlanRequest(question_ids=questions or ("q0",), followups=0)
        view = self.service.start(person.id, request)
        return self.go_on(person, view.id, answer, end=end)

    def go_on(self, person: Person, interview_id: str, answer: str, *, end: bool = True) -> str:
        """Answers every question, or only the next one."""
        view = self.service.view(person.id, interview_id)
        while view.state.phase != "ended":
            command = Say(answer) if view.state.phase == "answering" else Press("next")
            view = list(self.service.act(person.id, interview_id, command))[-1].view
            if not end:
                break
        return interview_id

    def dispute(self, person: Person, interview_id: str, point: str = "memory") -> None:
        list(self.disputes.dispute(person.id, interview_id, 0, point, "I said so"))

    def decide(self, by: Person, interview_id: str) -> Any:
        return self.shares.decide(by, interview_id, 0, "memory", Verdict.COVERED)

    def later(self, **delta: float) -> None:
        self.clock.forward(**delta)

    @property
    def tomorrow(self) -> Any:
        return (self.clock() + timedelta(days=1)).date()


@pytest.fixture
def team(tmp_path: Path, clock: Any, question: Callable[..., Any]) -> Iterator[Team]:
    team = Team(f"sqlite:///{tmp_path / 'team.sqlite3'}", clock)
    topics = ("training", "inference", "systems")
    bank = [question(f"q{n}", topic=topics[n % 3], difficulty=1 + n % 5, frequency=1 + n % 5) for n in range(6)]
    team.questions.save(bank, reason="test")
    yield team
    team.database.close()
