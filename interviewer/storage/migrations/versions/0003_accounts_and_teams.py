"""Accounts, cohorts, what people remember, sets of their own, assignments."""

import sqlalchemy as sa
from alembic import op

from interviewer.storage.tables import Moment

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _accounts()
    _interviews()
    _memory()
    _questions()
    _teams()


def _accounts() -> None:
    op.create_table(
        "cohorts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_cohorts"),
        sa.UniqueConstraint("name", name="uq_cohorts_name"),
    )
    op.add_column("users", sa.Column("name", sa.String(length=120), server_default="", nullable=False))
    op.add_column("users", sa.Column("login", sa.String(length=200), nullable=True))
    op.add_column("users", sa.Column("password", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("subject", sa.String(length=400), nullable=True))
    op.add_column("users", sa.Column("role", sa.String(length=16), server_default="member", nullable=False))
    op.add_column("users", sa.Column("cohort_id", sa.String(length=32), nullable=True))
    op.add_column("users", sa.Column("disabled_at", Moment, nullable=True))
    op.create_index("ix_users_cohort_id", "users", ["cohort_id"], unique=False)
    op.create_index("ux_users_login", "users", ["login"], unique=True)
    op.create_index("ux_users_subject", "users", ["subject"], unique=True)
    op.create_table(
        "sign_ins",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("seen_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("browser", sa.String(length=200), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sign_ins_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_sign_ins"),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"], unique=False)
    op.create_table(
        "sign_in_attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in_attempts"),
    )
    op.create_index("ix_sign_in_attempts_key_at", "sign_in_attempts", ["key", "at"], unique=False)
    op.create_table(
        "links",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("cohort_id", sa.String(length=32), nullable=True),
        sa.Column("user_id", sa.String(length=64), nullable=True),
        sa.Column("created_by", sa.String(length=64), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("used_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(["cohort_id"], ["cohorts.id"], name="fk_links_cohort_id_cohorts", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name="fk_links_created_by_users", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_links_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("used_at", Moment, nullable=True),
        sa.Column("expires_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.UniqueConstraint("id", name="uq_tokens_id"),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("actor_id", sa.String(length=64), nullable=False),
        sa.Column("actor_name", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=200), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)


def _interviews() -> None:
    op.create_table(
        "shares",
        sa.Column("interview_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("cohort_id", sa.String(length=32), nullable=False),
        sa.Column("shared_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["cohort_id"], ["cohorts.id"], name="fk_shares_cohort_id_cohorts", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["interview_id"], ["interviews.id"], name="fk_shares_interview_id_interviews", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_shares_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("interview_id", name="pk_shares"),
    )
    op.create_index("ix_shares_user_id", "shares", ["user_id"], unique=False)
    op.create_index("ix_shares_cohort_id", "shares", ["cohort_id"], unique=False)


def _memory() -> None:
    op.create_table(
        "reviews",
        sa.Column("interview_id", sa.String(length=32), nullable=False),
        sa.Column("index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("point_id", sa.String(length=80), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("earned", sa.String(length=16), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interview_id"], ["interviews.id"], name="fk_reviews_interview_id_interviews", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_reviews_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("interview_id", "index", "point_id", name="pk_reviews"),
    )
    op.create_index("ix_reviews_user_at", "reviews", ["user_id", "at"], unique=False)
    op.create_index("ix_reviews_user_point", "reviews", ["user_id", "question_id", "point_id"], unique=False)
    op.create_table(
        "cards",
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("point_id", sa.String(length=80), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("earned", sa.String(length=16), nullable=False),
        sa.Column("reviewed_at", Moment, nullable=False),
        sa.Column("due_at", Moment, nullable=False),
        sa.Column("stability", sa.Float(), nullable=False),
        sa.Column("difficulty", sa.Float(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_cards_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "question_id", "point_id", name="pk_cards"),
    )
    op.create_index("ix_cards_user_due", "cards", ["user_id", "due_at"], unique=False)
    op.create_table(
        "remembered",
        sa.Column("interview_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interview_id"], ["interviews.id"], name="fk_remembered_interview_id_interviews", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_remembered_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("interview_id", name="pk_remembered"),
    )
    op.create_index("ix_remembered_user_id", "remembered", ["user_id"], unique=False)
    op.create_table(
        "kept_answers",
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("kept_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_kept_answers_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "question_id", "language", name="pk_kept_answers"),
    )


def _questions() -> None:
    op.create_table(
        "question_sets",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("owner_id", sa.String(length=64), nullable=True),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("cohort_id", sa.String(length=32), nullable=True),
        sa.Column("source", sa.Text(), server_default="", nullable=False),
        sa.Column("licence", sa.String(length=200), server_default="", nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["cohort_id"], ["cohorts.id"], name="fk_question_sets_cohort_id_cohorts", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name="fk_question_sets_owner_id_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_question_sets"),
    )
    _known_sets()
    op.add_column("questions", sa.Column("state", sa.String(length=16), server_default="live", nullable=False))
    op.add_column("questions", sa.Column("merged_into", sa.String(length=200), nullable=True))
    op.create_index("ix_questions_state", "questions", ["state"], unique=False)
    op.add_column("question_versions", sa.Column("user_id", sa.String(length=64), nullable=True))
    op.create_table(
        "edits",
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("base", sa.JSON(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("conflicts", sa.JSON(), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=True),
        sa.Column("updated_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name="fk_edits_question_id_questions", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_edits_user_id_users", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("question_id", name="pk_edits"),
    )
    op.create_index("ix_edits_state", "edits", ["state"], unique=False)


def _known_sets() -> None:
    """The bank is everyone's; what was imported before there were accounts belongs to the person at home."""
    op.execute(
        "INSERT INTO users (id, created_at) SELECT 'local', CURRENT_TIMESTAMP "
        "WHERE EXISTS (SELECT 1 FROM questions WHERE \"set\" <> 'bank' "
        "UNION ALL SELECT 1 FROM documents WHERE \"set\" <> 'bank') "
        "AND NOT EXISTS (SELECT 1 FROM users WHERE id = 'local')"
    )
    op.execute(
        "INSERT INTO question_sets (name, owner_id, visibility, created_at) "
        "SELECT known.name, CASE WHEN known.name = 'bank' THEN NULL ELSE 'local' END, "
        "CASE WHEN known.name = 'bank' THEN 'everyone' ELSE 'private' END, CURRENT_TIMESTAMP "
        'FROM (SELECT "set" AS name FROM questions UNION SELECT "set" FROM documents) AS known'
    )


def _teams() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("cohort_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("plans", sa.JSON(), nullable=False),
        sa.Column("due_at", Moment, nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("withdrawn_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["cohort_id"], ["cohorts.id"], name="fk_assignments_cohort_id_cohorts", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name="fk_assignments_created_by_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
    )
    op.create_index("ix_assignments_cohort_id", "assignments", ["cohort_id"], unique=False)
    op.create_table(
        "assignment_interviews",
        sa.Column("interview_id", sa.String(length=32), nullable=False),
        sa.Column("assignment_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name="fk_assignment_interviews_assignment_id_assignments",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["interview_id"],
            ["interviews.id"],
            name="fk_assignment_interviews_interview_id_interviews",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_assignment_interviews_user_id_users", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("interview_id", name="pk_assignment_interviews"),
    )
    op.create_index(
        "ux_assignment_interviews_assignment_user", "assignment_interviews", ["assignment_id", "user_id"], unique=True
    )
    op.create_index("ix_assignment_interviews_user_id", "assignment_interviews", ["user_id"], unique=False)


def downgrade() -> None:
    for table in (
        "assignment_interviews",
        "assignments",
        "edits",
        "question_sets",
        "kept_answers",
        "remembered",
        "cards",
        "reviews",
        "shares",
        "audit",
        "tokens",
        "links",
        "sign_in_attempts",
        "sign_ins",
    ):
        op.drop_table(table)
    op.drop_column("question_versions", "user_id")
    op.drop_index("ix_questions_state", "questions")
    for column in ("state", "merged_into"):
        op.drop_column("questions", column)
    for index in ("ix_users_cohort_id", "ux_users_login", "ux_users_subject"):
        op.drop_index(index, "users")
    for column in ("name", "login", "password", "subject", "role", "cohort_id", "disabled_at"):
        op.drop_column("users", column)
    op.drop_table("cohorts")
