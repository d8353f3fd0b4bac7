"""Simulated interviews: whole interviews with the real service and grader, a made-up clock, and no page."""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from evals.simulation.candidates import CANDIDATES, Candidate, Mind
from interviewer.errors import ConflictError
from interviewer.grading.protocol import Grader, Passage
from interviewer.interview.clock import clock
from interviewer.interview.commands import Press, Say
from interviewer.interview.events import InterviewEvent
from interviewer.interview.ports import Outline, StoredInterview, outline
from interviewer.interview.service import InterviewService, InterviewView
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import LANGUAGES, LEVELS, PlanRequest, Point, Question, Track
from knowledge.bank.terms import mentions, technical_terms

TURNS = 400
"""Commands after which an interview counts as stuck."""
SERIES = 5
"""Interviews of one candidate, three days apart."""


class Probe(NamedTuple):
    """A follow-up as put: whether its point had not been said, all points had, and it names what the point is about."""

    aimed: bool
    needless: bool
    leaked: bool


class Run(NamedTuple):
    """What came of one simulated interview.

    Attributes:
        topics: Ids of the track's topics its questions were drawn from.
        difficulties: Of the questions asked, in order.
        overrun: Seconds used beyond the plan's, 0 where it kept to them or was not timed.
        dodged: Answers without content that were followed by neither a follow-up nor the next phase nor the close with
            nothing covered.
        error: What crashed; empty if nothing did.
    """

    track: str
    candidate: str
    questions: tuple[str, ...]
    topics: tuple[str, ...]
    difficulties: tuple[int, ...]
    score: float | None
    overrun: float
    minutes: float
    planned: float
    probes: tuple[Probe, ...]
    dodged: int
    error: str = ""


def names_key_term(text: str, point: Point, question: Question) -> bool:
    """Whether a follow-up names what its point is about, by an alias or a technical name the question does not hold."""
    names = {alias for aliases in point.aliases.values() for alias in aliases}
    names |= {name for language, words in point.text.items() for name in technical_terms(words, language)}
    asked = tuple(question.question.values())
    return any(mentions(text, name) and not any(mentions(put, name) for put in asked) for name in names)


class MemoryInterviews:
    """Interviews kept in memory, as strict about positions as the database."""

    def __init__(self) -> None:
        self._events: dict[str, list[InterviewEvent]] = {}

    def create(self, user_id: str, events: Sequence[InterviewEvent]) -> str:
        key = f"{user_id}/{len(self._events)}"
        self._events[key] = list(events)
        return key

    def append(self, user_id: str, interview_id: str, events: Sequence[InterviewEvent], *, at: int) -> None:
        stored = self._events[interview_id]
        if events and len(stored) != at:
            raise ConflictError("moved on", next_step="")
        stored.extend(events)

    def load(self, user_id: str, interview_id: str) -> tuple[InterviewEvent, ...]:
        return tuple(self._events[interview_id])

    def recent(self, user_id: str, *, limit: int, types: Sequence[str] = ()) -> tuple[StoredInterview, ...]:
        mine = [key for key in self._events if key.startswith(f"{user_id}/")][-limit:]
        return tuple(
            StoredInterview(key, tuple(e for e in self._events[key] if not types or e.type in types))
            for key in reversed(mine)
        )

    def delete(self, user_id: str, interview_id: str) -> None:
        del self._events[interview_id]


class MemoryQuestions:
    """A fixed bank."""

    def __init__(self, bank: Sequence[Question]) -> None:
        self._bank = {question.id: question for question in bank}
        self._outlines = tuple(outline(question) for question in bank)

    def get(self, question_id: str) -> Question | None:
        return self._bank.get(question_id)

    def current_id(self, question_id: str) -> str:
        return question_id

    def outlines(
        self,
        *,
        sets: tuple[str, ...] = (),
        topics: tuple[str, ...] = (),
        difficulties: tuple[int, ...] = (),
        language: str = "",
    ) -> tuple[Outline, ...]:
        return tuple(
            o
            for o in self._outlines
            if (not topics or o.topic in topics) and (not difficulties or o.difficulty in difficulties)
        )


class NoPassages:
    """No retrieval: what lies beyond the reference does not change what is measured here."""

    def related(
        self, text: str, *, limit: int, exclude: frozenset[str] = frozenset(), sets: tuple[str, ...] = ()
    ) -> tuple[Passage, ...]:
        return ()


class _Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def simulate(track: Track, bank: Sequence[Question], grader: Grader, interviews: int, seed: int = 0) -> Iterator[Run]:
    """Runs of candidates of every kind by turns, in both languages, all levels, practice and mock."""
    questions = MemoryQuestions(bank)
    for number in range(0, interviews, SERIES):
        turn = number // SERIES
        candidate = CANDIDATES[turn % len(CANDIDATES)]
        moment, store = _Clock(), MemoryInterviews()
        service = InterviewService(store, questions, grader, NoPassages(), now=moment, tracks=lambda _: (track,))
        for step in range(min(SERIES, interviews - number)):
            rng = random.Random(f"{track.id}/{seed}/{number + step}")
            request = PlanRequest(
                track=track.id,
                level=LEVELS[(seed + turn // len(CANDIDATES)) % len(LEVELS)],
                language=LANGUAGES[step % 2],
                mode="mock" if step % 4 < 2 else "practice",
                seed=rng.getrandbits(32),
            )
            yield _run(service, track, candidate, request, moment, rng)
            moment.forward(3 * 86_400)


def _run(
    service: InterviewService, track: Track, candidate: Candidate, request: PlanRequest, moment: _Clock,
    rng: random.Random,
) -> Run:  # fmt: skip
    mind = Mind(candidate, request.language, rng)
    probes: list[Probe] = []
    state: InterviewState | None = None
    error = ""
    try:
        for state in _interview(service, candidate.name, request, mind, moment):
            probes += _new_probes(state, mind, len(probes))
        if state is None or state.phase != "ended":
            error = f"not ended after {TURNS} turns"
    except Exception as failure:  # noqa: BLE001 -- a crash is what is being counted
        error = repr(failure)
    return _summary(track, candidate, state, probes, moment, error)


def _interview(
    service: InterviewService, user: str, request: PlanRequest, mind: Mind, moment: _Clock
) -> Iterator[InterviewState]:
    view = service.start(user, request)
    act = _acting(service, user)
    for _ in range(TURNS):
        yield view.state
        if view.state.phase == "ended":
            return
        if view.state.phase != "answering" or view.state.current is None:
            moment.forward(20)
            view = act(view, Press("next"))
            continue
        current = view.state.current
        first = current.open_followup is None
        text = _words(mind, current)
        now = clock(view.state, moment())
        limit = now.phase_limit or now.question_limit or 300.0
        needed = mind.seconds(limit, first=first)
        late = now.left is not None and needed >= now.left
        moment.forward(max(0.0, now.left or 0.0) + 0.5 if late else needed)
        view = act(view, Say(text))
        if late and view.state.phase == "answering":
            view = act(view, Press("time_up"))


def _acting(service: InterviewService, user: str) -> Callable[[InterviewView, Say | Press], InterviewView]:
    def act(view: InterviewView, command: Say | Press) -> InterviewView:
        for update in service.act(user, view.id, command):
            view = update.view
        return view

    return act


def _words(mind: Mind, current: QuestionState) -> str:
    """A reply to the probe that is open, or what opens the question or its phase."""
    if current.open_followup is not None:
        return mind.follow(current.question, current.open_followup.point_id)
    return mind.answer(current.question, _part(current))


def _part(current: QuestionState) -> tuple[str, ...]:
    """The points of the phase under way, or of the question where it has none."""
    return current.phase.points if current.phase else tuple(p.id for p in current.question.points)


def _new_probes(state: InterviewState, mind: Mind, known: int) -> list[Probe]:
    """The follow-ups put since the last look; what had been said is judged at this moment."""
    put = [(q, f) for q in state.questions for f in q.followups]
    found = []
    for current, followup in put[known:]:
        question = current.question
        said = mind.said.get(question.id, set())
        point = question.point(followup.point_id)
        found.append(
            Probe(
                aimed=followup.point_id not in said,
                needless=set(_part(current)) <= said,
                leaked=names_key_term(followup.text, point, question),
            )
        )
    return found


def _summary(
    track: Track, candidate: Candidate, state: InterviewState | None, probes: list[Probe], moment: _Clock, error: str
) -> Run:
    asked = state.questions if state else ()
    seen = clock(state, moment()) if state else None
    limit = seen.overall_limit if seen else None
    used = seen.overall_seconds if seen else 0.0
    dodged = sum(
        q.grade is not None and (q.score or 0) > 1.0 for q in asked if candidate.name in ("evasive", "nonsense")
    )
    return Run(
        track=track.id,
        candidate=candidate.name,
        questions=tuple(q.question.id for q in asked),
        topics=tuple(dict.fromkeys(i for q in asked for i in _topics(track, q.question))),
        difficulties=tuple(q.question.difficulty for q in asked),
        score=state.score if state else None,
        overrun=max(0.0, used - limit) if limit is not None else 0.0,
        minutes=used / 60,
        planned=state.plan.minutes if state else 0.0,
        probes=tuple(probes),
        dodged=dodged,
        error=error,
    )


def _topics(track: Track, question: Question) -> list[str]:
    return [t.id for t in track.topics if question.topic in t.topics or question.id in t.question_ids]
