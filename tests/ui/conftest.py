"""A whole interviewer without a browser: the real service and store, a grader that reads a script, a small bank."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import gradio as gr
import numpy as np
import pytest
from argon2 import PasswordHasher

from interviewer.accounts.passwords import Passwords
from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.service import Accounts
from interviewer.grading.protocol import Progress
from interviewer.interview.disputes import Disputes
from interviewer.interview.service import InterviewService
from interviewer.keeping import Keeping
from interviewer.library import Library, Ranked
from interviewer.memory.cards import Schedule
from interviewer.memory.service import Memory
from interviewer.models import Beyond, Focus, Grade, GraderInfo, Point, PointGrade, Question, Track, Verdict
from interviewer.progress.service import Progress as PersonalProgress
from interviewer.settings import Settings
from interviewer.sharing.review import Review
from interviewer.sharing.rights import QuestionSet
from interviewer.sharing.sets import Sets
from interviewer.storage.accounts import AccountStore
from interviewer.storage.database import Database
from interviewer.storage.edits import EditStore
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.kept import KeptStore
from interviewer.storage.memory import MemoryStore
from interviewer.storage.questions import QuestionStore
from interviewer.storage.scores import ScoreStore
from interviewer.storage.sets import SetStore
from interviewer.storage.teams import TeamStore
from interviewer.teams.assignments import Assignments
from interviewer.teams.cohort import CohortPages
from interviewer.teams.service import Teams
from interviewer.teams.shares import SharedInterviews
from ui.app import build_views
from ui.call import Call
from ui.session import Session
from ui.texts import Texts
from ui.wiring import Router, Views

TITLES = {"locks": {"zh": "并发", "en": "Concurrency"}, "net": {"zh": "网络", "en": "Networks"}}


TRACKS = (
    Track.model_validate(
        {
            "id": "backend",
            "title": {"zh": "后端", "en": "Backend"},
            "about": {"zh": "写服务的人。", "en": "For people who write services."},
            "topics": [
                {"id": "locks", "title": {"en": "Locks"}, "topics": ["locks"]},
                {"id": "net", "title": {"en": "Networks"}, "topics": ["net"]},
            ],
            "rounds": [
                {"id": "first", "title": {"zh": "第一轮", "en": "Round one"}, "minutes": 15, "topics": ["locks"]},
                {"id": "second", "title": {"zh": "第二轮", "en": "Round two"}, "minutes": 15, "topics": ["net"]},
                {"id": "top", "title": {"en": "Top"}, "minutes": 15, "topics": ["net"], "levels": ["senior"]},
            ],
        }
    ),
    Track.model_validate(
        {
            "id": "mine",
            "title": {"en": "Mine <b>"},
            "topics": [{"id": "net", "title": {"en": "Networks"}, "topics": ["net"]}],
            "rounds": [{"id": "all", "title": {"en": "All"}, "minutes": 20}],
            "source": "outline.md",
        }
    ),
)


class ScriptedGrader:
    """Gives the verdicts it was told to, in the order of the points; quotes the first words of the answer."""

    def __init__(self) -> None:
        self.verdicts: list[str] = ["covered", "partial", "missing"]
        self.fails_with = ""
        self.confidence = 1.0
        self.grader = GraderInfo(name="builtin", model="script")
        self.answers: list[str] = []

    def grade(self, question: Question, answer: str, context: Any, on_progress: Any = None) -> Grade:
        self.answers.append(answer)
        info = self.grader
        if self.fails_with:
            return Grade(status="ungraded", reason=self.fails_with, grader=info, language=context.language)
        if on_progress:
            on_progress(Progress("reading", 1, len(question.points), "so far so good"))
        points = tuple(self._point(p, v, answer) for p, v in zip(question.points, self.verdicts, strict=True))
        beyond = (Beyond(quote=answer[:4], passage="A passage <b>of</b> the bank"),)
        return Grade(status="graded", points=points, beyond=beyond, comment="Clear.", grader=info, language="en")

    def _point(self, point: Point, verdict: str, answer: str) -> PointGrade:
        quote = "" if verdict == "missing" else answer[:12]
        return PointGrade(
            id=point.id,
            text=point.in_language("en"),
            weight=point.weight,
            verdict=Verdict(verdict),
            quote=quote,
            confidence=self.confidence,
            reason=f"reason for {point.id}",
            correction="what is right" if verdict == "contradicted" else "",
        )


class NoPassages:
    def related(self, text: str, **_: Any) -> tuple[()]:
        return ()


class NoIdeas:
    """An encoder for which no two texts have anything in common."""

    def encode(self, texts: list[str]) -> Any:
        return np.eye(len(texts), dtype=np.float32)


class Desk(NamedTuple):
    """What the pages use of `interviewer.compose.App`, and the script behind it."""

    settings: Settings
    service: InterviewService
    library: Library
    questions: QuestionStore
    script: ScriptedGrader
    sets: SetStore
    disputes: Disputes
    accounts: Accounts
    memory: Memory
    teams: Teams
    progress: PersonalProgress
    keeping: Keeping
    shared_sets: Sets
    review: Review

    def topic_title(self, topic: str, language: str) -> str:
        return TITLES.get(topic, {}).get(language, topic)

    def tracks(self, person: Person) -> tuple[Track, ...]:
        return TRACKS

    def suggest(self, person: Person, text: str) -> tuple[Focus, ...]:
        """A topic is asked for where its name stands in the text; nothing is found in most texts."""
        lines = [line.strip() for line in text.splitlines()]
        return tuple(
            Focus(topic=topic, sentence=line[:400], question_ids=("a",) if topic == "locks" else ())
            for topic in TITLES
            for line in lines
            if topic in line
        )

    def grader_name(self, language: str) -> str:
        return "scripted grader"


def make_question(id: str, *, topic: str = "locks", set: str = "bank", **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "id": id,
        "set": set,
        "topic": topic,
        "question": {"zh": f"互斥锁是什么（{id}）", "en": f"What is a mutex ({id})"},
        "reference": {"zh": "参考：一把**锁**。", "en": "Reference: a **lock**."},
        "points": tuple(
            Point(
                id=f"p{n}",
                weight=n,
                text={"zh": f"要点{n}的文字", "en": f"text of point {n}"},
                probe={"zh": f"第{n}问", "en": f"probe {n}"},
                hint={"zh": f"第{n}个提示", "en": f"hint {n}"},
            )
            for n in (1, 2, 3)
        ),
        "further": ("A book, chapter 3",),
    }
    return Question.model_validate(fields | changes)


@pytest.fixture
def question() -> Callable[..., Question]:
    return make_question


@cache
def _stocked() -> bytes:
    """A database with a small bank and a set; every desk begins with a copy."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stocked.sqlite3"
        database = Database(f"sqlite:///{path}")
        store, sets, now = QuestionStore(database), SetStore(database), datetime.now(UTC)
        bank = [make_question("a"), make_question("b"), make_question("c", topic="net", difficulty=5)]
        store.save(bank, reason="test")
        store.save([make_question("own", set="mine", topic="net")], reason="test")
        sets.add(QuestionSet(name="bank", owner=None, visibility="everyone", created_at=now))
        sets.add(QuestionSet(name="mine", owner=None, visibility="private", created_at=now))
        database.close()
        return path.read_bytes()


def make_desk(folder: Path, **values: Any) -> Desk:
    """A desk of its own; `values` are settings."""
    # The test client's own name, which the gate would refuse at home.
    settings = Settings(home=folder, _env_file=None, **({"public_url": "http://testserver"} | values))
    if not (folder / "interviewer.sqlite3").exists():
        (folder / "interviewer.sqlite3").write_bytes(_stocked())
    database = Database(settings.database)
    store = QuestionStore(database)
    script = ScriptedGrader()

    def title(topic: str, language: str) -> str:
        return TITLES.get(topic, {}).get(language, topic)

    def find(query: str, limit: int, sets: tuple[str, ...]) -> tuple[Ranked, ...]:
        hits = [q for q in store.all() if query in q.asked_in("en") and (not sets or q.set in sets)]
        return tuple(Ranked(q.id, 1.0) for q in hits[:limit])

    sets = SetStore(database)
    schedule = Schedule(UTC)
    records = MemoryStore(database, schedule)
    memory = Memory(records, store, NoIdeas(), now=lambda: datetime.now(UTC), schedule=schedule)
    service = InterviewService(
        InterviewStore(database),
        store,
        script,
        NoPassages(),
        topic_title=title,
        memory=memory,
        tracks=lambda _: TRACKS,
        readable=sets.readable_by,
    )
    library = Library(store, sets, find, title, lambda name, _: f"set {name}")
    disputes = Disputes(InterviewStore(database), script, NoPassages(), now=lambda: datetime.now(UTC))
    quick = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    domains = settings.allowed_domains
    accounts = Accounts(AccountStore(database), team=settings.team, domains=domains, passwords=quick)
    team, now = TeamStore(database), lambda: datetime.now(UTC)
    teams = Teams(
        CohortPages(team, records, store, sets.readable, now),
        SharedInterviews(team, InterviewStore(database), disputes, title, now),
        Assignments(team, service, store, sets.readable, lambda _: TRACKS, now),
    )
    progress = PersonalProgress(
        memory,
        ScoreStore(database),
        InterviewStore(database),
        store,
        known=schedule.known,
        tracks=lambda _: TRACKS,
        topic_title=title,
        now=now,
    )
    keeping = Keeping(KeptStore(database), library, InterviewStore(database), now)
    shared_sets = Sets(sets, now)
    review = Review(shared_sets, sets, EditStore(database, now), lambda _: None)
    return Desk(
        settings, service, library, store, script, sets, disputes, accounts, memory, teams, progress, keeping,
        shared_sets, review,
    )  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path)


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """For tests that look but don't change."""
    return make_desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture
def t() -> Texts:
    return Texts("en")


@pytest.fixture
def views(t: Texts) -> Iterator[Views]:
    with gr.Blocks(analytics_enabled=False):
        yield build_views(t)


@pytest.fixture
def router(desk: Desk, t: Texts) -> Router:
    return Router(desk, t)


@pytest.fixture
def call() -> Call:
    return Call(LOCAL, Session(), {})
