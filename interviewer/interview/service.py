"""The application service behind the page and the terminal: commands in, stored events and messages out."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from interviewer.errors import ConflictError, NotFoundError
from interviewer.grading.merging import merge
from interviewer.grading.protocol import Grader, GradingContext, OnProgress, Progress, Retriever
from interviewer.interview import events as ev
from interviewer.interview import machine
from interviewer.interview.clock import Clock, clock
from interviewer.interview.commands import Command, Say
from interviewer.interview.jobs import Jobs
from interviewer.interview.ports import Interviews, Outline, Questions, outline
from interviewer.interview.state import InterviewState, QuestionState, fold
from interviewer.interview.transcript import Message, transcript
from interviewer.interview.understanding import understand
from interviewer.language import clean
from interviewer.memory import EVENT_TYPES, REMEMBERED_INTERVIEWS, recall
from interviewer.models import Frozen, Grade, GraderInfo, Language, Plan, PlanRequest, Track
from interviewer.planning import draw_plan, editing
from interviewer.reporting.report import Report, build_report
from interviewer.wording import say

log = logging.getLogger(__name__)

ANSWER_LIMIT = 100_000
"""Characters of one message; longer ones are refused, and stay in the box."""

PASSAGES = 6
"""Related passages a grader is given."""

SEED_BITS = 32


class InterviewView(NamedTuple):
    """What a page shows of an interview; `clock` stands as at the moment of the view."""

    id: str
    state: InterviewState
    messages: tuple[Message, ...]
    clock: Clock = Clock()


class Update(NamedTuple):
    """One step of the reaction to a command.

    Attributes:
        view: The interview after everything stored so far.
        stored: Whether what the candidate wrote is in the record; a page may clear its box then, and only then.
        progress: How grading stands, while it runs.
        notice: One sentence about something that did not go as asked; empty if all went well.
    """

    view: InterviewView
    stored: bool = True
    progress: Progress | None = None
    notice: str = ""


class InterviewSummary(Frozen):
    """A line of the history page; `score` is 0..10 or None, `asked` of `planned` questions were put."""

    id: str
    started_at: datetime
    updated_at: datetime
    language: Language
    mode: str
    phase: str
    asked: int
    planned: int
    score: float | None
    topics: tuple[str, ...]


class InterviewService:
    """Runs interviews for any number of users at once; all it holds between calls is the grading under way.

    Args:
        topic_title: How a topic is called in a language.
        now: The clock.
        tracks: The tracks a request can name.
    """

    def __init__(
        self,
        interviews: Interviews,
        questions: Questions,
        grader: Grader,
        retriever: Retriever,
        topic_title: Callable[[str, Language], str] = lambda topic, _language: topic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        tracks: Callable[[], Sequence[Track]] = tuple,
    ) -> None:
        self._tracks = tracks
        self._interviews = interviews
        self._questions = questions
        self._grader = grader
        self._retriever = retriever
        self._topic_title = topic_title
        self._now = now
        self._jobs = Jobs()

    def start(self, user_id: str, request: PlanRequest) -> InterviewView:
        """Draws a plan and asks the first question; raises what `draft` raises."""
        return self.start_plan(user_id, self.draft(user_id, request))

    def draft(self, user_id: str, request: PlanRequest) -> Plan:
        """Draws a plan and stores nothing; with a seed in the request it is the same plan every time.

        Raises:
            NotFoundError: if no question fits the request, saying what to loosen.
        """
        plan = self._plan(user_id, request)
        if not plan.questions:
            raise NotFoundError(
                "No question fits this choice.",
                next_step="Choose more sets, topics or difficulties, or the other language.",
            )
        return plan

    def start_plan(self, user_id: str, plan: Plan) -> InterviewView:
        """Begins an interview with a drawn, perhaps edited plan and asks its first question."""
        started = ev.Started(at=self._now(), plan=plan, timed=plan.timed)
        interview_id = self._interviews.create(user_id, [started])
        self._ask_next(user_id, interview_id)
        return self.view(user_id, interview_id)

    def view(self, user_id: str, interview_id: str) -> InterviewView:
        """The interview as stored.

        Raises:
            NotFoundError: if this user has no such interview.
        """
        events = self._interviews.load(user_id, interview_id)
        state = fold(events)
        messages = transcript(events, lambda t: self._topic_title(t, state.language))
        return InterviewView(interview_id, state, messages, clock(state, self._now()))

    def act(self, user_id: str, interview_id: str, command: Command) -> Iterator[Update]:
        """Carries out a command. What the candidate wrote is stored before the first update is given."""
        view = self.view(user_id, interview_id)
        language = view.state.language
        text = clean(command.text).strip() if isinstance(command, Say) else ""
        if isinstance(command, Say) and not text:
            yield Update(view, stored=False, notice=say("notice_empty", language))
            return
        if len(text) > ANSWER_LIMIT:
            yield Update(view, stored=False, notice=say("notice_too_long", language, limit=ANSWER_LIMIT))
            return
        try:
            reaction = self._react(user_id, view, command, text)
        except ConflictError:
            current = self.view(user_id, interview_id)
            yield Update(current, stored=False, notice=say("notice_elsewhere", language))
            return
        notice = say(reaction.notice, language) if reaction.notice else ""
        stored = bool(reaction.events) or not text
        yield Update(self.view(user_id, interview_id), stored, notice=notice)
        yield from self._carry_on(user_id, interview_id, reaction)

    def resume(self, user_id: str, interview_id: str) -> Iterator[Update]:
        """Finishes what was under way when the page or the server went away, such as a grade; may give nothing."""
        yield from self._carry_on(user_id, interview_id, machine.Reaction())

    def history(self, user_id: str, limit: int = 50) -> tuple[InterviewSummary, ...]:
        """This user's interviews, newest first."""
        return tuple(_summary(i.id, fold(i.events)) for i in self._interviews.recent(user_id, limit=limit))

    def latest_open(self, user_id: str) -> InterviewSummary | None:
        """The newest interview that has not ended."""
        return next((s for s in self.history(user_id, limit=10) if s.phase != "ended"), None)

    def delete(self, user_id: str, interview_id: str) -> None:
        """Removes an interview and all its events for good."""
        self._interviews.delete(user_id, interview_id)

    def retry(self, user_id: str, interview_id: str, index: int) -> Iterator[Update]:
        """Grades the question at `index` (0-based) again if its grading failed; gives progress as `act` does."""
        view = self.view(user_id, interview_id)
        if 0 <= index < len(view.state.questions):
            yield from self._watch_grading(user_id, view, index)
        yield Update(self.view(user_id, interview_id))

    def report(self, user_id: str, interview_id: str) -> Report:
        """The report so far; complete once the interview has ended."""
        state = self.view(user_id, interview_id).state
        return build_report(interview_id, state, lambda topic: self._topic_title(topic, state.language))

    def _plan(self, user_id: str, request: PlanRequest) -> Plan:
        if request.question_ids:
            return self._requested(request)
        if request.seed is None:
            request = request.model_copy(update={"seed": secrets.randbits(SEED_BITS)})
        pool = self.pool(request)
        recent = self._interviews.recent(user_id, limit=REMEMBERED_INTERVIEWS, types=EVENT_TYPES)
        return draw_plan(request, pool, recall(recent), self._now(), self._track(request))

    def _track(self, request: PlanRequest) -> Track | None:
        if not request.track:
            return None
        found = next((track for track in self._tracks() if track.id == request.track), None)
        if found is None:
            raise NotFoundError(f"There is no track {request.track!r}.", next_step="Choose one of those listed.")
        return found

    def pool(self, request: PlanRequest) -> tuple[Outline, ...]:
        """The questions a request can be filled from."""
        difficulties = tuple(range(request.min_difficulty, request.max_difficulty + 1))
        return self._questions.outlines(
            sets=request.sets, topics=request.topics, difficulties=difficulties, language=request.language
        )

    def _requested(self, request: PlanRequest) -> Plan:
        found = (self._questions.get(question_id) for question_id in dict.fromkeys(request.question_ids))
        outlines = [outline(q) for q in found if q is not None]
        return Plan(request=request, questions=tuple(editing.planned(o, 0, why="requested") for o in outlines))

    def _react(self, user_id: str, view: InterviewView, command: Command, text: str) -> machine.Reaction:
        state = view.state
        intent: machine.Intent = _intent(state, text) if isinstance(command, Say) else command.action
        reaction = machine.react(state, intent, text, self._now())
        self._interviews.append(user_id, view.id, reaction.events, at=state.version)
        return reaction

    def _carry_on(self, user_id: str, interview_id: str, reaction: machine.Reaction) -> Iterator[Update]:
        """Grades what waits for a grade and asks what is due, until it is the candidate's turn."""
        if reaction.ask_next:
            self._ask_next(user_id, interview_id)
            yield Update(self.view(user_id, interview_id))
            return
        view = self.view(user_id, interview_id)
        due = reaction.regrade or view.state.phase == "grading"
        while due:
            yield from self._watch_grading(user_id, view, len(view.state.questions) - 1)
            view = self.view(user_id, interview_id)
            yield Update(view)
            due = view.state.phase == "grading"
        if view.state.phase == "asking":
            self._ask_next(user_id, interview_id)
            yield Update(self.view(user_id, interview_id))

    def _watch_grading(self, user_id: str, view: InterviewView, index: int) -> Iterator[Update]:
        job = self._jobs.join(f"{view.id}/{index}", lambda on: self._grade(user_id, view.id, index, on))
        for progress in job.watch():
            yield Update(view, progress=progress)

    def _ask_next(self, user_id: str, interview_id: str) -> None:
        """Asks the next planned question that still exists, or ends the interview."""
        state = fold(self._interviews.load(user_id, interview_id))
        if state.phase not in ("asking", "reviewing"):
            return
        asked = {q.question.id for q in state.questions}
        event: ev.InterviewEvent = ev.Ended(at=self._now(), reason="finished")
        for planned in state.plan.questions:
            question = None if planned.question_id in asked else self._questions.get(planned.question_id)
            if question is not None:
                event = ev.Asked(at=self._now(), question=question, why=planned.why)
                break
        try:
            self._interviews.append(user_id, interview_id, [event], at=state.version)
        except ConflictError:
            log.info("interview %s was moved on elsewhere", interview_id)

    def _grade(self, user_id: str, interview_id: str, index: int, on_progress: OnProgress) -> None:
        """Grades a question until no answer waits; more may be said while a grade is made."""
        tried = 0
        while True:
            state = fold(self._interviews.load(user_id, interview_id))
            current = state.questions[index]
            if not current.ungraded or tried == len(current.answers):
                return
            tried = len(current.answers)
            grade = self._judge(current, state.language, on_progress)
            graded = ev.Graded(at=self._now(), index=index, covers=tried, grade=grade)
            self._store_grade(user_id, interview_id, graded)

    def _store_grade(self, user_id: str, interview_id: str, graded: ev.Graded) -> None:
        while True:
            after = fold((*self._interviews.load(user_id, interview_id), graded))
            events: tuple[ev.InterviewEvent, ...] = (graded,)
            if graded.index == len(after.questions) - 1:
                events += machine.after_grade(after, self._now())
            try:
                self._interviews.append(user_id, interview_id, events, at=after.version - 1)
                return
            except ConflictError:
                # Something was said or pressed meanwhile: the grade still holds for the answers it covers.
                continue

    def _judge(self, current: QuestionState, language: Language, on_progress: OnProgress) -> Grade:
        passages = self._retriever.related(current.union, limit=PASSAGES, exclude=frozenset({current.question.id}))
        context = GradingContext(language=language, passages=passages, asked=_put_to_candidate(current))
        try:
            grade = self._grader.grade(current.question, current.union, context, on_progress)
        except Exception:
            log.exception("grading %s failed", current.question.id)
            reason = say("reason_internal", language)
            info = GraderInfo(name="none")
            grade = Grade(status="ungraded", reason=reason, grader=info, language=language)
        if grade.status == "ungraded":
            return grade
        return merge(current.grade, grade, helped=machine.helped_points(current))


def _intent(state: InterviewState, text: str) -> machine.Intent:
    asking = (state.resumes_to or state.phase) in ("answering", "grading")
    intent: machine.Intent = understand(text, asking=asking, language=state.language).intent
    return "note" if intent == "answer" and not asking else intent


def _put_to_candidate(current: QuestionState) -> tuple[str, ...]:
    told = (f.text for f in (*current.followups, *current.hints))
    return (*current.question.question.values(), *told)


def _summary(interview_id: str, state: InterviewState) -> InterviewSummary:
    return InterviewSummary(
        id=interview_id,
        started_at=state.started_at,
        updated_at=state.updated_at,
        language=state.language,
        mode=state.mode,
        phase=state.phase,
        asked=len(state.questions),
        planned=len(state.plan.questions),
        score=state.score,
        topics=state.plan.topics,
    )
