"""The report of one interview."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import gradio as gr

from interviewer.compose import App
from interviewer.models import PlanRequest
from interviewer.reporting.report import shown_so_far
from ui.additions import addable
from ui.call import Call
from ui.pages.interview import open_interview
from ui.parts import contest_bridge, markup
from ui.render.dispute import Contest, nothing_said
from ui.render.report import report_html
from ui.screens import InterviewScreen, ReportScreen
from ui.shares import shared_ids
from ui.texts import Texts

EXPORTS = "../export/"
"""Where the downloads stand, as seen from the page."""


class ReportView(NamedTuple):
    page: gr.Column
    report: gr.HTML
    contest: gr.HTML


def build_report(t: Texts) -> ReportView:
    with gr.Column(visible=False, elem_classes="iv-page") as page:
        report = markup(clicks=True)
        contest = contest_bridge("report")
    return ReportView(page, report, contest)


def show_report(view: ReportView, screen: ReportScreen, t: Texts) -> dict[Any, Any]:
    return {view.report: report_html(screen.report, EXPORTS, t, screen.contest, screen.shared, screen.addable)}


def report_screen(app: App, call: Call, contest: Contest) -> ReportScreen:
    """The report that is open, with what was said about a verdict last."""
    report = shown_so_far(app.service.report(call.user, call.session.item))
    shared = shared_ids(app, call.person)
    return ReportScreen(
        call.session,
        report,
        contest,
        None if shared is None else report.interview_id in shared,
        addable(app, call.person, report.questions),
    )


class Reports:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def open(self, call: Call) -> Iterator[ReportScreen]:
        yield report_screen(self._app, call, nothing_said(call.person))

    def click(self, call: Call) -> Iterator[ReportScreen | InterviewScreen]:
        """A button on the report: grade an answer again, or practise a question again."""
        if call.action == "again":
            yield from self.again(call)
            return
        if call.action == "retry" and call.target.isdecimal():
            for _ in self._app.service.retry(call.user, call.session.item, int(call.target)):
                pass
        yield from self.open(call)

    def again(self, call: Call) -> Iterator[InterviewScreen]:
        """Practises one question of the report again, in the report's language."""
        report = self._app.service.report(call.user, call.session.item)
        request = PlanRequest(question_ids=(call.target,), count=1, language=report.language)
        yield open_interview(self._app, call, request, self._t)
