"""How the index stands, as a value for the page, `interviewer doctor` and `interviewer index`."""

from enum import StrEnum
from typing import Literal

from interviewer.models import Frozen


class IndexState(StrEnum):
    """How what is stored compares with what should be.

    LEXICAL: no model is configured or built in: words alone are searched.
    MISSING: nothing was built yet.
    PARTIAL: a build was broken off; the next one goes on from there.
    STALE: questions were added, changed or removed since.
    MISMATCH: another model, version or text version built it; it must be rebuilt.
    READY: complete and current.
    UNREACHABLE: the vector store does not answer.
    FAILED: the model that was asked for can't be had.
    """

    LEXICAL = "lexical"
    MISSING = "missing"
    PARTIAL = "partial"
    STALE = "stale"
    MISMATCH = "mismatch"
    READY = "ready"
    UNREACHABLE = "unreachable"
    FAILED = "failed"


DenseState = Literal["off", "idle", "loading", "ready", "failed"]
"""off: no model; idle: not loaded in this process; loading: search uses words alone so far; ready; failed."""


class IndexStatus(Frozen):
    """How the index stands.

    Attributes:
        model: The model's name; empty where there is none.
        version: Names its weights; empty where they are still to be downloaded.
        built_with: Model, version and text version of what is stored; empty where nothing is.
        questions: Questions that should be in the index.
        records: Texts that should be in the vector store.
        stored: Texts that are.
        dense: Whether this process searches by meaning yet.
        reads_chinese: False where the model is used for English queries on English text only; None if unknown.
        message: One sentence for people.
        next_step: What to do about it; empty if nothing.
    """

    state: IndexState
    dense: DenseState = "off"
    model: str = ""
    version: str = ""
    built_with: str = ""
    questions: int = 0
    records: int = 0
    stored: int = 0
    reads_chinese: bool | None = None
    message: str = ""
    next_step: str = ""

    @property
    def needs_build(self) -> bool:
        """Whether `build` has work to do and may do it without being told to throw something away."""
        return self.state in (IndexState.MISSING, IndexState.PARTIAL, IndexState.STALE)
