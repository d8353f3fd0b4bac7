"""Interviews that have been under way for a while, written into a server's own database: nobody has to wait."""

from datetime import UTC, datetime, timedelta
from typing import Any

from interviewer.accounts.person import LOCAL
from interviewer.interview.commands import Press, Say
from interviewer.interview.service import InterviewService
from interviewer.models import PlanRequest
from interviewer.settings import Settings
from interviewer.storage.database import Database
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.questions import QuestionStore
from tests.browser.server import ServerProcess


def paused_mock(
    server: ServerProcess, question_ids: tuple[str, ...], minutes: tuple[float, ...], used: float, language: str = "en"
) -> str:
    """The id of a mock interview that was paused `used` seconds after its first question."""
    moment = [datetime.now(UTC) - timedelta(seconds=used + 60)]
    database = Database(Settings(home=server.home, _env_file=None).database)
    nobody: Any = None
    service = InterviewService(InterviewStore(database), QuestionStore(database), nobody, nobody, now=lambda: moment[0])
    request = PlanRequest(question_ids=question_ids, count=len(question_ids), mode="mock", language=language)
    plan = service.draft(LOCAL.id, request)
    timed = (q.model_copy(update={"minutes": m}) for q, m in zip(plan.questions, minutes, strict=True))
    view = service.start_plan(LOCAL.id, plan.model_copy(update={"questions": tuple(timed)}))
    moment[0] += timedelta(seconds=used)
    list(service.act(LOCAL.id, view.id, Press("pause")))
    database.engine.dispose()
    return view.id


def missed(server: ServerProcess, question_ids: tuple[str, ...], at: datetime) -> None:
    """An interview at a moment in which nothing was known."""
    database = Database(Settings(home=server.home, _env_file=None).database)
    nobody: Any = None
    service = InterviewService(InterviewStore(database), QuestionStore(database), nobody, nobody, now=lambda: at)
    view = service.start(LOCAL.id, PlanRequest(question_ids=question_ids, followups=0))
    for _ in question_ids:
        for command in (Say("I don't know"), Press("next")):
            *_, update = service.act(LOCAL.id, view.id, command)
    assert update.view.state.phase == "ended"
    database.engine.dispose()
