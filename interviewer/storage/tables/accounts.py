"""People, and how they come in. Secrets are stored as hashes: a password by argon2id, everything else by SHA-256."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table, Text

from interviewer.storage.tables.base import Moment, metadata

cohorts = Table(
    "cohorts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(120), nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("created_at", Moment, nullable=False),
    Column("name", String(120), nullable=False, server_default=""),
    # What they sign in with, folded to lower case; none for the local person and for who only comes through a provider.
    Column("login", String(200), nullable=True),
    Column("password", Text, nullable=True),
    # `issuer subject` of an OpenID provider.
    Column("subject", String(400), nullable=True),
    Column("role", String(16), nullable=False, server_default="member"),
    # No reference: SQLite can't add one to a table that others hang on. Whoever deletes a cohort clears it here.
    Column("cohort_id", String(32), nullable=True),
    Column("disabled_at", Moment, nullable=True),
    Index("ix_users_cohort_id", "cohort_id"),
    Index("ux_users_login", "login", unique=True),
    Index("ux_users_subject", "subject", unique=True),
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("browser", String(200), nullable=False, server_default=""),
    Index("ix_sign_ins_user_id", "user_id"),
)

sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    # A hash of the login or of the address it came from.
    Column("key", String(64), nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_sign_in_attempts_key_at", "key", "at"),
)

links = Table(
    "links",
    metadata,
    Column("hash", String(64), primary_key=True),
    # owner, invite or reset
    Column("kind", String(16), nullable=False),
    Column("role", String(16), nullable=False),
    Column("cohort_id", ForeignKey("cohorts.id", ondelete="CASCADE"), nullable=True),
    # Whose password a reset link sets.
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=True),
    Column("created_by", ForeignKey("users.id", ondelete="SET NULL"), nullable=True),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_at", Moment, nullable=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(120), nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("used_at", Moment, nullable=True),
    Column("expires_at", Moment, nullable=False),
    Index("ix_tokens_user_id", "user_id"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    # No reference: what was done stays on record when the person is gone.
    Column("actor_id", String(64), nullable=False),
    Column("actor_name", String(120), nullable=False),
    Column("action", String(64), nullable=False),
    Column("target", String(200), nullable=False),
    Column("details", JSON, nullable=False),
    Index("ix_audit_at", "at"),
)
