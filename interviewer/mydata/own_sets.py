"""Bringing in sets of one's own, with every version of their questions, and one's edits of others."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from interviewer.models import Question
from interviewer.mydata import layout
from interviewer.mydata.counting import Counter, Outcome, Tally
from interviewer.mydata.errors import BadDataFileError
from interviewer.mydata.names import Renamed, question_ids, set_names
from interviewer.mydata.reading import DataFile
from interviewer.storage import tables as t
from interviewer.storage.document_side import columns, version


class BroughtSets(NamedTuple):
    """What came of the sets of a file.

    Attributes:
        names: What the sets are called here, by their names in the file.
    """

    names: dict[str, str]
    renamed: Renamed
    questions: Tally
    edits: Tally
    edits_left: int


class _Place(NamedTuple):
    """Where a question of the file goes; `versions` are the hashes of what is there, none for a free place."""

    id: str
    versions: tuple[str, ...] | None


class SetBringer:
    """Writes as one person, over one connection.

    Args:
        connection: An open transaction.
        user_id: Whose the sets become.
        team: Whether there are others, whose sets and ids must stay theirs.
    """

    def __init__(self, connection: Connection, user_id: str, now: datetime, *, team: bool) -> None:
        self._run = connection
        self._user = user_id
        self._now = now
        self._team = team

    def bring(self, file: DataFile) -> BroughtSets:
        """Every set, question and edit that is not here yet."""
        names: dict[str, str] = {}
        ids: dict[str, str] = {}
        questions, edits, left = Counter(), Counter(), 0
        for number, entry in file.sets():
            names[entry.name] = self._set(entry)
            for question in file.questions(number):
                ids[question.content.id] = self._place(question.content.id, names[entry.name]).id
        for number, entry in file.sets():
            for question in file.questions(number):
                place = self._place(question.content.id, names[entry.name])
                questions.count(self._question(question, place, names[entry.name], ids))
        for elsewhere in file.edits():
            outcome = self._elsewhere(elsewhere)
            if outcome is None:
                left += 1
            else:
                edits.count(outcome)
        renamed = Renamed(_changed(names), _changed(ids))
        return BroughtSets(names, renamed, questions.tally, edits.tally, left)

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

    def _question(self, entry: layout.QuestionEntry, place: _Place, set_name: str, ids: Mapping[str, str]) -> Outcome:
        def here(content: Question) -> Question:
            if content.id == place.id and content.set == set_name:
                return content
            return content.model_copy(update={"id": place.id, "set": set_name})

        versions = [
            version(here(each.content), each.version, each.reason, each.created_at, self._who(each.by))
            for each in entry.versions
        ]
        known = place.versions
        if known is not None and not _goes_on([row["hash"] for row in versions], known):
            return "known"
        if known is not None:
            self._run.execute(delete(t.questions).where(t.questions.c.id == place.id))
        # What is worked out from questions is kept until one of them changes.
        at = entry.updated_at if known is None else self._now
        merged = ids.get(entry.merged_into, entry.merged_into) if entry.merged_into else None
        values = columns(here(entry.content), entry.version, at) | {"retired": entry.retired, "merged_into": merged}
        self._run.execute(insert(t.questions).values(id=place.id, position=entry.position, state=entry.state, **values))
        if versions:
            self._run.execute(insert(t.question_versions), versions)
        if entry.edit is not None:
            self._edit(entry.edit, here)
        return "added" if known is None else "renewed"

    def _elsewhere(self, entry: layout.EditElsewhere) -> Outcome | None:
        """An edit of a question in a set that is not one's own; None where it stays in the file.

        In a team others decide about such questions. At home it counts where the question is as it was then.
        """
        c, edit = t.questions.c, entry.edit
        row = self._run.execute(select(c.hash, c.version).where(c.id == entry.question_id)).one_or_none()
        if self._team or row is None or edit.state != "live":
            return None
        if row.hash == edit.content.content_hash:
            return "known"
        edited = self._run.scalar(select(t.edits.c.state).where(t.edits.c.question_id == entry.question_id))
        if edited is not None or row.hash != edit.base.content_hash or edit.content.id != entry.question_id:
            return None
        number = row.version + 1
        self._run.execute(
            update(t.questions).where(c.id == entry.question_id).values(**columns(edit.content, number, self._now))
        )
        made = version(edit.content, number, "edit", edit.updated_at, self._who(edit.by))
        self._run.execute(insert(t.question_versions).values(**made))
        self._edit(edit, lambda content: content)
        return "added"

    def _edit(self, edit: layout.EditEntry, here: Callable[[Question], Question]) -> None:
        content = here(edit.content)
        self._run.execute(
            insert(t.edits).values(
                question_id=content.id,
                state=edit.state,
                base=here(edit.base).model_dump(mode="json"),
                content=content.model_dump(mode="json"),
                conflicts=[list(path) for path in edit.conflicts],
                user_id=self._who(edit.by),
                updated_at=edit.updated_at,
            )
        )

    def _who(self, by: layout.By) -> str | None:
        return self._user if by == layout.ME else None


def _goes_on(incoming: list[str], here: tuple[str, ...]) -> bool:
    """Whether the file knows a question for longer than we do."""
    return len(incoming) > len(here) and tuple(incoming[: len(here)]) == here


def _changed(names: Mapping[str, str]) -> dict[str, str]:
    return {old: new for old, new in names.items() if old != new}
