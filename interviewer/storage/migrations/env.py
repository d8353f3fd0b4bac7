"""Alembic's entry: runs migrations on the connection that `interviewer.storage.database` hands over."""

from alembic import context

from interviewer.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
context.run_migrations()
