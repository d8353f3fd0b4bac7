"""The texts of all questions, held in memory: which record belongs to which question, and what should be stored."""

import threading
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from interviewer.models import Question
from knowledge.index.lexical import LexicalIndex
from knowledge.index.passages import Record, list_records


class Change(NamedTuple):
    """What an edit of the catalog means for the vector store."""

    added: tuple[Record, ...]
    removed: tuple[str, ...]


class _Entry(NamedTuple):
    set: str
    content_hash: str
    records: tuple[Record, ...]


class Catalog:
    """All indexed questions. Safe to use from several threads."""

    def __init__(self) -> None:
        self.lexical = LexicalIndex()
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._records: dict[str, Record] = {}
        self._digest = 0

    @property
    def digest(self) -> str:
        """Names the set of all records, whatever their order."""
        return f"{self._digest:032x}"

    @property
    def questions(self) -> int:
        return len(self._entries)

    @property
    def records(self) -> Mapping[str, Record]:
        return MappingProxyType(self._records)

    def record(self, record_id: str) -> Record | None:
        return self._records.get(record_id)

    def records_of(self, question_id: str) -> tuple[Record, ...]:
        entry = self._entries.get(question_id)
        return entry.records if entry else ()

    def set_of(self, question_id: str) -> str | None:
        entry = self._entries.get(question_id)
        return entry.set if entry else None

    def snapshot(self) -> dict[str, Record]:
        """All records at this moment."""
        with self._lock:
            return dict(self._records)

    def replace(self, questions: Iterable[Question]) -> None:
        """Makes these the only questions; those that did not change cost next to nothing."""
        with self._lock:
            kept: set[str] = set()
            for question in questions:
                kept.add(question.id)
                self.put((question,))
            self.remove(self._entries.keys() - kept)

    def put(self, questions: Iterable[Question]) -> Change:
        """Adds questions, or replaces those with the same id."""
        added: list[Record] = []
        removed: list[str] = []
        with self._lock:
            for question in questions:
                old = self._entries.get(question.id)
                if old and (old.set, old.content_hash) == (question.set, question.content_hash):
                    continue
                removed += self._forget(question.id)
                records = list_records(question)
                self._entries[question.id] = _Entry(question.set, question.content_hash, records)
                self._toggle(records)
                self._records.update((record.id, record) for record in records)
                self.lexical.put((question,))
                added += records
        new = {record.id for record in added}
        return Change(tuple(added), tuple(i for i in removed if i not in new))

    def remove(self, ids: Iterable[str]) -> Change:
        with self._lock:
            gone = [i for i in ids if i in self._entries]
            removed = [record_id for i in gone for record_id in self._forget(i)]
            self.lexical.remove(gone)
        return Change((), tuple(removed))

    def _forget(self, question_id: str) -> list[str]:
        entry = self._entries.pop(question_id, None)
        if entry is None:
            return []
        self._toggle(entry.records)
        for record in entry.records:
            self._records.pop(record.id, None)
        return [record.id for record in entry.records]

    def _toggle(self, records: Iterable[Record]) -> None:
        for record in records:
            self._digest ^= int(record.id, 16)
