"""Editing, reviewing, merging and restoring, and what a re-import leaves of it."""

import pytest

from interviewer.accounts.person import LOCAL
from interviewer.errors import AccessError, ConflictError, NotFoundError
from interviewer.models import Point
from interviewer.sharing.checking import EditError
from interviewer.sharing.fields import fields


@pytest.fixture
def reds(team):
    """A cohort's set of two questions that wait for review."""
    made = [team.make(id, set="reds", question={"en": f"Ask {id}"}) for id in ("r1", "r2")]
    team.imported(team.ann, "reds", *made, visibility="cohort")
    return team


def waiting(team, person):
    return [entry.stored.question.id for entry in team.review.queue(person, limit=50).entries]


def stamp(team, question_id):
    return team.edits.get(question_id).stamp


def test_what_is_imported_for_others_is_asked_nobody_before_it_is_published(reds):
    assert reds.questions.get("r1") is None
    assert reds.questions.outlines(sets=("reds",)) == ()
    assert [q.id for q in reds.questions.all()] == ["b2", "b1"]
    reds.publish(reds.lea, "r1")
    assert reds.questions.get("r1").asked_in("en") == "Ask r1"
    assert waiting(reds, reds.lea) == ["r2"]
    assert reds.changed[-1] == "r1"


def test_a_member_may_not_publish_their_own_import(reds):
    entry = reds.review.entry(reds.ann, "r1")
    assert not entry.reviews
    for act in (
        lambda: reds.review.publish(reds.ann, "r1", stamp=entry.stored.stamp),
        lambda: reds.review.reject(reds.ann, "r1", stamp=entry.stored.stamp),
        lambda: reds.review.publish_clean(reds.ann, "reds"),
        lambda: reds.review.merge(reds.ann, "r1", "r2"),
        lambda: reds.review.settle(reds.ann, "r1", stamp=entry.stored.stamp),
    ):
        with pytest.raises(AccessError):
            act()
    assert reds.questions.get("r1") is None


def test_what_waits_is_not_there_for_who_may_not_write(reds):
    for person in (reds.ben, reds.max, reds.olga):
        for act in (
            lambda p=person: reds.review.entry(p, "r1"),
            lambda p=person: reds.review.publish(p, "r1", stamp=stamp(reds, "r1")),
            lambda p=person: reds.review.save(p, "r1", {}, stamp=stamp(reds, "r1")),
            lambda p=person: reds.review.versions(p, "r1"),
            lambda p=person: reds.review.restore(p, "r1", 1, stamp=stamp(reds, "r1")),
            lambda p=person: reds.review.merge(p, "b1", "r1"),
        ):
            with pytest.raises((NotFoundError, AccessError)):
                act()
        assert waiting(reds, person) == []
    with pytest.raises(NotFoundError):
        reds.review.listed(reds.max, "reds", limit=10)
    with pytest.raises(NotFoundError):
        reds.review.queue(reds.max, "reds", limit=10)


def test_the_same_error_for_a_private_question_and_for_none(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    told = []
    for question_id in ("a1", "a0"):
        with pytest.raises(NotFoundError) as caught:
            team.review.entry(team.olga, question_id)
        told.append(str(caught.value).replace(question_id, "…"))
    assert told[0] == told[1]


def test_an_edit_is_a_version_with_its_author_and_the_points_keep_their_ids(team):
    values = fields(team.questions.get("b1"))
    values |= {
        ("points",): ["memory", "sum", "x1"],
        ("points", "x1", "text", "en"): "new",
        ("points", "x1", "weight"): 2,
    }
    team.review.save(team.lea, "b1", values, stamp=stamp(team, "b1"))
    edited = team.questions.get("b1")
    assert [p.id for p in edited.points] == ["memory", "sum", "x1"]
    newest, first = team.review.versions(team.lea, "b1")
    assert (newest.number, newest.author, newest.reason) == (2, "Lea", "edit")
    assert (first.author_id, first.reason) == (None, "shipped bank")
    changes = {change.path for change in team.review.compare(team.lea, "b1", 1, 2)}
    assert ("points",) in changes
    assert ("points", "x1", "text", "en") in changes


def test_an_edit_of_the_bank_outlives_the_next_start_and_the_next_version_of_the_bank(team):
    team.edit(team.lea, "b1", topic="locks")
    shipped = team.make("b1")
    assert team.questions.save([shipped], reason="shipped bank") == (0, 0, 1, ())
    newer = shipped.model_copy(update={"difficulty": 5})
    assert team.questions.save([newer], reason="shipped bank").updated == 1
    now = team.questions.get("b1")
    assert (now.topic, now.difficulty) == ("locks", 5)
    assert team.review.entry(team.lea, "b1").why == ()
    assert [v.reason for v in team.review.versions(team.lea, "b1")] == ["shipped bank", "edit", "shipped bank"]


def test_a_field_changed_on_both_sides_keeps_the_edit_and_waits_for_a_decision(team):
    team.edit(team.lea, "b1", topic="locks")
    clash = team.questions.save([team.make("b1", topic="mutexes", difficulty=4)], reason="shipped bank")
    assert clash.clashes == ("b1",)
    entry = team.review.entry(team.lea, "b1")
    assert (entry.stored.question.topic, entry.stored.question.difficulty) == ("locks", 4)
    assert entry.why == ("conflict",)
    assert entry.stored.conflicts == (("topic",),)
    assert entry.stored.base.topic == "mutexes"
    assert waiting(team, team.lea) == ["b1"]
    team.review.settle(team.lea, "b1", stamp=entry.stored.stamp)
    assert waiting(team, team.lea) == []
    assert team.questions.save([team.make("b1", topic="mutexes", difficulty=4)], reason="shipped bank").unchanged == 1
    assert team.questions.get("b1").topic == "locks"


def test_an_edit_back_to_what_the_document_says_is_no_edit(team):
    team.edit(team.lea, "b1", topic="locks")
    team.edit(team.lea, "b1", topic="training")
    assert team.edits.get("b1").edit is None
    assert len(team.review.versions(team.lea, "b1")) == 3


def test_a_changed_document_waits_while_the_question_is_asked_as_it_was(reds):
    reds.publish(reds.lea, "r1")
    changed = reds.make("r1", set="reds", question={"en": "Ask r1 anew"})
    reds.imported(reds.ann, "reds", changed)
    assert reds.questions.get("r1").asked_in("en") == "Ask r1"
    entry = reds.review.entry(reds.lea, "r1")
    assert entry.why == ("changed",)
    reds.review.publish(reds.lea, "r1", stamp=entry.stored.stamp)
    assert reds.questions.get("r1").asked_in("en") == "Ask r1 anew"
    assert reds.review.versions(reds.lea, "r1")[0].author == "Ann"


def test_a_change_that_was_turned_down_stays_down(reds):
    reds.publish(reds.lea, "r1")
    changed = reds.make("r1", set="reds", question={"en": "Ask r1 anew"})
    reds.imported(reds.ann, "reds", changed)
    reds.review.reject(reds.lea, "r1", stamp=stamp(reds, "r1"))
    reds.imported(reds.ann, "reds", changed)
    assert reds.questions.get("r1").asked_in("en") == "Ask r1"
    assert waiting(reds, reds.lea) == ["r2"]


def test_a_rejected_question_comes_back_only_when_its_document_changes_it(reds):
    reds.review.reject(reds.lea, "r1", stamp=stamp(reds, "r1"))
    reds.imported(reds.ann, "reds", reds.make("r1", set="reds", question={"en": "Ask r1"}))
    assert waiting(reds, reds.lea) == ["r2"]
    reds.imported(reds.ann, "reds", reds.make("r1", set="reds", question={"en": "Better"}))
    assert waiting(reds, reds.lea) == ["r1", "r2"]


def test_an_owner_who_does_not_decide_edits_what_waits(reds):
    reds.edit(reds.ann, "r1", topic="locks")
    assert reds.edits.get("r1").question.topic == "locks"
    reds.publish(reds.lea, "r1")
    reds.edit(reds.ann, "r1", topic="mutexes")
    assert reds.questions.get("r1").topic == "locks"
    assert reds.review.entry(reds.lea, "r1").why == ("changed",)
    reds.publish(reds.lea, "r1")
    assert reds.questions.get("r1").topic == "mutexes"


def test_a_question_that_was_edited_outlives_its_document_until_somebody_decides(team):
    team.imported(LOCAL, "mine", team.make("m1", set="mine"), team.make("m2", set="mine"))
    team.edit(LOCAL, "m1", topic="locks")
    assert team.questions.retire(["m1", "m2"]) == 1
    assert [q.id for q in team.questions.page(_in("mine"), limit=9, offset=0)] == ["m1"]
    assert team.review.entry(LOCAL, "m1").why == ("gone",)
    team.review.settle(LOCAL, "m1", stamp=stamp(team, "m1"))
    assert team.questions.retire(["m1"]) == 0
    assert waiting(team, LOCAL) == []
    team.edit(LOCAL, "m1", topic="mutexes")
    assert waiting(team, LOCAL) == []


def _in(name):
    from interviewer.storage.questions import Filter

    return Filter((name,))


def test_merging_keeps_one_and_leads_from_the_other(reds):
    for question_id in ("r1", "r2"):
        reds.publish(reds.lea, question_id)
    reds.review.merge(reds.lea, "r1", "r2")
    assert reds.questions.current_id("r2") == "r1"
    assert reds.questions.get("r2").id == "r2"
    assert reds.review.entry(reds.lea, "r2").stored.question.id == "r1"
    reds.imported(reds.ann, "reds", reds.make("r2", set="reds", question={"en": "Ask r2 anew"}))
    assert [q.id for q in reds.questions.page(_in("reds"), limit=9, offset=0)] == ["r1"]
    with pytest.raises(ConflictError):
        reds.review.merge(reds.lea, "r2", "r1")
    with pytest.raises(ConflictError):
        reds.review.merge(reds.lea, "r1", "b1")


def test_a_chain_of_merges_leads_to_its_end(team):
    team.imported(LOCAL, "mine", *(team.make(id, set="mine") for id in ("m1", "m2", "m3")))
    team.review.merge(LOCAL, "m2", "m1")
    team.review.merge(LOCAL, "m3", "m2")
    assert team.questions.current_id("m1") == "m3"


def test_a_restored_version_is_a_new_one(team):
    team.edit(team.lea, "b1", topic="locks")
    team.review.restore(team.olga, "b1", 1, stamp=stamp(team, "b1"))
    assert team.questions.get("b1").topic == "training"
    newest = team.review.versions(team.lea, "b1")[0]
    assert (newest.number, newest.author, newest.reason) == (3, "Olga", "restore 1")
    with pytest.raises(NotFoundError):
        team.review.restore(team.olga, "b1", 9, stamp=stamp(team, "b1"))


def test_who_was_slower_is_told_and_overwrites_nothing(team):
    old = stamp(team, "b1")
    team.edit(team.lea, "b1", topic="locks")
    values = fields(team.questions.get("b1")) | {("topic",): "mine"}
    with pytest.raises(ConflictError, match="in the meantime"):
        team.review.save(team.olga, "b1", values, stamp=old)
    assert team.questions.get("b1").topic == "locks"


def test_every_fault_is_named_by_its_field_and_nothing_is_kept(team):
    values = fields(team.questions.get("b1"))
    values |= {("topic",): "", ("difficulty",): 9, ("points", "sum", "weight"): 0, ("kind",): "riddle"}
    values |= {("question", "en"): "x" * 6000, ("points", "sum", "aliases", "en"): ["a" * 300]}
    values |= {("misconceptions",): [{"text": {"en": "a"}, "correction": {}, "point": None}]}
    with pytest.raises(EditError) as caught:
        team.review.save(team.lea, "b1", values, stamp=stamp(team, "b1"))
    assert {(".".join(f.path), f.fault) for f in caught.value.faults} == {
        ("topic", "empty"),
        ("difficulty", "number"),
        ("kind", "unknown"),
        ("points.sum.weight", "number"),
        ("question.en", "long"),
        ("points.sum.aliases.en", "long"),
        ("misconceptions.0", "pair"),
    }
    assert len(team.review.versions(team.lea, "b1")) == 1


def test_publishing_all_clean_ones_leaves_those_something_was_reported_about(reds):
    report = {
        "problems": [
            {"kind": "too_short", "detail": "short", "question": "r1", "other": ""},
            {"kind": "left_out", "detail": "no question", "question": "", "other": ""},
        ]
    }
    reds.questions.save_document("reds", "doc.md", "0", "qa", report, None)
    (entry, clean) = reds.review.queue(reds.lea, "reds", limit=9).entries
    assert [t.kind for t in entry.troubles] == ["too_short"]
    assert clean.clean
    assert reds.review.publish_clean(reds.lea, "reds") == 1
    assert waiting(reds, reds.lea) == ["r1"]


def test_alike_questions_stand_with_both_until_one_is_gone(reds):
    pair = {"kind": "similar_meaning", "detail": "alike", "question": "r2", "other": "r1"}
    reds.questions.save_document("reds", "doc.md", "0", "qa", {"problems": [pair]}, None)
    first, second = reds.review.queue(reds.lea, limit=9).entries
    assert (first.troubles[0].other, second.troubles[0].other) == ("r2", "r1")
    reds.review.merge(reds.lea, "r1", "r2")
    (left,) = reds.review.queue(reds.lea, limit=9).entries
    assert left.troubles == ()


def test_two_thousand_waiting_questions_are_paged_and_published_in_seconds(team):
    from time import perf_counter

    made = [
        team.make(f"n{i:04}", set="big", question={"en": f"Ask {i}"}, points=[Point(id="p", text={"en": "t"})])
        for i in range(2000)
    ]
    team.imported(team.olga, "big", *made, visibility="everyone")
    start = perf_counter()
    page = team.review.queue(team.olga, limit=50, offset=1000)
    paged = perf_counter() - start
    assert (page.total, page.entries[0].stored.question.id) == (2000, "n1000")
    assert paged < 2
    assert team.review.publish_clean(team.olga, "big") == 2000
    assert team.questions.count(_in("big")) == 2000


def test_a_private_set_is_used_at_once_and_edited_by_its_owner(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    team.edit(team.ann, "a1", topic="locks")
    assert team.questions.get("a1").topic == "locks"
    assert waiting(team, team.ann) == []
