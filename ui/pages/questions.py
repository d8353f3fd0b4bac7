"""The questions there are: browse, search, read one, bring your own."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import escape

from interviewer.compose import App
from interviewer.models import PlanRequest, Question
from interviewer.sharing.rights import VISIBILITIES
from interviewer.sharing.sets import LICENCE_LIMIT, NAME_LIMIT, SOURCE_LIMIT, ImportTarget
from ui.call import Call
from ui.importing import import_uploads
from ui.pages.interview import open_interview
from ui.parts import markup
from ui.render.markup import render
from ui.render.questions import importing_html, question_html, questions_html
from ui.screens import Filters, InterviewScreen, QuestionsScreen
from ui.texts import Texts

ROWS = 20
"""Questions shown at once."""
DEFAULT_SET = "mine"
_AT_HOME = '<i class="iv-at-home" hidden></i>'
"""Has the style sheet hide who sees a set: a component in a closed panel does not learn that it became visible."""


class QuestionsView(NamedTuple):
    """The components of the page; those from `query` to `difficulty` are the filters."""

    page: gr.Column
    query: gr.Textbox
    set: gr.Dropdown
    topic: gr.Dropdown
    difficulty: gr.Dropdown
    rows: gr.HTML
    previous: gr.Button
    next: gr.Button
    number: gr.State
    detail: gr.HTML
    files: gr.File
    set_name: gr.Textbox
    readers: gr.Dropdown
    source: gr.Textbox
    licence: gr.Textbox
    importer: gr.Button
    outcome: gr.HTML

    @property
    def target(self) -> list[Any]:
        """Where an import goes."""
        return [self.set_name, self.readers, self.source, self.licence]

    @property
    def filters(self) -> list[Any]:
        return [self.query, self.set, self.topic, self.difficulty, self.number]


def build_questions(t: Texts) -> QuestionsView:
    with gr.Column(visible=False, elem_classes="iv-page") as page:
        markup(render("heading", t, title=t("questions.title"), lead=t("questions.lead")))
        files, target, importer, outcome = _import_panel(t)
        markup(f'<p class="iv-muted"><a href="bank">{escape(t("bank_import.sets"))}</a></p>')
        with gr.Row(elem_classes="iv-filters"):
            query = gr.Textbox(
                label=t("questions.search"), placeholder=t("questions.search_hint"), min_width=220, elem_id="search"
            )
            chosen_set = gr.Dropdown([], label=t("questions.set"), min_width=140, filterable=False)
            topic = gr.Dropdown([], label=t("questions.topic"), min_width=160)
            levels = [(t("questions.any"), 0)] + [(t(f"difficulty.{level}"), level) for level in range(1, 6)]
            difficulty = gr.Dropdown(levels, value=0, label=t("questions.difficulty"), min_width=140, filterable=False)
        with gr.Row(elem_classes="iv-columns iv-browse", equal_height=False):
            with gr.Column(min_width=0, scale=2):
                rows = markup()
                with gr.Row(elem_classes="iv-pager"):
                    previous = gr.Button(t("questions.previous"), size="sm", min_width=0)
                    following = gr.Button(t("questions.next"), size="sm", min_width=0)
                number = gr.State(0)
            detail = markup(clicks=True, elem_id="detail")
    return QuestionsView(
        page, query, chosen_set, topic, difficulty, rows, previous, following, number, detail,
        files, *target, importer, outcome,
    )  # fmt: skip


Target = tuple[gr.Textbox, gr.Dropdown, gr.Textbox, gr.Textbox]


def _import_panel(t: Texts) -> tuple[gr.File, Target, gr.Button, gr.HTML]:
    with gr.Accordion(t("import.title"), open=False, elem_classes="iv-fold", elem_id="import"):
        markup(render("panel", t, lead=t("import.lead")))
        with gr.Row(equal_height=False, elem_classes="iv-pair"):
            files = gr.File(file_count="multiple", label=t("import.files"), height=170, min_width=240, elem_id="files")
            with gr.Column(min_width=240):
                set_name = gr.Textbox(
                    value=DEFAULT_SET,
                    label=t("import.set"),
                    info=t("import.set_info"),
                    max_length=80,
                    elem_id="set-name",
                )
                readers = gr.Dropdown(
                    [(t("bank_import.as_it_is"), ""), *((t(f"bank_visibility.{v}"), v) for v in VISIBILITIES)],
                    value="",
                    label=t("bank_import.readers"),
                    info=t("bank_import.waits"),
                    filterable=False,
                    elem_id="set-readers",
                )
                with gr.Accordion(t("bank_import.more"), open=False):
                    source = gr.Textbox(label=t("bank_import.source"), max_length=SOURCE_LIMIT, elem_id="set-source")
                    licence = gr.Textbox(
                        label=t("bank_import.licence"), max_length=LICENCE_LIMIT, elem_id="set-licence"
                    )
                importer = gr.Button(t("import.start"), variant="primary", elem_id="do-import")
        outcome = markup(elem_id="import-outcome")
    return files, (set_name, readers, source, licence), importer, outcome


def show_questions(view: QuestionsView, screen: QuestionsScreen, t: Texts) -> dict[Any, Any]:
    filters = screen.filters
    whole = [(t("questions.any"), "")]
    pages = max(1, -(-screen.total // ROWS))
    shown = {
        view.set: gr.update(
            choices=whole + [(s.title, s.name) for s in screen.sets], **_value(filters.set, screen.fresh)
        ),
        view.topic: gr.update(
            choices=whole + [(x.title, x.id) for x in screen.topics], **_value(filters.topic, screen.fresh)
        ),
        view.number: filters.page,
        view.rows: questions_html(screen, ROWS, t) + ("" if screen.team else _AT_HOME),
        view.previous: gr.update(visible=pages > 1, interactive=filters.page > 0),
        view.next: gr.update(visible=pages > 1, interactive=filters.page + 1 < pages),
        view.detail: question_html(screen.question, screen.topic_title, t, screen.origin),
        view.importer: gr.update(interactive=screen.importing is None),
    }
    if screen.suggested_set:
        shown[view.set_name] = screen.suggested_set
    if screen.importing is not None:
        return shown | {view.outcome: importing_html(screen.importing, t)}
    return shown | ({view.outcome: screen.imported, view.files: None} if screen.imported is not None else {})


def _value(chosen: str, fresh: bool) -> dict[str, Any]:
    """What a person chose is never written back: they may have chosen something else meanwhile."""
    return {"value": chosen} if fresh else {}


class Questions:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def open(self, call: Call, *values: Any) -> Iterator[QuestionsScreen]:
        own = self._t("bank.own_set", name=call.person.name or call.person.id)[:NAME_LIMIT] if call.person.team else ""
        yield self._screen(call, read_filters(*values))._replace(fresh=True, suggested_set=own)

    def filter(self, call: Call, *values: Any) -> Iterator[QuestionsScreen]:
        yield self._screen(call, read_filters(*values)._replace(page=0))

    def turn(self, pages: int, call: Call, *values: Any) -> Iterator[QuestionsScreen]:
        filters = read_filters(*values)
        yield self._screen(call, filters._replace(page=max(0, filters.page + pages)))

    def practise(self, call: Call) -> Iterator[InterviewScreen]:
        request = PlanRequest(question_ids=(call.target,), count=1, language=self._t.language)
        yield open_interview(self._app, call, request, self._t)

    def import_files(
        self, call: Call, paths: list[str] | None, name: str, readers: str, source: str, licence: str, *values: Any
    ) -> Iterator[QuestionsScreen]:
        """Imports what was uploaded, with a sign of life while it runs and everything it found at the end."""
        visibility = next((v for v in VISIBILITIES if v == readers), None)
        target = ImportTarget(set=name or "", visibility=visibility, source=source or "", licence=licence or "")
        screen = self._screen(call, read_filters(*values))
        for step in import_uploads(self._app, call.person, paths or [], target, self._t):
            if step.progress is not None:
                yield screen._replace(importing=step.progress)
            else:
                filters = read_filters(*values)
                if step.found and not step.waits:
                    filters = filters._replace(set=step.set_name, topic="", page=0)
                yield self._screen(call, filters)._replace(imported=step.html, fresh=True)

    def _screen(self, call: Call, filters: Filters) -> QuestionsScreen:
        library = self._app.library
        sets = (filters.set,) if filters.set else ()
        topics = library.topics(call.person, sets, self._t.language)
        topic = filters.topic if any(info.id == filters.topic for info in topics) else ""
        filters = filters._replace(topic=topic)
        rows, total = self._rows(call, filters, sets)
        question = library.get(call.person, call.session.item) if call.session.item else None
        return QuestionsScreen(
            session=call.session,
            filters=filters,
            sets=library.sets(call.person, self._t.language),
            topics=topics,
            rows=rows,
            total=total,
            question=question,
            topic_title=library.topic_title(question.topic, self._t.language) if question else "",
            origin=self._app.shared_sets.view(call.person, question.set) if question else None,
            team=call.person.team,
        )

    def _rows(self, call: Call, filters: Filters, sets: tuple[str, ...]) -> tuple[tuple[Question, ...], int]:
        library = self._app.library
        topics = (filters.topic,) if filters.topic else ()
        levels = (filters.difficulty,) if filters.difficulty else ()
        if filters.query.strip():
            found = (hit.question for hit in library.search(call.person, filters.query, limit=ROWS * 3, sets=sets))
            kept = tuple(
                q for q in found if (not topics or q.topic in topics) and (not levels or q.difficulty in levels)
            )
            start = filters.page * ROWS
            return kept[start : start + ROWS], len(kept)
        wanted: dict[str, Any] = {"sets": sets, "topics": topics, "difficulties": levels}
        rows = library.browse(call.person, **wanted, limit=ROWS, offset=filters.page * ROWS)
        return rows, library.count(call.person, **wanted)


def read_filters(query: str, set_name: str | None, topic: str | None, difficulty: int | None, page: float) -> Filters:
    """The values of the components as filters."""
    return Filters(query or "", set_name or "", topic or "", int(difficulty or 0), int(page or 0))
