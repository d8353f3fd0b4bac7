"""What an interview showed, computed from its state."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import Frozen, Language, Mode, PointGrade, Verdict

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


class Report(Frozen):
    """The report.

    Attributes:
        score: 0..10, the mean over scored questions; None where nothing was scored.
        unscored: How many questions were skipped, revealed before answering, or could not be graded.
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
        if point.verdict is not Verdict.COVERED
    ]
    gaps.sort(key=lambda gap: -gap[0])
    return tuple(_study_item(question, point, state.language) for _, question, point in gaps[:STUDY_ITEMS])


def _study_item(question: QuestionState, point: PointGrade, language: Language) -> StudyItem:
    return StudyItem(
        question_id=question.question.id,
        question=question.question.asked_in(language),
        topic=question.question.topic,
        point=point.text,
        verdict=point.verdict,
        correction=point.correction,
        further=question.question.further,
    )
