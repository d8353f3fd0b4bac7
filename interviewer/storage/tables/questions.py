"""Questions with their versions, the sets they are in, and the documents they came from."""

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from interviewer.storage.tables.base import Moment, metadata

question_sets = Table(
    "question_sets",
    metadata,
    Column("name", String(80), primary_key=True),
    # Whoever imported it first; none for the shipped bank.
    Column("owner_id", ForeignKey("users.id", ondelete="SET NULL"), nullable=True),
    # private, cohort or everyone
    Column("visibility", String(16), nullable=False),
    Column("cohort_id", ForeignKey("cohorts.id", ondelete="SET NULL"), nullable=True),
    Column("source", Text, nullable=False, server_default=""),
    Column("licence", String(200), nullable=False, server_default=""),
    Column("created_at", Moment, nullable=False),
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
    # live, draft (waits for review and is asked nobody), or rejected
    Column("state", String(16), nullable=False, server_default="live"),
    # The question that took this one's place when the two were merged.
    Column("merged_into", String(200), nullable=True),
    Column("updated_at", Moment, nullable=False),
    Column("content", JSON, nullable=False),
    Index("ix_questions_set_topic", "set", "topic"),
    Index("ix_questions_document", "document"),
    Index("ix_questions_state", "state"),
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
    # Who made it, or `gone` once they are; none for the product itself.
    Column("user_id", String(64), nullable=True),
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

edits = Table(
    "edits",
    metadata,
    Column("question_id", ForeignKey("questions.id", ondelete="CASCADE"), primary_key=True),
    # live (the question is asked as `content` has it) or draft (`content` waits for review)
    Column("state", String(16), nullable=False),
    # What the document, or the shipped bank, says: what differs from it in `content` was edited by a person.
    Column("base", JSON, nullable=False),
    Column("content", JSON, nullable=False),
    # Paths of the fields that were edited and that the document changed as well; the edit counts.
    Column("conflicts", JSON, nullable=False),
    Column("user_id", ForeignKey("users.id", ondelete="SET NULL"), nullable=True),
    Column("updated_at", Moment, nullable=False),
    Index("ix_edits_state", "state"),
)
