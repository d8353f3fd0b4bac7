"""The tables. A change here needs a migration in `migrations/versions`; a test compares the two.

Every row that belongs to a person carries their id and goes when they go.
"""

from interviewer.storage.tables.accounts import (
    audit,
    cohorts,
    links,
    sign_in_attempts,
    sign_ins,
    tokens,
    users,
)
from interviewer.storage.tables.base import Moment, metadata
from interviewer.storage.tables.interviews import events, interviews, shares
from interviewer.storage.tables.memory import cards, kept_answers, remembered, reviews
from interviewer.storage.tables.questions import documents, edits, question_sets, question_versions, questions
from interviewer.storage.tables.teams import assignment_interviews, assignments

__all__ = [
    "Moment",
    "assignment_interviews",
    "assignments",
    "audit",
    "cards",
    "cohorts",
    "documents",
    "edits",
    "events",
    "interviews",
    "kept_answers",
    "links",
    "metadata",
    "question_sets",
    "question_versions",
    "questions",
    "remembered",
    "reviews",
    "shares",
    "sign_in_attempts",
    "sign_ins",
    "tokens",
    "users",
]
