"""Model answers that people keep, as they were when they kept them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select

from interviewer.models import Language
from interviewer.storage import tables as t
from interviewer.storage.database import Database


class Kept(NamedTuple):
    """A kept answer; `question` and `text` (Markdown) are those of the version it was kept from."""

    question_id: str
    language: Language
    question: str
    text: str
    kept_at: datetime


class KeptStore:
    """Kept answers by user; one for each question and language."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, user_id: str, kept: Kept) -> None:
        """Keeps an answer; one that was kept before is replaced."""
        c = t.kept_answers.c
        same = (c.user_id == user_id, c.question_id == kept.question_id, c.language == kept.language)
        with self._database.write() as connection:
            if connection.scalar(select(t.users.c.id).where(t.users.c.id == user_id)) is None:
                connection.execute(insert(t.users).values(id=user_id, created_at=kept.kept_at))
            connection.execute(delete(t.kept_answers).where(*same))
            connection.execute(insert(t.kept_answers).values(user_id=user_id, **kept._asdict()))

    def all(self, user_id: str) -> tuple[Kept, ...]:
        """What this user kept, the newest first."""
        c = t.kept_answers.c
        query = (
            select(c.question_id, c.language, c.question, c.text, c.kept_at)
            .where(c.user_id == user_id)
            .order_by(c.kept_at.desc(), c.question_id, c.language)
        )
        with self._database.read() as connection:
            return tuple(Kept(*row) for row in connection.execute(query))

    def count(self, user_id: str) -> int:
        with self._database.read() as connection:
            query = select(func.count()).where(t.kept_answers.c.user_id == user_id)
            return connection.scalar(query) or 0

    def remove(self, user_id: str, question_id: str, language: str) -> None:
        """Lets go of an answer; nothing happens where it was not kept."""
        c = t.kept_answers.c
        same = (c.user_id == user_id, c.question_id == question_id, c.language == language)
        with self._database.write() as connection:
            connection.execute(delete(t.kept_answers).where(*same))
