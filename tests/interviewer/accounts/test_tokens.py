"""API tokens are a person's own, do what they were made for, and end."""

import pytest

from interviewer.accounts.errors import MissingError, RefusedError
from interviewer.accounts.keys import hash_of
from interviewer.accounts.person import LOCAL
from interviewer.accounts.service import Accounts
from interviewer.accounts.values import SCOPES
from interviewer.storage.accounts import AccountStore
from tests.interviewer.accounts.conftest import PASSWORD


def test_a_token_stands_for_its_person_with_its_scopes(accounts, team):
    new = accounts.tokens.create(team.may, "backup", ["export:read", "reports:read"])
    person, scopes = accounts.tokens.person_of(new.secret)
    assert person == team.may
    assert scopes == {"export:read", "reports:read"}


def test_it_follows_its_persons_role_and_ends_with_them(accounts, team):
    secret = accounts.tokens.create(team.lee, "x", ["questions:write"]).secret
    accounts.people.set_role(team.ann, team.lee.id, "member")
    assert accounts.tokens.person_of(secret).person.role == "member"
    accounts.people.disable(team.ann, team.lee.id)
    assert accounts.tokens.person_of(secret) is None
    accounts.people.enable(team.ann, team.lee.id)
    assert accounts.tokens.person_of(secret)
    accounts.people.delete(team.ann, team.lee.id)
    assert accounts.tokens.person_of(secret) is None


def test_it_ends_when_it_said(accounts, team, now):
    secret = accounts.tokens.create(team.may, "x", SCOPES, days=2).secret
    now.forward(days=2, seconds=-1)
    assert accounts.tokens.person_of(secret)
    now.forward(seconds=1)
    assert accounts.tokens.person_of(secret) is None
    assert len(accounts.tokens.mine(team.may)) == 1


@pytest.mark.parametrize("days", [0, -1, 366])
def test_it_lasts_a_year_at_most(accounts, team, days):
    with pytest.raises(RefusedError, match="365"):
        accounts.tokens.create(team.may, "x", SCOPES, days=days)


@pytest.mark.parametrize("scopes", [[], ["people:write"], ["reports:read", "everything"]])
def test_only_scopes_there_are(accounts, team, scopes):
    with pytest.raises(RefusedError):
        accounts.tokens.create(team.may, "x", scopes)


def test_only_its_hash_is_stored(accounts, team, database):
    new = accounts.tokens.create(team.may, "x", SCOPES)
    with database.read() as connection:
        stored = "\n".join(connection.connection.driver_connection.iterdump())
    assert new.secret not in stored
    assert hash_of(new.secret) in stored
    for known in (hash_of(new.secret), new.token.id, new.secret[3:], "", "iv_"):
        assert accounts.tokens.person_of(known) is None


def test_nobody_sees_or_revokes_anothers(accounts, team):
    new = accounts.tokens.create(team.may, "x", SCOPES)
    for other in (team.lee, team.ann, team.bo):
        assert accounts.tokens.mine(other) == ()
        with pytest.raises(MissingError):
            accounts.tokens.revoke(other, new.token.id)
    assert accounts.tokens.person_of(new.secret)
    accounts.tokens.revoke(team.may, new.token.id)
    assert accounts.tokens.person_of(new.secret) is None


def test_nobody_without_an_account_has_one(accounts, team):
    with pytest.raises(MissingError):
        accounts.tokens.create(team.may.model_copy(update={"id": "nobody"}), "x", SCOPES)


def test_twenty_are_enough(accounts, team):
    for number in range(20):
        accounts.tokens.create(team.may, f"t{number}", SCOPES)
    with pytest.raises(RefusedError, match="20"):
        accounts.tokens.create(team.may, "more", SCOPES)
    assert accounts.tokens.create(team.bo, "x", SCOPES)


def test_when_it_was_used_is_noted_once_a_minute(accounts, team, now):
    secret = accounts.tokens.create(team.may, "x", SCOPES).secret
    seen = []
    for _ in range(4):
        now.forward(seconds=30)
        accounts.tokens.person_of(secret)
        seen.append(accounts.tokens.mine(team.may)[0].used_at)
    assert seen[0] == seen[1] < seen[2] == seen[3]


def test_a_password_is_no_sign_in_and_a_sign_in_no_api_token(accounts, team, sign_in):
    secret = accounts.tokens.create(team.may, "x", SCOPES).secret
    assert accounts.sign_ins.person_of(secret) is None
    assert accounts.tokens.person_of(sign_in("may")) is None
    assert accounts.tokens.person_of(accounts.links.invite(team.ann).token) is None


def test_at_home_a_token_is_the_local_persons_until_accounts_are_asked_for(database, now):
    store = AccountStore(database)
    home = Accounts(store, now=now)
    secret = home.tokens.create(LOCAL, "script", ["export:read"]).secret
    assert home.tokens.person_of(secret).person == LOCAL
    assert Accounts(store, team=True, now=now).tokens.person_of(secret) is None
    ann = home.links.claim(LOCAL, login="ann", name="Ann", password=PASSWORD)
    assert home.tokens.person_of(secret).person == ann
