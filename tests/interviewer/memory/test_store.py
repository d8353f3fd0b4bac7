"""Reviews and cards are in step with the events, whatever wrote or deleted these."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import delete, func, insert, select, update

from interviewer.interview.commands import Press
from interviewer.storage import memory as store
from interviewer.storage import tables as t
from interviewer.storage.interviews import _rows
from tests.interviewer.conftest import Clock
from tests.interviewer.memory.conftest import MemoryDesk, asks
from tests.interviewer.storage.conftest import PostgreSQL, postgresql

__all__ = ["postgresql"]


def state(desk: MemoryDesk):
    return desk.memory.cards("ann"), desk.memory.reviews("ann")


def count(desk: MemoryDesk, table) -> int:
    with desk.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(table))


def test_a_past_from_before_there_were_cards_is_made_good_on_first_use(desk: MemoryDesk) -> None:
    for _ in range(store.BATCH + 3):
        desk.answered("one", "four", question_ids=["a", "b"])
    assert count(desk, t.reviews) == count(desk, t.cards) == 0, "nobody has looked yet"
    cards, reviews = state(desk)
    assert len(reviews) == 5 * (store.BATCH + 3)
    assert {card.key: card.reviews for card in cards} == dict.fromkeys(
        {review.key for review in reviews}, store.BATCH + 3
    )


def test_another_process_sees_what_happened_since(desk: MemoryDesk) -> None:
    other = desk.again()
    desk.answered("one", "four", question_ids=["a", "b"])
    assert other.due() == desk.due() == []
    desk.to_day(1)
    view = other.drill()
    other.press(other.say(view, "two"), "stop")
    assert state(desk) == state(other)


def test_a_deleted_interview_takes_its_reviews_along(desk: MemoryDesk) -> None:
    first = desk.answered("one", question_ids=["a"])
    before = state(desk)
    desk.to_day(1)
    second = desk.answered("one two three", "six", question_ids=["a", "c"])
    assert state(desk) != before
    desk.service.delete("ann", second.id)
    assert state(desk) == before
    desk.service.delete("ann", first.id)
    assert state(desk) == ((), ())
    assert count(desk, t.remembered) == 0


def test_an_interview_gone_and_another_come_since_the_last_look(desk: MemoryDesk) -> None:
    gone = desk.answered("nothing", question_ids=["c"])
    kept = desk.answered("one", question_ids=["a"])
    state(desk)
    desk.service.delete("ann", gone.id)
    desk.to_day(2)
    desk.answered("six", question_ids=["c"])
    after = state(desk)
    desk.memory.rebuild("ann")
    assert state(desk) == after
    assert {review.interview_id for review in after[1]} > {kept.id}


def test_events_brought_in_from_elsewhere_count(desk: MemoryDesk, tmp_path: Path) -> None:
    desk.answered("one", question_ids=["a"])
    expected = state(desk)
    home = MemoryDesk(f"sqlite:///{tmp_path / 'other.sqlite3'}", desk.clock)
    (stored,) = desk.interviews.recent("ann", limit=1)
    assert state(home) == ((), ())
    with home.database.write() as connection:
        connection.execute(insert(t.users).values(id="ann", created_at=desk.clock()))
        values = {"id": stored.id, "user_id": "ann", "created_at": stored.events[0].at}
        connection.execute(insert(t.interviews).values(values))
        connection.execute(insert(t.events), _rows("ann", stored.id, stored.events, at=0))
    assert state(home) == expected
    home.database.close()


def test_lost_rows_and_older_rules_are_made_good(desk: MemoryDesk) -> None:
    desk.answered("one", "four", question_ids=["a", "b"])
    expected = state(desk)
    with desk.database.write() as connection:
        connection.execute(delete(t.remembered))
        connection.execute(update(t.cards).values(stability=99.0))
        connection.execute(delete(t.reviews).where(t.reviews.c.question_id == "a"))
    assert state(desk) == expected
    with desk.database.write() as connection:
        connection.execute(update(t.cards).values(difficulty=1.0))
        connection.execute(update(t.reviews).values(rating=1))
        connection.execute(update(t.remembered).values(rules=store.RULES - 1))
    assert state(desk) == expected


def test_a_failure_half_way_leaves_everything_to_be_made_good(desk: MemoryDesk, monkeypatch) -> None:
    desk.answered("one", "four", question_ids=["a", "b"])

    def fail(*_: object) -> None:
        raise RuntimeError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr(store.MemoryStore, "_refold", fail)
        with pytest.raises(RuntimeError):
            desk.memory.cards("ann")
    assert count(desk, t.reviews) == 0
    assert len(desk.memory.cards("ann")) == 5


def test_nothing_is_written_while_nothing_changed(desk: MemoryDesk, monkeypatch) -> None:
    desk.answered("one", "four", question_ids=["a", "b"])
    desk.due()
    monkeypatch.setattr(desk.database, "write", lambda: pytest.fail("a write where nothing changed"))
    assert len(desk.memory.cards("ann")) == 5
    assert desk.due() == []


def test_people_are_kept_apart_and_read_together(desk: MemoryDesk) -> None:
    desk.answered("one", question_ids=["a"])
    view = desk.service.start("bob", desk.request(question_ids=["c"]))
    list(desk.service.act("bob", view.id, Press("stop")))
    desk.answered("six", question_ids=["c"])
    people = ["ann", "bob", "nobody"]
    cards, reviews = desk.memory.cards_of(people), desk.memory.reviews_of(people)
    assert {name: len(found) for name, found in cards.items()} == {"ann": 4, "bob": 0, "nobody": 0}
    assert reviews["ann"] == desk.memory.reviews("ann")
    assert cards["ann"] == desk.memory.cards("ann")
    desk.memory.rebuild("nobody")
    assert desk.memory.cards("ann") == cards["ann"]


def read_at_once(desk: MemoryDesk) -> None:
    for _ in range(5):
        desk.answered("one", "four", question_ids=["a", "b"])
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: desk.memory.cards("ann"), range(8)))
    assert all(cards == found[0] for cards in found)
    assert {card.reviews for card in found[0]} == {5}


def test_several_who_look_at_once_see_the_same(desk: MemoryDesk) -> None:
    read_at_once(desk)


def test_the_same_on_postgresql(postgresql: PostgreSQL, clock: Clock) -> None:
    desk = MemoryDesk(postgresql.new_database(), clock)
    desk.questions.save([asks("a", "one", "two", "three"), asks("b", "four", "five")], reason="test")
    desk.answered("one", "four", question_ids=["a", "b"])
    kept = state(desk)
    desk.to_day(1)
    view = desk.drill()
    desk.press(desk.say(view, "two"), "stop")
    after = state(desk)
    assert after != kept
    desk.memory.rebuild("ann")
    assert state(desk) == after
    desk.service.delete("ann", view.id)
    assert state(desk) == kept
    desk.service.delete("ann", desk.service.history("ann")[0].id)
    read_at_once(desk)
    desk.database.close()
