"""Charts of the progress page as SVG in the page's own colours. The numbers behind each stand in a table beside it."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from interviewer.models import Mode
from ui.render.markup import render
from ui.texts import Texts

LEAST_AXES = 3
"""With fewer axes a radar is a line."""
MOST_AXES = 10
_SIDE, _MIDDLE = 15.0, 20.0
"""Width of a line of a label beside a radar, and above or below it, in letters."""
_DATES = 92
"""Pixels a date needs below an axis."""


class Axis(NamedTuple):
    """An axis of a radar; `value` is 0..1, None where nothing is known."""

    title: str
    value: float | None


class Dot(NamedTuple):
    """An interview in the trend: scores 0..10, `smoothed` None where there is no line; `href` leads to its report."""

    at: datetime
    mode: Mode
    score: float
    smoothed: float | None
    questions: int
    href: str


class Spoke(NamedTuple):
    """An axis as it is drawn: its end, its value's place, its label in lines."""

    x: float
    y: float
    value: float | None
    at: tuple[float, float] | None
    label_x: float
    label_y: float
    anchor: str
    lines: tuple[str, ...]


def radar(axes: Sequence[Axis], title: str, t: Texts) -> Markup:
    """How well each axis is known; what was not asked has a hollow mark at the end of its axis and no number."""
    axes = axes[:MOST_AXES]
    wide, tall, radius = 372, 264, 76
    centre = (wide / 2, tall / 2)
    spokes = [_spoke(axis, n, len(axes), centre, radius) for n, axis in enumerate(axes)]
    rings = [
        " ".join(f"{x},{y}" for x, y in (_at(n, len(axes), centre, radius * share) for n in range(len(axes))))
        for share in (0.25, 0.5, 0.75, 1.0)
    ]
    # What was not asked is no corner: it would look as if nothing of it were known.
    corners = [spoke.at for spoke in spokes if spoke.at is not None]
    outline = " ".join(f"{x},{y}" for x, y in corners) if len(corners) >= LEAST_AXES else ""
    return Markup(
        render("charts/radar", t, wide=wide, tall=tall, title=title, centre=centre, spokes=spokes, rings=rings,
               outline=outline)
    )  # fmt: skip


def trend_chart(dots: Sequence[Dot], wide: int, title: str, t: Texts) -> Markup:
    """Scores in the order of the interviews: a mark for each mode, larger for more questions, and the smoothed line."""
    left, right, top, bottom = 30, wide - 8, 14, 210
    first, last = left + _DATES / 2 - 16, right - _DATES / 2 + 8
    step = (last - first) / max(1, len(dots) - 1)

    def across(n: int) -> float:
        return round(first + n * step if len(dots) > 1 else (first + last) / 2, 1)

    def up(score: float) -> float:
        return round(bottom - score / 10 * (bottom - top), 1)

    marks = [
        {"x": across(n), "y": up(dot.score), "r": _radius(dot, len(dots), wide), "dot": dot}
        for n, dot in enumerate(dots)
    ]
    line = [(across(n), up(dot.smoothed)) for n, dot in enumerate(dots) if dot.smoothed is not None]
    return Markup(
        render(
            "charts/trend", t, wide=wide, tall=244, title=title, left=left, right=right, top=top, bottom=bottom,
            ticks=[(up(n), n) for n in range(0, 11, 2)], marks=marks, line=line,
            dates=[(across(n), dots[n].at) for n in _dated([across(n) for n in range(len(dots))])],
        )
    )  # fmt: skip


def _dated(places: Sequence[float]) -> list[int]:
    """Which interviews have their date below the trend: evenly spread, as many as there is room for."""
    room = max(1, min(len(places), 1 + int((places[-1] - places[0]) // _DATES)))
    return sorted({round(n * (len(places) - 1) / max(1, room - 1)) for n in range(room)})


def _radius(dot: Dot, count: int, wide: int) -> float:
    """Larger for more questions, smaller where many stand side by side."""
    room = wide / max(1, count) / 2
    return round(max(2.5, min(3.0 + math.sqrt(dot.questions), room + 1.5, 8.0)), 1)


def _spoke(axis: Axis, n: int, count: int, centre: tuple[float, float], radius: float) -> Spoke:
    x, y = _at(n, count, centre, radius)
    label_x, label_y = _at(n, count, centre, radius + 14)
    sine = math.sin(2 * math.pi * n / count)
    anchor = "middle" if abs(sine) < 0.2 else "start" if sine > 0 else "end"
    lines = _wrapped(axis.title, _MIDDLE if anchor == "middle" else _SIDE)
    # Above the centre a label grows upwards, below it downwards.
    rise = {True: -(len(lines)) * 15 + 4, False: 12}[label_y < centre[1] - 4]
    if abs(label_y - centre[1]) <= 4 or anchor != "middle":
        rise = -(len(lines) - 1) * 7
    value = axis.value
    at = None if value is None else _at(n, count, centre, radius * value)
    return Spoke(x, y, value, at, label_x, round(label_y + rise, 1), anchor, lines)


def _at(n: int, count: int, centre: tuple[float, float], distance: float) -> tuple[float, float]:
    """The place on axis `n` at a distance from the centre; the first axis points up."""
    angle = 2 * math.pi * n / count
    return round(centre[0] + distance * math.sin(angle), 1), round(centre[1] - distance * math.cos(angle), 1)


def _wrapped(title: str, most: float) -> tuple[str, ...]:
    """A label in at most two lines of `most` letters, shortened where it is longer."""
    lines: list[str] = [""]
    for word in _words(title):
        if _width((lines[-1] + word).rstrip()) > most and lines[-1]:
            lines.append("")
        lines[-1] += word
    lines = [line.strip() for line in lines]
    shown = lines[:2]
    if len(lines) > 2:
        shown[-1] += "…"
    return tuple(_cut(line, most) for line in shown)


def _cut(line: str, most: float) -> str:
    """A line without a break that would not fit, or that goes on."""
    if _width(line) <= most:
        return line
    line = line.rstrip("…")
    while _width(line) > most - 1:
        line = line[:-1]
    return line.rstrip() + "…"


def _words(title: str) -> list[str]:
    """Where a label may be broken: after blanks, and between Chinese characters."""
    words: list[str] = [""]
    for letter in title[:80]:
        if _wide(letter) or (words[-1] and _wide(words[-1][-1])):
            words.append(letter)
        else:
            words[-1] += letter
            if letter == " ":
                words.append("")
    return [word for word in words if word]


def _width(text: str) -> float:
    """In letters of the Latin script."""
    return sum(2.0 if _wide(letter) else 1.0 for letter in text)


def _wide(letter: str) -> bool:
    return "\u2e80" <= letter <= "\uffef"
