"""What somebody may read, as a value that services are given."""

from typing import NamedTuple

BANK = "bank"
"""The shipped set, which everyone may read."""

_NONE = ("",)
"""No set has an empty name, so that this filters everything away where no name at all would filter nothing."""


class Readable(NamedTuple):
    """The sets somebody may read; `None` is every one there is."""

    sets: frozenset[str] | None

    def allows(self, name: str) -> bool:
        return self.sets is None or name in self.sets

    def narrow(self, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
        """What to filter by to see no more than is allowed of `wanted`; an empty `wanted` asks for everything."""
        if self.sets is None:
            return wanted
        return tuple(sorted(self.sets.intersection(wanted) if wanted else self.sets)) or _NONE


EVERYTHING = Readable(None)
