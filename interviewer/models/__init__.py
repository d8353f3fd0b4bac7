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
from interviewer.models.plan import Mode, Plan, PlannedQuestion, PlanRequest
from interviewer.models.question import Kind, Misconception, Point, Question, Source

__all__ = [
    "LANGUAGES",
    "Beyond",
    "Earned",
    "Frozen",
    "Grade",
    "GraderInfo",
    "Kind",
    "Language",
    "Localized",
    "Misconception",
    "Mode",
    "Plan",
    "PlanRequest",
    "PlannedQuestion",
    "Point",
    "PointGrade",
    "PromptRef",
    "Question",
    "Source",
    "Verdict",
    "pick",
]
