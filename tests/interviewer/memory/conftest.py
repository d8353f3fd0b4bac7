"""A desk with a memory, whose encoder knows which texts state one idea."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from interviewer.interview.commands import Press, Say
from interviewer.interview.service import InterviewService, InterviewView
from interviewer.memory.cards import Schedule
from interviewer.memory.service import Memory
from interviewer.models import Point, Question
from interviewer.storage.memory import MemoryStore
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk, NoPassages, ToldGrader


class Ideas:
    """An encoder for which two texts are alike if they end in the same `#idea`, and have nothing in common if not."""

    def __init__(self) -> None:
        self.calls = 0

    def encode(self, texts: list[str]) -> np.ndarray:
        self.calls += 1
        ideas = [text.rpartition("#")[2] for text in texts]
        known = sorted(set(ideas))
        rows = np.zeros((len(texts), len(known)), dtype=np.float32)
        for row, idea in enumerate(ideas):
            rows[row, known.index(idea)] = 1
        return rows


class MemoryDesk(Desk):
    """The service of a person who remembers; days begin at midnight UTC."""

    def __init__(self, url: str, clock: Clock, grader: ToldGrader | None = None) -> None:
        super().__init__(url, clock, grader)
        self.clock = clock
        self.encoder = Ideas()
        schedule = Schedule(UTC)
        self.records = MemoryStore(self.database, schedule)
        self.memory = Memory(self.records, self.questions, self.encoder, clock, schedule)
        self.service = InterviewService(
            self.interviews, self.questions, self.grader, NoPassages(), now=clock, memory=self.memory
        )

    def again(self) -> "MemoryDesk":
        return MemoryDesk(str(self.database.engine.url), self.clock, self.grader)

    def answered(self, *answers: str, **request: object) -> InterviewView:
        """An interview without follow-ups, each question answered once, to its end."""
        view = self.start(followups=0, **request)
        for answer in answers:
            for command in (Say(answer), Press("next")):
                view = self.updates(view, command)[-1].view
        assert view.state.phase == "ended"
        return view

    def drill(self, **request: object) -> InterviewView:
        return self.start(mode="drill", **request)

    def due(self) -> list[str]:
        """What is due now, as `question/point`."""
        return [f"{spot.question_id}/{spot.point_id}" for spot in self.memory.due("ann")]

    def days(self) -> dict[str, date]:
        """The day each point is due on."""
        return {f"{card.question_id}/{card.point_id}": card.due_at.date() for card in self.memory.cards("ann")}

    def to_day(self, day: int, hour: int = 9) -> None:
        """Sets the clock to an hour of a day after the first, which is 0."""
        self.clock.time = datetime(2026, 1, 5 + day, hour, tzinfo=UTC)


def asks(id: str, *points: str, ideas: dict[str, str] | None = None, **changes: object) -> Question:
    """A question with these points; two points are one idea where `ideas` gives them the same name."""
    made = tuple(
        Point(
            id=point,
            text={
                "zh": f"要点#{(ideas or {}).get(point, id + point)}",
                "en": f"it#{(ideas or {}).get(point, id + point)}",
            },
            probe={"zh": f"{id} 的哪一部分?", "en": f"Which part of {id}?"},
            hint={"zh": "想一想", "en": "think"},
        )
        for point in points
    )
    return make_question(id, points=made, misconceptions=(), **changes)


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[MemoryDesk]:
    desk = MemoryDesk(f"sqlite:///{tmp_path / 'test.sqlite3'}", clock)
    desk.questions.save([asks("a", "one", "two", "three"), asks("b", "four", "five"), asks("c", "six")], reason="test")
    yield desk
    desk.database.close()
