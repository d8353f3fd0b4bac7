"""A service over a real database, with a grader that is told what to say."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interviewer.grading.protocol import GradingContext, OnProgress, Passage, Progress
from interviewer.interview.commands import Press, Say
from interviewer.interview.service import InterviewService, InterviewView, Update
from interviewer.models import Grade, GraderInfo, PlanRequest, PointGrade, Question, Verdict
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.questions import QuestionStore
from tests.databases import open_database


class ToldGrader:
    """Gives the verdicts it was told: a point whose id stands in the answer is covered, "half <id>" partly.

    Attributes:
        failing: Answers with these words can't be graded.
        history: Every (question id, answer, context) it was asked about.
    """

    def __init__(self) -> None:
        self.failing: set[str] = set()
        self.history: list[tuple[str, str, GradingContext]] = []
        self.before_grading: Callable[[], None] = lambda: None

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        self.history.append((question.id, answer, context))
        self.before_grading()
        if on_progress is not None:
            on_progress(Progress("reading", 1, len(question.points)))
        info = GraderInfo(name="builtin", model="told")
        if any(word in answer for word in self.failing):
            return Grade(status="ungraded", reason="It was told to fail.", grader=info, language=context.language)
        points = tuple(self._point(p.id, p.weight, answer) for p in question.points)
        return Grade(status="graded", points=points, choices=question.choices, grader=info, language=context.language)

    def _point(self, id: str, weight: float, answer: str) -> PointGrade:
        verdict = Verdict.COVERED if id in answer else Verdict.MISSING
        if f"half {id}" in answer:
            verdict = Verdict.PARTIAL
        quote = id if verdict is not Verdict.MISSING else ""
        return PointGrade(id=id, text=f"text of {id}", weight=weight, verdict=verdict, quote=quote)


class NoPassages:
    def related(
        self, text: str, *, limit: int, exclude: frozenset[str] = frozenset(), sets: tuple[str, ...] = ()
    ) -> tuple[Passage, ...]:
        return ()


class Desk:
    """The service with one user at it, and everything behind it within reach."""

    def __init__(self, url: str, clock: Callable, grader: ToldGrader | None = None) -> None:
        self.database = open_database(url)
        self.interviews = InterviewStore(self.database, clock)
        self.questions = QuestionStore(self.database, clock)
        self.grader = grader or ToldGrader()
        self.service = InterviewService(self.interviews, self.questions, self.grader, NoPassages(), now=clock)

    def start(self, **request: object) -> InterviewView:
        return self.service.start("ann", self.request(**request))

    def request(self, **fields: object) -> PlanRequest:
        return PlanRequest.model_validate({"seed": 1, **fields})

    def say(self, view: InterviewView, text: str) -> InterviewView:
        return self.updates(view, Say(text))[-1].view

    def press(self, view: InterviewView, action: str) -> InterviewView:
        return self.updates(view, Press(action))[-1].view

    def updates(self, view: InterviewView, command: Say | Press) -> list[Update]:
        return list(self.service.act("ann", view.id, command))

    def again(self) -> "Desk":
        """A second process on the same database."""
        return Desk(str(self.database.engine.url), self.interviews._now, self.grader)


@pytest.fixture
def desk(tmp_path: Path, clock, question) -> Iterator[Desk]:
    desk = Desk(f"sqlite:///{tmp_path / 'test.sqlite3'}", clock)
    topics = ("training", "inference", "systems")
    bank = [question(f"q{n}", topic=topics[n % 3], difficulty=1 + n % 5) for n in range(6)]
    desk.questions.save(bank, reason="test")
    yield desk
    desk.database.close()
