"""What in gradio belongs to whom: it knows tabs, events and uploads by names alone, and asks nobody who they are."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

MOST = 5000
"""Names kept for one person; of more, those unused for longest are forgotten."""
LASTS = 24 * 3600.0
"""Seconds a name stays somebody's after its last use."""


class Claims:
    """Names belong to the person who used them first.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._owners: dict[str, str] = {}
        self._used: dict[str, OrderedDict[str, float]] = {}

    def claim(self, person: str, name: str) -> bool:
        """Makes `name` the person's; False if it is somebody else's."""
        with self._lock:
            now = self._clock()
            owner = self._owners.get(name, person)
            if owner != person and self._fresh(owner, name, now):
                return False
            if owner != person:
                del self._used[owner][name]
            self._keep(person, name, now)
            return True

    def has(self, person: str, name: str) -> bool:
        """Whether `name` is the person's already."""
        with self._lock:
            return self._owners.get(name) == person and self._fresh(person, name, self._clock())

    def _fresh(self, person: str, name: str, now: float) -> bool:
        return now - self._used[person][name] < LASTS

    def _keep(self, person: str, name: str, now: float) -> None:
        used = self._used.setdefault(person, OrderedDict())
        used[name] = now
        used.move_to_end(name)
        self._owners[name] = person
        while len(used) > MOST or now - next(iter(used.values())) >= LASTS:
            forgotten, _ = used.popitem(last=False)
            del self._owners[forgotten]
