"""Opening the database: connection rules, migrations, transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from interviewer.errors import SettingsError

MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """One database with the newest schema.

    Args:
        url: SQLAlchemy URL.

    Raises:
        SettingsError: if the URL is not one, its driver is missing, or the database can't be reached.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        try:
            _migrate(self.engine)
        except OperationalError as error:
            raise SettingsError(
                f"The database {make_url(url).render_as_string(hide_password=True)} can't be opened: {error.orig}.",
                next_step="Check INTERVIEWER_DATABASE_URL and INTERVIEWER_HOME.",
            ) from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction, committed at the end of the block. On SQLite it takes the write lock at once, since a
        transaction that reads first and writes later can't wait for another writer."""
        with self.engine.connect().execution_options(immediate=True) as connection, connection.begin():
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, OSError) as error:
        raise SettingsError(
            f"INTERVIEWER_DATABASE_URL can't be used: {error}.",
            next_step="Give a SQLAlchemy URL such as sqlite:///folder/file.sqlite3 or postgresql+psycopg://user@host/db.",
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # The driver's own transaction handling commits before DDL; taking it over makes migrations atomic.
    connection.isolation_level = None
    # Deleted answers are overwritten, not only no longer found.
    pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000", "secure_delete=ON")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _migrate(engine: Engine) -> None:
    """Brings the schema to the newest revision; several processes may try at once, one does it."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect().execution_options(immediate=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7860)")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
