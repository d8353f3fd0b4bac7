"""Downloads of a report: self-contained HTML, Markdown, JSON."""

from collections.abc import Callable
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from interviewer.compose import App
from interviewer.errors import NotFoundError
from interviewer.reporting.export import to_html, to_json, to_markdown
from interviewer.reporting.report import Report
from ui.users import current_user


class Export(NamedTuple):
    """A kind of file a report can become."""

    write: Callable[[Report], str]
    media_type: str


EXPORTS = {
    "html": Export(to_html, "text/html"),
    "md": Export(to_markdown, "text/markdown"),
    "json": Export(to_json, "application/json"),
}


def add_exports(web: FastAPI, app: App) -> None:
    """Serves `/export/<interview>.<kind>` to the person whose interview it is, once it is over."""

    @web.get("/export/{interview_id}.{kind}")
    def export(interview_id: str, kind: str, request: Request) -> Response:
        if kind not in EXPORTS:
            return PlainTextResponse("There is no such kind of file.", status_code=404)
        try:
            report = app.service.report(current_user(request), interview_id)
        except NotFoundError as error:
            return PlainTextResponse(str(error), status_code=404)
        if report.ended_at is None:
            return PlainTextResponse("The interview is not over yet. End it, or answer to the end.", status_code=409)
        name = f"interview-{report.started_at:%Y-%m-%d-%H%M}.{kind}"
        return Response(
            EXPORTS[kind].write(report),
            media_type=EXPORTS[kind].media_type,
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )
