"""An OpenID identity opens the account it belongs to, or the one an invitation makes; an address opens none."""

import pytest

from interviewer.accounts.errors import BadLinkError, ForbiddenError, MissingError, RefusedError, TakenError
from interviewer.accounts.person import LOCAL
from interviewer.accounts.values import Identity
from tests.interviewer.accounts.conftest import PASSWORD

ISSUER = "https://id.example"
ZOE = Identity(issuer=ISSUER, subject="zoe", email="zoe@elsewhere.example", verified=True, name="Zoe Z.")
CORP = Identity(issuer=ISSUER, subject="cor", email="cor@Corp.example", verified=True, name="Cor P.")


@pytest.fixture
def come(accounts):
    def come(identity, link_token=None):
        token = accounts.provider.sign_in_with(identity, link_token=link_token, browser="Firefox")
        return accounts.sign_ins.person_of(token)

    return come


def test_an_invitation_brought_along_makes_the_account_and_later_the_identity_is_enough(accounts, team, come):
    invitation = accounts.links.invite(team.ann, "lead", team.red).token
    zoe = come(ZOE, invitation)
    assert (zoe.name, zoe.role, zoe.cohort) == ("Zoe Z.", "lead", team.red)
    assert come(ZOE).id == zoe.id
    with pytest.raises(BadLinkError):
        come(CORP, invitation)


def test_the_owner_link_makes_the_owner_of_what_is_there(accounts, come):
    zoe = come(ZOE, accounts.links.owner_link().token)
    assert (zoe.id, zoe.role) == (LOCAL.id, "owner")
    assert accounts.team


def test_without_invitation_or_domain_nobody_comes_in(accounts, team, come):
    with pytest.raises(RefusedError, match="no account here yet") as raised:
        come(ZOE)
    assert "邀请" in raised.value.said("zh").next_step
    assert len(accounts.people.all(team.ann)) == 5


def test_a_verified_address_of_a_let_in_domain_makes_a_member(accounts, team, come):
    cor = come(CORP)
    assert (cor.role, cor.cohort, cor.name) == ("member", None, "Cor P.")
    assert come(CORP).id == cor.id


@pytest.mark.parametrize(
    "changes",
    [
        {"verified": False},
        {"email": "cor@corp.example.evil.example"},
        {"email": "cor@evilcorp.example"},
        {"email": "cor@evil.example@corp.example"},
        {"email": "@corp.example"},
        {"email": "corp.example"},
        {"email": ""},
    ],
)
def test_nothing_but_a_verified_address_of_exactly_that_domain_does(accounts, team, come, changes):
    with pytest.raises(RefusedError):
        come(CORP.model_copy(update=changes))


def test_a_domain_does_not_let_anybody_in_before_the_owner(accounts, come):
    with pytest.raises(RefusedError):
        come(CORP)
    assert not accounts.owned


def test_an_address_never_opens_an_account_that_has_it_as_its_login(accounts, team, join, come):
    join("cor@corp.example")
    with pytest.raises(TakenError, match="connect the provider"):
        come(CORP)


def test_the_same_subject_at_another_provider_is_somebody_else(accounts, team, come):
    come(ZOE, accounts.links.invite(team.ann).token)
    with pytest.raises(RefusedError):
        come(ZOE.model_copy(update={"issuer": "https://evil.example"}))


@pytest.mark.parametrize(
    ("issuer", "subject"), [("", "zoe"), (ISSUER, ""), (f"{ISSUER} a", "b"), (ISSUER, "a b"), (ISSUER, "x" * 400)]
)
def test_an_identity_has_one_reading(accounts, team, come, issuer, subject):
    with pytest.raises(RefusedError, match="clearly enough"):
        come(ZOE.model_copy(update={"issuer": issuer, "subject": subject}), accounts.links.invite(team.ann).token)


def test_a_used_expired_or_reset_link_lets_nobody_in(accounts, team, come, now):
    reset = accounts.links.reset_link(team.ann, team.may.id).token
    invitation = accounts.links.invite(team.ann, "owner").token
    with pytest.raises(BadLinkError):
        come(ZOE, reset)
    now.forward(days=7)
    with pytest.raises(BadLinkError):
        come(ZOE, invitation)


def test_an_invitation_does_not_change_an_account_that_is_there(accounts, team, come):
    zoe = come(ZOE, accounts.links.invite(team.ann).token)
    second = accounts.links.invite(team.ann, "owner").token
    assert come(ZOE, second) == zoe
    assert accounts.links.look_at(second)


def test_the_disabled_do_not_come_in_this_way_either(accounts, team, come):
    zoe = come(ZOE, accounts.links.invite(team.ann).token)
    accounts.people.disable(team.ann, zoe.id)
    with pytest.raises(ForbiddenError, match="disabled"):
        come(ZOE)
    with pytest.raises(ForbiddenError):
        come(ZOE, accounts.links.invite(team.ann).token)


def test_who_is_signed_in_connects_an_identity_and_disconnects_it(accounts, team, come):
    accounts.provider.link_subject(team.may, ZOE)
    accounts.provider.link_subject(team.may, ZOE)
    assert come(ZOE) == team.may
    accounts.provider.unlink_subject(team.may)
    with pytest.raises(RefusedError):
        come(ZOE)


def test_an_identity_belongs_to_one_account(accounts, team, come):
    accounts.provider.link_subject(team.may, ZOE)
    with pytest.raises(TakenError):
        accounts.provider.link_subject(team.bo, ZOE)
    with pytest.raises(TakenError):
        accounts.provider.link_subject(team.may, CORP)
    assert come(ZOE) == team.may
    with pytest.raises(MissingError):
        accounts.provider.link_subject(LOCAL.model_copy(update={"id": "nobody"}), CORP)


def test_who_has_no_password_cannot_disconnect_be_reset_or_sign_in_with_one(accounts, team, come, sign_in):
    zoe = come(ZOE, accounts.links.invite(team.ann).token)
    with pytest.raises(RefusedError, match="no password"):
        accounts.provider.unlink_subject(zoe)
    with pytest.raises(RefusedError):
        accounts.links.reset_link(team.ann, zoe.id)
    for login in ("zoe", "zoe@elsewhere.example", zoe.id, ""):
        for password in (PASSWORD, ""):
            with pytest.raises(RefusedError):
                sign_in(login, password)


def test_what_a_provider_says_is_cleaned(accounts, team, come):
    odd = ZOE.model_copy(update={"name": "\u202eZ\x00oe " + "x" * 5000})
    zoe = come(odd, accounts.links.invite(team.ann).token)
    assert zoe.name.startswith("Zoe x")
    assert len(zoe.name) == 120
    nameless = CORP.model_copy(update={"name": "\u202e"})
    assert come(nameless).name == "cor@Corp.example"
