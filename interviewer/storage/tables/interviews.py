"""Interviews as events."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table

from interviewer.storage.tables.base import Moment, metadata

interviews = Table(
    "interviews",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("ix_interviews_user_created", "user_id", "created_at"),
)

events = Table(
    "events",
    metadata,
    Column("interview_id", ForeignKey("interviews.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("type", String(32), nullable=False),
    Column("at", Moment, nullable=False),
    Column("payload", JSON, nullable=False),
    Index("ix_events_user_type", "user_id", "type"),
)

shares = Table(
    "shares",
    metadata,
    Column("interview_id", ForeignKey("interviews.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    # Whose leads may read it; whoever changes their cohort shares anew with other people.
    Column("cohort_id", ForeignKey("cohorts.id", ondelete="CASCADE"), nullable=False),
    Column("shared_at", Moment, nullable=False),
    Index("ix_shares_user_id", "user_id"),
    Index("ix_shares_cohort_id", "cohort_id"),
)
