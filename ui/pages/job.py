"""A job description or résumé on the start page: paste or upload it, see what was found, remove what is wrong."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import gradio as gr

from interviewer.compose import App
from interviewer.errors import DocumentError
from ui.call import Call
from ui.choices import Prepared, read_choices
from ui.parts import markup
from ui.preparing import Preparer
from ui.render.markup import render
from ui.render.plan import found_html
from ui.screens import SetupScreen
from ui.texts import Texts

if TYPE_CHECKING:
    from knowledge.documents.model import Document

LONGEST = 20_000
"""Characters that are looked at."""
FORMATS = (".pdf", ".docx", ".txt", ".md")


class JobView(NamedTuple):
    """The components of the fold."""

    text: gr.Textbox
    file: gr.File
    find: gr.Button
    found: gr.HTML


def build_job(t: Texts) -> JobView:
    with gr.Accordion(t("job.title"), open=False, elem_classes="iv-fold", elem_id="job"):
        markup(render("panel", t, lead=t("job.lead")))
        with gr.Row(elem_classes="iv-pair", equal_height=False):
            text = gr.Textbox(
                label=t("job.text"), placeholder=t("job.hint"), lines=6, max_lines=10, min_width=240, elem_id="job-text"
            )
            file = gr.File(label=t("job.file"), file_types=list(FORMATS), height=150, min_width=200, elem_id="job-file")
        find = gr.Button(t("job.find"), elem_id="job-find", size="md", min_width=0, scale=0)
        found = markup(clicks=True, elem_id="job-found")
    return JobView(text, file, find, found)


def show_job(view: JobView, screen: SetupScreen, t: Texts) -> dict[Any, Any]:
    shown = {view.found: found_html(screen, t), view.find: gr.update(interactive=not screen.reading)}
    return shown | ({view.file: None, view.text: screen.read} if screen.read else {})


class Job:
    """What the fold does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t
        self._preparer = Preparer(app, t)

    def find(
        self, call: Call, prepared: Prepared, text: str | None, path: str | None, *values: Any
    ) -> Iterator[SetupScreen]:
        """Looks for topics in what was pasted and uploaded; the upload's copy is removed.

        Raises:
            DocumentError: if there is neither, or the file can't be read.
        """
        choices = read_choices(*values)
        parts = (text or "", read_text(path, self._t) if path else "")
        whole = "\n\n".join(part.strip() for part in parts if part.strip())
        if not whole:
            raise DocumentError(self._t("job.nothing"))
        yield self._preparer.screen(call, choices, prepared)._replace(reading=True)
        focus = self._app.suggest(call.person, whole[:LONGEST])
        found = prepared._replace(focus=focus, searched=True, cut=len(whole) > LONGEST)
        yield self._preparer.screen(call, choices, found)._replace(read=whole[:LONGEST] if path else "")

    def drop(self, call: Call, prepared: Prepared, *values: Any) -> Iterator[SetupScreen]:
        """Removes a topic that was found, or all of them."""
        left = tuple(focus for focus in prepared.focus if call.action == "drop" and focus.topic != call.target)
        prepared = prepared._replace(focus=left, searched=bool(left), cut=prepared.cut and bool(left))
        yield self._preparer.screen(call, read_choices(*values), prepared)


def read_text(path: str, t: Texts) -> str:
    """The text of an uploaded document.

    Raises:
        DocumentError: if it is of another format, or can't be read.
    """
    from knowledge.documents.reading import read_file

    file = Path(path)
    try:
        if file.suffix.lower() not in FORMATS:
            raise DocumentError(t("job.format"))
        return _text_of(read_file(file).document)
    finally:
        file.unlink(missing_ok=True)


def _text_of(document: "Document") -> str:
    from knowledge.documents.model import RecordDocument

    if isinstance(document, RecordDocument):
        return ""
    return "\n".join(line.text for line in document.lines)
