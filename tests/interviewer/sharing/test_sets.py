"""Sets: names are shared, who sees what, deleting."""

import pytest

from interviewer.accounts.person import LOCAL, Person
from interviewer.errors import AccessError, ConflictError, InterviewerError, NotFoundError
from interviewer.sharing.sets import ImportTarget


def names(team, person):
    return [view.set.name for view in team.sets.all(person)]


def test_the_store_and_the_rule_agree_on_what_may_be_read(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    team.imported(team.ann, "reds", team.make("r1", set="reds"), visibility="cohort")
    team.imported(team.olga, "all", team.make("e1", set="all"), visibility="everyone")
    expected = {
        "ann": {"bank", "anns", "reds", "all"},
        "ben": {"bank", "reds", "all"},
        "lea": {"bank", "reds", "all"},
        "max": {"bank", "all"},
        "olga": {"bank", "all"},
    }
    for who, sets in expected.items():
        person = getattr(team, who)
        assert team.set_store.readable(person).sets == sets
        assert team.set_store.readable_by(person.id).sets == sets
    assert team.set_store.readable_by("nobody").sets == {"bank", "all"}
    assert team.set_store.readable(LOCAL).sets is None


def test_a_name_taken_by_another_is_refused_with_the_next_step_and_tells_nothing_more(team):
    team.imported(team.ann, "notes", team.make("a1", set="notes"))
    for target in (ImportTarget(set="notes"), ImportTarget(set=" notes ", visibility="cohort")):
        with pytest.raises(AccessError, match="belongs to a set") as caught:
            team.sets.open(team.ben, target)
        assert caught.value.next_step == "Import under another name."
        assert "Ann" not in str(caught.value)
    assert team.sets.get(team.ann, "notes").owner == "ann"


@pytest.mark.parametrize("name", ["", "  ", "bank", "\u200b", "x" * 81])
def test_a_name_that_is_none_is_refused(team, name):
    with pytest.raises(ConflictError, match="can't be used"):
        team.sets.open(team.olga, ImportTarget(set=name))


def test_another_choice_of_readers_than_the_set_has_is_not_passed_over(team):
    team.imported(team.ann, "notes", team.make("a1", set="notes"))
    with pytest.raises(ConflictError, match="others see it"):
        team.sets.open(team.ann, ImportTarget(set="notes", visibility="everyone"))
    assert team.sets.open(team.ann, ImportTarget(set="notes", visibility="private")).visibility == "private"


def test_source_and_licence_are_kept_bounded_and_not_emptied_by_the_next_import(team):
    team.sets.open(team.ann, ImportTarget(set="notes", source="x" * 5000, licence="CC-BY 4.0\u202e"))
    known = team.sets.open(team.ann, ImportTarget(set="notes"))
    assert (len(known.source), known.licence) == (2000, "CC-BY 4.0")
    team.sets.describe(team.ann, "notes", source="a book", licence="")
    known = team.sets.get(team.ann, "notes")
    assert (known.source, known.licence) == ("a book", "")


def test_what_is_anothers_is_not_there_for_any_action(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    for person in (team.ben, team.lea, team.olga):
        assert "anns" not in names(team, person)
        for act in (
            lambda p=person: team.sets.view(p, "anns"),
            lambda p=person: team.sets.delete(p, "anns"),
            lambda p=person: team.sets.show_to(p, "anns", "everyone"),
            lambda p=person: team.sets.describe(p, "anns", source="x", licence="y"),
        ):
            with pytest.raises(NotFoundError):
                act()


def test_a_reader_may_not_change_a_set(team):
    team.imported(team.olga, "all", team.make("e1", set="all"), visibility="everyone")
    for person in (team.ann, team.lea, team.max):
        for act in (
            lambda p=person: team.sets.delete(p, "all"),
            lambda p=person: team.sets.show_to(p, "all", "private"),
            lambda p=person: team.sets.open(p, ImportTarget(set="all")),
        ):
            with pytest.raises(AccessError):
                act()


def test_showing_a_set_to_more_than_its_owner_decides_about_has_it_wait_for_review(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    team.changed.clear()
    team.sets.show_to(team.ann, "anns", "cohort")
    assert team.changed == ["a1"]
    assert team.questions.get("a1") is None
    assert "anns" not in names(team, team.ben)
    assert team.review.queue(team.lea, limit=10).total == 1


def test_a_lead_shows_an_own_set_at_once(team):
    team.imported(team.lea, "leas", team.make("l1", set="leas"))
    team.sets.show_to(team.lea, "leas", "cohort")
    assert "leas" in names(team, team.ben)
    assert "leas" not in names(team, team.max)
    team.sets.show_to(team.lea, "leas", "private")
    assert "leas" not in names(team, team.ben)


def test_a_lead_may_not_carry_a_members_set_off(team):
    team.imported(team.ann, "reds", team.make("r1", set="reds"), visibility="cohort")
    with pytest.raises(AccessError):
        team.sets.show_to(team.lea, "reds", "private")
    with pytest.raises(AccessError):
        team.sets.show_to(team.lea, "reds", "everyone")


def test_who_has_no_cohort_cannot_show_to_one(team):
    team.imported(team.olga, "olgas", team.make("o1", set="olgas"))
    with pytest.raises(AccessError, match="no cohort"):
        team.sets.show_to(team.olga, "olgas", "cohort")
    assert team.sets.get(team.olga, "olgas").visibility == "private"


def test_a_deleted_set_is_gone_with_its_questions_and_frees_its_name(team):
    team.imported(team.ann, "anns", team.make("a1", set="anns"))
    team.sets.delete(team.ann, "anns")
    assert "anns" not in names(team, team.ann)
    assert team.edits.get("a1") is None
    assert team.edits.versions("a1") == ()
    team.imported(team.ben, "anns", team.make("a2", set="anns"))
    assert names(team, team.ben) == ["bank", "anns"]


def test_nobody_deletes_or_hides_the_bank(team):
    for person in (team.olga, team.lea, LOCAL):
        with pytest.raises(InterviewerError):
            team.sets.delete(person, "bank")
        with pytest.raises(InterviewerError):
            team.sets.show_to(person, "bank", "private")
    assert team.questions.get("b1") is not None


def test_at_home_a_set_is_used_at_once_and_the_person_need_not_exist(tmp_path, clock, question):
    from interviewer.sharing.rights import is_reviewed
    from interviewer.sharing.sets import Sets
    from interviewer.storage.sets import SetStore
    from tests.databases import open_database

    sets = Sets(SetStore(open_database(f"sqlite:///{tmp_path / 'home.sqlite3'}")), clock)
    known = sets.open(LOCAL, ImportTarget(set="mine", visibility="everyone"))
    assert not is_reviewed(LOCAL, known)
    assert sets.view(LOCAL, "mine").reviews


def test_a_cohort_that_is_deleted_leaves_its_sets_to_their_owners(team):
    from sqlalchemy import delete

    from interviewer.storage import tables as t

    team.imported(team.lea, "reds", team.make("r1", set="reds"), visibility="cohort")
    with team.database.write() as connection:
        connection.execute(delete(t.cohorts).where(t.cohorts.c.id == "red"))
    nobody = Person(id="x", cohort=None)
    assert not team.set_store.readable(nobody).allows("reds")
    assert not team.set_store.readable(team.ben).allows("reds")
    assert team.set_store.readable(team.lea).allows("reds")
