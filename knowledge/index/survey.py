"""Looks at an index without loading its model."""

from collections.abc import Callable

from interviewer.errors import EmbeddingError
from knowledge.index.catalog import Catalog
from knowledge.index.models import ModelPlace
from knowledge.index.passages import TEXT_VERSION
from knowledge.index.status import IndexState, IndexStatus
from knowledge.index.vectors import StoredIndex, StoreError, VectorStore

_BUILD = "Run `interviewer index`."
_REBUILD = "Run `interviewer index --rebuild`, or set INTERVIEWER_EMBEDDING_MODEL back."


def survey(
    setting: str,
    catalog: Catalog,
    open_store: Callable[[], VectorStore],
    locate: Callable[[str], ModelPlace | None],
) -> IndexStatus:
    """Compares what is stored with what should be."""
    counts = IndexStatus(state=IndexState.LEXICAL, questions=catalog.questions, records=len(catalog.records))
    try:
        place = locate(setting)
        if place is None:
            message = "No embedding model is built in or configured: questions are searched by their words."
            return counts.model_copy(update={"message": message})
        stored = open_store().read()
    except EmbeddingError as error:
        return _failed(counts, IndexState.FAILED, setting, error.message, error.next_step)
    except StoreError as error:
        return _failed(counts, IndexState.UNREACHABLE, setting, error.message, error.next_step)
    return _compare(counts, place, stored, catalog.digest, default=not setting)


def _failed(counts: IndexStatus, state: IndexState, setting: str, message: str, next_step: str) -> IndexStatus:
    return counts.model_copy(update={"state": state, "model": setting, "message": message, "next_step": next_step})


def _compare(
    counts: IndexStatus, place: ModelPlace, stored: StoredIndex | None, digest: str, *, default: bool
) -> IndexStatus:
    known = counts.model_copy(update={"model": place.name, "version": place.version})
    if stored is None:
        return known.model_copy(
            update={"state": IndexState.MISSING, "message": "The index was not built yet.", "next_step": _BUILD}
        )
    known = known.model_copy(
        update={"built_with": str(stored.identity), "stored": stored.records, "reads_chinese": stored.reads_chinese}
    )
    state, message, step = _judge(known, place, stored, digest)
    if default and state is IndexState.MISMATCH and stored.identity.model == place.name:
        state, step = IndexState.STALE, _BUILD
    return known.model_copy(update={"state": state, "message": message, "next_step": step})


def _judge(known: IndexStatus, place: ModelPlace, stored: StoredIndex, digest: str) -> tuple[IndexState, str, str]:
    identity = stored.identity
    if (identity.model, identity.version, identity.text_version) != (place.name, place.version, TEXT_VERSION):
        wanted = f"{place.name} {place.version} (text version {TEXT_VERSION})"
        return IndexState.MISMATCH, f"The index was built with {identity}, not with {wanted}.", _REBUILD
    if not stored.complete:
        return IndexState.PARTIAL, "A build of the index was broken off.", _BUILD
    if stored.digest != digest or stored.records != known.records:
        return IndexState.STALE, "Questions have changed since the index was built.", _BUILD
    note = "" if stored.reads_chinese else " It can't read Chinese: it ranks English text for English queries only."
    return IndexState.READY, f"The index is complete, built with {place.name}.{note}", ""
