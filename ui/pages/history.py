"""All interviews of a person."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import gradio as gr

from interviewer.compose import App
from interviewer.interview.service import InterviewSummary
from ui.call import Call
from ui.parts import markup
from ui.render.markup import render
from ui.render.report import history_html
from ui.screens import HistoryScreen
from ui.shares import shared_ids
from ui.texts import Texts

_MOST_ROWS = 200


class HistoryView(NamedTuple):
    page: gr.Column
    rows: gr.HTML


def build_history(t: Texts) -> HistoryView:
    with gr.Column(visible=False, elem_classes="iv-page") as page:
        markup(render("heading", t, title=t("history.title"), lead=t("history.lead")))
        rows = markup(clicks=True)
    return HistoryView(page, rows)


def show_history(view: HistoryView, screen: HistoryScreen, t: Texts) -> dict[Any, Any]:
    return {view.rows: history_html(screen.rows, screen.asks_to_delete, t, screen.shared)}


class History:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def open(self, call: Call, asks_to_delete: str = "") -> Iterator[HistoryScreen]:
        rows = self._app.service.history(call.user, _MOST_ROWS)
        shared = shared_ids(self._app, call.person)
        yield HistoryScreen(call.session, tuple(self._titled(row) for row in rows), asks_to_delete, shared)

    def click(self, call: Call) -> Iterator[HistoryScreen]:
        """Asks before deleting; only a row that asks has the button that deletes."""
        if call.action == "delete":
            self._app.service.delete(call.user, call.target)
        yield from self.open(call, call.target if call.action == "ask" else "")

    def _titled(self, row: InterviewSummary) -> InterviewSummary:
        titles = tuple(self._app.library.topic_title(topic, self._t.language) for topic in row.topics)
        return row.model_copy(update={"topics": titles})
