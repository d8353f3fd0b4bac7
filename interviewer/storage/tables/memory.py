"""What a person remembers. `reviews` and `cards` are derived from the events and can be made anew at any time."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from interviewer.storage.tables.base import Moment, metadata

reviews = Table(
    "reviews",
    metadata,
    Column("interview_id", ForeignKey("interviews.id", ondelete="CASCADE"), primary_key=True),
    # Which question of the interview, from 0.
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("point_id", String(80), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("question_id", String(200), nullable=False),
    Column("topic", String(200), nullable=False),
    Column("at", Moment, nullable=False),
    Column("verdict", String(16), nullable=False),
    # answer, probe or hint: what was needed to win it
    Column("earned", String(16), nullable=False),
    # FSRS: 1 again, 2 hard, 3 good, 4 easy
    Column("rating", Integer, nullable=False),
    Index("ix_reviews_user_point", "user_id", "question_id", "point_id"),
    Index("ix_reviews_user_at", "user_id", "at"),
)

cards = Table(
    "cards",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("point_id", String(80), primary_key=True),
    Column("topic", String(200), nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("earned", String(16), nullable=False),
    Column("reviewed_at", Moment, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("stability", Float, nullable=False),
    Column("difficulty", Float, nullable=False),
    Column("reviews", Integer, nullable=False),
    Index("ix_cards_user_due", "user_id", "due_at"),
)

# Which interviews the reviews were derived from, and how far each had gone then: what went on since is made good.
remembered = Table(
    "remembered",
    metadata,
    Column("interview_id", ForeignKey("interviews.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    # How many events it had that can change a review.
    Column("events", Integer, nullable=False),
    # The version of the rules they were derived by.
    Column("rules", Integer, nullable=False),
    Index("ix_remembered_user_id", "user_id"),
)

kept_answers = Table(
    "kept_answers",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("language", String(8), primary_key=True),
    Column("question", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("kept_at", Moment, nullable=False),
)
