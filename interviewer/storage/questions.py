"""Questions of all sets, with every version they ever had, and the documents they came from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from interviewer.interview.ports import Outline
from interviewer.models import Question
from interviewer.storage import tables as t
from interviewer.storage.database import Database

BATCH = 500


class SaveCounts(NamedTuple):
    """How many questions a save added, updated and left as they were."""

    added: int
    updated: int
    unchanged: int


class SetSummary(NamedTuple):
    """A set's name and its counts: all questions, and those that can be asked in Chinese and in English."""

    name: str
    questions: int
    zh: int
    en: int


class Filter(NamedTuple):
    """Which questions; an empty tuple filters nothing."""

    sets: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    language: str = ""


EVERYTHING = Filter()


class QuestionStore:
    """Questions by id, by filter, by document."""

    def __init__(self, database: Database, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._now = now

    def save(self, questions: Sequence[Question], *, reason: str) -> SaveCounts:
        """Adds new questions, gives changed ones a new version, and leaves the rest untouched."""
        added = updated = 0
        for start in range(0, len(questions), BATCH):
            batch = {q.id: q for q in questions[start : start + BATCH]}
            with self._database.write() as connection:
                counts = _save_batch(connection, batch, reason, self._now())
            added, updated = added + counts.added, updated + counts.updated
        return SaveCounts(added, updated, len({q.id for q in questions}) - added - updated)

    def retire(self, question_ids: Iterable[str]) -> None:
        """Takes questions out of use; reports and history keep them."""
        with self._database.write() as connection:
            connection.execute(update(t.questions).where(t.questions.c.id.in_(list(question_ids))).values(retired=True))

    def get(self, question_id: str) -> Question | None:
        """The question, also when it is retired; None if there never was one with that id that could be asked."""
        c = t.questions.c
        query = select(c.content).where(c.id == question_id, c.state == "live")
        with self._database.read() as connection:
            content = connection.scalar(query)
        return Question.model_validate(content) if content else None

    def current_id(self, question_id: str) -> str:
        """The id itself, or that of the question it was merged into."""
        query = select(t.questions.c.merged_into).where(t.questions.c.id == question_id)
        with self._database.read() as connection:
            return connection.scalar(query) or question_id

    def many(self, question_ids: Sequence[str]) -> tuple[Question, ...]:
        """The questions with these ids that are in use, in the order asked for."""
        query = select(t.questions.c.content).where(t.questions.c.id.in_(question_ids), *_conditions(EVERYTHING))
        with self._database.read() as connection:
            found = {content["id"]: Question.model_validate(content) for content in connection.scalars(query)}
        return tuple(found[key] for key in dict.fromkeys(question_ids) if key in found)

    def all(self, wanted: Filter = EVERYTHING) -> Iterator[Question]:
        """Every question that fits, read a batch at a time."""
        offset = 0
        while batch := self.page(wanted, limit=BATCH, offset=offset):
            yield from batch
            offset += BATCH

    def page(self, wanted: Filter, *, limit: int, offset: int) -> tuple[Question, ...]:
        """Questions that fit, by set, topic and position."""
        c = t.questions.c
        query = (
            select(c.content)
            .where(*_conditions(wanted))
            .order_by(c.set, c.topic, c.position, c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._database.read() as connection:
            return tuple(Question.model_validate(content) for content in connection.scalars(query))

    def outlines(
        self,
        *,
        sets: tuple[str, ...] = (),
        topics: tuple[str, ...] = (),
        difficulties: tuple[int, ...] = (),
        language: str = "",
    ) -> tuple[Outline, ...]:
        """What planning needs of every question that fits; the same order every time."""
        c = t.questions.c
        wanted = Filter(sets, topics, difficulties, language)
        query = (
            select(c.id, c.topic, c.difficulty, c.frequency, c.kind, c.phases)
            .where(*_conditions(wanted))
            .order_by(c.id)
        )
        with self._database.read() as connection:
            return tuple(Outline(*row) for row in connection.execute(query))

    def count(self, wanted: Filter = EVERYTHING) -> int:
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).where(*_conditions(wanted))) or 0

    def state(self) -> tuple[int, datetime | None, datetime | None]:
        """Equal as long as no question changed and no document was imported.

        The number of questions in use, when one last changed, and when a document was last imported.
        """
        q, d = t.questions.c, t.documents.c
        with self._database.read() as connection:
            used = connection.scalar(select(func.count()).where(*_conditions(EVERYTHING))) or 0
            return (
                used,
                connection.scalar(select(func.max(q.updated_at))),
                connection.scalar(select(func.max(d.imported_at))),
            )

    def sets(self) -> tuple[SetSummary, ...]:
        c = t.questions.c
        query = (
            select(c.set, func.count(), func.count().filter(c.zh), func.count().filter(c.en))
            .where(*_conditions(EVERYTHING))
            .group_by(c.set)
            .order_by(c.set)
        )
        with self._database.read() as connection:
            return tuple(SetSummary(*row) for row in connection.execute(query))

    def topics(self, wanted: Filter) -> dict[str, int]:
        """Number of questions by topic, largest first."""
        c = t.questions.c
        query = select(c.topic, func.count()).where(*_conditions(wanted)).group_by(c.topic)
        with self._database.read() as connection:
            rows = [(topic, count) for topic, count in connection.execute(query)]
        return dict(sorted(rows, key=lambda row: (-row[1], row[0])))

    def versions(self, question_id: str) -> tuple[Question, ...]:
        """Every version of a question, oldest first."""
        v = t.question_versions.c
        query = select(v.content).where(v.question_id == question_id).order_by(v.version)
        with self._database.read() as connection:
            return tuple(Question.model_validate(content) for content in connection.scalars(query))

    def all_texts(self, set: str) -> Iterator[tuple[str, str]]:
        """Id and text of every question of a set, in each language it has."""
        for question in self.all(Filter(sets=(set,))):
            yield from ((question.id, text) for text in question.question.values())

    def questions_of(self, set: str, document: str) -> tuple[Question, ...]:
        """The questions in use that came from a document."""
        c = t.questions.c
        query = select(c.content).where(c.set == set, c.document == document, ~c.retired).order_by(c.position)
        with self._database.read() as connection:
            return tuple(Question.model_validate(content) for content in connection.scalars(query))

    def document_hash(self, set: str, document: str) -> str | None:
        """SHA-256 of the document as last imported; None if it never was."""
        d = t.documents.c
        with self._database.read() as connection:
            return connection.scalar(select(d.sha256).where(d.set == set, d.document == document))

    def save_document(
        self, set: str, document: str, sha256: str, kind: str, report_json: Any, blueprint_json: Any | None
    ) -> None:
        """Remembers a document's hash, report and blueprint; a second import of it replaces the first."""
        d = t.documents.c
        with self._database.write() as connection:
            connection.execute(delete(t.documents).where(d.set == set, d.document == document))
            connection.execute(
                insert(t.documents).values(
                    set=set,
                    document=document,
                    sha256=sha256,
                    kind=kind,
                    imported_at=self._now(),
                    report=report_json,
                    blueprint=blueprint_json,
                )
            )

    def blueprints(self, sets: tuple[str, ...] = ()) -> tuple[tuple[str, Any], ...]:
        """The blueprints of the documents of these sets (all if empty), each with its document's name, newest first."""
        d = t.documents.c
        query = select(d.document, d.blueprint).where(d.blueprint.is_not(None)).order_by(d.imported_at.desc())
        if sets:
            query = query.where(d.set.in_(sets))
        with self._database.read() as connection:
            return tuple((document, blueprint) for document, blueprint in connection.execute(query) if blueprint)


def _conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    c = t.questions.c
    conditions: list[ColumnElement[bool]] = [~c.retired, c.state == "live"]
    if wanted.sets:
        conditions.append(c.set.in_(wanted.sets))
    if wanted.topics:
        conditions.append(c.topic.in_(wanted.topics))
    if wanted.difficulties:
        conditions.append(c.difficulty.in_(wanted.difficulties))
    if wanted.language:
        conditions.append(c[wanted.language])
    return conditions


def _save_batch(connection: Connection, batch: dict[str, Question], reason: str, now: datetime) -> SaveCounts:
    c = t.questions.c
    query = select(c.id, c.hash, c.version, c.retired).where(c.id.in_(list(batch)))
    known = {row.id: row for row in connection.execute(query)}
    position = (connection.scalar(select(func.max(c.position))) or 0.0) + 1
    new_rows, versions, updated = [], [], 0
    for offset, question in enumerate(batch.values()):
        row = known.get(question.id)
        if row is not None and row.hash == question.content_hash and not row.retired:
            continue
        version = row.version + 1 if row is not None else 1
        values = _columns(question, version, now)
        if row is None:
            new_rows.append({"id": question.id, "position": position + offset, **values})
        else:
            connection.execute(update(t.questions).where(c.id == question.id).values(**values))
            updated += 1
        versions.append(_version(question, version, reason, now))
    if new_rows:
        connection.execute(insert(t.questions), new_rows)
    if versions:
        connection.execute(insert(t.question_versions), versions)
    return SaveCounts(len(new_rows), updated, len(batch) - len(versions))


def _columns(question: Question, version: int, now: datetime) -> dict[str, Any]:
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
        "version": version,
        "hash": question.content_hash,
        "retired": False,
        "updated_at": now,
        "content": question.model_dump(mode="json"),
    }


def _version(question: Question, version: int, reason: str, now: datetime) -> dict[str, Any]:
    return {
        "question_id": question.id,
        "version": version,
        "hash": question.content_hash,
        "reason": reason,
        "created_at": now,
        "content": question.model_dump(mode="json"),
    }
