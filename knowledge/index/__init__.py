"""Search over questions: words and meaning, in Chinese and English (docs/retrieval.md)."""

from knowledge.index.dense import BuildProgress
from knowledge.index.embedding import Embedder, load_embedder
from knowledge.index.question_index import QuestionIndex, open_index
from knowledge.index.ranking import Hit
from knowledge.index.status import IndexState, IndexStatus

__all__ = [
    "BuildProgress",
    "Embedder",
    "Hit",
    "IndexState",
    "IndexStatus",
    "QuestionIndex",
    "load_embedder",
    "open_index",
]
