"""Questions say how many phases they have, so that a plan knows how long they take."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in batch mode: that would make the table anew, and dropping the old one takes the versions with it.
    op.add_column("questions", sa.Column("phases", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("questions", "phases")
