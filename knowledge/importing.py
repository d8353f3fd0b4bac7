"""Documents to questions of a set: every format, one pipeline, and a report in which nothing vanishes silently."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from interviewer.errors import InterviewerError
from interviewer.language import clean
from interviewer.models import Choice, Point, Question
from interviewer.models.blueprint import Blueprint
from interviewer.worded import WordedError
from knowledge.documents.decoding import sound
from knowledge.documents.model import Passage
from knowledge.documents.reading import FORMATS, read_file
from knowledge.extraction.drafts import extract
from knowledge.import_report import DocumentReport, ImportReport, Problem, ReportedQuestion, SaveCounts
from knowledge.import_session import DocumentSession, SetSession, reported
from knowledge.same_points import with_known_ids

BATCH = 500
_FAILS_IN_A_ROW = 3
"""After so many a chat model is asked for no more points: one that hangs would hold up an import for hours."""
_OF_THE_SERVICE = frozenset(
    f"model_{kind}" for kind in ("auth", "not_found", "rate_limit", "server", "timeout", "connection")
)
"""Failures that the next question would meet as well; a reply that can't be used is about one question."""

Progress = Callable[[int, int, str], None]
"""Documents done, documents in all, and what is being read with the questions found in it so far."""

PointModel = Callable[[Question], tuple[Point, ...]]
"""Better points for a question, by a chat model; an `InterviewerError` leaves those of its structure."""


class Saved(Protocol):
    """What a save did."""

    @property
    def added(self) -> int: ...

    @property
    def updated(self) -> int: ...

    @property
    def unchanged(self) -> int: ...
    @property
    def clashes(self) -> Sequence[str]:
        """Ids of edited questions whose document changed the same fields; the edits stay."""
        ...


class QuestionStore(Protocol):
    """Where imported questions live."""

    def questions_of(self, set: str, document: str) -> tuple[Question, ...]:
        """The questions of a document that are not retired, as it had them: without what people edited since."""
        ...

    def save(self, questions: Sequence[Question], *, reason: str) -> Saved:
        """Adds new questions and gives changed ones, known by their id, a new version; edits of people stay."""
        ...

    def retire(self, question_ids: Sequence[str]) -> int:
        """Takes questions out of the set, save those people edited; their history stays. Gives how many."""
        ...

    def found_again(self, question_ids: Sequence[str]) -> None:
        """These are in their document as it had them before; one that was marked as gone from it is not any more."""
        ...

    def save_document(
        self, set: str, document: str, sha256: str, kind: str, report_json: Any, blueprint_json: Any | None
    ) -> None:
        """Remembers a document with its report and blueprint as JSON values, replacing what was known of it."""
        ...

    def all_texts(self, set: str) -> Iterable[tuple[str, str]]:
        """Id and text of every question of the set that is not retired."""
        ...


class _File(NamedTuple):
    """A file to read, by the name it is known by in its set."""

    name: str
    path: Path


def preview(paths: Sequence[Path], *, set_name: str = "imported", on_progress: Progress | None = None) -> ImportReport:
    """What an import would find. Touches no store."""
    return _Importer(set_name, None, on_progress, None).run(paths)


def import_documents(
    paths: Sequence[Path],
    *,
    set_name: str,
    store: QuestionStore,
    on_progress: Progress | None = None,
    point_model: PointModel | None = None,
) -> ImportReport:
    """Imports files and folders into a set.

    A document that can't be read is a problem of the report; the rest goes on. Questions the set has already stay as
    they are; a changed document's questions keep their ids, and those it no longer has are retired.
    """
    return _Importer(set_name, store, on_progress, point_model).run(paths)


class _Importer:
    def __init__(
        self,
        set_name: str,
        store: QuestionStore | None,
        on_progress: Progress | None,
        point_model: PointModel | None,
    ) -> None:
        self._set = SetSession(set_name, store.all_texts(set_name) if store else ())
        self._set_name = set_name
        self._store = store
        self._on_progress = on_progress
        self._point_model = point_model
        self._failures: list[InterviewerError] = []
        self._questions: list[ReportedQuestion] = []
        self._blueprint: Blueprint | None = None
        self._counts = SaveCounts()
        self._done = 0
        self._total = 0

    def run(self, paths: Sequence[Path]) -> ImportReport:
        files = list(find_files(paths))
        self._total = len(files)
        reports = []
        for file in files:
            self._tell(file.name)
            reports.append(self._document(file))
            self._done += 1
            self._tell(file.name)
        return ImportReport(
            documents=tuple(reports),
            questions=tuple(self._questions),
            blueprint=self._blueprint,
            counts=self._counts,
            is_preview=self._store is None,
        )

    def _tell(self, what: str) -> None:
        if self._on_progress is not None:
            self._on_progress(self._done, self._total, what)

    def _document(self, file: _File) -> DocumentReport:
        session = DocumentSession(self._set, file.name, ())
        try:
            session = self._session(file)
            sha256, blueprint = self._read(file, session)
        except InterviewerError as error:
            session.failed("unreadable", error)
            return session.report("qa")
        report = session.report("blueprint" if blueprint else "qa")
        self._blueprint = self._blueprint or blueprint
        if self._store is not None:
            self._retire(session)
            self._store.save_document(
                self._set_name,
                session.document,
                sha256,
                report.kind,
                report.model_dump(mode="json"),
                blueprint.model_dump(mode="json") if blueprint else None,
            )
        return report

    def _session(self, file: _File) -> DocumentSession:
        """The document as the set knows it.

        Many are called README.md: where those the set has of that name share no question with this one, it is another
        document, and a number behind its name tells it from them.
        """
        for number in count(1):
            name = file.name if number == 1 else f"{file.name} ({number})"
            known = self._store.questions_of(self._set_name, name) if self._store else ()
            session = DocumentSession(self._set, name, known)
            if not known or self._shares_any(file, session):
                break
        return session

    def _shares_any(self, file: _File, session: DocumentSession) -> bool:
        entries = extract(read_file(file.path).document).entries
        found = False
        for entry in entries:
            if not isinstance(entry, Passage):
                found = True
                if session.knows(entry):
                    return True
        return not found

    def _read(self, file: _File, session: DocumentSession) -> "_Read":
        """Streams a document's questions into the store, or into the preview's list."""
        read = read_file(file.path)
        extracted = extract(read.document)
        drafts = (entry for entry in extracted.entries if session.takes(entry))
        questions = (q for draft in drafts if not isinstance(draft, Passage) and (q := session.question(draft)))
        while batch := list(islice(questions, BATCH)):
            self._keep(batch, session)
            self._tell(f"{file.name} ({session.found})")
        session.finish(has_blueprint=extracted.blueprint is not None)
        return _Read(read.sha256, extracted.blueprint)

    def _keep(self, batch: list[Question], session: DocumentSession) -> None:
        if self._store is None:
            self._questions += [reported(question) for question in batch]
            return
        same = frozenset(question.id for question in batch if session.is_unchanged(question))
        changed = [question for question in batch if question.id not in same]
        self._counts += SaveCounts(unchanged=len(batch) - len(changed))
        self._store.found_again(sorted(same))
        if changed:
            saved = self._store.save([self._pointed(q, session) for q in changed], reason="import")
            self._counts += SaveCounts(added=saved.added, updated=saved.updated, unchanged=saved.unchanged)
            session.clash([question for question in changed if question.id in saved.clashes])

    def _pointed(self, question: Question, session: DocumentSession) -> Question:
        """The question with a chat model's points, where there is one and it answers, under the ids they had."""
        points = self._from_model(question, session) or question.points
        kept = with_known_ids(points, session.known_points(question.id))
        return question.model_copy(update={"points": kept, "choices": _among(question, points, kept)})

    def _from_model(self, question: Question, session: DocumentSession) -> tuple[Point, ...]:
        """The model's points; none where it failed. One whose service fails again and again is asked no more."""
        if self._point_model is None:
            return ()
        failed: InterviewerError
        if len(self._failures) < _FAILS_IN_A_ROW:
            try:
                points = self._point_model(question)
            except InterviewerError as error:
                failed = error
                lasts = isinstance(error, WordedError) and error.key in _OF_THE_SERVICE
                self._failures = [*self._failures, error] if lasts else []
            else:
                self._failures = []
                return points
        else:
            failed = self._failures[-1]
        asked = next(iter(question.question.values()))
        session.failed("points_by_structure", failed, asked, question=question.id)
        return ()

    def _retire(self, session: DocumentSession) -> None:
        gone = session.gone()
        if self._store is None:
            return
        for start in range(0, len(gone), BATCH):
            self._counts += SaveCounts(retired=self._store.retire(gone[start : start + BATCH]))


def _among(question: Question, points: Sequence[Point], kept: Sequence[Point]) -> tuple[Choice, ...]:
    """The question's choices among `kept`, which are `points` under other ids.

    Where a model made the points, only a choice among all of them is still known.
    """
    if points is question.points:
        ids = {old.id: new.id for old, new in zip(points, kept, strict=True)}
        return tuple(c.model_copy(update={"points": tuple(ids[id] for id in c.points)}) for c in question.choices)
    all_ids = tuple(point.id for point in kept)
    of_all = (c for c in question.choices if len(c.points) == len(question.points) and len(kept) > c.enough)
    return tuple(c.model_copy(update={"points": all_ids}) for c in of_all)


class _Read(NamedTuple):
    sha256: str
    blueprint: Blueprint | None


def find_files(paths: Sequence[Path]) -> Iterator[_File]:
    """Files to read; folders are walked in order of names, hidden files skipped, equal names told apart by folder."""
    taken: set[str] = set()
    for path in paths:
        for found, name in _walk(path):
            unique = name if name not in taken else _readable(str(found))
            taken.add(unique)
            yield _File(unique, found)


def _walk(path: Path) -> Iterator[tuple[Path, str]]:
    if not path.is_dir():
        yield path, _readable(path.name)
        return
    for found in sorted(path.rglob("*")):
        parts = found.relative_to(path).parts
        if found.is_file() and not any(part.startswith(".") for part in parts):
            yield found, _readable("/".join(parts))


def _readable(name: str) -> str:
    """A file's name without control and direction-changing characters, and with bytes that are no text replaced."""
    return sound(clean(name)).replace("\n", " ").strip() or "unnamed"


__all__ = [
    "FORMATS",
    "ImportReport",
    "Problem",
    "QuestionStore",
    "SaveCounts",
    "find_files",
    "import_documents",
    "preview",
]
