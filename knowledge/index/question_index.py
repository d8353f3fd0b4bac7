"""The index of all questions: search by words at once, by meaning as soon as the model is there."""

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from interviewer.errors import EmbeddingError, IndexMismatchError, InterviewerError
from interviewer.grading.protocol import Passage
from interviewer.language import clean
from interviewer.models import Question
from interviewer.settings import Settings
from knowledge.index.catalog import Catalog, Change
from knowledge.index.dense import BuildProgress, DenseSearch, Filter, OnProgress, identity_of
from knowledge.index.embedding import Embedder, load_embedder
from knowledge.index.models import ModelPlace, locate_model
from knowledge.index.ranking import Hit, Ranker, Side
from knowledge.index.status import DenseState, IndexStatus
from knowledge.index.survey import survey
from knowledge.index.vectors import VectorStore, open_store

logger = logging.getLogger(__name__)

MAX_QUERY = 4_000  # characters of a query that are read


class QuestionIndex:
    """Finds questions and passages. Safe to use from several threads.

    Args:
        folder: Where the embedded vector store lies; made on first use.
        chroma_url: A Chroma server to use instead; empty for the embedded store.
        embedding_model: Name or folder of a sentence-transformers model; empty for the built-in one, and for words
            alone where none is built in.
        locate: Finds the model a setting means; a test may pass its own, and its own `load` with it.
        load: Loads it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        chroma_url: str = "",
        embedding_model: str = "",
        locate: Callable[[str], ModelPlace | None] = locate_model,
        load: Callable[[str], Embedder | None] = load_embedder,
    ) -> None:
        self._folder = folder
        self._chroma_url = chroma_url
        self._setting = embedding_model
        self._locate = locate
        self._load = load
        self._catalog = Catalog()
        self._building = threading.Lock()
        self._opening = threading.Lock()
        self._store: VectorStore | None = None
        self._dense: DenseSearch | None = None
        self._state: DenseState = "idle"
        self._failure: InterviewerError | None = None

    def load(self, questions: Iterable[Question]) -> None:
        """Makes these the questions that are searched. The vector store is left as it is until the next build."""
        self._catalog.replace(questions)

    def warm_up(self, on_progress: OnProgress | None = None) -> threading.Thread:
        """Loads the model and completes the index in a thread; until that is done, words alone are searched.

        What goes wrong is kept: `status` tells it and `search` raises it.
        """
        thread = threading.Thread(target=self._warm_up, args=(on_progress,), name="index-warm-up", daemon=True)
        self._state = "loading"
        thread.start()
        return thread

    def _warm_up(self, on_progress: OnProgress | None) -> None:
        try:
            self._catalog.lexical.refresh()
            self.prepare(on_progress)
        except InterviewerError as error:
            logger.warning("The index is not ready: %s", error)

    def prepare(self, on_progress: OnProgress | None = None) -> None:
        """Loads the model and completes the index now.

        Raises:
            EmbeddingError: if the model that was asked for can't be loaded.
            IndexMismatchError: if another model built the index.
            StoreError: if the vector store can't be reached.
        """
        with self._building:
            self._prepare(on_progress)

    def build(
        self, questions: Iterable[Question], on_progress: OnProgress | None = None, *, rebuild: bool = False
    ) -> None:
        """Indexes these questions and no others; only what is missing is encoded, so a broken-off build goes on.

        Args:
            rebuild: Throws away what is stored first, which another model may have built.

        Raises:
            The same as `prepare`; IndexMismatchError only without `rebuild`.
        """
        self.load(questions)
        with self._building:
            if rebuild:
                self._dense = None
            self._prepare(on_progress, rebuild=rebuild)

    def update(self, questions: Iterable[Question], on_progress: OnProgress | None = None) -> None:
        """Adds questions, or replaces those with the same id. They are found by their words in any case.

        Raises:
            The same as `prepare`.
        """
        self._apply(self._catalog.put(questions), on_progress)

    def remove(self, ids: Iterable[str]) -> None:
        """Forgets questions; unknown ids are passed over. They are no longer found in any case.

        Raises:
            The same as `prepare`.
        """
        self._apply(self._catalog.remove(ids), None)

    def _apply(self, change: Change, on_progress: OnProgress | None) -> None:
        if not change.added and not change.removed:
            return
        self._catalog.lexical.refresh()
        with self._building:
            if self._dense is None:
                self._prepare(on_progress)
            else:
                self._dense.apply(self._catalog, change, on_progress)

    def _prepare(self, on_progress: OnProgress | None, *, rebuild: bool = False) -> None:
        self._state = "loading"
        try:
            dense = self._open_dense(on_progress)
            if dense and (rebuild or self._outdated(dense)):
                dense.store.drop()
            if dense:
                dense.sync(self._catalog, on_progress)
        except InterviewerError as error:
            self._dense, self._failure, self._state = None, error, "failed"
            raise
        self._dense, self._failure, self._state = dense, None, "ready" if dense else "off"

    def _outdated(self, dense: DenseSearch) -> bool:
        """Whether an earlier version of the default built the index: nobody chose it, so nobody need be asked."""
        stored = dense.store.read()
        wanted = identity_of(dense.embedder)
        return bool(
            not self._setting and stored and stored.identity != wanted and stored.identity.model == wanted.model
        )

    def _open_dense(self, on_progress: OnProgress | None) -> DenseSearch | None:
        if self._dense:
            return self._dense
        if self._locate(self._setting) is None:
            return None
        if on_progress:
            on_progress(BuildProgress("loading"))
        store = self._open_store()
        embedder = self._load(self._setting)
        return DenseSearch(embedder, store) if embedder else None

    def _open_store(self) -> VectorStore:
        with self._opening:
            if self._store is None:
                self._store = open_store(self._folder, self._chroma_url)
            return self._store

    def close(self) -> None:
        """Lets go of the vector store; words can still be searched."""
        with self._building, self._opening:
            self._dense, self._state = None, "idle"
            if self._store:
                self._store.close()
            self._store = None

    @property
    def embedder(self) -> Embedder | None:
        """The model, once it is loaded."""
        dense = self._dense
        return dense.embedder if dense else None

    def status(self) -> IndexStatus:
        """How the index stands; loads no model and asks no network but the vector store."""
        found = survey(self._setting, self._catalog, self._open_store, self._locate)
        return found.model_copy(update={"dense": self._state}) if found.model else found

    def search(
        self, query: str, *, limit: int = 10, sets: tuple[str, ...] = (), side: Side = "hybrid"
    ) -> tuple[Hit, ...]:
        """The best questions for a query in either language, best first; words alone while the model loads.

        Args:
            side: `lexical` or `dense` for one side alone, to measure it.

        Raises:
            EmbeddingError: if the model that was asked for can't be loaded.
            IndexMismatchError: if another model built the index.
        """
        self._refuse()
        text = _readable(query)
        if not text or limit < 1:
            return ()
        return Ranker(self._catalog, self._dense).questions(text, limit, Filter(sets), side)

    def related(
        self, text: str, *, limit: int, exclude: frozenset[str] = frozenset(), sets: tuple[str, ...] = ()
    ) -> tuple[Passage, ...]:
        """Passages of references related to a text, best first; see `interviewer.grading.protocol.Retriever`.

        What is wrong with the index is no reason not to grade: then words alone find the passages.
        """
        query = _readable(text)
        if not query or limit < 1:
            return ()
        return Ranker(self._catalog, self._dense).passages(query, limit, Filter(sets, exclude))

    def _refuse(self) -> None:
        if isinstance(self._failure, EmbeddingError | IndexMismatchError):
            raise self._failure


def _readable(text: str) -> str:
    return clean(text)[:MAX_QUERY].strip()


def open_index(settings: Settings) -> QuestionIndex:
    """The index these settings describe, empty until `load`; nothing is opened yet."""
    return QuestionIndex(
        settings.folder / "index", chroma_url=settings.chroma_url, embedding_model=settings.embedding_model
    )
