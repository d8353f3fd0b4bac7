"""Questions of all sets, with every version they ever had, and the documents they came from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select

from interviewer.interview.ports import Outline
from interviewer.models import Question
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.storage.document_side import SaveCounts, Saving, found_again, retire, save_batch

__all__ = ["EVERYTHING", "Filter", "QuestionStore", "SaveCounts", "SetSummary"]

BATCH = 500


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

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        importer: str | None = None,
        review: bool = False,
    ) -> None:
        self._database = database
        self._now = now
        self._importer = importer
        self._review = review

    def save(self, questions: Sequence[Question], *, reason: str) -> SaveCounts:
        """Adds new questions, gives changed ones a new version, and leaves the rest untouched.

        This is what documents and the shipped bank say: where people edited a question, their edits stay.
        """
        added = updated = 0
        clashes: list[str] = []
        for start in range(0, len(questions), BATCH):
            batch = {q.id: q for q in questions[start : start + BATCH]}
            with self._database.write() as connection:
                saving = Saving(reason, self._now(), self._importer, self._review)
                counts = save_batch(connection, batch, saving)
            added, updated = added + counts.added, updated + counts.updated
            clashes += counts.clashes
        return SaveCounts(added, updated, len({q.id for q in questions}) - added - updated, tuple(clashes))

    def imported_by(self, user_id: str, *, review: bool) -> "QuestionStore":
        """The same questions, with a person named in every version that is saved.

        Args:
            review: Whether what is saved waits for review before anybody is asked it.
        """
        return QuestionStore(self._database, self._now, importer=user_id, review=review)

    def retire(self, question_ids: Iterable[str]) -> int:
        """Takes questions out of use, save those people edited; reports and history keep them. Gives how many."""
        with self._database.write() as connection:
            return retire(connection, list(question_ids))

    def found_again(self, question_ids: Sequence[str]) -> None:
        """Takes the mark of being gone from their document off these questions."""
        with self._database.write() as connection:
            found_again(connection, list(question_ids))

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
        """Id and text of every question of a set, in each language it has; also of those that wait for review."""
        c = t.questions.c
        query = select(c.id, c.content).where(c.set == set, ~c.retired, c.state != "rejected").order_by(c.position)
        with self._database.read() as connection:
            for question_id, content in connection.execute(query):
                yield from ((question_id, text) for text in content["question"].values())

    def questions_of(self, set: str, document: str) -> tuple[Question, ...]:
        """A document's questions as it had them when it was last imported, without anything people edited.

        Also those that wait for review, were rejected or merged into another, but none that are retired.
        """
        c, e = t.questions.c, t.edits.c
        query = (
            select(c.content, e.base)
            .outerjoin(t.edits, e.question_id == c.id)
            .where(c.set == set, c.document == document, ~c.retired | c.merged_into.is_not(None))
            .order_by(c.position)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(Question.model_validate(base if base is not None else content) for content, base in rows)

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
