"""What texts are near to everything, and by how much: a text that many queries are near to says little by being near.

Every search by meaning has such texts: general advice, a story told in common words. Each text is therefore probed with
some hundred queries on all kinds of subjects, and half of how near it comes to those that fit it best is taken off its
closeness to any query. The share is stored beside the vector as one more dimension, so the store needs no more than a
dot product.
"""

from functools import cache, cached_property
from pathlib import Path

import numpy as np

from interviewer.language import detect
from knowledge.index.embedding import Embedder, Vectors

DISCOUNT = 0.5
NEAREST_PROBES = 20


class Commonness:
    """Adds the dimension to the vectors of a model; the probes are encoded when the first text is.

    Args:
        embedder: The model. Probes it can't read are left out.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def extend(self, texts: Vectors) -> Vectors:
        """(n, d) vectors of texts to (n, d + 1): the last one says how near each comes to the probes nearest to it."""
        near = np.sort(texts @ self._probes.T, axis=1)[:, -NEAREST_PROBES:]
        return np.hstack([texts, near.mean(axis=1, keepdims=True)]).astype(np.float32)

    def extend_query(self, query: Vectors) -> Vectors:
        """The (d,) vector of a query to (d + 1,): its dot product with a text's is the cosine less the discount."""
        return np.append(query, -DISCOUNT).astype(np.float32)

    @cached_property
    def _probes(self) -> Vectors:
        readable = [text for text in _probe_texts() if self._embedder.reads_chinese or detect(text) == "en"]
        return self._embedder.encode(readable, query=True)


@cache
def _probe_texts() -> tuple[str, ...]:
    return tuple((Path(__file__).parent / "probes.txt").read_text(encoding="utf-8").splitlines())
