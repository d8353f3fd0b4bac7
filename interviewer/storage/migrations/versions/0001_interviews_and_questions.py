"""The first tables: people, interviews as events, questions with their versions, imported documents."""

import sqlalchemy as sa
from alembic import op

from interviewer.storage.tables import Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "interviews",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_interviews_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_interviews"),
    )
    op.create_index("ix_interviews_user_created", "interviews", ["user_id", "created_at"])
    op.create_table(
        "events",
        sa.Column("interview_id", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interview_id"], ["interviews.id"], name="fk_events_interview_id_interviews", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_events_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("interview_id", "seq", name="pk_events"),
    )
    op.create_index("ix_events_user_type", "events", ["user_id", "type"])
    _create_questions()
    op.create_table(
        "documents",
        sa.Column("set", sa.String(80), nullable=False),
        sa.Column("document", sa.String(500), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("imported_at", Moment, nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("blueprint", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("set", "document", name="pk_documents"),
    )


def _create_questions() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("set", sa.String(80), nullable=False),
        sa.Column("topic", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("difficulty", sa.Integer(), nullable=False),
        sa.Column("frequency", sa.Integer(), nullable=False),
        sa.Column("zh", sa.Boolean(), nullable=False),
        sa.Column("en", sa.Boolean(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("position", sa.Float(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
    )
    op.create_index("ix_questions_set_topic", "questions", ["set", "topic"])
    op.create_index("ix_questions_document", "questions", ["document"])
    op.create_table(
        "question_versions",
        sa.Column("question_id", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name="fk_question_versions_question_id_questions", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("question_id", "version", name="pk_question_versions"),
    )


def downgrade() -> None:
    for table in ("documents", "question_versions", "questions", "events", "interviews", "users"):
        op.drop_table(table)
