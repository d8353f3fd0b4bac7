"""Cohorts as their leads see them, shared interviews, and assignments."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Subquery, and_, case, delete, false, func, insert, or_, select, true, update
from sqlalchemy.exc import IntegrityError

from interviewer.accounts.errors import TakenError
from interviewer.interview.events import EVENT, InterviewEvent
from interviewer.models import Verdict
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.storage.interviews import insert_interview
from interviewer.teams.figures import Answer

u = t.users.c


class MemberRow(NamedTuple):
    """A member and what they did; the counts are of interviews in which something was answered.

    Attributes:
        practised_at: When they last answered; None for never.
        week, month, period: Interviews since three moments.
        questions: Questions graded since the last of these.
    """

    id: str
    name: str
    practised_at: datetime | None = None
    week: int = 0
    month: int = 0
    period: int = 0
    questions: int = 0


class Since(NamedTuple):
    """From when on interviews are counted; no `period` is everything."""

    week: datetime
    month: datetime
    period: datetime | None


class ShareRow(NamedTuple):
    """A shared interview: whose, since when, and how many objections wait for a decision."""

    interview_id: str
    user_id: str
    name: str
    shared_at: datetime
    waiting: int


class AssignmentRow(NamedTuple):
    """An assignment as it is stored; `plans` by language."""

    id: str
    cohort_id: str
    title: str
    note: str
    plans: Mapping[str, Any]
    due_at: datetime
    created_by: str | None
    created_at: datetime
    withdrawn_at: datetime | None


class BegunRow(NamedTuple):
    """An interview somebody does for an assignment; `ended_at` is None while it goes on."""

    assignment_id: str
    interview_id: str
    user_id: str
    ended_at: datetime | None


class TeamStore:
    """Every read is of one cohort; who may read it is decided in `interviewer.teams`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- people ---
    def members(self, cohort_id: str) -> tuple[MemberRow, ...]:
        """Who practises in a cohort, by name; not its leads and owners."""
        query = select(u.id, u.name).where(_member(cohort_id)).order_by(func.lower(u.name), u.id)
        with self._database.read() as connection:
            return tuple(MemberRow(*row) for row in connection.execute(query))

    def leads(self, cohort_id: str) -> tuple[str, ...]:
        """Names of those who lead a cohort."""
        leading = and_(u.cohort_id == cohort_id, u.role.in_(("lead", "owner")), _can_sign_in())
        with self._database.read() as connection:
            return tuple(connection.scalars(select(u.name).where(leading).order_by(func.lower(u.name), u.id)))

    def activity(self, cohort_id: str, since: Since) -> tuple[MemberRow, ...]:
        """Every member of a cohort with what they did, by name."""
        practised, graded = _practised(cohort_id, since), _graded(cohort_id, since.period)
        query = (
            select(
                u.id,
                u.name,
                practised.c.at,
                func.coalesce(practised.c.week, 0),
                func.coalesce(practised.c.month, 0),
                func.coalesce(practised.c.period, 0),
                func.coalesce(graded.c.questions, 0),
            )
            .select_from(
                t.users.outerjoin(practised, practised.c.user_id == u.id).outerjoin(graded, graded.c.user_id == u.id)
            )
            .where(_member(cohort_id))
            .order_by(func.lower(u.name), u.id)
        )
        with self._database.read() as connection:
            return tuple(MemberRow(*row) for row in connection.execute(query))

    def answers(
        self, cohort_id: str, sets: tuple[str, ...], before: datetime | None, user_id: str | None = None
    ) -> tuple[Answer, ...]:
        """What all members' reviews show, oldest first.

        Args:
            sets: Only of questions of these; all if empty.
            before: What was reviewed earlier is marked so.
            user_id: Only of this member.
        """
        r, q = t.reviews.c, t.questions.c
        covered = and_(r.verdict == Verdict.COVERED.value, r.earned == "answer")
        earlier = r.at < before if before is not None else false()
        query = (
            select(
                r.user_id,
                r.question_id,
                r.point_id,
                r.topic,
                case((covered, True), else_=False),
                case((earlier, True), else_=False),
            )
            .select_from(t.reviews.join(t.users, u.id == r.user_id).join(t.questions, q.id == r.question_id))
            .where(_member(cohort_id))
            .order_by(r.at, r.interview_id, r.index, r.point_id)
        )
        if sets:
            query = query.where(q.set.in_(sets))
        if user_id is not None:
            query = query.where(r.user_id == user_id)
        with self._database.read() as connection:
            return tuple(map(Answer._make, connection.execute(query).fetchall()))

    # --- shared interviews ---
    def share(self, user_id: str, interview_id: str, cohort_id: str, at: datetime) -> None:
        """Lets a cohort's leads read an interview, nobody else any more."""
        values = {"user_id": user_id, "interview_id": interview_id, "cohort_id": cohort_id, "shared_at": at}
        with self._database.write() as connection:
            connection.execute(delete(t.shares).where(_shared(user_id, interview_id)))
            connection.execute(insert(t.shares).values(values))

    def take_back(self, user_id: str, interview_id: str) -> None:
        """Nothing where it was not shared."""
        with self._database.write() as connection:
            connection.execute(delete(t.shares).where(_shared(user_id, interview_id)))

    def shared_by(self, user_id: str, cohort_id: str) -> Mapping[str, datetime]:
        """When somebody's interviews were shared with their cohort's leads, by id."""
        c = t.shares.c
        query = select(c.interview_id, c.shared_at).where(c.user_id == user_id, c.cohort_id == cohort_id)
        with self._database.read() as connection:
            return {row.interview_id: row.shared_at for row in connection.execute(query)}

    def shared_with(self, cohort_id: str, interview_id: str | None = None) -> tuple[ShareRow, ...]:
        """What a cohort's leads may read, newest first: of people who are still in it."""
        c = t.shares.c
        query = (
            select(c.interview_id, u.id, u.name, c.shared_at, _raised() - _raised("decided"))
            .select_from(t.shares.join(t.users, u.id == c.user_id))
            .where(c.cohort_id == cohort_id, u.cohort_id == cohort_id)
            .order_by(c.shared_at.desc(), c.interview_id)
        )
        if interview_id is not None:
            query = query.where(c.interview_id == interview_id)
        with self._database.read() as connection:
            return tuple(ShareRow(*row) for row in connection.execute(query))

    # --- assignments ---
    def assign(self, row: AssignmentRow) -> None:
        with self._database.write() as connection:
            connection.execute(insert(t.assignments).values(row._asdict()))

    def withdraw(self, cohort_id: str, assignment_id: str, at: datetime) -> None:
        c = t.assignments.c
        mine = and_(c.id == assignment_id, c.cohort_id == cohort_id, c.withdrawn_at.is_(None))
        with self._database.write() as connection:
            connection.execute(update(t.assignments).where(mine).values(withdrawn_at=at))

    def assignments(self, cohort_id: str, assignment_id: str | None = None) -> tuple[AssignmentRow, ...]:
        """Those of a cohort, the one that is due last first."""
        c = t.assignments.c
        query = select(t.assignments).where(c.cohort_id == cohort_id).order_by(c.due_at.desc(), c.created_at, c.id)
        if assignment_id is not None:
            query = query.where(c.id == assignment_id)
        with self._database.read() as connection:
            return tuple(AssignmentRow(**row) for row in connection.execute(query).mappings())

    def begin(self, user_id: str, assignment_id: str, now: datetime, events: Sequence[InterviewEvent]) -> str:
        """Stores a new interview and that it is done for an assignment, both or neither; gives its id.

        Raises:
            ConflictError: if this person has begun it already, or it was withdrawn.
        """
        c = t.assignments.c
        still_there = select(c.id).where(c.id == assignment_id, c.withdrawn_at.is_(None))
        try:
            with self._database.write() as connection:
                if connection.scalar(still_there) is None:
                    raise TakenError("teams_withdrawn")
                interview_id = insert_interview(connection, user_id, events, now)
                values = {"interview_id": interview_id, "assignment_id": assignment_id, "user_id": user_id}
                connection.execute(insert(t.assignment_interviews).values(values))
                return interview_id
        except IntegrityError as error:
            raise TakenError("teams_begun") from error

    def begun(self, assignment_ids: Collection[str], user_id: str | None = None) -> tuple[BegunRow, ...]:
        """The interviews done for assignments, in the order they ended; those under way last."""
        c, e = t.assignment_interviews.c, t.events.c
        ended = and_(e.interview_id == c.interview_id, e.type == "ended")
        query = (
            select(c.assignment_id, c.interview_id, c.user_id, e.at)
            .select_from(t.assignment_interviews.outerjoin(t.events, ended))
            .where(c.assignment_id.in_(assignment_ids))
            .order_by(e.at.is_(None), e.at, c.interview_id)
        )
        if user_id is not None:
            query = query.where(c.user_id == user_id)
        with self._database.read() as connection:
            return tuple(BegunRow(*row) for row in connection.execute(query))

    def histories(self, interview_ids: Collection[str]) -> Mapping[str, tuple[InterviewEvent, ...]]:
        """The events of interviews, by id."""
        e = t.events.c
        query = select(e.interview_id, e.payload).where(e.interview_id.in_(interview_ids))
        found: dict[str, list[InterviewEvent]] = {interview_id: [] for interview_id in interview_ids}
        with self._database.read() as connection:
            for row in connection.execute(query.order_by(e.interview_id, e.seq)):
                found[row.interview_id].append(EVENT.validate_python(row.payload))
        return {interview_id: tuple(events) for interview_id, events in found.items()}


def _can_sign_in() -> ColumnElement[bool]:
    return and_(or_(u.login.is_not(None), u.subject.is_not(None)), u.disabled_at.is_(None))


def _member(cohort_id: str) -> ColumnElement[bool]:
    return and_(u.cohort_id == cohort_id, u.role == "member", _can_sign_in())


def _raised(kind: str = "disputed") -> ColumnElement[int]:
    """How many objections of a shared interview there are; each decision settles one."""
    e = t.events.c
    number = select(func.count()).where(e.interview_id == t.shares.c.interview_id, e.type == kind)
    return number.correlate(t.shares).scalar_subquery()


def _shared(user_id: str, interview_id: str) -> ColumnElement[bool]:
    return and_(t.shares.c.user_id == user_id, t.shares.c.interview_id == interview_id)


def _practised(cohort_id: str, since: Since) -> Subquery:
    """When each member last answered, and how many interviews they answered in since three moments."""
    e = t.events.c
    interviews = (
        select(e.user_id, func.max(e.at).label("at"))
        .select_from(t.events.join(t.users, u.id == e.user_id))
        .where(_member(cohort_id), e.type == "answered")
        .group_by(e.user_id, e.interview_id)
        .subquery()
    )
    at = interviews.c.at

    def number(moment: datetime | None) -> ColumnElement[int]:
        return func.sum(case((at >= moment if moment is not None else true(), 1), else_=0))

    return (
        select(
            interviews.c.user_id,
            func.max(at).label("at"),
            number(since.week).label("week"),
            number(since.month).label("month"),
            number(since.period).label("period"),
        )
        .group_by(interviews.c.user_id)
        .subquery()
    )


def _graded(cohort_id: str, since: datetime | None) -> Subquery:
    """How many questions of each member were graded."""
    r = t.reviews.c
    questions = (
        select(r.user_id, r.interview_id, r.index)
        .select_from(t.reviews.join(t.users, u.id == r.user_id))
        .where(_member(cohort_id), r.at >= since if since is not None else true())
        .distinct()
        .subquery()
    )
    return select(questions.c.user_id, func.count().label("questions")).group_by(questions.c.user_id).subquery()
