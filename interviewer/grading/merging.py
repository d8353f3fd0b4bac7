"""Grading again after follow-ups: what was won needs its discount, what was won before is not lost to noise."""

from collections.abc import Mapping

from interviewer.models import Earned, Grade, PointGrade, Verdict
from interviewer.models.grade import CREDIT_SHARE


def merge(before: Grade | None, after: Grade, *, helped: Mapping[str, Earned]) -> Grade:
    """The grade of a question whose answers were graded again as a whole.

    Args:
        before: The grade that stood; None or ungraded for the first grading.
        after: The grade of everything said so far.
        helped: For each point asked for or hinted at, the most telling help given ("hint" over "probe").

    For each point, in the order of `after`:
      - it rose: the new verdict, `before` the last verdict that was reached without help, `earned` the help given
        (`answer` where none was given for it: a point won in passing counts in full);
      - it stayed: the earlier verdict, with the surer of the two gradings behind it;
      - it fell to contradicted: the new verdict, since the candidate now says the opposite;
      - anything else, such as a wrong statement no longer seen: the earlier verdict stands.

    A point never falls unless contradicted. An ungraded `after` keeps a graded `before`. A point that only `before`
    has (the question was edited in between) is dropped with it; the question's current points count.
    """
    if before is None or before.status == "ungraded":
        return after if after.status == "ungraded" else after.model_copy(update={"points": _first(after, helped)})
    if after.status == "ungraded":
        return before
    earlier = {point.id: point for point in before.points}
    points = tuple(_merged(earlier.get(point.id), point, helped.get(point.id, "answer")) for point in after.points)
    return after.model_copy(update={"points": points, "beyond": after.beyond or before.beyond})


def _first(after: Grade, helped: Mapping[str, Earned]) -> tuple[PointGrade, ...]:
    """A hint asked for before the first answer was graded still counts as help."""
    missing = Verdict.MISSING
    return tuple(
        point.model_copy(update={"before": missing, "earned": helped[point.id]})
        if point.id in helped and point.verdict.credit > 0
        else point
        for point in after.points
    )


def _merged(before: PointGrade | None, after: PointGrade, earned: Earned) -> PointGrade:
    if before is None:
        return after
    gain = after.verdict.credit - before.verdict.credit
    if gain > 0 and after.verdict != Verdict.MISSING:
        return _won(before, after, earned)
    if gain < 0 and after.verdict == Verdict.CONTRADICTED:
        return after.model_copy(update={"before": None, "earned": "answer"})
    if gain == 0 and after.confidence > before.confidence:
        return after.model_copy(update={"before": before.before, "earned": before.earned})
    return before


def _won(before: PointGrade, after: PointGrade, earned: Earned) -> PointGrade:
    """The risen verdict; the discount covers all that was won with help, at the rate of the costliest help."""
    discounted = before.before is not None and before.earned != "answer"
    first = before.before if discounted and before.before is not None else before.verdict
    help_given = min(earned, before.earned, key=lambda word: CREDIT_SHARE[word])
    won = after.model_copy(update={"before": first, "earned": help_given})
    # Two kinds of help in turn must not leave the point below what it already counted.
    return won if won.credit >= before.credit else before
