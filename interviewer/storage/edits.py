"""What people make of questions: edits, reviews, merges, and every version with who made it and when."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, cast, delete, func, insert, or_, select, update

from interviewer.accounts.errors import TakenError
from interviewer.models import Question
from interviewer.sharing.fields import Path
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.storage.document_side import REMOVED, columns, version
from interviewer.storage.sets import ensure_user, people_names

KEPT: Path = (REMOVED, "kept")
"""A question whose document no longer has it, and that somebody decided to keep."""
_SETTLED = ("[]", f'[["{REMOVED}", "kept"]]')


class Edit(NamedTuple):
    """What people changed.

    Attributes:
        waits: Whether the change waits for review; the question is asked without it.
        base: What the document says.
        content: What people made of it.
        conflicts: What both changed; `("removed",)` where the document no longer has the question.
    """

    waits: bool
    base: Question
    content: Question
    conflicts: tuple[Path, ...]
    user_id: str | None


class Stored(NamedTuple):
    """A question as an editor needs it.

    Attributes:
        question: As it is asked, or would be.
        state: `live`, `draft` or `rejected`.
        stamp: Changes with every change of the question or its edit.
    """

    question: Question
    state: str
    retired: bool
    version: int
    merged_into: str | None
    edit: Edit | None
    stamp: str

    @property
    def newest(self) -> Question:
        """With what waits for review."""
        return self.edit.content if self.edit else self.question

    @property
    def base(self) -> Question:
        """What the document says."""
        return self.edit.base if self.edit else self.question

    @property
    def conflicts(self) -> tuple[Path, ...]:
        """What is still to be decided."""
        return tuple(path for path in self.edit.conflicts if path != KEPT) if self.edit else ()

    @property
    def waits(self) -> bool:
        """Whether anything of it waits for review."""
        return self.state == "draft" or (self.edit is not None and self.edit.waits)


class Version(NamedTuple):
    """One version of a question; `author` is empty for the product itself, `author_id` tells who is gone."""

    number: int
    at: datetime
    reason: str
    author_id: str | None
    author: str
    question: Question


class EditStore:
    """Questions with what people made of them.

    Args:
        now: The clock.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def get(self, question_id: str) -> Stored | None:
        """Also of what waits, was rejected or retired."""
        with self._database.read() as connection:
            return _stored(connection, t.questions.c.id == question_id).get(question_id)

    def many(self, ids: Sequence[str]) -> dict[str, Stored]:
        with self._database.read() as connection:
            return _stored(connection, t.questions.c.id.in_(list(ids)))

    def waiting(self, sets: tuple[str, ...], *, limit: int, offset: int) -> tuple[Stored, ...]:
        """What somebody has to look at, by set and position; `sets` empty means all."""
        c = t.questions.c
        query = (
            select(c.id)
            .outerjoin(t.edits, t.edits.c.question_id == c.id)
            .where(*_to_review(sets))
            .order_by(c.set, c.position, c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._database.read() as connection:
            ids = list(connection.scalars(query))
            found = _stored(connection, c.id.in_(ids))
        return tuple(found[question_id] for question_id in ids)

    def count_waiting(self, sets: tuple[str, ...]) -> int:
        tables = t.questions.outerjoin(t.edits, t.edits.c.question_id == t.questions.c.id)
        query = select(func.count()).select_from(tables).where(*_to_review(sets))
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def listed(self, set: str, *, limit: int, offset: int) -> tuple[Stored, ...]:
        """The questions of a set that are not retired, whatever their state, by position."""
        c = t.questions.c
        query = select(c.id).where(c.set == set, ~c.retired).order_by(c.position, c.id).limit(limit).offset(offset)
        with self._database.read() as connection:
            ids = list(connection.scalars(query))
            found = _stored(connection, c.id.in_(ids))
        return tuple(found[question_id] for question_id in ids)

    def count(self, set: str) -> int:
        c = t.questions.c
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).where(c.set == set, ~c.retired)) or 0

    def reports(self, set: str) -> tuple[Any, ...]:
        """What the imports of a set's documents reported, as JSON."""
        d = t.documents.c
        with self._database.read() as connection:
            return tuple(connection.scalars(select(d.report).where(d.set == set).order_by(d.document)))

    def save(self, question: Question, *, stamp: str, user_id: str, waits: bool, reason: str = "edit") -> None:
        """Keeps an edit of the question as it was at `stamp`; everything that stood in conflict is decided by it.

        Args:
            waits: Whether somebody else has to publish it.

        Raises:
            ConflictError: if the question was changed since `stamp`.
        """
        with self._database.write() as connection:
            known = _checked(connection, question.id, stamp)
            ensure_user(connection, user_id, self._now())
            if question == known.newest and not known.conflicts:
                return
            waits = waits and known.state == "live"
            kept = [list(KEPT)] if known.edit and any(p[0] == REMOVED for p in known.edit.conflicts) else []
            _put_edit(connection, known, question, self._now(), user_id=user_id, waits=waits, conflicts=kept)
            if not waits:
                self._write(connection, known, question, reason, user_id)

    def publish(self, stamped: Sequence[tuple[str, str]], *, user_id: str) -> None:
        """What waits of these questions, given with their stamps, is asked from now on, in the name of who wrote it.

        All of them or none; raises what `save` raises.
        """
        with self._database.write() as connection:
            for question_id, stamp in stamped:
                known = _checked(connection, question_id, stamp)
                author = (known.edit.user_id if known.edit else None) or user_id
                if known.edit is not None:
                    _put_edit(connection, known, known.newest, self._now(), user_id=author, conflicts=[])
                self._write(connection, known, known.newest, "publish", author, state="live")

    def reject(self, question_id: str, *, stamp: str, user_id: str) -> None:
        """What waits is turned down: a change of a question leaves it as it is asked, a question is asked nobody.

        Raises:
            ConflictError: if the question was changed since `stamp`.
        """
        with self._database.write() as connection:
            known = _checked(connection, question_id, stamp)
            if known.state == "live" and known.edit is not None and known.edit.waits:
                _put_edit(connection, known, known.question, self._now(), user_id=user_id, conflicts=[])
            else:
                self._set(connection, question_id, state="rejected")

    def merge(self, keep_id: str, gone_id: str) -> None:
        """`gone_id` leads to `keep_id` from now on, and so does whatever was merged into it."""
        c = t.questions.c
        with self._database.write() as connection:
            led = update(t.questions).where(c.merged_into == gone_id)
            connection.execute(led.values(merged_into=keep_id))
            self._set(connection, gone_id, retired=True, merged_into=keep_id)
            connection.execute(delete(t.edits).where(t.edits.c.question_id == gone_id))

    def versions(self, question_id: str) -> tuple[Version, ...]:
        """Every version, newest first."""
        v = t.question_versions.c
        query = select(t.question_versions).where(v.question_id == question_id).order_by(v.version.desc())
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            names = people_names(connection, (row.user_id for row in rows))
        return tuple(
            Version(
                row.version,
                row.created_at,
                row.reason,
                row.user_id,
                names.get(row.user_id, ""),
                Question.model_validate(row.content),
            )
            for row in rows
        )

    def _write(
        self, connection: Connection, known: Stored, question: Question, reason: str, user_id: str, state: str = ""
    ) -> None:
        """Makes `question` what is asked; a new version only where it says something else."""
        number, at = known.version, self._now()
        if question == known.question:
            question = known.question
        else:
            number += 1
            connection.execute(insert(t.question_versions).values(version(question, number, reason, at, user_id)))
        values = columns(question, number, at) | {"state": state or known.state, "merged_into": None}
        connection.execute(update(t.questions).where(t.questions.c.id == question.id).values(**values))

    def _set(self, connection: Connection, question_id: str, **values: Any) -> None:
        changed = update(t.questions).where(t.questions.c.id == question_id)
        connection.execute(changed.values(updated_at=self._now(), **values))


def _put_edit(
    connection: Connection,
    known: Stored,
    content: Question,
    at: datetime,
    *,
    user_id: str | None,
    conflicts: list[list[str]],
    waits: bool = False,
) -> None:
    """Keeps what differs from the document; nothing where nothing does."""
    connection.execute(delete(t.edits).where(t.edits.c.question_id == content.id))
    if not waits and not conflicts and content == known.base:
        return
    values = {"base": known.base.model_dump(mode="json"), "content": content.model_dump(mode="json")}
    state = {"state": "draft" if waits else "live", "conflicts": conflicts, "user_id": user_id, "updated_at": at}
    connection.execute(insert(t.edits).values(question_id=content.id, **values, **state))


def _checked(connection: Connection, question_id: str, stamp: str) -> Stored:
    known = _stored(connection, t.questions.c.id == question_id).get(question_id)
    if known is None or known.stamp != stamp:
        raise TakenError("sharing_changed")
    return known


def _stored(connection: Connection, condition: ColumnElement[bool]) -> dict[str, Stored]:
    q, e = t.questions.c, t.edits.c
    query = (
        select(
            q.id, q.content, q.state, q.retired, q.version, q.merged_into, q.updated_at,
            e.state.label("edit_state"), e.base, e.content.label("edited"), e.conflicts, e.user_id,
            e.updated_at.label("edited_at"),
        )
        .outerjoin(t.edits, e.question_id == q.id)
        .where(condition)
    )  # fmt: skip
    return {row.id: _from_row(row) for row in connection.execute(query)}


def _from_row(row: Any) -> Stored:
    edit = None
    if row.edit_state is not None:
        base, content = (Question.model_validate(value) for value in (row.base, row.edited))
        conflicts = tuple(tuple(path) for path in row.conflicts)
        edit = Edit(row.edit_state == "draft", base, content, conflicts, row.user_id)
    moments = [row.updated_at, row.edited_at] if edit else [row.updated_at]
    stamp = "-".join((str(row.version), *(f"{moment.timestamp():.6f}" for moment in moments)))
    question = Question.model_validate(row.content)
    return Stored(question, row.state, row.retired, row.version, row.merged_into, edit, stamp)


def _to_review(sets: tuple[str, ...]) -> list[ColumnElement[bool]]:
    c, e = t.questions.c, t.edits.c
    waits = or_(c.state == "draft", e.state == "draft", cast(e.conflicts, String).not_in(_SETTLED))
    conditions = [~c.retired, c.state != "rejected", waits]
    return [*conditions, c.set.in_(sets)] if sets else conditions
