"""Bringing in what a checked file holds, within one transaction."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from interviewer.interview.events import EVENT, Decided, InterviewEvent
from interviewer.models import Frozen, Question
from interviewer.mydata import layout
from interviewer.mydata.errors import BadDataFileError
from interviewer.mydata.names import Renamed, interview_ids, question_ids, set_names
from interviewer.mydata.reading import DataFile, ReadInterview
from interviewer.storage import tables as t


class Tally(Frozen):
    """How many came in new, how many go on further than what was here, and how many were here already."""

    added: int = 0
    renewed: int = 0
    known: int = 0


class Brought(Frozen):
    """What came of a file.

    Attributes:
        sets: What the file's sets are called here, by their names in the file.
        edits: Edits of questions in sets that are not one's own; they are in the file to read, and not brought in.
    """

    interviews: Tally
    kept_answers: Tally
    questions: Tally
    sets: dict[str, str]
    edits: int


class Counter:
    """Counts towards a `Tally`."""

    def __init__(self) -> None:
        self._counts = {"added": 0, "renewed": 0, "known": 0}

    def count(self, outcome: str) -> None:
        self._counts[outcome] += 1

    @property
    def tally(self) -> Tally:
        return Tally(**self._counts)


class _Place(NamedTuple):
    """Where a question of the file goes; `versions` are the hashes of what is there, none for a free place."""

    id: str
    versions: tuple[str, ...] | None


class Bringer:
    """Writes as one person, over one connection.

    Args:
        connection: An open transaction.
        user_id: Whose it becomes.
        team: Whether there are others, whose sets and ids must stay theirs.
    """

    def __init__(self, connection: Connection, user_id: str, now: datetime, *, team: bool) -> None:
        self._run = connection
        self._user = user_id
        self._now = now
        self._team = team

    def bring(self, file: DataFile) -> Brought:
        """Everything of the file that is not here yet."""
        self._be_there()
        sets: dict[str, str] = {}
        ids: dict[str, str] = {}
        questions, interviews, kept = Counter(), Counter(), Counter()
        for number, entry in file.sets():
            sets[entry.name] = self._set(entry)
            for question in file.questions(number):
                ids[question.content.id] = self._place(question.content.id, sets[entry.name]).id
        for number, entry in file.sets():
            for question in file.questions(number):
                place = self._place(question.content.id, sets[entry.name])
                questions.count(self._question(question, place, sets[entry.name], ids))
        renamed = Renamed(_changed(sets), _changed(ids))
        for interview in file.interviews():
            interviews.count(self._interview(interview, renamed))
        for answer in file.kept():
            kept.count(self._kept(answer, renamed))
        return Brought(
            interviews=interviews.tally,
            kept_answers=kept.tally,
            questions=questions.tally,
            sets=sets,
            edits=len(file.edits()),
        )

    def _be_there(self) -> None:
        known = self._run.scalar(select(t.users.c.id).where(t.users.c.id == self._user))
        if known is None and self._team:
            raise BadDataFileError("mydata_nobody")
        if known is None:
            self._run.execute(insert(t.users).values(id=self._user, created_at=self._now))

    def _set(self, entry: layout.SetEntry) -> str:
        """What the set is called here; another's is never touched, nor is one that others read."""
        c = t.question_sets.c
        for name in set_names(entry.name):
            row = self._run.execute(select(c.owner_id, c.visibility).where(c.name == name)).one_or_none()
            if row is None:
                fields = {"source": entry.source, "licence": entry.licence, "created_at": entry.created_at}
                self._run.execute(
                    insert(t.question_sets).values(name=name, owner_id=self._user, visibility="private", **fields)
                )
            elif row.owner_id != self._user or (self._team and row.visibility != "private"):
                continue
            self._documents(entry, name)
            return name
        raise BadDataFileError("mydata_no_name", name=entry.name)

    def _documents(self, entry: layout.SetEntry, name: str) -> None:
        known = set(self._run.scalars(select(t.documents.c.document).where(t.documents.c.set == name)))
        rows = [document.model_dump() | {"set": name} for document in entry.documents if document.document not in known]
        if rows:
            self._run.execute(insert(t.documents), list({row["document"]: row for row in rows}.values()))

    def _place(self, question_id: str, set_name: str) -> _Place:
        c, v = t.questions.c, t.question_versions.c
        for candidate in question_ids(question_id, self._user, set_name):
            found = self._run.scalar(select(c.set).where(c.id == candidate))
            if found is None:
                return _Place(candidate, None)
            if found == set_name:
                query = select(v.hash).where(v.question_id == candidate).order_by(v.version)
                return _Place(candidate, tuple(self._run.scalars(query)))
        raise BadDataFileError("mydata_no_name", name=question_id)

    def _question(self, entry: layout.QuestionEntry, place: _Place, set_name: str, ids: Mapping[str, str]) -> str:
        def here(content: Question) -> Question:
            if content.id == place.id and content.set == set_name:
                return content
            return content.model_copy(update={"id": place.id, "set": set_name})

        versions: list[dict[str, Any]] = [
            {
                "question_id": place.id,
                "version": each.version,
                "hash": here(each.content).content_hash,
                "reason": each.reason,
                "created_at": each.created_at,
                "content": here(each.content).model_dump(mode="json"),
                "user_id": self._user if each.by == layout.ME else None,
            }
            for each in entry.versions
        ]
        if place.versions is not None and not _goes_on([row["hash"] for row in versions], place.versions):
            return "known"
        if place.versions is not None:
            self._run.execute(delete(t.questions).where(t.questions.c.id == place.id))
        merged = ids.get(entry.merged_into, entry.merged_into) if entry.merged_into else None
        self._run.execute(insert(t.questions).values(id=place.id, **_columns(entry, here(entry.content), merged)))
        if versions:
            self._run.execute(insert(t.question_versions), versions)
        if entry.edit is not None:
            self._edit(entry.edit, place.id, here)
        return "added" if place.versions is None else "renewed"

    def _edit(self, edit: layout.EditEntry, question_id: str, here: Any) -> None:
        self._run.execute(
            insert(t.edits).values(
                question_id=question_id,
                state=edit.state,
                base=here(edit.base).model_dump(mode="json"),
                content=here(edit.content).model_dump(mode="json"),
                conflicts=list(edit.conflicts),
                user_id=self._user if edit.by == layout.ME else None,
                updated_at=edit.updated_at,
            )
        )

    def _interview(self, interview: ReadInterview, renamed: Renamed) -> str:
        payloads = [self._payload(event, renamed) for event in interview.events]
        content = json.dumps(payloads, sort_keys=True)
        for candidate in interview_ids(interview.id, self._user, content):
            owner = self._run.scalar(select(t.interviews.c.user_id).where(t.interviews.c.id == candidate))
            if owner is None:
                values = {"id": candidate, "user_id": self._user, "created_at": interview.events[0].at}
                self._run.execute(insert(t.interviews).values(**values))
                self._events(candidate, interview.events, payloads, after=0)
                return "added"
            if owner != self._user:
                continue
            here = self._here(candidate)
            if here[: len(payloads)] == payloads:
                return "known"
            if payloads[: len(here)] == here:
                self._events(candidate, interview.events, payloads, after=len(here))
                return "renewed"
        return "known"

    def _here(self, interview_id: str) -> list[dict[str, Any]]:
        """The events of an own interview as a file would bring them."""
        c = t.events.c
        query = select(c.payload).where(c.interview_id == interview_id).order_by(c.seq)
        events = (EVENT.validate_python(payload) for payload in self._run.scalars(query))
        return [self._folded(event).model_dump(mode="json") for event in events]

    def _folded(self, event: InterviewEvent) -> InterviewEvent:
        foreign = isinstance(event, Decided) and event.by != self._user
        return event.model_copy(update={"by": layout.OTHER}) if foreign else event

    def _payload(self, event: InterviewEvent, renamed: Renamed) -> dict[str, Any]:
        if isinstance(event, Decided) and event.by == layout.ME:
            event = event.model_copy(update={"by": self._user})
        changed: dict[str, Any] = renamed.within(event.model_dump(mode="json"))
        return changed

    def _events(
        self, interview_id: str, events: tuple[InterviewEvent, ...], payloads: list[dict[str, Any]], *, after: int
    ) -> None:
        rows = [
            {
                "interview_id": interview_id,
                "seq": seq,
                "user_id": self._user,
                "type": event.type,
                "at": event.at,
                "payload": payload,
            }
            for seq, (event, payload) in enumerate(zip(events, payloads, strict=True))
        ]
        self._run.execute(insert(t.events), rows[after:])

    def _kept(self, answer: layout.KeptAnswerEntry, renamed: Renamed) -> str:
        k = t.kept_answers.c
        values = answer.model_dump() | {"user_id": self._user, "question_id": renamed.question(answer.question_id)}
        mine = (k.user_id == self._user) & (k.question_id == values["question_id"]) & (k.language == answer.language)
        kept_at = self._run.scalar(select(k.kept_at).where(mine))
        if kept_at is None:
            self._run.execute(insert(t.kept_answers).values(**values))
            return "added"
        if kept_at >= answer.kept_at:
            return "known"
        self._run.execute(update(t.kept_answers).where(mine).values(**values))
        return "renewed"


def _columns(entry: layout.QuestionEntry, content: Question, merged_into: str | None) -> dict[str, Any]:
    return {
        "set": content.set,
        "topic": content.topic,
        "kind": content.kind.value,
        "difficulty": content.difficulty,
        "frequency": content.frequency,
        "phases": len(content.phases),
        "zh": "zh" in content.question,
        "en": "en" in content.question,
        "document": content.source.document,
        "position": entry.position,
        "version": entry.version,
        "hash": content.content_hash,
        "retired": entry.retired,
        "state": entry.state,
        "merged_into": merged_into,
        "updated_at": entry.updated_at,
        "content": content.model_dump(mode="json"),
    }


def _goes_on(incoming: list[str], here: tuple[str, ...]) -> bool:
    """Whether the file knows a question for longer than we do."""
    return len(incoming) > len(here) and tuple(incoming[: len(here)]) == here


def _changed(names: Mapping[str, str]) -> dict[str, str]:
    return {old: new for old, new in names.items() if old != new}


__all__ = ["Bringer", "Brought", "Tally"]
