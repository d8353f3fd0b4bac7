"""A candidate's words with the parts that were judged marked: by colour, by line and by the point's number."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from interviewer.grading.quotes import Span, highlights
from interviewer.language import clean
from interviewer.models import PointGrade
from ui.render.markup import VERDICT_ICON
from ui.texts import Texts

_MARK = Markup(
    '<mark class="iv-mark iv-{v}" title="{label}">{words}<sup class="iv-ref">'
    '<span class="iv-sr">{label} </span><span aria-hidden="true">{n}{icon}</span></sup></mark>'
)


def highlighted(text: str, points: Sequence[PointGrade], t: Texts) -> Markup:
    """`text` escaped, with the quotes of `points` marked and numbered in the points' order."""
    numbers = {point.id: position for position, point in enumerate(points, 1)}
    pieces: list[Markup] = []
    done = 0
    for span in highlights(text, tuple(points)):
        if span.start < done:
            continue
        pieces += [_plain(text[done : span.start]), _mark(text, span, numbers.get(span.point_id, 0), t)]
        done = span.end
    return Markup("").join([*pieces, _plain(text[done:])])


def _plain(text: str) -> Markup:
    return escape(clean(text))


def _mark(text: str, span: Span, number: int, t: Texts) -> Markup:
    label = t("feedback.mark", n=number, verdict=t(f"verdict.{span.verdict.value}"))
    return _MARK.format(
        v=span.verdict.value,
        label=label,
        words=_plain(text[span.start : span.end]),
        n=number,
        icon=VERDICT_ICON[span.verdict],
    )
