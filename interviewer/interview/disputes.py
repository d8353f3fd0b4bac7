"""Objections to verdicts, and what candidates say of a point themselves: stored first, looked at again, decided."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from interviewer.accounts.errors import ForbiddenError
from interviewer.accounts.person import Person
from interviewer.errors import ConflictError, InterviewerError
from interviewer.grading.guarded import hear
from interviewer.grading.objection import pointed_at
from interviewer.grading.protocol import Grader, OnProgress, Progress, Retriever
from interviewer.interview import events as ev
from interviewer.interview.contested import Contest
from interviewer.interview.jobs import Jobs
from interviewer.interview.judging import Judge
from interviewer.interview.ports import Interviews
from interviewer.interview.question_state import Dispute, QuestionState
from interviewer.interview.state import InterviewState, apply, fold
from interviewer.language import clean
from interviewer.models import Grade, PointGrade, Verdict
from interviewer.sharing.readable import EVERYTHING, Readable
from interviewer.wording import say

MOST_DISPUTES = 2
"""Objections to one verdict: the second one to what was decided on the first."""


class Looked(NamedTuple):
    """One step of looking again.

    Attributes:
        state: The interview after everything stored so far.
        progress: How the second grading stands, while it runs.
    """

    state: InterviewState
    progress: Progress | None = None


class Disputes:
    """Marks, objections and decisions on the grades of interviews, for any number of users at once.

    All methods raise `NotFoundError` for an interview that is not this user's, and `InterviewerError` with the next
    step where a point is unknown, its question is still open or has no grade.

    Args:
        now: The clock.
        readable: What a user may read.
    """

    def __init__(
        self,
        interviews: Interviews,
        grader: Grader,
        retriever: Retriever,
        now: Callable[[], datetime],
        readable: Callable[[str], Readable] = lambda _: EVERYTHING,
    ) -> None:
        self._interviews = interviews
        self._judge = Judge(grader, retriever, readable)
        self._now = now
        self._jobs = Jobs()

    def mark(self, user_id: str, interview_id: str, index: int, point_id: str, said: bool) -> InterviewState:
        """Keeps that the candidate says they said a point, or that they did not; no score changes."""

        def marked(state: InterviewState) -> Contest:
            contestable(state, index, point_id)
            return ev.Marked(at=self._now(), index=index, point_id=point_id, said=said)

        return self._store(user_id, interview_id, marked)

    def dispute(self, user_id: str, interview_id: str, index: int, point_id: str, reason: str) -> Iterator[Looked]:
        """Stores an objection and then has the verdict on that one point looked at again.

        Raises:
            InterviewerError: also for an empty or too long reason, while another objection is open, and after
                `MOST_DISPUTES`.
        """
        reason = clean(reason).strip()

        def disputed(state: InterviewState) -> Contest:
            check_dispute(state, index, point_id, reason)
            return ev.Disputed(at=self._now(), index=index, point_id=point_id, reason=reason)

        yield Looked(self._store(user_id, interview_id, disputed))
        yield from self._watch(user_id, interview_id, index, point_id)

    def look_again(self, user_id: str, interview_id: str, index: int, point_id: str) -> Iterator[Looked]:
        """Watches the second grading under way, or tries it anew where it failed or was cut off.

        Raises:
            InterviewerError: also where there is no open objection, or it has its second opinion.
        """
        state = fold(self._interviews.load(user_id, interview_id))
        dispute = open_dispute(state, index, point_id)
        if dispute.second is not None:
            raise _problem("looked", state)
        yield Looked(state)
        yield from self._watch(user_id, interview_id, index, point_id)

    def decide(
        self,
        user_id: str,
        interview_id: str,
        index: int,
        point_id: str,
        verdict: Verdict,
        by: Person | None = None,
    ) -> InterviewState:
        """Settles the open objection: `verdict` counts from now on, whatever the graders said.

        Args:
            by: Who decides; None for the candidate alone at home. For somebody else's interview the caller has checked
                that they may.

        Raises:
            ForbiddenError: if `by` may not decide on what is their own.
            InterviewerError: also where there is no open objection, its second grading has not ended, or `verdict` is
                `contradicted` and neither grade says so.
        """

        if by is not None and by.id == user_id and not decides_alone(by):
            raise ForbiddenError("dispute_leads_decide")

        def decided(state: InterviewState) -> Contest:
            check_decision(state, index, point_id, verdict)
            decider = user_id if by is None else by.id
            return ev.Decided(at=self._now(), index=index, point_id=point_id, verdict=verdict, by=decider)

        return self._store(user_id, interview_id, decided)

    def _store(
        self, user_id: str, interview_id: str, event: Callable[[InterviewState], Contest | None]
    ) -> InterviewState:
        """Stores the event that fits the interview as it stands, and tries anew where it has gone on meanwhile."""
        while True:
            state = fold(self._interviews.load(user_id, interview_id))
            found = event(state)
            if found is None:
                return state
            try:
                self._interviews.append(user_id, interview_id, (found,), at=state.version)
            except ConflictError:
                continue
            return apply(state, found)

    def _watch(self, user_id: str, interview_id: str, index: int, point_id: str) -> Iterator[Looked]:
        state = fold(self._interviews.load(user_id, interview_id))
        work = self._jobs.join(
            f"{interview_id}/{index}/{point_id}", lambda on: self._look(user_id, interview_id, index, point_id, on)
        )
        for progress in work.watch():
            yield Looked(state, progress)
        yield Looked(fold(self._interviews.load(user_id, interview_id)))

    def _look(self, user_id: str, interview_id: str, index: int, point_id: str, on_progress: OnProgress) -> None:
        state = fold(self._interviews.load(user_id, interview_id))
        question = state.questions[index]
        dispute = question.dispute(point_id)
        if dispute is None or dispute.second is not None:
            return
        grade = self._grade(user_id, state, question, dispute, on_progress)
        second = next((point for point in grade.points if point.id == point_id), None)
        note = grade.grader.note or "" if second else grade.reason or say("reason_internal", state.language)

        def opinion(state: InterviewState) -> Contest | None:
            """Nothing where the objection was settled, or looked at by another process, in the meantime."""
            if state.questions[index].dispute(point_id) != dispute:
                return None
            at = self._now()
            return ev.SecondOpinion(at=at, index=index, point_id=point_id, grade=second, note=note, grader=grade.grader)

        self._store(user_id, interview_id, opinion)

    def _grade(
        self, user_id: str, state: InterviewState, question: QuestionState, dispute: Dispute, on_progress: OnProgress
    ) -> Grade:
        """The whole question's grader on the one point, the objection before its eyes."""
        more = {"only": dispute.point_id, "objection": dispute.reason}
        grade = self._judge.grade(user_id, question, state.language, on_progress, **more)
        return _unmoved(question, dispute, grade)


def decides_alone(person: Person) -> bool:
    """Whether a person decides on objections to their own verdicts: at home, and who leads; a member's lead does."""
    return not person.team or person.role != "member"


def _unmoved(question: QuestionState, dispute: Dispute, grade: Grade) -> Grade:
    """The built-in grader does not judge the same words anew: the verdict stays where it was pointed at none."""
    first = question.grade
    builtin = first is not None and first.grader.name == grade.grader.name == "builtin"
    if (
        first is None
        or not builtin
        or grade.status == "ungraded"
        or pointed_at(hear(question.question, question.union).text, dispute.reason)
    ):
        return grade
    same = tuple(p.model_copy(update={"decided": None}) for p in first.points if p.id == dispute.point_id)
    return grade.model_copy(update={"points": same})


def contestable(state: InterviewState, index: int, point_id: str) -> PointGrade:
    """The grade of a point that may be marked or disputed.

    Raises:
        InterviewerError: if there is no such point, its question is open or has no grade, or nothing was said.
    """
    if not 0 <= index < len(state.questions):
        raise _problem("unknown", state)
    question = state.questions[index]
    if state.mode == "mock" and state.phase != "ended":
        raise _problem("early_mock", state)
    if question.closed is None:
        raise _problem("early", state)
    if question.grade is None or question.grade.status == "ungraded":
        raise _problem("ungraded", state)
    found = next((point for point in question.grade.points if point.id == point_id), None)
    if found is None:
        raise _problem("unknown", state)
    if not question.union.strip():
        raise _problem("silent", state)
    return found


def check_dispute(state: InterviewState, index: int, point_id: str, reason: str) -> None:
    """Raises what `Disputes.dispute` raises."""
    contestable(state, index, point_id)
    if not reason:
        raise _problem("empty", state)
    if len(reason) > ev.REASON_LIMIT:
        raise _problem("long", state, count=len(reason), limit=ev.REASON_LIMIT)
    raised = [d for d in state.questions[index].disputes if d.point_id == point_id]
    if raised and raised[-1].decision is None:
        raise _problem("open", state)
    if len(raised) == MOST_DISPUTES:
        raise _problem("final", state)


def check_decision(state: InterviewState, index: int, point_id: str, verdict: Verdict) -> None:
    """Raises what `Disputes.decide` raises."""
    dispute = open_dispute(state, index, point_id)
    if not dispute.looked:
        raise _problem("waiting", state)
    first = contestable(state, index, point_id)
    said = {first.verdict, first.decided, dispute.second.verdict if dispute.second else None}
    if verdict is Verdict.CONTRADICTED and verdict not in said:
        raise _problem("contradicted", state)


def open_dispute(state: InterviewState, index: int, point_id: str) -> Dispute:
    """The objection to a verdict that is not decided yet.

    Raises:
        InterviewerError: if there is none.
    """
    contestable(state, index, point_id)
    dispute = state.questions[index].dispute(point_id)
    if dispute is None:
        raise _problem("none", state)
    if dispute.decision is not None:
        decided = sum(d.point_id == point_id for d in state.questions[index].disputes)
        raise _problem("final" if decided == MOST_DISPUTES else "none", state)
    return dispute


def _problem(kind: str, state: InterviewState, **values: int) -> InterviewerError:
    message, following = (say(f"dispute_{kind}{part}", state.language, **values) for part in ("", "_next"))
    return InterviewerError(message, next_step=following)
