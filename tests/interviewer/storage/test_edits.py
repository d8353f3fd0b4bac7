"""Edits, review and sets as both databases store them."""

import pytest

from interviewer.sharing.rights import QuestionSet
from interviewer.storage.edits import EditStore
from interviewer.storage.questions import QuestionStore
from interviewer.storage.sets import SetCounts, SetStore
from tests.databases import open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    url = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    database = open_database(
        request.getfixturevalue("postgresql").new_database() if request.param == "postgresql" else url
    )
    yield database
    database.close()


def test_drafts_waiting_changes_and_clashes_are_found_and_decided_ones_are_not(database, question, clock):
    sets, edits, documents = SetStore(database), EditStore(database, clock), QuestionStore(database, clock)
    sets.add(QuestionSet(name="s", owner="ann", visibility="cohort", created_at=clock()))
    draft, live, clash, calm = (question(i, set="s") for i in ("draft", "live", "clash", "calm"))
    documents.save([live, clash, calm], reason="import")
    documents.imported_by("ann", review=True).save([draft, live.model_copy(update={"difficulty": 5})], reason="import")
    for each in (clash, calm):
        changed = each.model_copy(update={"topic": "edited"})
        edits.save(changed, stamp=edits.get(each.id).stamp, user_id="ann", waits=False)
    documents.save([clash.model_copy(update={"topic": "document"})], reason="import")
    waiting = edits.waiting(("s",), limit=9, offset=0)
    assert {stored.question.id for stored in waiting} == {"draft", "live", "clash"}
    assert edits.count_waiting(("s",)) == edits.count_waiting(()) == 3
    assert sets.counts() == {"s": SetCounts(3, 1)}
    edits.publish([(stored.question.id, stored.stamp) for stored in waiting], user_id="ann")
    assert edits.count_waiting(("s",)) == 0
    assert (documents.get("live").difficulty, documents.get("clash").topic) == (5, "edited")
    documents.retire(["calm"])
    assert edits.get("calm").conflicts == (("removed",),)
    edits.save(edits.get("calm").newest, stamp=edits.get("calm").stamp, user_id="ann", waits=False)
    assert edits.count_waiting(()) == 0


def test_a_deleted_set_takes_everything_of_its_questions_along(database, question, clock):
    sets, edits, documents = SetStore(database), EditStore(database, clock), QuestionStore(database, clock)
    sets.add(QuestionSet(name="s", owner="ann", visibility="private", created_at=clock()))
    documents.save([question("a", set="s")], reason="import")
    edits.save(question("a", set="s", topic="t"), stamp=edits.get("a").stamp, user_id="ann", waits=False)
    documents.save_document("s", "d.md", "0", "qa", {}, None)
    assert sets.delete("s") == ("a",)
    assert (edits.get("a"), edits.versions("a"), edits.reports("s"), sets.get("s")) == (None, (), (), None)
