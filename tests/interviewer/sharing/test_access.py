"""Every way to questions, tried with another person's: planning, requests, tracks, search, passages, job texts."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert

from interviewer.accounts.person import LOCAL, Person
from interviewer.compose import App, compose
from interviewer.errors import NotFoundError
from interviewer.interview.commands import Press, Say
from interviewer.models import Plan, PlannedQuestion, PlanRequest
from interviewer.settings import Settings
from interviewer.sharing.sets import ImportTarget
from interviewer.storage import tables as t

ANN = Person(id="ann", name="Ann", cohort="red")
BEN = Person(id="ben", name="Ben", cohort="red")
OLGA = Person(id="olga", name="Olga", role="owner", cohort="red")
OTHERS = (BEN, OLGA, Person(id="nobody"))

SECRET = """# Zanzibar

## 1. What does the Zanzibar relation tuple store?

- A Zanzibar relation tuple stores an object, a relation and a user, such as document:readme#viewer@ann.
- Zanzibar evaluates checks at a snapshot named by a zookie, so that a revoked grant is never seen again.
"""
OUTLINE = """# Zanzibar interviews

| Topic | Frequency |
| --- | --- |
| Zanzibar relation tuple | ⭐⭐⭐⭐⭐ |
| Zanzibar zookie | ⭐⭐⭐ |

## 1. What is a Zanzibar zookie?

A zookie is an opaque Zanzibar token that names a snapshot at which checks are evaluated.
"""
ANSWER = "A Zanzibar relation tuple stores object, relation and user; a zookie names the snapshot of the check."


@pytest.fixture(scope="module")
def app(new_folder: Callable[[], Path], copy_home: Callable[[Path], Path]) -> App:
    folder = new_folder()
    app = compose(Settings(home=copy_home(folder / "home"), _env_file=None))
    with app.database.write() as connection:
        for person in (ANN, BEN, OLGA):
            row = {"id": person.id, "name": person.name, "role": person.role, "cohort_id": person.cohort}
            connection.execute(insert(t.users).values(created_at=datetime.now(UTC), **row))
    for name, text in (("secret.md", SECRET), ("outline.md", OUTLINE)):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        app.import_files(ANN, [path], ImportTarget(set="anns"))
    return app


@pytest.fixture(scope="module")
def secret(app: App) -> str:
    found = app.library.browse(ANN, sets=("anns",))
    return next(q.id for q in found if "tuple" in q.asked_in("en"))


def test_the_owner_has_it_all(app, secret):
    assert [s.name for s in app.library.sets(ANN, "en")] == ["bank", "anns"]
    assert app.library.get(ANN, secret).id == secret
    assert app.library.search(ANN, "Zanzibar relation tuple")[0].question.id == secret
    assert app.service.draft("ann", PlanRequest(sets=("anns",), language="en")).questions
    assert any(track.source == "outline.md" for track in app.tracks(ANN))


@pytest.mark.parametrize("person", OTHERS, ids=lambda person: person.id)
class TestAnother:
    def test_finds_no_trace_of_it_in_the_library(self, app, secret, person):
        assert [s.name for s in app.library.sets(person, "en")] == ["bank"]
        mine = {topic.id for topic in app.library.topics(ANN, ("anns",), "en")}
        assert not mine & {topic.id for topic in app.library.topics(person, (), "en")}
        for sets in ((), ("anns",), ("anns", "bank")):
            found = app.library.browse(person, sets=sets, limit=1000)
            assert {q.set for q in found} <= {"bank"}
            assert app.library.count(person, sets=sets) == len(found)
            hits = app.library.search(person, "Zanzibar relation tuple zookie", limit=50, sets=sets)
            assert {hit.question.set for hit in hits} <= {"bank"}
        assert app.library.count(person, sets=("anns",)) == 0
        assert app.library.topics(person, ("anns",), "en") == ()

    def test_its_id_is_that_of_no_question(self, app, secret, person):
        told = []
        for question_id in (secret, "anns-0000"):
            with pytest.raises(NotFoundError) as caught:
                app.library.get(person, question_id)
            told.append(str(caught.value).replace(question_id, "…"))
        assert told[0] == told[1]

    def test_it_is_planned_by_no_request(self, app, secret, person):
        for request in (
            PlanRequest(sets=("anns",), language="en"),
            PlanRequest(question_ids=(secret,), language="en"),
        ):
            with pytest.raises(NotFoundError):
                app.service.draft(person.id, request)
        pool = app.service.pool(person.id, PlanRequest(sets=("anns", "bank"), language="en"))
        assert secret not in {outline.id for outline in pool}
        wide = app.service.draft(person.id, PlanRequest(count=50, language="en"))
        used = {q.question_id for q in wide.questions} | {o.question_id for q in wide.questions for o in q.others}
        assert secret not in used

    def test_a_forged_plan_asks_nothing(self, app, secret, person):
        planned = PlannedQuestion(question_id=secret, topic="Zanzibar", why="requested")
        view = app.service.start_plan(person.id, Plan(request=PlanRequest(language="en"), questions=(planned,)))
        assert view.state.questions == ()
        assert view.state.phase == "ended"
        assert all("tuple" not in message.text for message in view.messages)

    def test_its_blueprint_is_no_track_and_no_topic_of_a_job(self, app, secret, person):
        tracks = app.tracks(person)
        assert all(not track.source for track in tracks)
        mine = next(track.id for track in app.tracks(ANN) if track.source)
        with pytest.raises(NotFoundError):
            app.service.draft(person.id, PlanRequest(track=mine, language="en", minutes=30))
        asked = app.suggest(person, "You will run Zanzibar relation tuple storage and zookie snapshots.")
        assert not {secret} & {i for focus in asked for i in focus.question_ids}
        assert {"anns"}.isdisjoint(app.questions.get(i).set for focus in asked for i in focus.question_ids)

    def test_its_passages_reach_no_grader_and_no_report(self, app, person, monkeypatch):
        seen = []
        related = app.index.related
        monkeypatch.setattr(
            app.index, "related", lambda text, **wanted: seen.extend(found := related(text, **wanted)) or found
        )
        view = app.service.start(person.id, PlanRequest(count=1, language="en", seed=1))
        for command in (Say(f"{ANSWER} Gradient checkpointing saves memory."), Press("stop")):
            for _ in app.service.act(person.id, view.id, command):
                pass
        assert seen
        assert {passage.set for passage in seen} == {"bank"}
        report = app.service.report(person.id, view.id)
        assert "zookie" not in " ".join(b.passage for q in report.questions if q.grade for b in q.grade.beyond)


def test_the_owner_of_the_set_is_graded_with_it(app):
    readable = app.sets.readable_by("ann")
    assert {p.set for p in app.index.related(ANSWER, limit=6, sets=readable.narrow())} >= {"anns"}


def test_at_home_everything_is_there(app, secret):
    assert app.library.get(LOCAL, secret).id == secret
    assert app.service.draft("local", PlanRequest(sets=("anns",), language="en")).questions


def test_an_interview_keeps_a_question_that_was_taken_away(app, tmp_path: Path):
    path = tmp_path / "passing.md"
    path.write_text(
        "## 1. What is a Gossip round?\n\nA Gossip round spreads rumours to random peers.\n", encoding="utf-8"
    )
    app.import_files(OLGA, [path], ImportTarget(set="passing", visibility="everyone"))
    assert app.review.publish_clean(OLGA, "passing") + len(app.review.queue(OLGA, "passing", limit=5).entries) == 1
    for entry in app.review.queue(OLGA, "passing", limit=5).entries:
        app.review.publish(OLGA, entry.stored.question.id, stamp=entry.stored.stamp)
    view = app.service.start("ben", PlanRequest(sets=("passing",), language="en"))
    asked = view.state.questions[0].question
    app.shared_sets.delete(OLGA, "passing")
    for _ in app.service.act("ben", view.id, Say("It spreads rumours to random peers.")):
        pass
    report = app.service.report("ben", view.id)
    assert report.questions[0].question == asked
    assert report.questions[0].grade.status == "graded"
    with pytest.raises(NotFoundError):
        app.library.get(BEN, asked.id)


def test_a_question_edited_meanwhile_is_graded_and_reported_as_it_was_asked(app):
    from interviewer.sharing.fields import fields

    view = app.service.start("ben", PlanRequest(count=1, language="en", seed=3))
    asked = view.state.questions[0].question
    stored = app.review.entry(LOCAL, asked.id).stored
    values = fields(stored.newest) | {("question", "en"): "Something else?"}
    app.review.save(LOCAL, asked.id, values, stamp=stored.stamp)
    assert app.library.get(BEN, asked.id).asked_in("en") == "Something else?"
    assert app.library.search(BEN, "Something else?")[0].question.id == asked.id
    for _ in app.service.act("ben", view.id, Say("I think so, because of the cache.")):
        pass
    assert app.service.report("ben", view.id).questions[0].question == asked


def test_a_rejected_question_of_the_bank_is_neither_asked_nor_found(app):
    found = app.library.search(BEN, "gradient checkpointing")[0].question
    app.review.reject(OLGA, found.id, stamp=app.review.entry(OLGA, found.id).stored.stamp)
    assert found.id not in {hit.question.id for hit in app.library.search(BEN, "gradient checkpointing")}
    assert found.id not in {o.id for o in app.service.pool("ben", PlanRequest(language="en"))}
    assert found.id not in {p.question_id for p in app.index.related("gradient checkpointing", limit=20)}
    again = compose(app.settings)
    assert again.questions.get(found.id) is None
    app.review.publish(OLGA, found.id, stamp=app.review.entry(OLGA, found.id).stored.stamp)
    assert app.library.get(BEN, found.id).id == found.id
