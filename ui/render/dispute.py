"""What a candidate can say about a verdict: whether they said the point, an objection to it, and a decision."""

from typing import NamedTuple

from markupsafe import Markup

from interviewer.accounts.person import Person
from interviewer.interview.disputes import MOST_DISPUTES, decides_alone
from interviewer.interview.events import REASON_LIMIT
from interviewer.interview.question_state import Dispute, QuestionState
from interviewer.models import Mode, PointGrade, Verdict
from ui.render.markup import render
from ui.texts import Texts

DOUBTFUL = 0.55
"""Up to this confidence a verdict is doubtful even where its grader does not say so."""
_CHOICES = (Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING)


class Contest(NamedTuple):
    """The verdict that was objected to last, as `index:point`, and why nothing came of it; empty where all is well.

    Attributes:
        decides: Whether the candidate decides on objections themselves; in a team a lead does.
    """

    id: str = ""
    problem: str = ""
    decides: bool = True


NOTHING_SAID = Contest()


def nothing_said(person: Person) -> Contest:
    """For somebody of whom nothing was said yet."""
    return Contest(decides=decides_alone(person))


class Place(NamedTuple):
    """Where verdicts are shown.

    Attributes:
        name: Sets the fields of one page and interview apart from those of another.
        over: Whether a mock interview is over: before that, nothing can be said about its grades.
    """

    name: str
    mode: Mode
    over: bool
    contest: Contest = NOTHING_SAID


class Round(NamedTuple):
    """One objection as it is shown.

    Attributes:
        first: The verdict that was objected to.
        grade: Its reason and quote; None for what was decided before.
        choices: What else it can be decided to be.
    """

    dispute: Dispute
    first: Verdict
    grade: PointGrade | None
    choices: tuple[Verdict, ...]


def about_point(place: Place, index: int, question: QuestionState, point: PointGrade, t: Texts) -> Markup:
    """Everything a candidate can say about one verdict, and what they said; nothing while it can't be said yet."""
    if question.closed is None or (place.mode == "mock" and not place.over) or not question.union.strip():
        return Markup("")
    rounds = rounds_of(question, point)
    mark = question.mark(point.id)
    problem = place.contest.problem if place.contest.id == f"{index}:{point.id}" else ""
    optional = question.grade is not None and question.grade.passes_over(point)
    waiting = bool(rounds) and rounds[-1].dispute.decision is None
    html = render(
        "dispute",
        t,
        key=f"{place.name}-{index}-{point.id}",
        id=f"{index}:{point.id}",
        point=point,
        asks=mark is not None or (not rounds and doubtful(point) and not optional),
        mark=mark,
        nearest=_nearest(point),
        rounds=rounds,
        may_object=not waiting and len(rounds) < MOST_DISPUTES,
        problem=problem,
        decides=place.contest.decides,
        limit=REASON_LIMIT,
    )
    return Markup(html)


def doubtful(point: PointGrade) -> bool:
    """Whether to ask the candidate whether they said it."""
    return point.unsure or point.confidence <= DOUBTFUL


def _nearest(point: PointGrade) -> str:
    """The sentence of the answer nearest to a point, where it is not the quote that stands beside the verdict."""
    return "" if point.nearest.strip() in point.quote else point.nearest


def marked_as_said(question: QuestionState) -> int:
    """How many points the candidate says they said."""
    return sum(mark.said for mark in question.marks)


def rounds_of(question: QuestionState, point: PointGrade) -> tuple[Round, ...]:
    """The objections to one verdict, each with what it was raised against."""
    rounds: list[Round] = []
    for dispute in question.disputes:
        if dispute.point_id == point.id:
            before = rounds[-1].dispute.decision if rounds else None
            first = before or point.verdict
            taken = {first, dispute.second.verdict if dispute.second else first}
            choices = tuple(verdict for verdict in _CHOICES if verdict not in taken)
            rounds.append(Round(dispute, first, None if rounds else point, choices))
    return tuple(rounds)
