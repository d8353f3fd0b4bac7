"""The vector store: one Chroma collection, embedded in the home folder or on a Chroma server."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from interviewer.errors import InterviewerError
from knowledge.index.embedding import Vectors
from knowledge.index.passages import TEXT_VERSION, Record

COLLECTION = "interviewer-questions"
SERVER_TIMEOUT = 5.0  # seconds for a Chroma server to answer the first request
REQUEST_TIMEOUT = 30.0  # seconds without a byte from it later on
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
    """A record near a query: its id and the cosine, -1..1."""

    record_id: str
    cosine: float


def open_store(folder: Path, url: str = "") -> "VectorStore":
    """The store in `folder`, or on the Chroma server at `url` where one is given.

    Raises:
        StoreError: if the server does not answer within seconds, or the folder can't be used.
    """
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    try:
        if url:
            return VectorStore(_connect(url, settings), url)
        folder.mkdir(parents=True, exist_ok=True)
        return VectorStore(chromadb.PersistentClient(str(folder), settings=settings), str(folder))
    except Exception as error:
        raise _unreachable(url or str(folder), error, bool(url)) from error


def _connect(url: str, settings: Any) -> Any:
    import chromadb
    import httpx

    parts = urlsplit(url if "//" in url else f"http://{url}")
    secure = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if secure else 8000)
    httpx.get(f"{parts.scheme}://{host}:{port}/api/v2/heartbeat", timeout=SERVER_TIMEOUT).raise_for_status()
    client = chromadb.HttpClient(host=host, port=port, ssl=secure, settings=settings)
    session = _session(client)
    if session is not None:  # Chroma's own client would wait for a stalled server for ever
        session.timeout = httpx.Timeout(REQUEST_TIMEOUT)
    return client


def _session(client: Any) -> Any:
    """The HTTP session of a client of a Chroma server; None for the embedded store."""
    return getattr(getattr(client, "_server", None), "_session", None)


def _unreachable(where: str, error: Exception, server: bool) -> StoreError:
    step = (
        "Start the Chroma server or correct INTERVIEWER_CHROMA_URL (empty for the embedded store)."
        if server
        else "Check that the folder can be written to, or choose another one in INTERVIEWER_HOME."
    )
    return StoreError(f"The vector store at {where} can't be used: {error or type(error).__name__}.", next_step=step)


class VectorStore:
    """Vectors of records in Chroma, with the identity of the model that made them."""

    def __init__(self, client: Any, where: str) -> None:
        self._client = client
        self._collection: Any = None
        self.where = where

    def read(self) -> StoredIndex | None:
        """What is stored; None where nothing was ever built."""
        from chromadb.errors import NotFoundError

        with self._guard():
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
                configuration={"hnsw": {"space": "cosine", "ef_search": 200}},
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
        """The cosines of these records, of which the store may lack some."""
        return self._query(vector, n_results=len(ids), ids=list(ids)) if ids else []

    def _query(self, vector: Vectors, **how: Any) -> list[Near]:
        with self._guard():
            found = self._open().query(query_embeddings=vector.reshape(1, -1), include=["distances"], **how)
        return [Near(i, 1.0 - d) for i, d in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        session = _session(self._client)
        self._client.close()
        if session is not None:  # Chroma leaves its connections open
            session.close()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turns what Chroma raises into a StoreError; the collection is looked up again afterwards."""
        import httpx
        from chromadb.errors import ChromaError

        try:
            yield
        except (ChromaError, httpx.HTTPError, OSError) as error:
            self._collection = None
            raise _unreachable(self.where, error, "://" in self.where) from error

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
