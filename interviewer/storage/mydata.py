"""What belongs to one person, as rows to be taken away."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Select, func, select

from interviewer.storage import tables as t
from interviewer.storage.database import Database

BATCH = 200

Row = Mapping[str, Any]


class OwnRows:
    """Reads in short steps, so that a slow download holds no transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def interviews(self, user_id: str) -> list[Row]:
        """`id`, `created_at`, `shared_at` and the `assignment`'s title, oldest first."""
        done_for = t.assignment_interviews.join(t.assignments)
        query = (
            select(t.interviews.c.id, t.interviews.c.created_at, t.shares.c.shared_at, t.assignments.c.title)
            .select_from(
                t.interviews.outerjoin(t.shares, t.shares.c.interview_id == t.interviews.c.id).outerjoin(
                    done_for, t.assignment_interviews.c.interview_id == t.interviews.c.id
                )
            )
            .where(t.interviews.c.user_id == user_id)
            .order_by(t.interviews.c.created_at, t.interviews.c.id)
        )
        return self._all(query)

    def events(self, user_id: str, interview_id: str) -> list[dict[str, Any]]:
        """The events of an interview as they are stored; none if it is gone."""
        c = t.events.c
        query = select(c.payload).where(c.interview_id == interview_id, c.user_id == user_id).order_by(c.seq)
        return [row["payload"] for row in self._all(query)]

    def kept(self, user_id: str) -> list[Row]:
        """Kept answers, oldest first."""
        c = t.kept_answers.c
        query = select(t.kept_answers).where(c.user_id == user_id)
        return self._all(query.order_by(c.kept_at, c.question_id, c.language))

    def sets(self, user_id: str) -> list[Row]:
        """The sets they own, by name."""
        c = t.question_sets.c
        return self._all(select(t.question_sets).where(c.owner_id == user_id).order_by(c.name))

    def documents(self, name: str) -> list[Row]:
        """The documents of a set."""
        c = t.documents.c
        return self._all(select(t.documents).where(c.set == name).order_by(c.document))

    def questions(self, name: str) -> Iterator[tuple[Row, list[Row], Row | None]]:
        """Every question of a set, also those out of use, each with its versions and its edit."""
        c, position = t.questions.c, 0
        ids = [row["id"] for row in self._all(select(c.id).where(c.set == name).order_by(c.position, c.id))]
        while batch := ids[position : position + BATCH]:
            position += BATCH
            versions, edits = self._versions(batch), {row["question_id"]: row for row in self._edits(batch)}
            found = {row["id"]: row for row in self._all(select(t.questions).where(c.id.in_(batch)))}
            for key in batch:
                if key in found:
                    yield found[key], versions.get(key, []), edits.get(key)

    def edits_elsewhere(self, user_id: str) -> list[Row]:
        """Their edits of questions in sets they don't own, each with its question's set as `set`."""
        q, s = t.questions.c, t.question_sets.c
        others = t.edits.join(t.questions).outerjoin(t.question_sets, s.name == q.set)
        query = select(t.edits, q.set).select_from(others).where(t.edits.c.user_id == user_id)
        return self._all(query.where((s.owner_id != user_id) | s.owner_id.is_(None)).order_by(q.id))

    def count_questions(self, user_id: str) -> int:
        """How many questions their sets hold, also those out of use."""
        owned = select(t.question_sets.c.name).where(t.question_sets.c.owner_id == user_id)
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).where(t.questions.c.set.in_(owned))) or 0

    def _versions(self, ids: list[str]) -> dict[str, list[Row]]:
        v = t.question_versions.c
        found: dict[str, list[Row]] = {}
        query = select(t.question_versions).where(v.question_id.in_(ids)).order_by(v.question_id, v.version)
        for row in self._all(query):
            found.setdefault(row["question_id"], []).append(row)
        return found

    def _edits(self, ids: list[str]) -> list[Row]:
        return self._all(select(t.edits).where(t.edits.c.question_id.in_(ids)))

    def _all(self, query: Select[Any]) -> list[Row]:
        with self._database.read() as connection:
            return [dict(row._mapping) for row in connection.execute(query)]


def overwrite_deleted(database: Database) -> None:
    """Empties SQLite's log, which would keep what was deleted until it is written over; other databases have none."""
    if database.engine.dialect.name != "sqlite":
        return
    connection = database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
