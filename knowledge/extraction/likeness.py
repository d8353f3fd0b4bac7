"""Questions that ask the same in other words or in the other language, told by the built-in encoder."""

import numpy as np
from numpy.typing import NDArray

from knowledge.encoder.light import LightEncoder

SIMILAR = 0.76
"""Cosine from which two questions are called similar in meaning; how it was chosen is in docs/retrieval.md."""

MAX_REMEMBERED = 20_000
"""Questions that later ones are compared with; a set beyond it has its first ones compared only."""

_FIRST_ROOM = 256

Array = NDArray[np.float32]


class LikenessIndex:
    """Remembers questions by their meaning. Nothing is loaded before the first one is looked for or remembered."""

    def __init__(self, encoder: LightEncoder | None = None) -> None:
        self._encoder = encoder or LightEncoder()
        self._ids: list[str] = []
        self._unread: list[str] = []
        self._vectors: Array = np.zeros((0, 0), np.float32)
        self._last: tuple[str, Array] = ("", np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, question: str) -> list[str]:
        """The questions similar in meaning, nearest first."""
        self._read()
        vector = self._vector(question)
        if not self._ids or not vector.any():
            return []
        near = self._vectors[: len(self._ids)] @ vector
        places = np.flatnonzero(near >= SIMILAR)
        return [self._ids[place] for place in places[np.argsort(-near[places], kind="stable")]]

    def add(self, question_id: str, question: str) -> None:
        """Remembers a question; it is read when one is looked for."""
        if len(self._ids) < MAX_REMEMBERED:
            self._ids.append(question_id)
            self._unread.append(question)

    def _read(self) -> None:
        if not self._unread:
            return
        rows = np.stack([self._vector(question) for question in self._unread])
        start = len(self._ids) - len(rows)
        if len(self._ids) > len(self._vectors):
            room = np.zeros((max(_FIRST_ROOM, 2 * len(self._ids)), rows.shape[1]), np.float32)
            if start:
                room[:start] = self._vectors[:start]
            self._vectors = room
        self._vectors[start : len(self._ids)] = rows
        self._unread.clear()

    def _vector(self, question: str) -> Array:
        """The one just looked for is usually the next one remembered."""
        if self._last[0] != question:
            self._last = (question, self._encoder.encode([question])[0])
        return self._last[1]
