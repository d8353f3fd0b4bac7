"""Importing what was uploaded: the importer runs in its own thread, and this follows it."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import NamedTuple

from interviewer.accounts.person import Person
from interviewer.compose import App
from interviewer.errors import DocumentError
from interviewer.language import clean
from interviewer.sharing.rights import is_reviewed
from interviewer.sharing.sets import ImportTarget
from knowledge.import_report import ImportReport
from ui.render.imported import imported_html
from ui.screens import ImportProgress
from ui.texts import Texts

log = logging.getLogger(__name__)
_LOOK_EVERY = 0.2
"""Seconds between two looks at the importer."""


class ImportStep(NamedTuple):
    """How an import stands (`progress`), or what came of it.

    Attributes:
        html: The report.
        found: How many questions can be asked, at once or when they are published.
        waits: Whether they wait for review first.
    """

    progress: ImportProgress | None
    set_name: str = ""
    html: str = ""
    found: int = 0
    waits: bool = False


def import_uploads(
    app: App, person: Person, uploads: Sequence[str], target: ImportTarget, t: Texts
) -> Iterator[ImportStep]:
    """Imports the uploaded files and removes the copies the upload made.

    Raises:
        DocumentError: if there is no file or no name.
    """
    if not uploads or not target.set.strip():
        raise DocumentError(t("import.nothing") if not uploads else t("import.no_name"))
    paths = [Path(upload) for upload in uploads]
    try:
        yield from _follow(app, person, paths, target, t)
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def _follow(app: App, person: Person, paths: list[Path], target: ImportTarget, t: Texts) -> Iterator[ImportStep]:
    seen: Queue[ImportProgress] = Queue()
    done: list[ImportReport | Exception] = []

    def run() -> None:
        try:
            done.append(app.import_files(person, paths, target, lambda *step: seen.put(ImportProgress(*step))))
        except Exception as error:  # noqa: BLE001 - raised again below, in the thread that shows it
            done.append(error)

    thread = Thread(target=run, name="import", daemon=True)
    thread.start()
    yield ImportStep(ImportProgress(0, 0, ""))
    while thread.is_alive():
        latest = _latest(seen)
        if latest:
            yield ImportStep(latest)
    outcome = done[0]
    if isinstance(outcome, Exception):
        raise outcome
    name = clean(target.set).strip()
    waits = is_reviewed(person, app.shared_sets.get(person, name))
    yield ImportStep(None, name, imported_html(outcome, t, waits=waits), outcome.found, waits)


def _latest(seen: "Queue[ImportProgress]") -> ImportProgress | None:
    """The newest sign of life, after a short wait for one."""
    try:
        latest = seen.get(timeout=_LOOK_EVERY)
        while not seen.empty():
            latest = seen.get_nowait()
    except Empty:
        return None
    return latest
