"""What a lead gives a cohort to practise."""

from sqlalchemy import JSON, Column, ForeignKey, Index, String, Table, Text

from interviewer.storage.tables.base import Moment, metadata

assignments = Table(
    "assignments",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("cohort_id", ForeignKey("cohorts.id", ondelete="CASCADE"), nullable=False),
    Column("title", String(200), nullable=False),
    Column("note", Text, nullable=False, server_default=""),
    # A `Plan` for each language it can be practised in, drawn once, so that everyone is asked the same.
    Column("plans", JSON, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("created_by", ForeignKey("users.id", ondelete="SET NULL"), nullable=True),
    Column("created_at", Moment, nullable=False),
    Column("withdrawn_at", Moment, nullable=True),
    Index("ix_assignments_cohort_id", "cohort_id"),
)

assignment_interviews = Table(
    "assignment_interviews",
    metadata,
    Column("interview_id", ForeignKey("interviews.id", ondelete="CASCADE"), primary_key=True),
    Column("assignment_id", ForeignKey("assignments.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    # Whoever begins twice at once begins once.
    Index("ux_assignment_interviews_assignment_user", "assignment_id", "user_id", unique=True),
    Index("ix_assignment_interviews_user_id", "user_id"),
)
