"""Interviews: drawing a plan, starting, answering, pressing buttons; and their reports."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from interviewer.errors import ConflictError
from interviewer.interview.commands import Command, Press, Say
from interviewer.interview.views import InterviewSummary
from interviewer.models import Plan
from interviewer.reporting.export import to_json, to_markdown
from ui.api.asking import Asking, Limit, Offset, ReadsInterviews, ReadsReports, WritesInterviews
from ui.api.running import Runner
from ui.api.showing import interview_out
from ui.api.values import Choices, InterviewOut, Page, PressIn, SayIn

router = APIRouter(tags=["interviews"])
LONGEST_WAIT = 60

Wait = Annotated[
    float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for the grade before the reply is 202.")
]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="The same key gives the same interview, as long as the server runs.",
    ),
]
_GOES_ON: dict[int | str, dict[str, Any]] = {
    202: {"model": InterviewOut, "description": "What you said is kept; ask again for what follows."}
}


@router.get("/interviews")
def list_interviews(asking: ReadsInterviews, limit: Limit = 20, offset: Offset = 0) -> Page[InterviewSummary]:
    """Your interviews, the newest first."""
    found = asking.app.service.history(asking.person.id, limit=offset + limit + 1)
    following = offset + limit if len(found) > offset + limit else None
    return Page(items=found[offset : offset + limit], limit=limit, offset=offset, next_offset=following)


@router.post("/interviews/draft")
def draft_plan(asking: WritesInterviews, choices: Choices) -> Plan:
    """Draws a plan and keeps nothing. Start with the `request` it comes with, and you get this plan."""
    return asking.app.service.draft(asking.person.id, choices)


@router.post("/interviews", status_code=201)
def start_interview(
    request: Request, asking: WritesInterviews, choices: Choices, response: Response, key: Key = ""
) -> InterviewOut:
    """Draws a plan by your choices, starts an interview with it and asks its first question."""
    service, user = asking.app.service, asking.person.id
    interview_id = _runner(request).once(user, key, lambda: service.start(user, choices).id)
    response.headers["Location"] = f"interviews/{interview_id}"
    return interview_out(service.view(user, interview_id))


@router.get("/interviews/{interview_id}")
def read_interview(request: Request, asking: ReadsInterviews, interview_id: str) -> InterviewOut:
    """An interview as it stands. While `pending` is true, ask again: a grade or the next question is on its way."""
    runner, user = _runner(request), asking.person.id
    shown = interview_out(asking.app.service.view(user, interview_id), working=runner.working(interview_id))
    if shown.pending:
        runner.resume(user, interview_id)
    return shown


@router.delete("/interviews/{interview_id}", status_code=204)
def delete_interview(asking: WritesInterviews, interview_id: str) -> None:
    """Deletes an interview for good, with everything that was remembered from it."""
    asking.app.service.delete(asking.person.id, interview_id)


@router.post("/interviews/{interview_id}/say", responses=_GOES_ON)
def say(request: Request, asking: WritesInterviews, interview_id: str, said: SayIn, wait: Wait = 10) -> Response:
    """Writes to the interviewer: an answer, a question back, "I don't know", and so on. It is kept before anything
    else happens; the reply comes with the grade, or is 202 after `wait` seconds."""
    return _act(request, asking, interview_id, Say(said.text, said.question), said.version, wait)


@router.post("/interviews/{interview_id}/press", responses=_GOES_ON)
def press(request: Request, asking: WritesInterviews, interview_id: str, pressed: PressIn, wait: Wait = 10) -> Response:
    """Presses a button of the page: next, hint, skip, reveal, stop and so on."""
    return _act(request, asking, interview_id, Press(pressed.action), pressed.version, wait)


@router.get("/interviews/{interview_id}/report", tags=["reports"], responses={200: {"content": {"text/markdown": {}}}})
def read_report(asking: ReadsReports, interview_id: str, format: Literal["json", "markdown"] = "json") -> Response:
    """The report of an interview that has ended, as data or as Markdown."""
    if asking.app.service.view(asking.person.id, interview_id).state.phase != "ended":
        raise ConflictError("The interview is not over yet.", next_step="Press `stop`, or answer to the end.")
    report = asking.app.service.report(asking.person.id, interview_id)
    if format == "markdown":
        return PlainTextResponse(to_markdown(report), media_type="text/markdown")
    return Response(to_json(report), media_type="application/json")


def _act(
    request: Request, asking: Asking, interview_id: str, command: Command, version: int | None, wait: float
) -> Response:
    service, user, runner = asking.app.service, asking.person.id, _runner(request)
    if version is not None and service.view(user, interview_id).state.version != version:
        raise ConflictError("The interview went on since.", next_step="Read it, then decide what to say.")
    done, notice = runner.run(interview_id, service.act(user, interview_id, command), wait)
    shown = interview_out(service.view(user, interview_id), working=not done, notice=notice)
    headers = {} if done else {"Location": f"../{interview_id}", "Retry-After": "1"}
    return JSONResponse(shown.model_dump(mode="json"), 200 if done else 202, headers=headers)


def _runner(request: Request) -> Runner:
    found: Runner = request.app.state.runner
    return found
