"""How a cohort is doing, for its leads: activity and mastery of each member, and what most of them miss."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from interviewer.accounts.errors import MissingError
from interviewer.accounts.person import Person
from interviewer.models import Localized, Question
from interviewer.sharing.readable import Readable
from interviewer.storage.teams import MemberRow, Since, TeamStore
from interviewer.teams.figures import (
    SMALLEST,
    Answer,
    PointFigure,
    Share,
    Standing,
    TopicFigure,
    point_figures,
    standings,
    topic_figures,
)
from interviewer.teams.rules import Clock, led_cohort

PERIODS = (7, 30, 90)
"""Days that can be looked at; everything besides."""

WEEKS = 8
"""Weeks shown of one member."""

ALIKE = 2
"""Points of one question among those to teach next."""

_UNKNOWN = Standing(Share(), Share())


class Questions(Protocol):
    """The questions in use; see `interviewer.storage.questions`."""

    def many(self, question_ids: Sequence[str]) -> tuple[Question, ...]: ...


class Records(Protocol):
    """What members remember; see `interviewer.storage.memory`."""

    def catch_up(self, user_ids: Sequence[str]) -> None: ...


class Member(NamedTuple):
    """A line of the cohort: what they did and how much they know; never what they said.

    Attributes:
        interviews: In the period.
        questions: Graded in the period.
    """

    id: str
    name: str
    practised_at: datetime | None
    week: int
    month: int
    interviews: int
    questions: int
    standing: Standing


class Missed(NamedTuple):
    """A point that members miss, with what was asked and what the reference says.

    Attributes:
        frequency: How often the question is asked in interviews, 1..5.
        urgency: How many members missed it, times the frequency.
    """

    figure: PointFigure
    question: Localized
    text: Localized
    frequency: int

    @property
    def urgency(self) -> int:
        return self.figure.missed * self.frequency


class Overview(NamedTuple):
    """The cohort page.

    Attributes:
        days: The period looked at; 0 is everything. It changes activity and trend alone: figures over two periods
            could be subtracted from each other.
        topics: Least known first.
        points: Most missed first; empty for a small cohort.
        small: Whether the cohort is too small for figures of points.
    """

    days: int
    members: tuple[Member, ...]
    topics: tuple[TopicFigure, ...]
    points: tuple[Missed, ...]
    small: bool

    @property
    def active(self) -> int:
        """How many members practised in the last seven days."""
        return sum(member.week > 0 for member in self.members)

    def to_teach(self, most: int) -> tuple[Missed, ...]:
        """What to teach next: points that many miss and that are asked often, at most `ALIKE` of one question."""
        taught: list[Missed] = []
        for point in sorted(self.points, key=lambda point: -point.urgency):
            of_same = sum(each.figure.question_id == point.figure.question_id for each in taught)
            if point.figure.missed and of_same < ALIKE and len(taught) < most:
                taught.append(point)
        return tuple(taught)


class Week(NamedTuple):
    """What a member knew when a week ended, of the points asked for by then."""

    ends_at: datetime
    share: Share


class MemberPage(NamedTuple):
    """One member, for their leads.

    Attributes:
        topics: Least known first.
        weeks: The last `WEEKS`, the present moment last.
    """

    member: Member
    topics: tuple[TopicFigure, ...]
    weeks: tuple[Week, ...]


class CohortPages:
    """All methods raise what `led_cohort` raises; what belongs to another cohort is not there.

    Args:
        readable: What a person may read: figures are of these questions alone, so that no member's private set shows.
    """

    def __init__(
        self,
        store: TeamStore,
        records: Records,
        questions: Questions,
        readable: Callable[[Person], Readable],
        now: Clock,
    ) -> None:
        self._store = store
        self._records = records
        self._questions = questions
        self._readable = readable
        self._now = now

    def overview(self, person: Person, days: int = 0) -> Overview:
        """The cohort a person leads.

        Args:
            days: One of `PERIODS`; anything else is everything.
        """
        cohort = led_cohort(person)
        days = days if days in PERIODS else 0
        since = self._since(days)
        self._records.catch_up([member.id for member in self._store.members(cohort)])
        rows = self._store.activity(cohort, since)
        answers = self._store.answers(cohort, self._readable(person).narrow(), since.period)
        known = standings(answers)
        return Overview(
            days=days,
            members=tuple(_member(row, known) for row in rows),
            topics=topic_figures(answers),
            points=self._missed(point_figures(answers, len(rows))),
            small=len(rows) < SMALLEST,
        )

    def member(self, person: Person, user_id: str) -> MemberPage:
        """One member of the cohort a person leads.

        Raises:
            MissingError: also if there is no such member in it.
        """
        cohort, since = led_cohort(person), self._since(30)
        if user_id not in {member.id for member in self._store.members(cohort)}:
            raise MissingError("teams_no_member")
        self._records.catch_up([user_id])
        row = next(row for row in self._store.activity(cohort, since) if row.id == user_id)
        sets = self._readable(person).narrow()
        ends = [self._now() - timedelta(weeks=back) for back in range(WEEKS - 1, 0, -1)]
        weeks = [Week(end, _then(self._store.answers(cohort, sets, end, user_id), user_id)) for end in ends]
        answers = self._store.answers(cohort, sets, since.period, user_id)
        member = _member(row, standings(answers))
        weeks.append(Week(self._now(), member.standing.now))
        return MemberPage(member, topic_figures(answers), tuple(weeks))

    def _since(self, days: int) -> Since:
        now = self._now()
        period = now - timedelta(days=days) if days else None
        return Since(now - timedelta(days=7), now - timedelta(days=30), period)

    def _missed(self, figures: Sequence[PointFigure]) -> tuple[Missed, ...]:
        """The figures with their words; a point that is not asked any more is left out."""
        asked = {q.id: q for q in self._questions.many(sorted({figure.question_id for figure in figures}))}
        return tuple(
            Missed(figure, asked[figure.question_id].question, point.text, asked[figure.question_id].frequency)
            for figure in figures
            if figure.question_id in asked
            for point in asked[figure.question_id].points
            if point.id == figure.point_id
        )


def _member(row: MemberRow, known: Mapping[str, Standing]) -> Member:
    return Member(
        row.id,
        row.name,
        row.practised_at,
        row.week,
        row.month,
        row.period,
        row.questions,
        known.get(row.id, _UNKNOWN),
    )


def _then(answers: Sequence[Answer], user_id: str) -> Share:
    return standings(answers).get(user_id, _UNKNOWN).then
