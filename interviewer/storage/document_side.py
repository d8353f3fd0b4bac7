"""Saving what documents and the shipped bank say: new questions, changed ones, and never over what people edited."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from interviewer.models import Question
from interviewer.sharing.merging import merge
from interviewer.storage import tables as t

REMOVED = "removed"
"""The conflict of a question that was edited and that its document no longer has."""


class SaveCounts(NamedTuple):
    """How many questions a save added, updated and left as they were, and the ids of those where an edit stood against
    a change of the document."""

    added: int
    updated: int
    unchanged: int
    clashes: tuple[str, ...] = ()


class Saving(NamedTuple):
    """What holds for every question of a save.

    Attributes:
        reason: Why there is a new version.
        user_id: Who imports; None for the product itself.
        review: Whether it waits for review before anybody is asked it.
    """

    reason: str
    at: datetime
    user_id: str | None = None
    review: bool = False


class _Changes:
    """What a batch does to the tables, written at its end."""

    def __init__(self, saving: Saving) -> None:
        self.saving = saving
        self.rows: list[dict[str, Any]] = []
        self.versions: list[dict[str, Any]] = []
        self.updated = 0
        self.clashes: list[str] = []


def save_batch(connection: Connection, batch: Mapping[str, Question], saving: Saving) -> SaveCounts:
    """Saves questions by id. An edited question takes over what only its document changed."""
    q, e = t.questions.c, t.edits.c
    ids = list(batch)
    query = select(q.id, q.hash, q.version, q.retired, q.state, q.merged_into).where(q.id.in_(ids))
    known = {row.id: row for row in connection.execute(query)}
    edits = {row.question_id: row for row in connection.execute(select(t.edits).where(e.question_id.in_(ids)))}
    position = (connection.scalar(select(func.max(q.position))) or 0.0) + 1
    changes = _Changes(saving)
    for offset, question in enumerate(batch.values()):
        row = known.get(question.id)
        if row is None:
            _add(question, position + offset, changes)
        elif row.merged_into is not None:
            continue
        elif (edit := edits.get(question.id)) is None:
            _replace(connection, question, row, changes)
        else:
            _merge(connection, question, row, edit, changes)
    if changes.rows:
        connection.execute(insert(t.questions), changes.rows)
    if changes.versions:
        connection.execute(insert(t.question_versions), changes.versions)
    added = len(changes.rows)
    return SaveCounts(added, changes.updated, len(batch) - added - changes.updated, tuple(changes.clashes))


def retire(connection: Connection, ids: Sequence[str]) -> int:
    """Takes questions that their document no longer has out of use; gives how many.

    One that people edited stays, and is marked.
    """
    e, q = t.edits.c, t.questions.c
    edited = {row.question_id: row for row in connection.execute(select(t.edits).where(e.question_id.in_(ids)))}
    for row in edited.values():
        if not any(path[0] == REMOVED for path in row.conflicts):
            marked = update(t.edits).where(e.question_id == row.question_id)
            connection.execute(marked.values(conflicts=[*row.conflicts, [REMOVED]]))
    gone = [question_id for question_id in ids if question_id not in edited]
    return connection.execute(update(t.questions).where(q.id.in_(gone), ~q.retired).values(retired=True)).rowcount


def found_again(connection: Connection, ids: Sequence[str]) -> None:
    """Takes the mark off edited questions that their document has again."""
    e = t.edits.c
    for row in connection.execute(select(e.question_id, e.conflicts).where(e.question_id.in_(ids))).all():
        left = [path for path in row.conflicts if path[0] != REMOVED]
        if left != row.conflicts:
            connection.execute(update(t.edits).where(e.question_id == row.question_id).values(conflicts=left))


def _add(question: Question, position: float, changes: _Changes) -> None:
    saving = changes.saving
    state = "draft" if saving.review else "live"
    values = columns(question, 1, saving.at) | {"state": state}
    changes.rows.append({"id": question.id, "position": position, **values})
    changes.versions.append(version(question, 1, saving.reason, saving.at, saving.user_id))


def _replace(connection: Connection, question: Question, row: Any, changes: _Changes) -> None:
    """A question nobody edited says what its document says."""
    if row.hash == question.content_hash and not row.retired:
        return
    changes.updated += 1
    if changes.saving.review and row.state == "live" and not row.retired:
        values = {"base": question.model_dump(mode="json"), "content": question.model_dump(mode="json")}
        saving = changes.saving
        made: dict[str, Any] = {"conflicts": [], "state": "draft", "user_id": saving.user_id, "updated_at": saving.at}
        connection.execute(insert(t.edits).values(question_id=question.id, **values, **made))
        return
    waits = row.state == "rejected" or (changes.saving.review and row.retired)
    _write(connection, question, row, changes, state="draft" if waits else row.state)


def _merge(connection: Connection, question: Question, row: Any, edit: Any, changes: _Changes) -> None:
    """An edited question takes over what only its document changed."""
    base = Question.model_validate(edit.base)
    marks = [path for path in edit.conflicts if path[0] != REMOVED]
    if base == question and not row.retired and marks == edit.conflicts:
        return
    merged = merge(base, question, Question.model_validate(edit.content))
    new = [list(path) for path in merged.conflicts if list(path) not in marks]
    if new:
        changes.clashes.append(question.id)
    waits = edit.state == "draft" or (changes.saving.review and row.state == "live")
    same = merged.question == question
    mine = t.edits.c.question_id == question.id
    if same and (not waits or merged.question.content_hash == row.hash):
        connection.execute(delete(t.edits).where(mine))
    else:
        values = {"base": question.model_dump(mode="json"), "content": merged.question.model_dump(mode="json")}
        state = {"state": "draft" if waits else "live", "conflicts": [*marks, *new], "updated_at": changes.saving.at}
        connection.execute(update(t.edits).where(mine).values(**values, **state))
    changes.updated += 1
    if not waits and (merged.question.content_hash != row.hash or row.retired):
        _write(connection, merged.question, row, changes, state="draft" if row.state == "rejected" else row.state)


def _write(connection: Connection, question: Question, row: Any, changes: _Changes, *, state: str) -> None:
    saving = changes.saving
    values = columns(question, row.version + 1, saving.at) | {"state": state}
    connection.execute(update(t.questions).where(t.questions.c.id == question.id).values(**values))
    changes.versions.append(version(question, row.version + 1, saving.reason, saving.at, saving.user_id))


def columns(question: Question, number: int, at: datetime) -> dict[str, Any]:
    """The columns of `questions` that follow from its content."""
    return {
        "set": question.set,
        "topic": question.topic,
        "kind": question.kind.value,
        "difficulty": question.difficulty,
        "frequency": question.frequency,
        "phases": len(question.phases),
        "zh": "zh" in question.question,
        "en": "en" in question.question,
        "document": question.source.document,
        "version": number,
        "hash": question.content_hash,
        "retired": False,
        "updated_at": at,
        "content": question.model_dump(mode="json"),
    }


def version(question: Question, number: int, reason: str, at: datetime, user_id: str | None) -> dict[str, Any]:
    """A row of `question_versions`."""
    return {
        "question_id": question.id,
        "version": number,
        "hash": question.content_hash,
        "reason": reason,
        "created_at": at,
        "content": question.model_dump(mode="json"),
        "user_id": user_id,
    }
