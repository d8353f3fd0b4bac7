"""Links work once, for a time, for what they were made for, and keep their token to themselves."""

import pytest

from interviewer.accounts.errors import BadLinkError, ForbiddenError, MissingError, RefusedError, TakenError
from interviewer.accounts.keys import hash_of
from interviewer.accounts.person import LOCAL
from interviewer.accounts.rules import OPERATOR
from interviewer.interview.events import Started
from interviewer.models import Plan, PlannedQuestion, PlanRequest
from interviewer.storage.interviews import InterviewStore
from tests.interviewer.accounts.conftest import PASSWORD


def everything_stored(database) -> str:
    with database.read() as connection:
        return "\n".join(connection.connection.driver_connection.iterdump())


def new_interview(database, now, user_id):
    plan = Plan(request=PlanRequest(), questions=(PlannedQuestion(question_id="q1", topic="training", why="new"),))
    return InterviewStore(database, now).create(user_id, [Started(at=now(), plan=plan)])


def test_the_first_owner_takes_over_what_the_local_person_has(accounts, database, now):
    interview = new_interview(database, now, LOCAL.id)
    link = accounts.links.owner_link()
    owner = accounts.links.accept(link.token, login="ann", name="Ann", password=PASSWORD)
    assert owner.role == "owner"
    assert owner.team
    assert InterviewStore(database, now).load(owner.id, interview)


def test_an_owner_link_is_for_the_first_owner_only(accounts):
    first, second = accounts.links.owner_link(), accounts.links.owner_link()
    accounts.links.accept(first.token, login="ann", name="Ann", password=PASSWORD)
    with pytest.raises(BadLinkError):
        accounts.links.look_at(second.token)
    with pytest.raises(BadLinkError):
        accounts.links.accept(second.token, login="eve", name="Eve", password=PASSWORD)
    with pytest.raises(TakenError):
        accounts.links.owner_link()


def test_at_home_the_owner_takes_a_login_and_then_can_invite(accounts):
    with pytest.raises(ForbiddenError, match="no login yet"):
        accounts.links.invite(LOCAL)
    ann = accounts.links.claim(LOCAL, login="ann", name="Ann", password=PASSWORD)
    assert (ann.id, ann.role) == (LOCAL.id, "owner")
    assert accounts.links.invite(ann).token
    with pytest.raises(ForbiddenError):
        accounts.links.invite(LOCAL.model_copy(update={"id": "other"}))
    with pytest.raises(TakenError):
        accounts.links.claim(LOCAL, login="eve", name="Eve", password=PASSWORD)


def test_nobody_but_the_local_person_claims_the_home(accounts):
    with pytest.raises(TakenError):
        accounts.links.claim(OPERATOR, login="eve", name="Eve", password=PASSWORD)


def test_the_command_line_cannot_invite_before_there_is_an_owner(accounts):
    with pytest.raises(ForbiddenError, match="no owner yet"):
        accounts.links.invite(OPERATOR)


def test_an_invitation_gives_the_role_and_cohort_it_was_made_with(team):
    assert (team.lee.role, team.lee.cohort) == ("lead", team.red)
    assert (team.may.role, team.may.cohort) == ("member", team.red)


def test_a_used_invitation_is_worthless(accounts, owner):
    token = accounts.links.invite(owner).token
    accounts.links.accept(token, login="may", name="May", password=PASSWORD)
    with pytest.raises(BadLinkError):
        accounts.links.accept(token, login="eve", name="Eve", password=PASSWORD)
    with pytest.raises(BadLinkError):
        accounts.links.look_at(token)


def test_an_invitation_lasts_seven_days(accounts, owner, now):
    token = accounts.links.invite(owner).token
    now.forward(days=7, seconds=-1)
    assert accounts.links.look_at(token).kind == "invite"
    now.forward(seconds=1)
    with pytest.raises(BadLinkError):
        accounts.links.accept(token, login="may", name="May", password=PASSWORD)


def test_a_taken_login_or_a_bad_password_leaves_the_invitation_open(accounts, owner):
    token = accounts.links.invite(owner).token
    with pytest.raises(TakenError, match="login"):
        accounts.links.accept(token, login=" ANN ", name="May", password=PASSWORD)
    with pytest.raises(RefusedError):
        accounts.links.accept(token, login="may", name="May", password="short")
    assert accounts.links.accept(token, login="may", name="May", password=PASSWORD).name == "May"


@pytest.mark.parametrize("token", ["", "x", "\ud800", "' OR 1=1 --", "x" * 10_000])
def test_made_up_tokens_open_nothing(accounts, owner, token):
    with pytest.raises(BadLinkError):
        accounts.links.look_at(token)
    with pytest.raises(BadLinkError):
        accounts.links.accept(token, login="eve", name="Eve", password=PASSWORD)
    with pytest.raises(BadLinkError):
        accounts.links.reset(token, PASSWORD)


def test_what_is_stored_of_a_link_does_not_open_it(accounts, owner, database):
    new = accounts.links.invite(owner)
    stored = everything_stored(database)
    assert new.token not in stored
    assert hash_of(new.token) in stored
    for known in (hash_of(new.token), new.link.id):
        with pytest.raises(BadLinkError):
            accounts.links.look_at(known)


@pytest.mark.parametrize("who", ["lee", "may"])
def test_who_is_no_owner_makes_lists_and_revokes_no_link(accounts, team, who):
    person = getattr(team, who)
    link = accounts.links.invite(team.ann).link
    for call in (
        lambda: accounts.links.invite(person),
        lambda: accounts.links.invite(person.model_copy(update={"role": "owner"})),
        lambda: accounts.links.reset_link(person, team.bo.id),
        lambda: accounts.links.open(person),
        lambda: accounts.links.revoke(person, link.id),
    ):
        with pytest.raises(ForbiddenError):
            call()


def test_open_links_are_listed_and_can_be_revoked(accounts, owner, now):
    old = accounts.links.invite(owner)
    now.forward(minutes=1)
    new = accounts.links.invite(owner, "lead")
    assert [link.id for link in accounts.links.open(owner)] == [new.link.id, old.link.id]
    accounts.links.revoke(owner, old.link.id)
    with pytest.raises(BadLinkError):
        accounts.links.look_at(old.token)
    with pytest.raises(MissingError):
        accounts.links.revoke(owner, old.link.id)
    assert [link.role for link in accounts.links.open(owner)] == ["lead"]


@pytest.mark.parametrize("id", ["", "%", "_" * 16])
def test_revoking_takes_no_pattern(accounts, owner, id):
    accounts.links.invite(owner)
    with pytest.raises(MissingError):
        accounts.links.revoke(owner, id)


@pytest.mark.parametrize("lost", ["set_role", "disable", "delete"])
def test_links_of_somebody_who_is_no_owner_any_more_stop_working(accounts, owner, join, lost):
    eve = join("eve", "owner")
    token = accounts.links.invite(eve, "owner").token
    if lost == "set_role":
        accounts.people.set_role(owner, eve.id, "member")
    else:
        getattr(accounts.people, lost)(owner, eve.id)
    with pytest.raises(BadLinkError):
        accounts.links.accept(token, login="eve2", name="Eve", password=PASSWORD)


def test_an_unknown_role_or_cohort_is_no_invitation(accounts, owner):
    with pytest.raises(MissingError):
        accounts.links.invite(owner, "king")
    with pytest.raises(MissingError):
        accounts.links.invite(owner, "member", "nowhere")


def test_a_reset_link_sets_the_password_once_and_signs_out_everywhere(accounts, team, sign_in):
    before = sign_in("may")
    token = accounts.links.reset_link(team.ann, team.may.id).token
    assert accounts.links.look_at(token).user_id == team.may.id
    assert accounts.links.reset(token, "another unlikely phrase").id == team.may.id
    assert accounts.sign_ins.person_of(before) is None
    assert sign_in("may", "another unlikely phrase")
    with pytest.raises(BadLinkError):
        accounts.links.reset(token, PASSWORD)


def test_a_reset_link_lasts_a_day_and_only_the_newest_works(accounts, team, now):
    first = accounts.links.reset_link(team.ann, team.may.id).token
    second = accounts.links.reset_link(team.ann, team.may.id).token
    with pytest.raises(BadLinkError):
        accounts.links.reset(first, PASSWORD)
    now.forward(hours=24)
    with pytest.raises(BadLinkError):
        accounts.links.reset(second, PASSWORD)


def test_a_reset_link_creates_nobody_and_an_invitation_resets_nothing(accounts, team):
    reset = accounts.links.reset_link(team.ann, team.may.id).token
    with pytest.raises(BadLinkError):
        accounts.links.accept(reset, login="eve", name="Eve", password=PASSWORD)
    assert accounts.links.look_at(reset).kind == "reset"
    with pytest.raises(BadLinkError):
        accounts.links.reset(accounts.links.invite(team.ann).token, PASSWORD)


def test_a_reset_with_a_bad_password_leaves_the_link_open(accounts, team):
    token = accounts.links.reset_link(team.ann, team.may.id).token
    with pytest.raises(RefusedError):
        accounts.links.reset(token, "short")
    assert accounts.links.reset(token, "another unlikely phrase")


def test_the_disabled_cannot_be_reset(accounts, team):
    token = accounts.links.reset_link(team.ann, team.may.id).token
    accounts.people.disable(team.ann, team.may.id)
    with pytest.raises(BadLinkError):
        accounts.links.reset(token, PASSWORD)
    with pytest.raises(RefusedError):
        accounts.links.reset_link(team.ann, team.may.id)


def test_deleting_a_cohort_cancels_its_invitations_only(accounts, team):
    red = accounts.links.invite(team.ann, "member", team.red).token
    blue = accounts.links.invite(team.ann, "member", team.blue).token
    accounts.cohorts.delete(team.ann, team.red)
    with pytest.raises(BadLinkError):
        accounts.links.accept(red, login="eve", name="Eve", password=PASSWORD)
    assert accounts.links.look_at(blue).cohort == team.blue


def test_names_and_logins_are_kept_without_control_characters(accounts, owner):
    token = accounts.links.invite(owner).token
    may = accounts.links.accept(token, login="  May@X.example ", name="M\u202ea\x00y\n B.", password=PASSWORD)
    assert may.name == "May B."
    assert accounts.people.me(may).login == "may@x.example"
