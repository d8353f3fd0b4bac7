"""The tables. A change here needs a migration in `migrations/versions`; a test compares the two."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

users = Table(
    "users",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("created_at", Moment, nullable=False),
)

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

questions = Table(
    "questions",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("set", String(80), nullable=False),
    Column("topic", String(200), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("difficulty", Integer, nullable=False),
    Column("frequency", Integer, nullable=False),
    Column("phases", Integer, nullable=False, server_default="0"),
    Column("zh", Boolean, nullable=False),
    Column("en", Boolean, nullable=False),
    Column("document", Text, nullable=False),
    Column("position", Float, nullable=False),
    Column("version", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("retired", Boolean, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("content", JSON, nullable=False),
    Index("ix_questions_set_topic", "set", "topic"),
    Index("ix_questions_document", "document"),
)

question_versions = Table(
    "question_versions",
    metadata,
    Column("question_id", ForeignKey("questions.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("hash", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("content", JSON, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("set", String(80), primary_key=True),
    Column("document", String(500), primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("imported_at", Moment, nullable=False),
    Column("report", JSON, nullable=False),
    Column("blueprint", JSON, nullable=True),
)
