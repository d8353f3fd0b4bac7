"""Interviews that members share with the leads of their cohort, one by one."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from interviewer.accounts.errors import MissingError, RefusedError
from interviewer.accounts.person import Person
from interviewer.errors import NotFoundError
from interviewer.interview.disputes import Disputes
from interviewer.interview.ports import Interviews
from interviewer.interview.state import InterviewState, fold
from interviewer.models import Language, Verdict
from interviewer.reporting.report import Report, build_report
from interviewer.storage.teams import ShareRow, TeamStore
from interviewer.teams.rules import Clock, led_cohort, own_cohort


class Sharing(NamedTuple):
    """How an interview is shared, for whom it belongs to.

    Attributes:
        readers: Names of those who may read it, or could: the leads of the own cohort.
        shared_at: None for not.
        over: Whether the interview is over; before that it can't be shared.
    """

    readers: tuple[str, ...]
    shared_at: datetime | None
    over: bool


class SharedReport(NamedTuple):
    """A shared interview as a lead reads it."""

    share: ShareRow
    report: Report


class SharedInterviews:
    """What a member shares and a lead may read.

    Args:
        topic_title: How a topic is called in a language.
    """

    def __init__(
        self,
        store: TeamStore,
        interviews: Interviews,
        disputes: Disputes,
        topic_title: Callable[[str, Language], str],
        now: Clock,
    ) -> None:
        self._store = store
        self._interviews = interviews
        self._disputes = disputes
        self._topic_title = topic_title
        self._now = now

    # --- for whom it belongs to ---
    def standing(self, person: Person, interview_id: str) -> Sharing:
        """How one of the own interviews is shared.

        Raises:
            NotFoundError: if there is no such interview, at home, and for who is in no cohort.
        """
        cohort = own_cohort(person)
        try:
            state = fold(self._interviews.load(person.id, interview_id))
        except NotFoundError as error:
            raise MissingError("teams_no_interview") from error
        shared_at = self._store.shared_by(person.id, cohort).get(interview_id)
        return Sharing(self._store.leads(cohort), shared_at, state.phase == "ended")

    def mine(self, person: Person) -> Mapping[str, datetime]:
        """When each of the own interviews was shared, by id; nothing at home."""
        if not person.team or person.cohort is None:
            return {}
        return self._store.shared_by(person.id, person.cohort)

    def share(self, person: Person, interview_id: str) -> None:
        """Lets the leads of the own cohort read one of the own interviews.

        Raises:
            NotFoundError: as `standing`.
            RefusedError: if it is not over.
        """
        if not self.standing(person, interview_id).over:
            raise RefusedError("teams_not_over")
        self._store.share(person.id, interview_id, own_cohort(person), self._now())

    def take_back(self, person: Person, interview_id: str) -> None:
        """Nobody else may read it from now on.

        Raises:
            NotFoundError: as `standing`.
        """
        self.standing(person, interview_id)
        self._store.take_back(person.id, interview_id)

    # --- for leads ---
    def shared_with(self, person: Person) -> tuple[ShareRow, ...]:
        """What the cohort a person leads has shared, newest first; raises what `led_cohort` raises."""
        return self._store.shared_with(led_cohort(person))

    def report(self, person: Person, interview_id: str) -> SharedReport:
        """A shared interview, with all that was said.

        Raises:
            MissingError: also for an interview that is not shared with who asks.
        """
        share = self._shared(person, interview_id)
        state = fold(self._interviews.load(share.user_id, interview_id))
        report = build_report(interview_id, state, lambda topic: self._topic_title(topic, state.language))
        return SharedReport(share, report)

    def decide(self, person: Person, interview_id: str, index: int, point_id: str, verdict: Verdict) -> InterviewState:
        """Settles an open objection of a shared interview.

        Raises:
            MissingError: as `report`.
            InterviewerError: as `Disputes.decide`.
        """
        share = self._shared(person, interview_id)
        return self._disputes.decide(share.user_id, interview_id, index, point_id, verdict, by=person)

    def _shared(self, person: Person, interview_id: str) -> ShareRow:
        found = self._store.shared_with(led_cohort(person), interview_id)
        if not found:
            raise MissingError("teams_not_shared")
        return found[0]
