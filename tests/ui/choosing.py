"""The values of the start page's components, in their order."""

from typing import Any


def free(
    sets: tuple[str, ...] = ("bank", "mine"), topics: tuple[str, ...] = (), low: int = 1, high: int = 5, number: int = 5
) -> list[Any]:
    """A free choice."""
    return ["", "mid", [], 30, "practice", "en", list(sets), list(topics), low, high, number]


def on_track(rounds: tuple[str, ...] = ("first", "second"), **changes: Any) -> list[Any]:
    """The interview of a track; `changes` by name: track, level, minutes, mode."""
    values = {"track": "backend", "level": "mid", "minutes": 30, "mode": "practice"} | changes
    before, after = [values["track"], values["level"]], [values["minutes"], values["mode"], "en"]
    return [*before, list(rounds), *after, ["bank", "mine"], [], 1, 5, 5]
