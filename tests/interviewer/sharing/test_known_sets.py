"""Sets that were imported before sets had owners."""

import json
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from interviewer.storage.database import MIGRATIONS, Database


def upgraded(url: str, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


@pytest.mark.parametrize("with_person", [False, True])
def test_they_belong_to_the_person_at_home_and_the_bank_to_everyone(tmp_path: Path, with_person: bool) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    upgraded(url, "0002")
    engine = create_engine(url)
    row = (
        'INSERT INTO questions (id, "set", topic, kind, difficulty, frequency, zh, en, document, position, version,'
        " hash, retired, updated_at, content) VALUES (:id, :set, 't', 'concept', 3, 3, 1, 1, '', 1, 1, 'h', 0,"
        " '2026-01-01 00:00:00', :content)"
    )
    with engine.begin() as connection:
        if with_person:
            connection.execute(text("INSERT INTO users (id, created_at) VALUES ('local', '2026-01-01 00:00:00')"))
        for id, name in (("a", "bank"), ("b", "mine"), ("c", "mine")):
            connection.execute(text(row), {"id": id, "set": name, "content": json.dumps({})})
        connection.execute(
            text(
                'INSERT INTO documents ("set", document, sha256, kind, imported_at, report)'
                " VALUES ('outline', 'o.md', 'x', 'blueprint', '2026-01-01 00:00:00', '{}')"
            )
        )
    engine.dispose()
    with Database(url).read() as connection:
        rows = connection.execute(text("SELECT name, owner_id, visibility FROM question_sets ORDER BY name")).all()
        states = connection.execute(text("SELECT DISTINCT state FROM questions")).all()
    assert [tuple(r) for r in rows] == [
        ("bank", None, "everyone"),
        ("mine", "local", "private"),
        ("outline", "local", "private"),
    ]
    assert [tuple(r) for r in states] == [("live",)]
