"""The application service behind the page and the terminal: commands in, stored events and messages out."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from interviewer.errors import ConflictError, NothingDueError
from interviewer.grading.protocol import Grader, Retriever
from interviewer.interview import events as ev
from interviewer.interview import machine
from interviewer.interview.asking import ask_next
from interviewer.interview.clock import clock
from interviewer.interview.commands import Command, Press, Say
from interviewer.interview.marking import Marking
from interviewer.interview.phases import out_of_time
from interviewer.interview.ports import Interviews, Outline, Questions, Remembered, outline
from interviewer.interview.state import InterviewState, apply, fold
from interviewer.interview.transcript import transcript
from interviewer.interview.understanding import understand
from interviewer.interview.views import InterviewSummary, InterviewView, Update, summary
from interviewer.language import clean
from interviewer.memory import EVENT_TYPES, REMEMBERED_INTERVIEWS, AskedBefore, recall
from interviewer.models import Language, Plan, PlanRequest, Question, Track
from interviewer.planning import draw_plan, editing
from interviewer.reporting.report import Report, build_report
from interviewer.sharing.readable import EVERYTHING, Readable
from interviewer.worded import UnknownError
from interviewer.wording import say

__all__ = ["ANSWER_LIMIT", "InterviewService", "InterviewSummary", "InterviewView", "Update"]

log = logging.getLogger(__name__)

ANSWER_LIMIT = 100_000
"""Characters of one message; longer ones are refused, and stay in the box."""

SEED_BITS = 32


class _Record(NamedTuple):
    """An interview as it was loaded, kept in step with what is stored since."""

    user_id: str
    id: str
    events: tuple[ev.InterviewEvent, ...]
    state: InterviewState


class InterviewService:
    """Runs interviews for any number of users at once; all it holds between calls is the grading under way.

    Args:
        topic_title: How a topic is called in a language.
        now: The clock.
        memory: Weak spots and what is due; None where nothing is remembered, so that nothing is ever due.
        tracks: The tracks a user's request can name.
        readable: What a user may read; nothing else is planned, asked or shown to their grader.
    """

    def __init__(
        self,
        interviews: Interviews,
        questions: Questions,
        grader: Grader,
        retriever: Retriever,
        topic_title: Callable[[str, Language], str] = lambda topic, _language: topic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        memory: Remembered | None = None,
        tracks: Callable[[str], Sequence[Track]] = lambda _: (),
        readable: Callable[[str], Readable] = lambda _: EVERYTHING,
    ) -> None:
        self._interviews = interviews
        self._questions = questions
        self._topic_title = topic_title
        self._now = now
        self._memory = memory
        self._tracks = tracks
        self._readable = readable
        self._marking = Marking(interviews, grader, retriever, now, readable)

    def start(self, user_id: str, request: PlanRequest) -> InterviewView:
        """Draws a plan and asks the first question; raises what `draft` raises."""
        return self.start_plan(user_id, self.draft(user_id, request))

    def draft(self, user_id: str, request: PlanRequest) -> Plan:
        """Draws a plan and stores nothing; with a seed in the request it is the same plan every time.

        Raises:
            NotFoundError: if no question fits the request, saying what to loosen.
        """
        return _filled(self._plan(user_id, request))

    def pool(self, user_id: str, request: PlanRequest) -> tuple[Outline, ...]:
        """The questions a user's request can be filled from; none for a drill, which holds only what is due."""
        if request.mode == "drill":
            return ()
        difficulties = tuple(range(request.min_difficulty, request.max_difficulty + 1))
        return self._questions.outlines(
            sets=self._readable(user_id).narrow(request.sets),
            topics=request.topics,
            difficulties=difficulties,
            language=request.language,
        )

    def start_plan(
        self, user_id: str, plan: Plan, create: Callable[[Sequence[ev.InterviewEvent]], str] | None = None
    ) -> InterviewView:
        """Begins an interview with a drawn, perhaps edited plan and asks its first question.

        Args:
            create: Stores the first events together with more, and gives the interview's id.

        Raises:
            NotFoundError: if the plan has no question.
        """
        now = self._now()
        started = ev.Started(at=now, plan=_filled(plan), timed=plan.timed)
        events = (started, *ask_next(fold((started,)), self._finder(user_id), now))
        interview_id = create(events) if create is not None else self._interviews.create(user_id, events)
        return self._view(_Record(user_id, interview_id, events, fold(events)))

    def view(self, user_id: str, interview_id: str) -> InterviewView:
        """The interview as stored.

        Raises:
            NotFoundError: if this user has no such interview.
        """
        return self._view(self._load(user_id, interview_id))

    def act(self, user_id: str, interview_id: str, command: Command) -> Iterator[Update]:
        """Carries out a command. What the candidate wrote is stored before the first update is given."""
        record = self._load(user_id, interview_id)
        language = record.state.language
        text = clean(command.text).strip() if isinstance(command, Say) else ""
        if isinstance(command, Say) and not text:
            yield Update(self._view(record), stored=False, notice=say("notice_empty", language))
            return
        if len(text) > ANSWER_LIMIT:
            notice = say("notice_too_long", language, limit=ANSWER_LIMIT)
            yield Update(self._view(record), stored=False, notice=notice)
            return
        intent = _intent(record.state, command, text)
        reaction = machine.react(record.state, intent, text, self._now())
        try:
            record = self._append(record, reaction.events)
        except ConflictError:
            yield Update(self.view(user_id, interview_id), stored=False, notice=say("notice_elsewhere", language))
            return
        notice = say(reaction.notice, language) if reaction.notice else ""
        yield Update(self._view(record), bool(reaction.events) or reaction.known or not text, notice=notice)
        yield from self._carry_on(record, reaction)

    def resume(self, user_id: str, interview_id: str) -> Iterator[Update]:
        """Finishes what was under way when the page or the server went away, such as a grade, and closes what ran out
        of time while nobody looked; may give nothing."""
        yield from self._carry_on(self._load(user_id, interview_id), machine.Reaction())

    def history(self, user_id: str, limit: int = 50) -> tuple[InterviewSummary, ...]:
        """This user's interviews, newest first."""
        return tuple(summary(i.id, fold(i.events)) for i in self._interviews.recent(user_id, limit=limit))

    def latest_open(self, user_id: str) -> InterviewSummary | None:
        """The newest interview that has not ended."""
        return next((s for s in self.history(user_id, limit=10) if s.phase != "ended"), None)

    def delete(self, user_id: str, interview_id: str) -> None:
        """Removes an interview and all its events for good."""
        self._interviews.delete(user_id, interview_id)

    def retry(self, user_id: str, interview_id: str, index: int) -> Iterator[Update]:
        """Grades the question at `index` (0-based) again if its grading failed; gives progress as `act` does."""
        record = self._load(user_id, interview_id)
        if 0 <= index < len(record.state.questions):
            yield from self._watch(record, index)
            record = self._load(user_id, interview_id)
        yield Update(self._view(record))

    def report(self, user_id: str, interview_id: str) -> Report:
        """The report so far; complete once the interview has ended."""
        state = self._load(user_id, interview_id).state
        return build_report(interview_id, state, lambda topic: self._topic_title(topic, state.language))

    def _plan(self, user_id: str, request: PlanRequest) -> Plan:
        if request.mode == "drill":
            return self._drill(user_id, request)
        if request.question_ids:
            return self._requested(user_id, request)
        if request.seed is None:
            request = request.model_copy(update={"seed": secrets.randbits(SEED_BITS)})
        pool = self.pool(user_id, request)
        return draw_plan(request, pool, self._recalled(user_id), self._now(), self._track(user_id, request))

    def _drill(self, user_id: str, request: PlanRequest) -> Plan:
        if self._memory is None:
            message, following = (say(key, request.language) for key in ("drill_empty", "drill_empty_next"))
            raise NothingDueError(message, next_step=following)
        return self._memory.plan_drill(user_id, request)

    def _recalled(self, user_id: str) -> dict[str, AskedBefore]:
        """When each question was last asked, and whether a point of it is still a weak spot."""
        recent = self._interviews.recent(user_id, limit=REMEMBERED_INTERVIEWS, types=EVENT_TYPES)
        recalled = recall(recent)
        if self._memory is None:
            return recalled
        weak = self._memory.weak_questions(user_id)
        return {id_: before._replace(weak=id_ in weak) for id_, before in recalled.items()}

    def _track(self, user_id: str, request: PlanRequest) -> Track | None:
        if not request.track:
            return None
        found = next((track for track in self._tracks(user_id) if track.id == request.track), None)
        if found is None:
            raise UnknownError("error_no_track", id=request.track)
        return found

    def _requested(self, user_id: str, request: PlanRequest) -> Plan:
        find = self._finder(user_id)
        found = (find(self._questions.current_id(question_id)) for question_id in request.question_ids)
        outlines = dict.fromkeys(outline(q) for q in found if q is not None)
        return Plan(request=request, questions=tuple(editing.planned(o, 0, why="requested") for o in outlines))

    def _finder(self, user_id: str) -> Callable[[str], Question | None]:
        """Questions by id, as far as this user may read them."""
        readable = self._readable(user_id)

        def find(question_id: str) -> Question | None:
            question = self._questions.get(question_id)
            return question if question is not None and readable.allows(question.set) else None

        return find

    def _load(self, user_id: str, interview_id: str) -> _Record:
        events = self._interviews.load(user_id, interview_id)
        return _Record(user_id, interview_id, events, fold(events))

    def _append(self, record: _Record, events: Sequence[ev.InterviewEvent]) -> _Record:
        """Stores events and gives the record with them.

        Raises:
            ConflictError: if the interview went on elsewhere since it was loaded.
        """
        self._interviews.append(record.user_id, record.id, events, at=record.state.version)
        state = record.state
        for event in events:
            state = apply(state, event)
        return record._replace(events=(*record.events, *events), state=state)

    def _view(self, record: _Record) -> InterviewView:
        state = record.state
        messages = transcript(record.events, lambda topic: self._topic_title(topic, state.language))
        return InterviewView(record.id, state, messages, clock(state, self._now()))

    def _carry_on(self, record: _Record, reaction: machine.Reaction) -> Iterator[Update]:
        """Grades what waits for a grade, moves on where the time is over, and asks what is due."""
        if reaction.ask_next:
            yield Update(self._view(self._ask_next(record)))
            return
        due = reaction.regrade or record.state.phase == "grading"
        while due:
            yield from self._watch(record, len(record.state.questions) - 1)
            record = self._load(record.user_id, record.id)
            yield Update(self._view(record))
            due = record.state.phase == "grading"
        late = out_of_time(record.state, self._now())
        if late:
            record = self._go_on(record, late)
            yield Update(self._view(record))
        if record.state.phase == "asking":
            yield Update(self._view(self._ask_next(record)))

    def _watch(self, record: _Record, index: int) -> Iterator[Update]:
        view = self._view(record)
        for progress in self._marking.watch(record.user_id, record.id, index):
            yield Update(view, progress=progress)

    def _ask_next(self, record: _Record) -> _Record:
        """Asks what is next or ends the interview, if that is due."""
        if record.state.phase not in ("asking", "reviewing"):
            return record
        return self._go_on(record, ask_next(record.state, self._finder(record.user_id), self._now()))

    def _go_on(self, record: _Record, events: Sequence[ev.InterviewEvent]) -> _Record:
        """Stores what follows by itself; where the interview has gone on elsewhere, that counts instead."""
        try:
            return self._append(record, events)
        except ConflictError:
            log.info("interview %s was moved on elsewhere", record.id)
            return self._load(record.user_id, record.id)


def _filled(plan: Plan) -> Plan:
    if not plan.questions:
        raise UnknownError("error_nothing_fits")
    return plan


_ABOUT_THE_QUESTION = ("answer", "concede", "skip", "phase", "reveal")
"""What is said to the question that the candidate has in sight: where another is open by now, it is not about that."""


def _intent(state: InterviewState, command: Command, text: str) -> machine.Intent:
    if isinstance(command, Press):
        return command.action
    asking = (state.resumes_to or state.phase) in ("answering", "grading")
    intent: machine.Intent = understand(text, asking=asking, language=state.language).intent
    if intent in _ABOUT_THE_QUESTION and command.question not in (None, len(state.questions) - 1):
        return "late"
    return "note" if intent == "answer" and not asking else intent
