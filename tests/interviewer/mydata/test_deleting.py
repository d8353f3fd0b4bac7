"""After deletion nothing of a person is left, in no table and not in the file of the database."""

import pytest
from sqlalchemy import insert, update

from interviewer.accounts.person import LOCAL
from interviewer.errors import ConflictError, NotFoundError
from interviewer.storage import tables as t
from interviewer.storage.accounts import GONE
from tests.interviewer.mydata.conftest import SECRET

STAYS = ("audit.",)
"""Where the id of a deleted person may stand."""


def traces(home, *words):
    return [
        entry
        for entry in home.everything().splitlines()
        if any(word in entry for word in words) and not entry.startswith(STAYS)
    ]


@pytest.fixture
def bob(home):
    """A member with everything a member can have."""
    owner = home.join("owner")
    bob = home.join("bob")
    done = home.fill(bob)
    home.accounts.tokens.create(bob, "script", ["questions:read"])
    home.accounts.sign_ins.start(bob, browser="Firefox")
    home.accounts.links.reset_link(owner, bob.id)
    now = home.clock()
    with home.database.write() as connection:
        values = {"id": "a1", "cohort_id": "c1", "title": "First", "plans": {}, "due_at": now, "created_at": now}
        connection.execute(insert(t.assignments).values(created_by=bob.id, **values))
        connection.execute(
            insert(t.assignment_interviews).values(interview_id=done[1], assignment_id="a1", user_id=bob.id)
        )
        connection.execute(
            insert(t.question_sets).values(name="ours", owner_id=bob.id, visibility="everyone", created_at=now)
        )
    home.questions.save([home.questions.get("mine-1").model_copy(update={"id": "ours-1", "set": "ours"})], reason="x")
    with home.database.write() as connection:
        found = t.question_versions.c.question_id == "ours-1"
        connection.execute(update(t.question_versions).where(found).values(user_id=bob.id))
    return bob


def test_nothing_of_a_person_is_left_in_any_table(home, bob):
    missing = [
        str(column) for column in columns_of_people() if not home.rows(column.table.name, **{column.name: bob.id})
    ]
    assert missing == ["links.created_by"], "bob stands everywhere a member can"
    home.data.delete(bob, account=True)
    assert traces(home, bob.id, SECRET) == []
    assert home.accounts.people.me(bob) is None
    assert home.rows("audit")[-1]["action"] == "deleted"
    assert home.rows("audit")[-1]["actor_id"] == bob.id
    assert home.reindexed == 1


def columns_of_people():
    """Every column that refers to a person."""
    for table in t.metadata.sorted_tables:
        for column in table.c:
            if column.name == "user_id" or any(key.column.table is t.users for key in column.foreign_keys):
                yield column


def test_what_others_read_stays_without_a_name(home, bob):
    home.data.delete(bob, account=True)
    assert home.rows("question_sets", name="ours")[0]["owner_id"] is None
    assert [row["user_id"] for row in home.rows("question_versions", question_id="ours-1")] == [GONE]
    assert home.rows("question_sets", name="mine") == []
    assert home.rows("questions", set="mine") == []
    assert home.rows("documents") == []


def test_others_keep_everything(home, bob):
    eve = home.join("eve")
    home.practise(eve.id)
    home.memory.rebuild(eve.id)
    before = [home.rows(name, user_id=eve.id) for name in ("interviews", "events", "reviews", "cards")]
    assert all(before)
    home.data.delete(bob, account=True)
    assert [home.rows(name, user_id=eve.id) for name in ("interviews", "events", "reviews", "cards")] == before


def test_the_account_can_stay(home, bob):
    home.data.delete(bob, account=False)
    assert traces(home, SECRET) == []
    assert home.data.counts(bob).interviews == 0
    assert home.rows("tokens") == []
    assert home.accounts.people.me(bob).login == "bob"
    assert home.rows("audit")[-1]["action"] == "data deleted"


def test_the_last_owner_can_clear_but_not_leave(home, bob):
    home.practise(home.owner.id)
    assert not home.data.may_leave(home.owner)
    assert home.data.may_leave(bob)
    with pytest.raises(ConflictError):
        home.data.delete(home.owner, account=True)
    assert home.data.counts(home.owner).interviews == 1
    home.data.delete(home.owner, account=False)
    assert home.data.counts(home.owner).interviews == 0
    assert home.accounts.people.me(home.owner)


def test_at_home_there_is_no_account_to_delete_and_no_audit(home):
    home.fill()
    assert not home.data.may_leave(LOCAL)
    with pytest.raises(NotFoundError):
        home.data.delete(LOCAL, account=True)
    home.data.delete(LOCAL, account=False)
    assert traces(home, SECRET) == []
    assert home.rows("audit") == []
    assert home.rows("question_sets", name="mine") == []


def test_the_words_are_gone_from_the_file_of_the_database_too(home):
    home.fill()

    def bytes_on_disk():
        return b"".join(path.read_bytes() for path in home.folder.glob("home.sqlite3*"))

    assert SECRET.encode() in bytes_on_disk()
    home.data.delete(LOCAL, account=False)
    assert SECRET.encode() not in bytes_on_disk()


def test_an_export_made_before_brings_everything_back(home):
    home.fill()
    before = {name: home.rows(name) for name in ("interviews", "events", "cards", "reviews", "kept_answers")}
    path = home.export()
    home.data.delete(LOCAL, account=False)
    home.data.bring_in(LOCAL, path)
    assert {name: home.rows(name) for name in before} == before
