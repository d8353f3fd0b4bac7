"""How much of a file was new."""

from typing import Literal

from interviewer.models import Frozen

Outcome = Literal["added", "renewed", "known"]


class Tally(Frozen):
    """How many came in new, how many go on further than what was here, and how many were here already."""

    added: int = 0
    renewed: int = 0
    known: int = 0


class Counter:
    """Counts towards a `Tally`."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {"added": 0, "renewed": 0, "known": 0}

    def count(self, outcome: Outcome) -> None:
        self._counts[outcome] += 1

    @property
    def tally(self) -> Tally:
        return Tally(**self._counts)
