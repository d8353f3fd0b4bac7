"""Out of one home and into another: nothing is lost, and nothing comes twice."""

import json
import zipfile

import pytest
from sqlalchemy import update

from interviewer.accounts.person import LOCAL
from interviewer.interview.commands import Press, Say
from interviewer.mydata.bringing import Tally
from interviewer.storage import tables as t
from interviewer.storage.edits import EditStore
from tests.interviewer.conftest import make_question
from tests.interviewer.mydata.conftest import SECRET

DERIVED = ("reviews", "cards", "remembered")
LOSSLESS = (
    "interviews", "events", "kept_answers", "question_sets", "questions", "question_versions", "documents", "edits",
    *DERIVED,
)  # fmt: skip


def own_rows(home, table):
    """The rows of a table without those of the shipped bank."""
    rows = home.rows(table)
    return [row for row in rows if "bank" not in (row.get("set"), row.get("name")) and row.get("question_id") != "q1"]


def test_nothing_is_lost_between_two_homes(home, other):
    home.fill()
    brought = other.data.bring_in(LOCAL, home.export())
    assert brought.interviews == Tally(added=2)
    assert brought.questions == Tally(added=2)
    assert brought.kept_answers == Tally(added=1)
    assert brought.sets == {"mine": "mine"}
    for table in LOSSLESS:
        assert home.rows(table), table
        mine, theirs = (
            own_rows(each, table) if table[:8] in ("question", "edits") else each.rows(table) for each in (home, other)
        )
        assert theirs == mine, table
    assert other.reindexed == 1


def test_cards_are_made_anew_from_the_events_not_taken_from_the_file(home, other):
    home.fill()
    path = home.export()
    assert not [name for name in zipfile.ZipFile(path).namelist() if "card" in name or "review" in name]
    other.data.bring_in(LOCAL, path)
    assert other.rows("cards") == home.rows("cards") != []
    assert other.rows("reviews") == home.rows("reviews") != []


def test_a_second_time_nothing_changes(home, other):
    home.fill()
    path = home.export()
    other.data.bring_in(LOCAL, path)
    before = other.everything()
    again = other.data.bring_in(LOCAL, path)
    assert (again.interviews, again.questions, again.kept_answers) == (Tally(known=2), Tally(known=2), Tally(known=1))
    assert other.everything() == before
    assert home.data.bring_in(LOCAL, path).interviews == Tally(known=2)


def test_the_export_of_what_was_brought_in_says_the_same(home, other):
    home.fill()
    other.data.bring_in(LOCAL, home.export())

    def members(path):
        with zipfile.ZipFile(path) as file:
            return {n: file.read(n) for n in file.namelist() if n not in ("manifest.json", "account.json")}

    first, second = members(home.export()), members(other.export())
    for name in first:
        if name.startswith("interviews/") and name.endswith(".json"):
            first[name] = first[name].replace(b'"shared_at": "', b'"shared_at": null, "was": "')
    assert first.keys() == second.keys()
    unequal = [name for name in first if first[name] != second[name]]
    assert len(unequal) == 1, "only the interview that was shared differs"


def test_what_went_on_since_is_added_and_what_went_on_here_stays(home, other):
    _, open_one = home.fill()
    early = home.export(name="early.zip")
    other.data.bring_in(LOCAL, early)
    list(home.service.act("local", open_one, Press("next")))
    list(home.service.act("local", open_one, Say("sum and memory")))
    late = home.export(name="late.zip")
    assert other.data.bring_in(LOCAL, late).interviews == Tally(renewed=1, known=1)
    assert other.rows("events") == home.rows("events")
    assert home.data.bring_in(LOCAL, early).interviews == Tally(known=2)
    assert other.rows("events") == home.rows("events")


def test_what_went_two_ways_is_kept_both_ways_once(home, other):
    _, open_one = home.fill()
    other.data.bring_in(LOCAL, home.export(name="early.zip"))
    for each, words in ((home, "one way"), (other, "another way")):
        list(each.service.act("local", open_one, Press("next")))
        list(each.service.act("local", open_one, Say(words)))
    path = home.export(name="late.zip")
    assert other.data.bring_in(LOCAL, path).interviews == Tally(added=1, known=1)
    assert other.data.bring_in(LOCAL, path).interviews == Tally(known=2)
    assert len(other.rows("interviews")) == 3
    said = other.everything()
    assert "one way" in said
    assert "another way" in said


def test_a_question_edited_further_is_renewed_and_one_edited_here_stays(home, other):
    home.fill()
    other.data.bring_in(LOCAL, home.export(name="early.zip"))
    changed = home.questions.get("mine-2").model_copy(update={"difficulty": 1})
    home.questions.save([changed], reason="mine.md again")
    late, before = home.export(name="late.zip"), other.questions.state()
    assert other.data.bring_in(LOCAL, late).questions == Tally(renewed=1, known=1)
    assert other.questions.state() != before
    assert own_rows(other, "question_versions") == own_rows(home, "question_versions")
    assert home.data.bring_in(LOCAL, home.folder / "early.zip").questions == Tally(known=2)


def test_a_newer_kept_answer_replaces_an_older_one_and_not_the_other_way_round(home, other):
    home.fill()
    early = home.export(name="early.zip")
    other.data.bring_in(LOCAL, early)
    with home.database.write() as connection:
        connection.execute(update(t.kept_answers).values(text="newer", kept_at=home.clock()))
    assert other.data.bring_in(LOCAL, home.export(name="late.zip")).kept_answers == Tally(renewed=1)
    assert other.data.bring_in(LOCAL, early).kept_answers == Tally(known=1)
    assert [row["text"] for row in other.rows("kept_answers")] == ["newer"]


def test_the_file_reads_well_and_names_nobody(home):
    home.join("owner")
    ann = home.join("ann")
    home.fill(ann)
    home.accounts.tokens.create(ann, "my script", ["questions:read"])
    home.accounts.sign_ins.start(ann, browser="Firefox")
    with zipfile.ZipFile(home.export(ann)) as file:
        texts = {name: file.read(name).decode() for name in file.namelist()}
        assert file.testzip() is None
    assert not [name for name, text in texts.items() if ann.id in text]
    account = json.loads(texts["account.json"])
    assert (account["login"], account["role"]) == ("ann", "member")
    assert account["api_tokens"][0]["name"] == "my script"
    assert account["sign_ins"][0]["browser"] == "Firefox"
    with home.accounts._store.read() as rows:
        secrets = [rows.password_of(ann.id), *(row["hash"] for row in home.rows("tokens") + home.rows("sign_ins"))]
    assert len(secrets) == 3
    assert not [text for text in texts.values() for secret in secrets if secret in text]
    reports = [text for name, text in texts.items() if name.endswith(".md") and name.startswith("interviews/")]
    assert any(SECRET in text for text in reports)
    assert SECRET in texts["kept-answers.md"]
    assert json.loads(texts["decisions.json"])[0]["points"]
    assert "我的数据" in texts["README.md"]


def test_the_file_is_made_piece_by_piece(home):
    home.fill()
    pieces = home.data.export(LOCAL)
    first = next(pieces)
    assert first.startswith(b"PK")
    list(home.service.act("local", home.practise("local", end=False), Say("meanwhile")))
    assert len(list(pieces)) >= 3


def test_an_empty_home_makes_an_empty_file(home, other):
    brought = other.data.bring_in(LOCAL, home.export())
    assert brought.interviews == Tally()
    assert brought.sets == {}
    assert other.reindexed == 0


def test_every_table_is_taken_away_derived_or_not_ones_own(home):
    """A table added later has to be put into one of these lists."""
    inside = {
        "interviews",
        "events",
        "kept_answers",
        "question_sets",
        "questions",
        "question_versions",
        "documents",
        "edits",
    }
    told = {"users", "shares", "tokens", "sign_ins", "assignment_interviews", "cohorts"}
    not_ones_own = {"audit", "sign_in_attempts", "links", "assignments"}
    assert set(t.metadata.tables) == inside | told | set(DERIVED) | not_ones_own


@pytest.fixture
def two_people(home):
    home.join("owner")
    ann = home.join("ann")
    return ann, home.join("bob")


def test_another_account_of_the_same_machine_gets_copies_that_are_its_own(home, two_people):
    ann, bob = two_people
    home.fill(ann)
    path = home.export(ann)
    before = [home.rows(table, **{"user_id": ann.id}) for table in ("interviews", "events", "cards", "kept_answers")]
    brought = home.data.bring_in(bob, path)
    assert brought.interviews == Tally(added=2)
    assert brought.sets == {"mine": "mine (2)"}
    assert [
        home.rows(table, **{"user_id": ann.id}) for table in ("interviews", "events", "cards", "kept_answers")
    ] == before
    assert len(home.rows("interviews", user_id=bob.id)) == 2
    cards = home.rows("cards", user_id=bob.id)
    assert [card["stability"] for card in cards] == [card["stability"] for card in home.rows("cards", user_id=ann.id)]
    own = {row["id"] for row in home.rows("questions", set="mine (2)")}
    assert {card["question_id"] for card in cards} - {"q1"} < own
    assert {row["question_id"] for row in home.rows("kept_answers", user_id=bob.id)} < own
    assert ann.id not in json.dumps([row["payload"] for row in home.rows("events", user_id=bob.id)])
    again = home.data.bring_in(bob, path)
    assert (again.interviews, again.questions) == (Tally(known=2), Tally(known=2))


def test_a_set_that_others_read_is_not_added_to(home, two_people):
    ann, _ = two_people
    home.fill(ann)
    path = home.export(ann)
    with home.database.write() as connection:
        connection.execute(
            update(t.question_sets).where(t.question_sets.c.name == "mine").values(visibility="everyone")
        )
    brought = home.data.bring_in(ann, path)
    assert brought.sets == {"mine": "mine (2)"}
    assert home.rows("question_sets", name="mine (2)")[0]["visibility"] == "private"


def edited(home, user="local"):
    """An edit of a question of the shipped bank, as the editor keeps it."""
    store = EditStore(home.database, home.clock)
    known = store.get("q1")
    store.save(known.newest.model_copy(update={"difficulty": 5}), stamp=known.stamp, user_id=user, waits=False)


def test_an_edit_of_the_bank_counts_in_another_home_once(home, other):
    home.fill()
    edited(home)
    other.questions.save([make_question("q1")], reason="shipped bank")
    path = home.export()
    brought = other.data.bring_in(LOCAL, path)
    assert (brought.edits, brought.edits_left) == (Tally(added=1), 0)
    assert other.questions.get("q1").difficulty == 5
    assert other.rows("edits") == home.rows("edits")
    assert other.data.bring_in(LOCAL, path).edits == Tally(known=1)
    assert other.questions.save([make_question("q1")], reason="shipped bank").updated == 0
    assert other.questions.get("q1").difficulty == 5


def test_an_edit_of_another_state_of_the_question_stays_in_the_file(home, other):
    home.fill()
    edited(home)
    other.questions.save([make_question("q1", frequency=1)], reason="shipped bank")
    brought = other.data.bring_in(LOCAL, home.export())
    assert (brought.edits, brought.edits_left) == (Tally(), 1)
    assert other.questions.get("q1").frequency == 1


def test_in_a_team_an_edit_of_the_bank_is_for_others_to_decide(home, other):
    home.fill()
    edited(home)
    other.questions.save([make_question("q1")], reason="shipped bank")
    member = other.join("owner") and other.join("bob")
    assert other.data.bring_in(member, home.export()).edits_left == 1
    assert other.questions.get("q1").difficulty == 3
