"""What an interview showed, computed from its state."""

from datetime import datetime

from interviewer.interview.state import QuestionState
from interviewer.models import Frozen, Language, Mode


class TopicScore(Frozen):
    """Mean score (0..10) over the scored questions of a topic; `asked` counts them all."""

    topic: str
    score: float | None
    asked: int


class StudyItem(Frozen):
    """A point to study: not covered, heaviest first."""

    question_id: str
    question: str
    topic: str
    point: str
    verdict: str
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
