"""Search by meaning: the loaded model and the vector store it filled."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from interviewer.errors import IndexMismatchError
from interviewer.language import detect
from knowledge.index.catalog import Catalog, Change
from knowledge.index.commonness import Commonness
from knowledge.index.echoes import Echo, Echoes, TermEncoder
from knowledge.index.embedding import Embedder, Vectors
from knowledge.index.passages import Record
from knowledge.index.vectors import Identity, Near, StoredIndex, VectorStore

NEAREST = 200  # records asked for at first; questions have about five each
_CHUNK = 256  # records encoded at once


class Filter(NamedTuple):
    """Which questions may be found: of these sets (all if none is named), but not these."""

    sets: tuple[str, ...] = ()
    exclude: frozenset[str] = frozenset()

    def keeps(self, record: Record) -> bool:
        return self.allows(record.question_id, record.set)

    def allows(self, question_id: str, set_name: str) -> bool:
        return question_id not in self.exclude and (not self.sets or set_name in self.sets)

    def where(self, *, english_only: bool) -> dict[str, Any] | None:
        """The same as Chroma's filter."""
        clauses: list[dict[str, Any]] = []
        if self.sets:
            clauses.append({"set": {"$in": list(self.sets)}})
        if self.exclude:
            clauses.append({"question": {"$nin": sorted(self.exclude)}})
        if english_only:
            clauses.append({"language": "en"})
        return {"$and": clauses} if len(clauses) > 1 else clauses[0] if clauses else None


class BuildProgress(NamedTuple):
    """How far a build is: `loading` the model, or `encoding` so many records of a total."""

    stage: str
    done: int = 0
    total: int = 0


OnProgress = Callable[[BuildProgress], None]


def identity_of(embedder: Embedder) -> Identity:
    return Identity(embedder.name, embedder.version, embedder.dimensions)


def refuse_mixing(stored: StoredIndex | None, wanted: Identity) -> None:
    """Raises:
    IndexMismatchError: if another model, version or text version built what is stored.
    """
    if stored and stored.identity != wanted:
        raise mismatch(str(stored.identity), str(wanted))


def mismatch(built_with: str, wanted: str) -> IndexMismatchError:
    return IndexMismatchError(
        f"The index was built with {built_with}, and {wanted} is configured; their vectors must not be mixed.",
        next_step="Run `interviewer index --rebuild`, or set INTERVIEWER_EMBEDDING_MODEL back.",
    )


class DenseSearch:
    """A loaded model and its store."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self.embedder = embedder
        self.store = store
        self._commonness = Commonness(embedder)
        self._echoes = Echoes(embedder) if isinstance(embedder, TermEncoder) else None

    def sync(self, catalog: Catalog, on_progress: OnProgress | None = None) -> None:
        """Brings the store to what the catalog holds, from whatever state a crash left it in.

        Raises:
            IndexMismatchError: if another model built what is stored.
        """
        stored = self._prepare()
        wanted = catalog.snapshot()
        digest = digest_of(wanted)
        if stored.complete and stored.digest == digest and stored.records == len(wanted):
            return
        have = set(self.store.ids())
        change = Change(tuple(r for i, r in wanted.items() if i not in have), tuple(have - wanted.keys()))
        self._write(stored, change, on_progress)
        self.store.mark(stored, digest=digest, complete=True)
        if not stored.complete:  # another process may have written a part
            self.store.reconnect()

    def apply(self, catalog: Catalog, change: Change, on_progress: OnProgress | None = None) -> None:
        """Writes one change of the catalog; a store that was not current before is brought up to date as a whole."""
        stored = self._prepare()
        after = catalog.digest
        before = digest_of((record.id for record in change.added), start=digest_of(change.removed, start=after))
        if not stored.complete or stored.digest != before:
            self.sync(catalog, on_progress)
            return
        self._write(stored, change, on_progress)
        self.store.mark(stored, digest=after, complete=True)

    def _prepare(self) -> StoredIndex:
        stored = self.store.read_fresh()
        refuse_mixing(stored, identity_of(self.embedder))
        return stored or self.store.create(identity_of(self.embedder), self.embedder.reads_chinese)

    def _write(self, stored: StoredIndex, change: Change, on_progress: OnProgress | None) -> None:
        self.store.mark(stored, digest="", complete=False)
        self.store.delete(change.removed)
        total = len(change.added)
        for start in range(0, total, _CHUNK):
            chunk = change.added[start : start + _CHUNK]
            rows = self.embedder.encode([record.embedded for record in chunk])
            self.store.put(chunk, self._commonness.extend(rows))
            if on_progress:
                on_progress(BuildProgress("encoding", start + len(chunk), total))

    def vector(self, query: str) -> Vectors | None:
        """The query's vector; None where the model can't read the query or finds nothing in it."""
        if not self.embedder.reads_chinese and detect(query) == "zh":
            return None
        vector = self.embedder.encode([query], query=True).reshape(-1)
        return self._commonness.extend_query(vector) if vector.any() else None

    def near(self, vector: Vectors, limit: int, wanted: Filter, catalog: Catalog) -> dict[Record, float]:
        """Closeness of the records nearest to the query, of at least `limit` questions where there are so many.

        A filter inside Chroma is slow on large collections, so it is used only where what is nearest overall does
        not hold enough.
        """
        count = max(NEAREST, limit)
        found = self._kept(self.store.nearest(vector, count), wanted, catalog)
        if len({record.question_id for record in found}) >= limit or len(catalog.records) <= count:
            return found
        where = wanted.where(english_only=not self.embedder.reads_chinese)
        return self._kept(self.store.nearest(vector, count, where), wanted, catalog)

    def compare(
        self, vector: Vectors, records: Iterable[Record], wanted: Filter, catalog: Catalog
    ) -> dict[Record, float]:
        """Closeness of these records, as far as the store holds them."""
        ids = [record.id for record in records if wanted.keeps(record)]
        return self._kept(self.store.compare(vector, ids), wanted, catalog)

    def echoes(self, query: str, question_ids: Iterable[str], catalog: Catalog) -> dict[str, Echo]:
        """How far each question echoes the query term by term; empty for a model without vectors of terms."""
        if self._echoes is None:
            return {}
        return self._echoes.compare(query, {name: catalog.records_of(name) for name in question_ids})

    def _kept(self, found: Iterable[Near], wanted: Filter, catalog: Catalog) -> dict[Record, float]:
        known = ((catalog.record(near.record_id), near.closeness) for near in found)
        return {
            record: closeness for record, closeness in known if record and wanted.keeps(record) and self._reads(record)
        }

    def _reads(self, record: Record) -> bool:
        return self.embedder.reads_chinese or (record.language == "en" and detect(record.text) == "en")


def digest_of(record_ids: Iterable[str], start: str = "0") -> str:
    """Names a set of records, whatever their order; folding an id in twice takes it out."""
    digest = int(start, 16)
    for record_id in record_ids:
        digest ^= int(record_id, 16)
    return f"{digest:032x}"
