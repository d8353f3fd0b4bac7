"""Pictures of an agreement run as SVG: readable in light and dark, with every number in a table beside them."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from evals.agreement.figures import VERDICTS, Bin, Box

Words = Mapping[str, str]
_STRONGEST = 0.45
"""How opaque a cell of the confusion may be, so that its numbers stay readable."""


@cache
def _environment() -> Environment:
    loader = PackageLoader("evals.evidence", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@cache
def style(*, colours: bool) -> str:
    """The pictures' styles; without `colours` they take the variables of the page they stand in."""
    names = ("colours.css", "marks.css") if colours else ("marks.css",)
    return "".join(files("evals.evidence").joinpath("templates", name).read_text("utf-8") for name in names)


def reliability_chart(bins: Sequence[Bin], words: Words, *, alone: bool) -> str:
    """Confidence across, the share of right verdicts up, with 95% intervals; the diagonal is where both agree."""
    lowest = min([b.confidence for b in bins] + [b.right.low for b in bins], default=0.0)
    start = int(min(lowest, 0.9) * 10) / 10
    left, top, side = 64, 20, 330

    def across(value: float) -> float:
        return round(left + (value - start) / (1 - start) * side, 1)

    def up(value: float) -> float:
        return round(top + side - (value - start) / (1 - start) * side, 1)

    marks = [round(start + n / 10, 1) for n in range(round((1 - start) * 10) + 1)]
    return _drawn(
        "reliability",
        alone,
        width=420,
        height=top + side + 54,
        title=words["reliability_title"],
        left=left,
        right=left + side,
        top=top,
        bottom=top + side,
        ticks=[{"x": across(m), "y": up(m), "text": f"{m:.1f}"} for m in marks],
        bins=[
            {"x": across(b.confidence), "y": up(b.right.value), "low": up(b.right.low), "high": up(b.right.high)}
            for b in bins
        ],
        across=words["reliability_across"],
        up=words["reliability_up"],
    )


def scores_chart(boxes: Sequence[Box], right: Mapping[str, float], words: Words, *, alone: bool) -> str:
    """For each kind of answer a box of the scores given, and the mean of the right ones as a diamond."""
    left, top, wide, tall = 130, 14, 320, 30

    def at(score: float) -> float:
        return round(left + score / 10 * wide, 1)

    bottom = top + tall * len(boxes)
    rows = [
        {
            "name": words[f"kind_{b.name}"],
            "y": top + tall * n + tall // 2,
            "low": at(b.low),
            "high": at(b.high),
            "quarter": at(b.quarter),
            "wide": round(max(1.0, at(b.three_quarters) - at(b.quarter)), 1),
            "median": at(b.median),
            "right": at(right[b.name]),
        }
        for n, b in enumerate(boxes)
    ]
    return _drawn(
        "scores",
        alone,
        width=472,
        height=bottom + 78,
        title=words["scores_title"],
        left=left,
        right=left + wide,
        top=top,
        bottom=bottom,
        ticks=[{"x": at(n), "text": str(n)} for n in range(0, 11, 2)],
        rows=rows,
        across=words["scores_across"],
        given=words["scores_given"],
        wanted=words["scores_right"],
    )


def confusion_chart(counts: Sequence[Sequence[int]], words: Words, *, alone: bool) -> str:
    """Right verdicts down, given ones across: counts, and the share of each row."""
    left, top, wide, tall = 116, 54, 82, 54
    names = [words[f"verdict_{verdict.value}"] for verdict in VERDICTS]
    cells = []
    for down, row in enumerate(counts):
        for over, count in enumerate(row):
            share = count / max(1, sum(row))
            cells.append(
                {
                    "x": left + over * wide,
                    "y": top + down * tall,
                    "wide": wide - 3,
                    "tall": tall - 3,
                    "share": round(share * _STRONGEST, 2),
                    "count": count,
                    "percent": f"{share:.0%}",
                    "agree": down == over,
                }
            )
    return _drawn(
        "confusion",
        alone,
        width=left + wide * len(VERDICTS) + 12,
        height=top + tall * len(VERDICTS) + 12,
        title=words["confusion_title"],
        left=left,
        right=left + wide * len(VERDICTS),
        top=top,
        bottom=top + tall * len(VERDICTS),
        names=[
            {"text": name, "x": left + n * wide + wide // 2, "y": top + n * tall + tall // 2}
            for n, name in enumerate(names)
        ],
        cells=cells,
        across=words["confusion_across"],
        up=words["confusion_up"],
    )


def _drawn(template: str, alone: bool, **values: Any) -> str:
    """A picture that stands alone brings its own styles and follows the reader's system."""
    own = style(colours=True) if alone else ""
    return _environment().get_template(f"{template}.svg.j2").render(style=own, **values) + "\n"
