"""Assignments: a lead gives a cohort a plan with a date, and sees who has done it."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from functools import partial
from typing import Literal, NamedTuple

from interviewer.accounts.errors import MissingError, RefusedError, TakenError
from interviewer.accounts.person import Person
from interviewer.interview.events import InterviewEvent
from interviewer.interview.ports import Outline, Questions
from interviewer.interview.service import SEED_BITS, InterviewService
from interviewer.interview.state import fold
from interviewer.language import clean
from interviewer.models import LANGUAGES, Language, Plan, PlanRequest, Track
from interviewer.planning import draw_plan
from interviewer.sharing.readable import Readable
from interviewer.storage.teams import AssignmentRow, BegunRow, TeamStore
from interviewer.teams.figures import SMALLEST, in_steps
from interviewer.teams.rules import Clock, led_cohort, own_cohort

TITLE_LIMIT = 120
NOTE_LIMIT = 2000
"""Characters."""

Progress = Literal["not_begun", "under_way", "done"]


class NewAssignment(NamedTuple):
    """What a lead asks for.

    Attributes:
        request: What to draw; its language is only looked at where `any_language` is not set.
        any_language: Whether each member chooses the language.
        due: The last day, in the server's own time zone.
    """

    title: str
    note: str
    request: PlanRequest
    any_language: bool
    due: date


class Assignment(NamedTuple):
    """A plan given to a cohort; `plans` has one for each language it can be practised in, of the same questions."""

    id: str
    title: str
    note: str
    plans: Mapping[Language, Plan]
    due_at: datetime
    created_at: datetime
    withdrawn_at: datetime | None

    @property
    def languages(self) -> tuple[Language, ...]:
        return tuple(language for language in LANGUAGES if language in self.plans)

    @property
    def plan(self) -> Plan:
        return self.plans[self.languages[0]]


class Mine(NamedTuple):
    """An assignment for one of those it was given to.

    Attributes:
        interview_id: Where they do it; empty before they began.
    """

    assignment: Assignment
    progress: Progress
    interview_id: str = ""
    ended_at: datetime | None = None
    overdue: bool = False


class Doing(NamedTuple):
    """How far one member is with an assignment; `late` where they ended, or are, after the date."""

    user_id: str
    name: str
    progress: Progress
    ended_at: datetime | None
    late: bool


class QuestionMean(NamedTuple):
    """The mean score, 0..10, of a question of the plan over `people`, always in steps of `SMALLEST`; None for fewer."""

    question_id: str
    people: int
    mean: float | None


class Followed(NamedTuple):
    """An assignment as its lead sees it; no score is one person's."""

    assignment: Assignment
    members: tuple[Doing, ...]
    questions: tuple[QuestionMean, ...]

    def count(self, progress: Progress) -> int:
        return sum(member.progress == progress for member in self.members)


class Assignments:
    """What belongs to another cohort is not there.

    Args:
        questions: What plans are drawn from.
        readable: What somebody may read.
        tracks: The tracks of what may be read.
    """

    def __init__(
        self,
        store: TeamStore,
        service: InterviewService,
        questions: Questions,
        readable: Callable[[Person], Readable],
        tracks: Callable[[Readable], Sequence[Track]],
        now: Clock,
    ) -> None:
        self._store = store
        self._service = service
        self._questions = questions
        self._readable = readable
        self._tracks = tracks
        self._now = now

    # --- for leads ---
    def audience(self, person: Person) -> Person:
        """Stands for everyone of the cohort a person leads: may read what all of them may."""
        return _everyone(led_cohort(person))

    def tracks(self, person: Person) -> tuple[Track, ...]:
        """The tracks everyone in the cohort a person leads can follow."""
        return tuple(self._tracks(self._readable(self.audience(person))))

    def create(self, person: Person, wanted: NewAssignment) -> Assignment:
        """Draws the plan, once for all, and gives it to the cohort a person leads.

        Raises:
            RefusedError: for a title, note or date that is none, and where no question fits.
        """
        cohort = led_cohort(person)
        title, note = clean(wanted.title).strip(), clean(wanted.note).strip()
        if not 0 < len(title) <= TITLE_LIMIT:
            raise RefusedError("teams_bad_title", limit=TITLE_LIMIT)
        if len(note) > NOTE_LIMIT:
            raise RefusedError("teams_long_note", limit=NOTE_LIMIT)
        due_at = datetime.combine(wanted.due, time(23, 59, 59)).astimezone()
        if due_at < self._now():
            raise RefusedError("teams_past_date")
        plans = self._draw(cohort, wanted)
        row = AssignmentRow(
            id=secrets.token_hex(12),
            cohort_id=cohort,
            title=title,
            note=note,
            plans={language: plan.model_dump(mode="json") for language, plan in plans.items()},
            due_at=due_at,
            created_by=person.id,
            created_at=self._now(),
            withdrawn_at=None,
        )
        self._store.assign(row)
        return _assignment(row)

    def withdraw(self, person: Person, assignment_id: str) -> None:
        """Takes it from the list of those who have not begun; what was begun stays theirs."""
        cohort = led_cohort(person)
        self._one(cohort, assignment_id)
        self._store.withdraw(cohort, assignment_id, self._now())

    def given(self, person: Person) -> tuple[Followed, ...]:
        """All of the cohort a person leads, without figures of questions."""
        cohort = led_cohort(person)
        rows = self._store.assignments(cohort)
        begun = self._store.begun([row.id for row in rows])
        return tuple(self._followed(cohort, row, begun) for row in rows)

    def follow(self, person: Person, assignment_id: str) -> Followed:
        """One of them with its figures."""
        cohort = led_cohort(person)
        row = self._one(cohort, assignment_id)
        begun = self._store.begun([row.id])
        followed = self._followed(cohort, row, begun)
        return followed._replace(questions=self._means(followed, begun))

    # --- for members ---
    def mine(self, person: Person) -> tuple[Mine, ...]:
        """What the own cohort was given, due first first; withdrawn ones only if they were begun. Nothing at home."""
        if not person.team or person.cohort is None:
            return ()
        rows = self._store.assignments(person.cohort)
        begun = {each.assignment_id: each for each in self._store.begun([row.id for row in rows], person.id)}
        found = [self._mine(row, begun.get(row.id)) for row in reversed(rows)]
        return tuple(each for each in found if each.interview_id or each.assignment.withdrawn_at is None)

    def open(self, person: Person) -> tuple[Mine, ...]:
        """What is still to be done."""
        return tuple(each for each in self.mine(person) if each.progress != "done" and not each.assignment.withdrawn_at)

    def start(self, person: Person, assignment_id: str, language: Language) -> str:
        """The id of the interview that does an assignment: a new one, or the one that was begun.

        Args:
            language: What to practise in, as far as the assignment leaves that open.

        Raises:
            MissingError: if the own cohort was given no such assignment, or it was withdrawn.
        """
        row = self._one(own_cohort(person), assignment_id)
        begun = self._begun(person, row)
        if begun is not None:
            return begun
        if row.withdrawn_at is not None:
            raise MissingError("teams_no_assignment")
        assignment = _assignment(row)
        plan = assignment.plans.get(language, assignment.plan)
        create = partial(self._store.begin, person.id, row.id, self._now())
        try:
            return self._service.start_plan(person.id, plan, create).id
        except TakenError:
            # Begun in another tab at the same moment.
            again = self._begun(person, row)
            if again is None:
                raise
            return again

    def _begun(self, person: Person, row: AssignmentRow) -> str | None:
        return next((each.interview_id for each in self._store.begun([row.id], person.id)), None)

    def _one(self, cohort: str, assignment_id: str) -> AssignmentRow:
        found = self._store.assignments(cohort, assignment_id)
        if not found:
            raise MissingError("teams_no_assignment")
        return found[0]

    def _draw(self, cohort: str, wanted: NewAssignment) -> dict[Language, Plan]:
        """One plan a language; those of an assignment in any language are of questions that are in all of them."""
        languages = LANGUAGES if wanted.any_language else (wanted.request.language,)
        fixed = {"seed": secrets.randbits(SEED_BITS), "adaptive": False, "focus": ()}
        request = wanted.request.model_copy(update=fixed)
        readable = self._readable(_everyone(cohort))
        track = next((each for each in self._tracks(readable) if each.id == request.track), None)
        if request.mode == "drill" or (request.track and track is None):
            raise RefusedError("teams_no_plan")
        requests = {language: request.model_copy(update={"language": language}) for language in languages}
        pools = [self._fitting(each, readable) for each in requests.values()]
        everywhere = set.intersection(*({outline.id for outline in pool} for pool in pools))
        pool = [outline for outline in pools[0] if outline.id in everywhere]
        plans = {
            language: _assigned(draw_plan(each, pool, {}, self._now(), track)) for language, each in requests.items()
        }
        if not all(plan.questions for plan in plans.values()):
            raise RefusedError("teams_no_plan")
        return plans

    def _fitting(self, request: PlanRequest, readable: Readable) -> Sequence[Outline]:
        return self._questions.outlines(
            sets=readable.narrow(request.sets),
            topics=request.topics,
            difficulties=tuple(range(request.min_difficulty, request.max_difficulty + 1)),
            language=request.language,
        )

    def _mine(self, row: AssignmentRow, begun: BegunRow | None) -> Mine:
        if begun is None:
            return Mine(_assignment(row), "not_begun", overdue=self._now() > row.due_at)
        progress: Progress = "done" if begun.ended_at else "under_way"
        overdue = (begun.ended_at or self._now()) > row.due_at
        return Mine(_assignment(row), progress, begun.interview_id, begun.ended_at, overdue)

    def _followed(self, cohort: str, row: AssignmentRow, begun: Sequence[BegunRow]) -> Followed:
        by_user = {each.user_id: each for each in begun if each.assignment_id == row.id}
        members = []
        for member in self._store.members(cohort):
            mine = self._mine(row, by_user.get(member.id))
            members.append(Doing(member.id, member.name, mine.progress, mine.ended_at, mine.overdue))
        return Followed(_assignment(row), tuple(members), ())

    def _means(self, followed: Followed, begun: Sequence[BegunRow]) -> tuple[QuestionMean, ...]:
        """By question, in the order of the plan; `begun` in the order the interviews ended."""
        if len(followed.members) < SMALLEST:
            return ()
        ids = {member.user_id for member in followed.members}
        ended = [each.interview_id for each in begun if each.ended_at and each.user_id in ids]
        histories = self._store.histories(ended)
        scores = [_scores(histories[interview_id]) for interview_id in ended]
        return tuple(
            _mean(planned.question_id, [of[planned.question_id] for of in scores if planned.question_id in of])
            for planned in followed.assignment.plan.questions
        )


def _everyone(cohort: str) -> Person:
    """Nobody's private sets are theirs, not even the lead's."""
    return Person(id="", cohort=cohort)


def _assigned(plan: Plan) -> Plan:
    """The plan with its one reason, and nothing to take a question's place."""
    same = {"why": "assigned", "others": (), "sentence": ""}
    return plan.model_copy(update={"questions": tuple(q.model_copy(update=same) for q in plan.questions)})


def _scores(events: Sequence[InterviewEvent]) -> dict[str, float]:
    """The score of each question of an interview that has one."""
    return {q.question.id: q.score for q in fold(events).questions if q.score is not None}


def _mean(question_id: str, scores: Sequence[float]) -> QuestionMean:
    told = in_steps(scores)
    return QuestionMean(question_id, len(told), round(sum(told) / len(told), 1) if told else None)


def _assignment(row: AssignmentRow) -> Assignment:
    plans: dict[Language, Plan] = {
        language: Plan.model_validate(row.plans[language]) for language in LANGUAGES if language in row.plans
    }
    return Assignment(row.id, row.title, row.note, plans, row.due_at, row.created_at, row.withdrawn_at)
