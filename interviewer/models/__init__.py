"""The words of the domain as frozen values: question, point, grade, plan."""

from interviewer.models.base import LANGUAGES, Frozen, Language, Localized, pick
from interviewer.models.grade import (
    Beyond,
    Earned,
    Grade,
    GraderInfo,
    PointGrade,
    PromptRef,
    Verdict,
)
from interviewer.models.plan import Alternative, Focus, Mode, Plan, PlannedQuestion, PlannedRound, PlanRequest, Wording
from interviewer.models.question import Choice, Kind, Misconception, Point, Question, QuestionPhase, Source
from interviewer.models.track import LEVELS, Level, Track, TrackRound, TrackTopic

__all__ = [
    "LANGUAGES",
    "LEVELS",
    "Alternative",
    "Beyond",
    "Choice",
    "Earned",
    "Focus",
    "Frozen",
    "Grade",
    "GraderInfo",
    "Kind",
    "Language",
    "Level",
    "Localized",
    "Misconception",
    "Mode",
    "Plan",
    "PlanRequest",
    "PlannedQuestion",
    "PlannedRound",
    "Point",
    "PointGrade",
    "PromptRef",
    "Question",
    "QuestionPhase",
    "Source",
    "Track",
    "TrackRound",
    "TrackTopic",
    "Verdict",
    "Wording",
    "pick",
]
