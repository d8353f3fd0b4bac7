"""Owners manage people, leads see names in their cohort, everybody else only themselves."""

from datetime import timedelta

import pytest
from sqlalchemy import JSON, Float, Integer, insert, select

from interviewer.accounts.errors import ForbiddenError, MissingError, RefusedError, TakenError, WrongSignInError
from interviewer.accounts.person import LOCAL, Person
from interviewer.accounts.rules import OPERATOR
from interviewer.interview.events import Started
from interviewer.models import Plan, PlannedQuestion, PlanRequest
from interviewer.storage import tables as t
from interviewer.storage.interviews import InterviewStore
from tests.interviewer.accounts.conftest import PASSWORD
from tests.interviewer.conftest import make_question

NOBODY = Person(id="nobody", name="Nobody", role="owner")


def names(accounts):
    return [account.name for account in accounts]


def test_owners_see_everybody_by_name(accounts, team):
    assert names(accounts.people.all(team.ann)) == ["Ann", "Bo1", "Lee", "Lou", "May"]
    assert names(accounts.people.all(OPERATOR)) == ["Ann", "Bo1", "Lee", "Lou", "May"]


def test_owners_see_when_somebody_was_there_last(accounts, team, sign_in, now):
    sign_in("may")
    now.forward(hours=1)
    accounts.sign_ins.person_of(sign_in("may"))
    sign_in("bo1")
    now.forward(hours=1)
    assert accounts.people.seen(team.ann) == {
        team.may.id: now() - timedelta(hours=1),
        team.bo.id: now() - timedelta(hours=1),
    }


@pytest.mark.parametrize("who", ["lee", "may", "nobody", "local"])
@pytest.mark.parametrize("claims", ["as they are", "as an owner"])
def test_nobody_else_manages_anybody(accounts, team, who, claims):
    person = {"nobody": NOBODY, "local": LOCAL}.get(who) or getattr(team, who)
    if claims == "as an owner":
        person = person.model_copy(update={"role": "owner"})
    if who == "local":
        person = person.model_copy(update={"id": "local2"})
    people, bo = accounts.people, team.bo.id
    for call in (
        lambda: people.all(person),
        lambda: people.seen(person),
        lambda: people.set_role(person, bo, "owner"),
        lambda: people.set_role(person, person.id, "owner"),
        lambda: people.set_cohort(person, bo, team.red),
        lambda: people.set_cohort(person, person.id, team.blue),
        lambda: people.rename(person, bo, "Eve"),
        lambda: people.disable(person, bo),
        lambda: people.enable(person, bo),
        lambda: people.delete(person, bo),
    ):
        with pytest.raises(ForbiddenError):
            call()
    assert accounts.people.me(team.bo).name == "Bo1"


def test_the_role_in_the_database_counts_not_the_one_a_request_began_with(accounts, team):
    accounts.people.set_role(team.ann, team.lee.id, "owner")
    lee = accounts.people.me(team.lee).person
    accounts.people.set_role(team.ann, team.lee.id, "member")
    with pytest.raises(ForbiddenError):
        accounts.people.set_role(lee, lee.id, "owner")
    accounts.people.set_role(team.ann, team.lee.id, "owner")
    accounts.people.disable(team.ann, team.lee.id)
    with pytest.raises(ForbiddenError):
        accounts.people.all(lee)


def test_leads_see_the_names_of_their_own_cohort(accounts, team):
    assert names(accounts.people.in_cohort(team.lee, team.red)) == ["Lee", "May"]
    assert names(accounts.people.in_cohort(team.ann, team.blue)) == ["Bo1", "Lou"]


@pytest.mark.parametrize(("who", "cohort"), [("lee", "blue"), ("may", "red"), ("may", "blue"), ("lou", "red")])
def test_another_cohort_is_not_there(accounts, team, who, cohort):
    person = getattr(team, who)
    for claimed in (person, person.model_copy(update={"role": "owner", "cohort": getattr(team, cohort)})):
        with pytest.raises(MissingError):
            accounts.people.in_cohort(claimed, getattr(team, cohort))


def test_a_lead_who_left_the_cohort_no_longer_sees_it(accounts, team):
    accounts.people.set_cohort(team.ann, team.lee.id, None)
    with pytest.raises(MissingError):
        accounts.people.in_cohort(team.lee, team.red)


def test_a_disabled_lead_no_longer_sees_it(accounts, team):
    accounts.people.disable(team.ann, team.lee.id)
    with pytest.raises(MissingError):
        accounts.people.in_cohort(team.lee, team.red)


def test_who_is_no_person_or_cohort_is_missing(accounts, team):
    for call in (
        lambda: accounts.people.set_role(team.ann, "nobody", "lead"),
        lambda: accounts.people.set_role(team.ann, team.may.id, "king"),
        lambda: accounts.people.set_cohort(team.ann, team.may.id, "nowhere"),
        lambda: accounts.people.delete(team.ann, "nobody"),
        lambda: accounts.people.in_cohort(team.ann, "nowhere"),
    ):
        with pytest.raises(MissingError):
            call()


def test_everybody_renames_themself_and_owners_anybody(accounts, team):
    accounts.people.rename(team.may, team.may.id, "May B.")
    accounts.people.rename(team.ann, team.bo.id, "Bo C.")
    assert accounts.people.me(team.may).name == "May B."
    assert accounts.people.me(team.bo).name == "Bo C."
    with pytest.raises(RefusedError):
        accounts.people.rename(team.may, team.may.id, "\u202e")


def test_the_last_owner_stays_one(accounts, team):
    for call in (
        lambda: accounts.people.set_role(team.ann, team.ann.id, "lead"),
        lambda: accounts.people.disable(team.ann, team.ann.id),
        lambda: accounts.people.delete(team.ann, team.ann.id),
        lambda: accounts.people.delete(OPERATOR, team.ann.id),
    ):
        with pytest.raises(TakenError, match="last owner"):
            call()


def test_a_disabled_owner_does_not_count_as_one(accounts, team):
    accounts.people.set_role(team.ann, team.lee.id, "owner")
    accounts.people.disable(team.ann, team.lee.id)
    with pytest.raises(TakenError):
        accounts.people.set_role(team.ann, team.ann.id, "member")
    accounts.people.enable(team.ann, team.lee.id)
    accounts.people.set_role(team.ann, team.ann.id, "member")
    with pytest.raises(ForbiddenError):
        accounts.people.all(team.ann)


OWN = [
    table
    for table in t.metadata.sorted_tables
    if "user_id" in table.c and any(key.ondelete == "CASCADE" for key in table.c.user_id.foreign_keys)
]
"""Every table whose rows go with their person, also those that are added one day."""


def some_value(column, now):
    if isinstance(column.type, Integer | Float):
        return 1
    if isinstance(column.type, JSON):
        return {}
    return now() if isinstance(column.type, t.Moment) else f"{column.name} x"


def fill(database, now, user_id):
    """A row of theirs in every table, and two sets; gives the id of their interview."""
    plan = Plan(request=PlanRequest(), questions=(PlannedQuestion(question_id="q1", topic="training", why="new"),))
    interview = InterviewStore(database, now).create(user_id, [Started(at=now(), plan=plan)])
    cohort, assignment = f"c{user_id}"[:32], f"a{user_id}"[:32]
    targets = {"users.id": user_id, "interviews.id": interview, "cohorts.id": cohort, "assignments.id": assignment}
    with database.write() as connection:

        def add(table, **given):
            linked = {c.name: targets.get(key.target_fullname) for c in table.c for key in c.foreign_keys}
            values = {c.name: some_value(c, now) for c in table.c if not c.nullable and c.name not in linked}
            connection.execute(insert(table).values(values | linked | given))

        add(t.cohorts, id=cohort, name=cohort)
        add(t.assignments, id=assignment)
        for table in OWN:
            if table not in (t.interviews, t.events):
                number = {
                    c.name: user_id for c in table.primary_key if not c.foreign_keys and c.type.python_type is str
                }
                add(table, **number | ({"id": user_id} if "id" in table.c else {}))
        for visibility in ("private", "everyone"):
            name = f"{visibility}-{user_id}"
            add(t.question_sets, name=name, visibility=visibility, cohort_id=None)
            content = make_question(name).model_dump(mode="json")
            add(t.questions, id=name, set=name, zh=True, en=True, retired=False, content=content)
    return interview


def rows_of(database, user_id):
    """How many rows are theirs, by table."""
    with database.read() as connection:
        return {
            table.name: len(connection.execute(select(table).where(table.c.user_id == user_id)).all()) for table in OWN
        }


def sets_left(database):
    with database.read() as connection:
        return set(connection.scalars(select(t.questions.c.set)))


def test_deleting_a_person_deletes_everything_theirs_and_nothing_of_others(accounts, team, database, now, sign_in):
    for person in (team.may, team.bo):
        fill(database, now, person.id)
    before = rows_of(database, team.bo.id)
    assert all(before.values())
    assert rows_of(database, team.may.id) == before
    accounts.people.delete(team.ann, team.may.id)
    assert set(rows_of(database, team.may.id).values()) == {0}
    assert rows_of(database, team.bo.id) == before
    assert sets_left(database) == {f"everyone-{team.may.id}", f"everyone-{team.bo.id}", f"private-{team.bo.id}"}
    assert accounts.people.me(team.may) is None
    with pytest.raises(WrongSignInError):
        sign_in("may")


def test_everybody_may_leave(accounts, team, database, now, sign_in):
    fill(database, now, team.may.id)
    token = sign_in("may")
    accounts.people.delete(team.may, team.may.id)
    assert accounts.sign_ins.person_of(token) is None
    assert set(rows_of(database, team.may.id).values()) == {0}


def test_a_login_is_free_again_once_its_person_is_gone(accounts, team, join, database, now):
    interview = fill(database, now, team.may.id)
    accounts.people.delete(team.ann, team.may.id)
    again = join("may")
    assert again.id != team.may.id
    assert InterviewStore(database, now).recent(again.id, limit=5) == ()
    assert interview


def test_clearing_keeps_the_account(accounts, team, database, now, sign_in):
    fill(database, now, team.ann.id)
    fill(database, now, team.may.id)
    accounts.people.clear(team.ann)
    left = {name for name, count in rows_of(database, team.ann.id).items() if count}
    assert left == {"sign_ins", "links"}
    assert sets_left(database) == {f"everyone-{team.ann.id}", f"everyone-{team.may.id}", f"private-{team.may.id}"}
    assert all(rows_of(database, team.may.id).values())
    assert sign_in("ann")


def test_the_person_at_home_can_clear_what_is_theirs(accounts, database, now):
    fill(database, now, LOCAL.id)
    accounts.people.clear(LOCAL)
    assert InterviewStore(database, now).recent(LOCAL.id, limit=5) == ()


def test_at_home_nobody_is_listed_and_nobody_signs_in(accounts, database, now):
    fill(database, now, LOCAL.id)
    assert accounts.people.me(LOCAL) is None
    assert not accounts.owned
    assert accounts.people.all(OPERATOR) == ()
    for call in (lambda: accounts.people.all(LOCAL), lambda: accounts.people.delete(LOCAL, "other")):
        with pytest.raises(ForbiddenError):
            call()
    with pytest.raises(MissingError):
        accounts.sign_ins.start(LOCAL)
    with pytest.raises(WrongSignInError):
        accounts.sign_ins.sign_in("local", PASSWORD, address="192.0.2.1")
