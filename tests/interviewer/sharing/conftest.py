"""A team of two cohorts around one bank, with real stores on a real database."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import insert

from interviewer.accounts.person import Person
from interviewer.models import Question
from interviewer.sharing.review import Review
from interviewer.sharing.rights import QuestionSet, Visibility, is_reviewed
from interviewer.sharing.sets import ImportTarget, Sets
from interviewer.storage import tables as t
from interviewer.storage.database import Database
from interviewer.storage.edits import EditStore
from interviewer.storage.questions import QuestionStore
from interviewer.storage.sets import SetStore
from tests.databases import open_database


class Team(NamedTuple):
    """Ann and Ben are members of cohort red, Lea leads it; Max leads blue; Olga owns the team."""

    database: Database
    questions: QuestionStore
    set_store: SetStore
    edits: EditStore
    sets: Sets
    review: Review
    changed: list[str]
    make: Callable[..., Question]
    ann: Person
    ben: Person
    lea: Person
    max: Person
    olga: Person

    def imported(
        self, person: Person, name: str, *questions: Question, visibility: Visibility | None = None, document: str = ""
    ) -> None:
        """What `App.import_files` does, without a document."""
        known = self.sets.open(person, ImportTarget(set=name, visibility=visibility))
        store = self.questions.imported_by(person.id, review=is_reviewed(person, known))
        store.save(questions, reason="import")

    def edit(self, person: Person, question_id: str, **values: object) -> None:
        """Saves changed fields, named as `topic` or `question_en`."""
        from interviewer.sharing.fields import fields

        entry = self.review.entry(person, question_id)
        changed = {tuple(name.split("_")): value for name, value in values.items()}
        self.review.save(person, question_id, fields(entry.stored.newest) | changed, stamp=entry.stored.stamp)

    def publish(self, person: Person, question_id: str) -> None:
        self.review.publish(person, question_id, stamp=self.review.entry(person, question_id).stored.stamp)


@pytest.fixture
def team(tmp_path: Path, clock, question) -> Team:
    database = open_database(f"sqlite:///{tmp_path / 'team.sqlite3'}")
    people = {
        "ann": Person(id="ann", name="Ann", cohort="red"),
        "ben": Person(id="ben", name="Ben", cohort="red"),
        "lea": Person(id="lea", name="Lea", role="lead", cohort="red"),
        "max": Person(id="max", name="Max", role="lead", cohort="blue"),
        "olga": Person(id="olga", name="Olga", role="owner"),
    }
    with database.write() as connection:
        for cohort in ("red", "blue"):
            connection.execute(insert(t.cohorts).values(id=cohort, name=cohort.title(), created_at=clock()))
        for p in people.values():
            row = {"id": p.id, "name": p.name, "role": p.role, "cohort_id": p.cohort, "created_at": clock()}
            connection.execute(insert(t.users).values(**row))
    changed: list[str] = []
    set_store, edits = SetStore(database), EditStore(database, clock)
    sets = Sets(set_store, clock, changed.extend)
    review = Review(sets, set_store, edits, changed.extend)
    questions = QuestionStore(database, clock)
    set_store.add(QuestionSet(name="bank", owner=None, visibility="everyone", created_at=clock()))
    questions.save([question("b1"), question("b2", topic="inference")], reason="shipped bank")
    return Team(database, questions, set_store, edits, sets, review, changed, question, **people)
