"""Cohorts are the owners' to keep."""

import pytest
from sqlalchemy import insert, select

from interviewer.accounts.errors import ForbiddenError, MissingError, RefusedError, TakenError
from interviewer.storage import tables as t


def test_cohorts_are_listed_with_how_many_are_in_them(accounts, team):
    assert [(c.name, c.people) for c in accounts.cohorts.all(team.ann)] == [("Blue", 2), ("Red", 2)]
    empty = accounts.cohorts.create(team.ann, "Green")
    assert (empty.name, empty.people) == ("Green", 0)
    assert len(accounts.cohorts.all(team.ann)) == 3


def test_names_are_unique_and_readable(accounts, team):
    with pytest.raises(TakenError, match="cohort with that name"):
        accounts.cohorts.create(team.ann, "Red")
    with pytest.raises(TakenError):
        accounts.cohorts.rename(team.ann, team.red, "Blue")
    with pytest.raises(RefusedError):
        accounts.cohorts.create(team.ann, " \x00 ")
    accounts.cohorts.rename(team.ann, team.red, "Crimson\u202e")
    assert accounts.cohorts.name_of(team.may) == "Crimson"


def test_who_is_no_owner_keeps_no_cohort(accounts, team):
    for person in (team.lee, team.may, team.lee.model_copy(update={"role": "owner"})):
        for call in (
            lambda person=person: accounts.cohorts.all(person),
            lambda person=person: accounts.cohorts.create(person, "Mine"),
            lambda person=person: accounts.cohorts.rename(person, team.red, "Mine"),
            lambda person=person: accounts.cohorts.delete(person, team.red),
        ):
            with pytest.raises(ForbiddenError):
                call()


def test_an_unknown_cohort_is_missing(accounts, team):
    with pytest.raises(MissingError):
        accounts.cohorts.rename(team.ann, "nowhere", "Name")
    with pytest.raises(MissingError):
        accounts.cohorts.delete(team.ann, "nowhere")


def test_a_deleted_cohort_leaves_its_people_and_shows_its_sets_to_nobody_new(accounts, team, database, now):
    with database.write() as connection:
        for name, cohort in (("r", team.red), ("b", team.blue)):
            connection.execute(
                insert(t.question_sets).values(
                    name=name, owner_id=team.lee.id, visibility="cohort", cohort_id=cohort, created_at=now()
                )
            )
    accounts.cohorts.delete(team.ann, team.red)
    assert accounts.people.me(team.may).cohort is None
    assert accounts.people.me(team.bo).cohort == team.blue
    with database.read() as connection:
        rows = connection.execute(select(t.question_sets.c.name, t.question_sets.c.visibility)).all()
    assert set(rows) == {("r", "private"), ("b", "cohort")}
    with pytest.raises(MissingError):
        accounts.people.in_cohort(team.lee, team.red)
