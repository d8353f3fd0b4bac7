"""Reading an exported file, every part of it checked."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from interviewer.errors import InterviewerError
from interviewer.interview.events import EVENT, Decided, InterviewEvent, Started
from interviewer.interview.state import fold
from interviewer.interview.transcript import transcript
from interviewer.models import Frozen
from interviewer.models.blueprint import Blueprint
from interviewer.mydata import layout
from interviewer.mydata.archive import Archive, opened
from interviewer.mydata.errors import BadDataFileError
from interviewer.reporting.export import to_markdown
from interviewer.reporting.report import build_report

M = TypeVar("M", bound=BaseModel)


class ReadInterview(NamedTuple):
    """An interview of the file; who decided something is `me` or `other`."""

    id: str
    events: tuple[InterviewEvent, ...]


class DataFile:
    """An export, opened.

    Attributes:
        manifest: What it says it holds.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self.manifest = _manifest(archive.json(layout.MANIFEST))

    def interviews(self) -> Iterator[ReadInterview]:
        """The interviews in the order of the file."""
        for name in filter(layout.INTERVIEW.fullmatch, self._archive.names):
            entry = _valid(layout.StoredInterviewEntry, self._archive.json(name), name)
            yield ReadInterview(entry.id, _events(entry, name))

    def kept(self) -> tuple[layout.KeptAnswerEntry, ...]:
        """The kept answers."""
        entries = _list(self._archive.json(layout.KEPT), layout.KEPT)
        return tuple(_valid(layout.KeptAnswerEntry, entry, layout.KEPT) for entry in entries)

    def edits(self) -> tuple[layout.EditElsewhere, ...]:
        """Edits of questions in other people's sets."""
        entries = _list(self._archive.json(layout.EDITS), layout.EDITS)
        return tuple(_valid(layout.EditElsewhere, entry, layout.EDITS) for entry in entries)

    def sets(self) -> Iterator[tuple[str, layout.SetEntry]]:
        """Each set with its number, which `questions` takes."""
        for name in self._archive.names:
            found = layout.SET.fullmatch(name)
            if found:
                entry = _valid(layout.SetEntry, self._archive.json(name), name)
                for document in entry.documents:
                    if document.blueprint is not None:
                        _valid(Blueprint, document.blueprint, name)
                yield found.group(1), entry

    def questions(self, number: str) -> Iterator[layout.QuestionEntry]:
        """The questions of a set."""
        name = layout.questions_file(number)
        return (_valid(layout.QuestionEntry, line, name) for line in self._archive.lines(name))


@contextmanager
def open_data_file(path: Path) -> Iterator[DataFile]:
    """An export, its parts read as they are asked for.

    Raises:
        BadDataFileError: here and from every part, if it is not what an export is.
    """
    with opened(path) as archive:
        yield DataFile(archive)


def check(file: DataFile) -> None:
    """Reads all of it once, and keeps nothing.

    Raises:
        BadDataFileError: if a part is wrong, or something is missing of what the manifest counts.
    """
    interviews = [interview.id for interview in file.interviews()]
    sets: list[str] = []
    questions: list[str] = []
    for number, entry in file.sets():
        sets.append(entry.name)
        questions += _ids(file, number, entry)
    for name, ids in (("interviews", interviews), ("question-sets", sets), ("questions.jsonl", questions)):
        _once(ids, name)
    counts = layout.DataCounts(
        interviews=len(interviews),
        kept_answers=len(file.kept()),
        sets=len(sets),
        questions=len(questions),
        edits=len(file.edits()),
    )
    if counts != file.manifest.counts:
        raise BadDataFileError("mydata_incomplete")


def _ids(file: DataFile, number: str, entry: layout.SetEntry) -> Iterator[str]:
    for question in file.questions(number):
        if question.content.set != entry.name:
            raise BadDataFileError("mydata_wrong_part", name=layout.questions_file(number), what="set")
        yield question.content.id


def _once(found: list[str], name: str) -> None:
    if len(set(found)) < len(found):
        raise BadDataFileError("mydata_wrong_part", name=name, what="id")


def _manifest(found: Any) -> layout.Manifest:
    if not isinstance(found, dict) or found.get("format") != layout.FORMAT:
        raise BadDataFileError("mydata_other_file")
    if found.get("version") != layout.VERSION:
        version = str(found.get("version"))[:20]
        raise BadDataFileError("mydata_other_version", version=version, known=layout.VERSION)
    return _valid(layout.Manifest, found, layout.MANIFEST)


def _events(entry: layout.StoredInterviewEntry, name: str) -> tuple[InterviewEvent, ...]:
    events = []
    for payload in entry.events:
        try:
            event = EVENT.validate_python(payload)
        except ValidationError as error:
            raise BadDataFileError("mydata_wrong_part", name=name, what=_place(error)) from error
        if isinstance(event, Decided) and event.by not in (layout.ME, layout.OTHER):
            raise BadDataFileError("mydata_foreign_id", name=name)
        _valid(_Moment, {"at": payload.get("at")}, name)
        events.append(event)
    _folds(entry.id, events, name)
    return tuple(events)


class _Moment(Frozen):
    at: layout.When


def _folds(interview_id: str, events: list[InterviewEvent], name: str) -> None:
    """Whatever shows an interview must be able to show this one."""
    starts = [isinstance(event, Started) for event in events]
    try:
        if starts != [True, *[False] * (len(events) - 1)]:
            raise ValueError("an interview begins once")
        state = fold(events)
        transcript(events)
        to_markdown(build_report(interview_id, state, lambda topic: topic))
    except (InterviewerError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadDataFileError("mydata_broken_interview", name=name) from error
    except StopIteration as error:
        raise BadDataFileError("mydata_broken_interview", name=name) from error


def _list(found: Any, name: str) -> list[Any]:
    if not isinstance(found, list):
        raise BadDataFileError("mydata_wrong_part", name=name, what="[]")
    return found


def _valid(model: type[M], found: Any, name: str) -> M:
    try:
        return model.model_validate(found)
    except ValidationError as error:
        raise BadDataFileError("mydata_wrong_part", name=name, what=_place(error)) from error


def _place(error: ValidationError) -> str:
    return ".".join(str(part) for part in error.errors()[0]["loc"])[:80] or "?"
