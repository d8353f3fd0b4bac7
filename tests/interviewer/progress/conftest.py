"""A desk whose progress can be read."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from interviewer.memory.cards import Schedule
from interviewer.models import Question, Track
from interviewer.progress.service import Chosen, Progress, ProgressView
from interviewer.sharing.readable import EVERYTHING, Readable
from interviewer.storage.scores import ScoreStore
from tests.interviewer.conftest import make_question
from tests.interviewer.memory.conftest import MemoryDesk

TRACK = Track.model_validate(
    {
        "id": "infra",
        "title": {"zh": "基础设施", "en": "Infrastructure"},
        "topics": [
            {"id": "serving", "title": {"en": "Serving"}, "weight": 1, "topics": ["inference"]},
            {"id": "training", "title": {"en": "Training"}, "weight": 3, "topics": ["training"]},
            {"id": "none", "title": {"en": "Nothing asks for it"}, "topics": ["nowhere"]},
        ],
        "rounds": [{"id": "all", "title": {"en": "All"}, "minutes": 30}],
    }
)


class ProgressDesk(MemoryDesk):
    """Also reads progress; topics are titled in capitals."""

    def __init__(self, url, clock, grader=None) -> None:
        super().__init__(url, clock, grader)
        self.scores = ScoreStore(self.database)
        self.progress = Progress(
            self.memory,
            self.scores,
            self.interviews,
            self.questions,
            known=Schedule(UTC).known,
            tracks=lambda _: (TRACK,),
            topic_title=lambda topic, _: topic.upper(),
            now=clock,
        )

    def view(self, readable: Readable = EVERYTHING, user: str = "ann", **chosen: object) -> ProgressView:
        return self.progress.view(user, readable, "en", Chosen(**chosen))


@pytest.fixture
def desk(tmp_path: Path, clock) -> Iterator[ProgressDesk]:
    desk = ProgressDesk(f"sqlite:///{tmp_path / 'test.sqlite3'}", clock)
    topics = {"q1": "training", "q2": "training", "q3": "inference", "q4": "systems"}
    bank = [_apart(make_question(id_, topic=topic)) for id_, topic in topics.items()]
    desk.questions.save([*bank, make_question("own", set="mine", topic="secret")], reason="test")
    yield desk
    desk.database.close()


def _apart(question: Question) -> Question:
    """The question with points that state no idea of another one."""
    points = (
        point.model_copy(update={"text": {k: f"{text} #{question.id}{point.id}" for k, text in point.text.items()}})
        for point in question.points
    )
    return question.model_copy(update={"points": tuple(points)})
