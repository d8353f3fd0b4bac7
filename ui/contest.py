"""What candidates say about verdicts, on the report and beside the feedback of an interview."""

from collections.abc import Iterator

from interviewer.compose import App
from interviewer.errors import InterviewerError
from interviewer.interview.service import Update
from interviewer.models import Verdict
from ui.call import Call
from ui.pages.interview import interview_screen
from ui.pages.report import report_screen
from ui.render.dispute import Contest, nothing_said
from ui.screens import InterviewScreen, ReportScreen
from ui.texts import Texts


class Contests:
    """What the buttons beside verdicts do. What can't be done is said there, and nothing typed is lost."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def on_report(self, call: Call) -> Iterator[ReportScreen]:
        for contest in self._act(call):
            yield report_screen(self._app, call, contest)

    def on_interview(self, call: Call) -> Iterator[InterviewScreen]:
        for contest in self._act(call):
            view = self._app.service.view(call.user, call.session.item)
            yield interview_screen(self._app, call, Update(view), self._t)._replace(contest=contest)

    def _act(self, call: Call) -> Iterator[Contest]:
        """Carries it out; gives a sign whenever something new is stored."""
        index, _, point_id = call.target.partition(":")
        if not index.isdecimal():
            return
        try:
            yield from (
                nothing_said(call.person)._replace(id=call.target) for _ in self._steps(call, int(index), point_id)
            )
        except InterviewerError as error:
            yield nothing_said(call.person)._replace(id=call.target, problem=str(error.said(self._t.language)))

    def _steps(self, call: Call, index: int, point_id: str) -> Iterator[None]:
        disputes, where = self._app.disputes, (call.user, call.session.item, index, point_id)
        match call.action:
            case "said" | "unsaid":
                disputes.mark(*where, said=call.action == "said")
                yield
            case "dispute":
                looked = disputes.dispute(*where, str(call.event.get("text") or ""))
                yield from (None for step in looked if step.progress is None)
            case "look":
                yield from (None for step in disputes.look_again(*where) if step.progress is None)
            case "decide":
                verdict = str(call.event.get("value"))
                if verdict in list(Verdict):
                    disputes.decide(*where, Verdict(verdict), by=call.person)
                    yield
