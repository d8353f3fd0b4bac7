"""The vector store: one Chroma collection, embedded in the home folder or on a Chroma server."""

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from interviewer.errors import InterviewerError
from knowledge.index.chroma import Connect, disconnect, embedded, server
from knowledge.index.embedding import Vectors
from knowledge.index.passages import TEXT_VERSION, Record

COLLECTION = "interviewer-questions"
_PAGE = 5_000  # ids read at once: SQLite bounds the variables of a statement
_WRITE = 500  # records written at once


class StoreError(InterviewerError):
    """The vector store can't be reached or read."""


class Identity(NamedTuple):
    """What an index was built with; two that differ must never be mixed."""

    model: str
    version: str
    dimensions: int
    text_version: int = TEXT_VERSION

    def __str__(self) -> str:
        return f"{self.model} {self.version} (text version {self.text_version})"


class StoredIndex(NamedTuple):
    """What the store says of itself.

    Attributes:
        digest: Names the records it held when it was last complete.
        complete: False while records are being written, so also after a crash in the middle.
        records: How many it holds.
    """

    identity: Identity
    reads_chinese: bool
    digest: str
    complete: bool
    records: int


class Near(NamedTuple):
    """A record near a query: its id and the dot product of the vectors."""

    record_id: str
    closeness: float


def open_store(folder: Path, url: str = "") -> "VectorStore":
    """The store in `folder`, or on the Chroma server at `url` where one is given.

    Raises:
        StoreError: if the server does not answer within seconds, or the folder can't be used.
    """
    return VectorStore(server(url), url, on_server=True) if url else VectorStore(embedded(folder), str(folder))


class VectorStore:
    """Vectors of records in Chroma, with the identity of the model that made them. Safe to use from several threads.

    Args:
        connect: Makes the client.
        where: Folder or URL, for messages.

    Raises:
        StoreError: from every method, if Chroma can't be reached or can't do it.
    """

    def __init__(self, connect: Connect, where: str, *, on_server: bool = False) -> None:
        self.where = where
        self._connect = connect
        self._on_server = on_server
        self._lock = threading.RLock()
        self._collection: Any = None
        self._seen: str | None = None
        self._client: Any = None
        self.reconnect()

    def reconnect(self) -> None:
        """Forgets what Chroma keeps in memory: the embedded one does not notice what other processes write."""
        with self._lock:
            self.close()
            try:
                self._client = self._connect()
            except Exception as error:
                raise self._unreachable(error) from error

    def read_fresh(self) -> StoredIndex | None:
        """What is stored, with what another process may have written since this one last looked."""
        stored = self.read()
        if stored and self._seen not in (None, stored.digest):
            self.reconnect()
            stored = self.read()
        self._seen = stored.digest if stored else None
        return stored

    def read(self) -> StoredIndex | None:
        """What is stored; None where nothing was ever built."""
        from chromadb.errors import NotFoundError

        with self._guard():
            if self._client is None:
                raise StoreError(f"The vector store at {self.where} is closed.")
            try:
                self._collection = self._client.get_collection(COLLECTION, embedding_function=None)
            except NotFoundError:
                self._collection = None
                return None
            records = int(self._collection.count())
        data = dict(self._collection.metadata or {})
        identity = Identity(*json.loads(data.get("identity", '["unknown", "", 0, 0]')))
        return StoredIndex(
            identity,
            bool(data.get("reads_chinese", True)),
            str(data.get("digest", "")),
            bool(data.get("complete", False)),
            records,
        )

    def create(self, identity: Identity, reads_chinese: bool) -> StoredIndex:
        """An empty collection, marked incomplete; one that was there is dropped."""
        self.drop()
        with self._guard():
            self._collection = self._client.create_collection(
                COLLECTION,
                embedding_function=None,
                configuration={"hnsw": {"space": "ip", "ef_search": 200}},
                metadata=_metadata(identity, reads_chinese, digest="", complete=False),
            )
        return StoredIndex(identity, reads_chinese, digest="", complete=False, records=0)

    def drop(self) -> None:
        if self.read() is not None:
            with self._guard():
                self._client.delete_collection(COLLECTION)
            self._collection = None

    def mark(self, stored: StoredIndex, *, digest: str, complete: bool) -> None:
        metadata = _metadata(stored.identity, stored.reads_chinese, digest=digest, complete=complete)
        with self._guard():
            self._open().modify(metadata=metadata)
        self._seen = digest

    def ids(self) -> Iterator[str]:
        """The ids of all records."""
        offset = 0
        while page := self._page(offset):
            yield from page
            offset += len(page)

    def _page(self, offset: int) -> list[str]:
        with self._guard():
            return list(self._open().get(include=[], limit=_PAGE, offset=offset)["ids"])

    def put(self, records: Sequence[Record], vectors: Vectors) -> None:
        for start in range(0, len(records), _WRITE):
            part = records[start : start + _WRITE]
            with self._guard():
                self._open().upsert(
                    ids=[record.id for record in part],
                    embeddings=vectors[start : start + _WRITE],
                    metadatas=[{"set": r.set, "language": r.language, "question": r.question_id} for r in part],
                )

    def delete(self, ids: Iterable[str]) -> None:
        doomed = list(ids)
        for start in range(0, len(doomed), _WRITE):
            with self._guard():
                self._open().delete(ids=doomed[start : start + _WRITE])

    def nearest(self, vector: Vectors, limit: int, where: dict[str, Any] | None = None) -> list[Near]:
        """At most `limit` records, nearest first; `where` is Chroma's filter over set, language and question."""
        return self._query(vector, n_results=limit, where=where)

    def compare(self, vector: Vectors, ids: Sequence[str]) -> list[Near]:
        """The closeness of these records, of which the store may lack some."""
        return self._query(vector, n_results=len(ids), ids=list(ids)) if ids else []

    def _query(self, vector: Vectors, **how: Any) -> list[Near]:
        with self._guard():
            found = self._open().query(query_embeddings=vector.reshape(1, -1), include=["distances"], **how)
        return [Near(i, 1.0 - d) for i, d in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                disconnect(self._client)
            self._client = self._collection = None

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """One thread at a time; what Chroma raises as a StoreError, after which the collection is looked up again."""
        import httpx
        from chromadb.errors import ChromaError

        with self._lock:
            try:
                yield
            except (ChromaError, httpx.HTTPError, OSError) as error:
                self._collection = None
                raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> StoreError:
        step = (
            "Start the Chroma server or correct INTERVIEWER_CHROMA_URL (empty for the embedded store)."
            if self._on_server
            else "Check that the folder can be written to, or choose another one in INTERVIEWER_HOME."
        )
        message = f"The vector store at {self.where} can't be used: {str(error) or type(error).__name__}."
        return StoreError(message, next_step=step)

    def _open(self) -> Any:
        if self._collection is None and self.read() is None:
            raise StoreError(f"The vector store at {self.where} holds no index.", next_step="Run `interviewer index`.")
        return self._collection


def _metadata(identity: Identity, reads_chinese: bool, *, digest: str, complete: bool) -> dict[str, Any]:
    return {
        "identity": json.dumps(identity),
        "reads_chinese": reads_chinese,
        "digest": digest,
        "complete": complete,
    }
