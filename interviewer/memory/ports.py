"""What memory needs from the outside."""

from collections.abc import Collection, Mapping
from typing import Protocol

from interviewer.memory.cards import Card
from interviewer.memory.reviews import PointKey, Review


class MemoryRecords(Protocol):
    """Reviews and cards as they follow from the stored events; see `interviewer.storage.memory`."""

    def cards(self, user_ids: Collection[str]) -> Mapping[str, tuple[Card, ...]]: ...

    def reviews(
        self, user_ids: Collection[str], keys: Collection[PointKey] | None = None
    ) -> Mapping[str, tuple[Review, ...]]: ...

    def rebuild(self, user_id: str) -> None: ...
