"""Everything that is one person's as a ZIP file of readable texts, made piece by piece."""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from io import RawIOBase
from typing import Any

from pydantic import ValidationError

from interviewer.accounts.person import Person
from interviewer.errors import InterviewerError
from interviewer.interview.decisions import decided_answers
from interviewer.interview.events import EVENT, InterviewEvent
from interviewer.interview.ports import StoredInterview
from interviewer.interview.state import fold
from interviewer.models import LANGUAGES, Language
from interviewer.mydata import layout
from interviewer.reporting.export import to_markdown
from interviewer.reporting.report import build_report
from interviewer.storage.accounts import AccountStore
from interviewer.storage.mydata import OwnRows, Row
from interviewer.wording import say

TopicTitle = Callable[[str, Language], str]


class Exporter:
    """Writes the file of one person.

    Args:
        rows: What is theirs.
        accounts: Their account.
        topic_title: How a topic is called in a language.
        now: The clock.
    """

    def __init__(
        self, rows: OwnRows, accounts: AccountStore, topic_title: TopicTitle, now: Callable[[], datetime]
    ) -> None:
        self._rows = rows
        self._accounts = accounts
        self._topic_title = topic_title
        self._now = now

    def stream(self, person: Person) -> Iterator[bytes]:
        """The file, a piece at a time; holds one interview or one question at once."""
        sink = _Sink()
        moment = self._now()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = _Writer(archive, moment)
            for _ in self._write(person, writer):
                yield from sink.taken()
            writer.json(layout.MANIFEST, self._manifest(moment, writer.counts))
        yield from sink.taken()

    def _write(self, person: Person, writer: "_Writer") -> Iterator[None]:
        writer.text(layout.README, "\n".join(say("mydata_readme", language) for language in LANGUAGES))
        writer.json(layout.ACCOUNT, self._account(person))
        yield
        yield from self._interviews(person, writer)
        self._kept(person, writer)
        edits = [self._edit_elsewhere(row, person.id) for row in self._rows.edits_elsewhere(person.id)]
        writer.json(layout.EDITS, edits)
        writer.counts["edits"] = len(edits)
        yield
        for number, row in enumerate(self._rows.sets(person.id), 1):
            yield from self._set(number, row, person.id, writer)

    def _manifest(self, moment: datetime, counts: dict[str, int]) -> Any:
        manifest = layout.Manifest(
            format=layout.FORMAT, version=layout.VERSION, made_at=moment, counts=layout.DataCounts(**counts)
        )
        return manifest.model_dump(mode="json")

    def _account(self, person: Person) -> Any:
        now = self._now()
        with self._accounts.read() as rows:
            account = rows.account(person.id)
            tokens, sign_ins = rows.tokens.of(person.id), rows.sign_ins.of(person.id, now, now - timedelta(days=365))
            cohort = rows.cohort_name(account.cohort) if account and account.cohort else None
        return {
            "name": person.name,
            "role": person.role if person.team else None,
            "login": account.login if account else None,
            "cohort": cohort,
            "since": account.created_at if account else None,
            "api_tokens": [token.model_dump(mode="json", exclude={"id"}) for token in tokens],
            "sign_ins": [
                {"created_at": row.created_at, "seen_at": row.seen_at, "browser": row.browser} for row in sign_ins
            ],
        }

    def _interviews(self, person: Person, writer: "_Writer") -> Iterator[None]:
        decisions: list[Any] = []
        for row in self._rows.interviews(person.id):
            payloads = self._rows.events(person.id, row["id"])
            if not payloads:
                continue
            name = f"interviews/{row['created_at']:%Y-%m-%d-%H%M}-{row['id']}"
            entry = layout.StoredInterviewEntry(
                id=row["id"],
                shared_at=row["shared_at"],
                assignment=row["title"] or "",
                events=tuple(_without_ids(payload, person.id) for payload in payloads),
            )
            writer.json(f"{name}.json", entry.model_dump(mode="json"))
            writer.counts["interviews"] += 1
            read = _read(payloads)
            if read:
                writer.text(f"{name}.md", self._report(row["id"], read))
                answers = decided_answers([StoredInterview(row["id"], read)])
                decisions += [answer.model_dump(mode="json") for answer in answers]
            yield
        writer.json(layout.DECISIONS, decisions)

    def _report(self, interview_id: str, events: tuple[InterviewEvent, ...]) -> str:
        state = fold(events)
        return to_markdown(build_report(interview_id, state, lambda topic: self._topic_title(topic, state.language)))

    def _kept(self, person: Person, writer: "_Writer") -> None:
        rows = self._rows.kept(person.id)
        fields = ("question_id", "language", "question", "text", "kept_at")
        entries = [layout.KeptAnswerEntry(**{name: row[name] for name in fields}) for row in rows]
        writer.json(layout.KEPT, [entry.model_dump(mode="json") for entry in entries])
        parts = [f"## {' '.join(entry.question.split())}\n\n{entry.text}\n" for entry in entries]
        writer.text(layout.KEPT_TO_READ, "\n".join(parts))
        writer.counts["kept_answers"] = len(entries)

    def _set(self, number: int, row: Row, user_id: str, writer: "_Writer") -> Iterator[None]:
        columns = ("document", "sha256", "kind", "imported_at", "report", "blueprint")
        documents = self._rows.documents(row["name"])
        entry = layout.SetEntry(
            **{name: row[name] for name in ("name", "visibility", "source", "licence", "created_at")},
            documents=tuple(layout.DocumentEntry(**{name: each[name] for name in columns}) for each in documents),
        )
        writer.json(layout.set_file(number), entry.model_dump(mode="json"))
        writer.counts["sets"] += 1
        lines = (_question(*found, user_id).model_dump_json() for found in self._rows.questions(row["name"]))
        for _ in writer.lines(layout.questions_file(number), lines):
            writer.counts["questions"] += 1
            yield

    def _edit_elsewhere(self, row: Row, user_id: str) -> Any:
        entry = layout.EditElsewhere(question_id=row["question_id"], set=row["set"], edit=_edit(row, user_id))
        return entry.model_dump(mode="json")


class _Sink(RawIOBase):
    """Where the archive is written to; what came in is taken away at once."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        data = bytes(piece)
        self._pieces.append(data)
        return len(data)

    def taken(self) -> Iterator[bytes]:
        pieces, self._pieces = b"".join(self._pieces), []
        if pieces:
            yield pieces


class _Writer:
    """Puts texts into the archive.

    Attributes:
        counts: How much there is of everything so far.
    """

    def __init__(self, archive: zipfile.ZipFile, moment: datetime) -> None:
        self._archive = archive
        self._moment = moment
        self.counts = dict.fromkeys(layout.DataCounts.model_fields, 0)

    def text(self, name: str, text: str) -> None:
        self._archive.writestr(self._info(name), text.encode("utf-8", "replace"))

    def json(self, name: str, value: Any) -> None:
        self.text(name, json.dumps(value, ensure_ascii=False, indent=1, default=_moment) + "\n")

    def lines(self, name: str, lines: Iterable[str]) -> Iterator[None]:
        with self._archive.open(self._info(name), "w") as member:
            for line in lines:
                member.write(line.encode() + b"\n")
                yield

    def _info(self, name: str) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(name, self._moment.timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        return info


def _moment(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _without_ids(payload: dict[str, Any], user_id: str) -> dict[str, Any]:
    return {**payload, "by": _by(payload["by"], user_id)} if "by" in payload else payload


def _by(found: str | None, user_id: str) -> layout.By:
    if found is None:
        return None
    return layout.ME if found == user_id else layout.OTHER


def _read(payloads: list[dict[str, Any]]) -> tuple[InterviewEvent, ...]:
    """The events, where they still make an interview; what doesn't is taken away all the same."""
    try:
        events = tuple(EVENT.validate_python(payload) for payload in payloads)
        fold(events)
    except (InterviewerError, ValidationError):
        return ()
    return events


def _question(row: Row, versions: list[Row], edit: Row | None, user_id: str) -> layout.QuestionEntry:
    columns = ("content", "version", "position", "retired", "state", "merged_into", "updated_at")
    return layout.QuestionEntry(
        **{name: row[name] for name in columns},
        versions=tuple(
            layout.VersionEntry(
                version=each["version"],
                reason=each["reason"],
                created_at=each["created_at"],
                content=each["content"],
                by=_by(each["user_id"], user_id),
            )
            for each in versions
        ),
        edit=_edit(edit, user_id) if edit is not None else None,
    )


def _edit(row: Row, user_id: str) -> layout.EditEntry:
    columns = ("state", "base", "content", "conflicts", "updated_at")
    return layout.EditEntry(**{name: row[name] for name in columns}, by=_by(row["user_id"], user_id))
