"""What an interview showed, computed from its state."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from interviewer.interview.clock import phase_limit, question_limit
from interviewer.interview.events import EndReason
from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import Frozen, Grade, Language, Mode, PointGrade, Verdict, pick
from interviewer.reporting.because import asked_because

STUDY_ITEMS = 20


class TopicScore(Frozen):
    """Mean score (0..10) over the scored questions of a topic; `asked` counts them all."""

    topic: str
    title: str
    score: float | None
    asked: int


class StudyItem(Frozen):
    """A point to study: not covered, heaviest first."""

    question_id: str
    question: str
    topic: str
    point: str
    verdict: Verdict
    correction: str
    further: tuple[str, ...]


class RoundScore(Frozen):
    """A round of the plan: mean score (0..10) over its scored questions, and its time.

    Attributes:
        asked: How many of its questions were asked; those are together, in the order of the rounds.
        planned_seconds: None where the interview was not timed.
    """

    title: str
    score: float | None
    asked: int
    seconds: float
    planned_seconds: float | None


class PhaseFacts(Frozen):
    """A phase of a question: the points asked for in it, and its time.

    Attributes:
        score: 0..10 over its points alone; None where they were not graded.
        begun: Whether it was come to.
        planned_seconds: None where the interview was not timed.
    """

    title: str
    points: tuple[str, ...]
    score: float | None
    begun: bool
    seconds: float
    planned_seconds: float | None


class QuestionFacts(Frozen):
    """How a question came to be asked, and the time it took.

    Attributes:
        because: Why it was asked, in words; plain text.
        planned_difficulty: 1..5, of the question the plan had in its place.
        seconds: The candidate's time: neither grading nor pauses.
        planned_seconds: None where the interview was not timed.
        phases: All its phases, also those that were not come to.
    """

    because: str
    difficulty: int
    planned_difficulty: int
    seconds: float
    planned_seconds: float | None
    phases: tuple[PhaseFacts, ...] = ()


class Report(Frozen):
    """The report.

    Attributes:
        score: 0..10, the mean over scored questions; None where nothing was scored.
        unscored: How many questions were skipped, revealed before answering, or could not be graded.
        facts: One for each of `questions`, in the same order.
        track: The track's title; empty where there was none.
        rounds: The rounds of the plan, also those that were not come to; empty where it had none.
        ended: Why the interview ended; None while it goes on.
        unasked: How many planned questions were not asked.
        seconds: The candidate's time on all questions.
        planned_seconds: None where the interview was not timed.
    """

    interview_id: str
    language: Language
    mode: Mode
    started_at: datetime
    ended_at: datetime | None
    score: float | None
    topics: tuple[TopicScore, ...]
    questions: tuple[QuestionState, ...]
    study: tuple[StudyItem, ...]
    unscored: int
    facts: tuple[QuestionFacts, ...] = ()
    track: str = ""
    rounds: tuple[RoundScore, ...] = ()
    ended: EndReason | None = None
    unasked: int = 0
    seconds: float = 0.0
    planned_seconds: float | None = None
    paused_times: int = 0
    paused_seconds: float = 0.0


def build_report(
    interview_id: str, state: InterviewState, topic_title: Callable[[str], str] = lambda topic: topic
) -> Report:
    """The report of an interview as it stands."""
    return Report(
        interview_id=interview_id,
        language=state.language,
        mode=state.mode,
        started_at=state.started_at,
        ended_at=state.updated_at if state.phase == "ended" else None,
        score=state.score,
        topics=_topics(state, topic_title),
        questions=state.questions,
        study=_study(state),
        unscored=sum(q.score is None for q in state.questions),
        facts=tuple(_facts(state, question) for question in state.questions),
        track=state.plan.track,
        rounds=tuple(_round(state, index) for index in range(len(state.plan.rounds))),
        ended=state.ended,
        unasked=state.remaining,
        seconds=state.seconds,
        planned_seconds=state.plan.minutes * 60 if state.timed else None,
        paused_times=state.paused_times,
        paused_seconds=state.paused_seconds,
    )


def shown_so_far(report: Report) -> Report:
    """What of a report may be seen: while the interview goes on nothing of a question that is open, nor of any question
    of a mock interview, since what stands there would be a help.
    """
    if report.ended_at is not None:
        return report
    if report.mode == "mock":
        questions = tuple(question.model_copy(update={"grade": None}) for question in report.questions)
        nothing = {"score": None, "topics": (), "study": (), "rounds": ()}
        return report.model_copy(update={"questions": questions, **nothing})
    open_ones = {question.question.id for question in report.questions if question.closed is None}
    questions = tuple(
        question if question.closed else question.model_copy(update={"grade": None}) for question in report.questions
    )
    study = tuple(item for item in report.study if item.question_id not in open_ones)
    return report.model_copy(update={"questions": questions, "study": study})


def _facts(state: InterviewState, question: QuestionState) -> QuestionFacts:
    difficulty = question.question.difficulty
    return QuestionFacts(
        because=asked_because(question, state.language),
        difficulty=difficulty,
        planned_difficulty=max(1, min(5, difficulty - question.shift)),
        seconds=question.seconds,
        planned_seconds=question_limit(state, question) if state.timed else None,
        phases=tuple(_phase(state, question, index) for index in range(len(question.question.phases))),
    )


def _phase(state: InterviewState, question: QuestionState, index: int) -> PhaseFacts:
    phase = question.question.phases[index]
    begun = index < len(question.phases)
    return PhaseFacts(
        title=pick(phase.title, state.language) or phase.id,
        points=phase.points,
        score=_part_score(question.grade, phase.points) if begun and question.score is not None else None,
        begun=begun,
        seconds=question.phases[index].seconds if begun else 0.0,
        planned_seconds=phase_limit(state, question, index) if state.timed else None,
    )


def _part_score(grade: Grade | None, points: tuple[str, ...]) -> float | None:
    """The score of a grade over some of its points."""
    if grade is None:
        return None
    return grade.model_copy(update={"points": tuple(p for p in grade.points if p.id in points)}).score


def _round(state: InterviewState, index: int) -> RoundScore:
    questions = [q for q in state.questions if q.round == index]
    planned = sum(q.minutes for q in state.plan.questions if q.round == index) * 60
    return RoundScore(
        title=state.plan.rounds[index].title,
        score=_mean(questions),
        asked=len(questions),
        seconds=sum(q.seconds for q in questions),
        planned_seconds=planned if state.timed else None,
    )


def _topics(state: InterviewState, topic_title: Callable[[str], str]) -> tuple[TopicScore, ...]:
    by_topic: dict[str, list[QuestionState]] = defaultdict(list)
    for question in state.questions:
        by_topic[question.question.topic].append(question)
    return tuple(
        TopicScore(topic=topic, title=topic_title(topic), score=_mean(questions), asked=len(questions))
        for topic, questions in by_topic.items()
    )


def _mean(questions: list[QuestionState]) -> float | None:
    scores = [q.score for q in questions if q.score is not None]
    return round(sum(scores) / len(scores), 1) if scores else None


def _study(state: InterviewState) -> tuple[StudyItem, ...]:
    gaps = [
        (point.weight * (1 - point.credit), question, point)
        for question in state.questions
        if question.grade is not None
        for point in question.grade.points
        if point.counted is not Verdict.COVERED and point.id not in question.grade.spare
    ]
    gaps.sort(key=lambda gap: -gap[0])
    return tuple(_study_item(question, point, state.language) for _, question, point in gaps[:STUDY_ITEMS])


def _study_item(question: QuestionState, point: PointGrade, language: Language) -> StudyItem:
    return StudyItem(
        question_id=question.question.id,
        question=question.question.asked_in(language),
        topic=question.question.topic,
        point=point.text,
        verdict=point.counted,
        correction=point.correction,
        further=question.question.further,
    )
