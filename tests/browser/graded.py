"""An interview that is over, with verdicts as told, written into a server's own database."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from interviewer.accounts.person import LOCAL
from interviewer.interview.events import Answered, Asked, Closed, Ended, Graded, InterviewEvent, Started
from interviewer.models import (
    Grade,
    GraderInfo,
    Language,
    Mode,
    Plan,
    PlannedQuestion,
    PlanRequest,
    PointGrade,
    Verdict,
)
from interviewer.settings import Settings
from interviewer.storage.database import Database
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.questions import QuestionStore
from tests.browser.server import ServerProcess


class Told(NamedTuple):
    """What a grader said of a point; points nobody told of are missing."""

    verdict: Verdict
    quote: str = ""
    confidence: float = 1.0


def graded_interview(
    server: ServerProcess,
    question_id: str,
    answer: str,
    told: dict[int, Told],
    *,
    language: Language = "en",
    mode: Mode = "practice",
    over: bool = True,
) -> str:
    """The id of an interview of one question; its points have the verdicts `told` by their number, from 0."""
    database = Database(Settings(home=server.home, _env_file=None).database)
    question = QuestionStore(database).get(question_id)
    assert question is not None
    points = tuple(
        PointGrade(
            id=point.id,
            text=point.in_language(language),
            weight=point.weight,
            reason="By its words.",
            **told.get(number, Told(Verdict.MISSING))._asdict(),
        )
        for number, point in enumerate(question.points)
    )
    grade = Grade(status="graded", points=points, grader=GraderInfo(name="builtin", model="1"), language=language)
    request = PlanRequest(question_ids=(question_id,), count=1, mode=mode, language=language)
    planned = PlannedQuestion(question_id=question_id, topic=question.topic, why="requested")
    at = datetime.now(UTC) - timedelta(hours=1)
    events: list[InterviewEvent] = [
        Started(at=at, plan=Plan(request=request, questions=(planned,))),
        Asked(at=at, question=question, why="requested"),
        Answered(at=at, text=answer),
        Graded(at=at, index=0, covers=1, grade=grade),
        Closed(at=at, reason="answered"),
    ]
    if over:
        events.append(Ended(at=at, reason="finished"))
    interview_id = InterviewStore(database).create(LOCAL.id, events)
    database.engine.dispose()
    return interview_id
