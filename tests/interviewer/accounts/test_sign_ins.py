"""Signing in, staying signed in, and signing out."""

import pytest
from argon2 import PasswordHasher
from sqlalchemy import event

from interviewer.accounts.errors import ForbiddenError, MissingError, RefusedError, ThrottledError, WrongSignInError
from interviewer.accounts.keys import hash_of
from interviewer.accounts.passwords import Passwords
from interviewer.accounts.service import Accounts
from interviewer.storage.accounts import AccountStore
from tests.interviewer.accounts.conftest import PASSWORD, CountedHasher

NEW = "another unlikely phrase"


def statements(database, work):
    seen = []

    def note(_connection, _cursor, statement, *_rest):
        if not statement.startswith(("BEGIN", "PRAGMA")):
            seen.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    return seen


def test_the_right_password_signs_in_however_the_login_is_typed(accounts, team, sign_in):
    for login in ("may", " MAY ", "May"):
        assert accounts.sign_ins.person_of(sign_in(login)) == team.may


def test_unknown_and_wrong_say_and_cost_the_same(accounts, team, sign_in, hasher):
    told = []
    for login in ("may", "nobody", "\x00", ""):
        before = hasher.verified
        with pytest.raises(WrongSignInError) as raised:
            sign_in(login, "wrong password", address=f"192.0.2.{len(told)}")
        told.append((str(raised.value), hasher.verified - before))
    assert set(told) == {(told[0][0], 1)}


def test_the_first_login_of_a_process_costs_the_same_known_or_not():
    made = []
    for stored in (CountedHasher().hash(PASSWORD), None):
        hasher = CountedHasher()
        Passwords(hasher).check(stored, "wrong password")
        made.append((hasher.hashed, hasher.verified))
    assert made == [(1, 1), (1, 1)]


def test_nobodys_password_signs_nobody_in(accounts, team, sign_in):
    with pytest.raises(WrongSignInError):
        sign_in("nobody", "nobody has this password")


def test_a_password_far_too_long_is_wrong_and_still_costs_the_same(accounts, team, sign_in, hasher):
    before = hasher.verified
    with pytest.raises(WrongSignInError):
        sign_in("may", PASSWORD * 100_000)
    assert hasher.verified - before == 1


def test_a_made_up_token_is_nobody(accounts, team, sign_in):
    token = sign_in("may")
    for made_up in ("", "x", hash_of(token), token + " ", token.swapcase(), "\ud800"):
        assert accounts.sign_ins.person_of(made_up) is None


def test_neither_token_nor_password_is_stored(accounts, team, sign_in, database):
    token = sign_in("may")
    with database.read() as connection:
        stored = "\n".join(connection.connection.driver_connection.iterdump())
    assert token not in stored
    assert PASSWORD not in stored
    assert "$argon2id$" in stored


def test_a_sign_in_ends_after_thirty_days_however_often_it_is_used(accounts, team, sign_in, now):
    token = sign_in("may")
    for _ in range(29):
        now.forward(days=1)
        assert accounts.sign_ins.person_of(token)
    now.forward(days=1)
    assert accounts.sign_ins.person_of(token) is None


def test_a_sign_in_that_sleeps_seven_days_ends(accounts, team, sign_in, now):
    token = sign_in("may")
    now.forward(days=6, hours=23)
    assert accounts.sign_ins.person_of(token)
    now.forward(days=7)
    assert accounts.sign_ins.person_of(token) is None
    assert accounts.sign_ins.mine(team.may) == ()


def test_who_it_is_takes_one_query_and_a_write_a_minute(accounts, team, sign_in, database, now):
    token = sign_in("may")
    look = lambda: accounts.sign_ins.person_of(token)  # noqa: E731
    assert len(statements(database, look)) == 1
    now.forward(seconds=59)
    assert len(statements(database, look)) == 1
    now.forward(seconds=1)
    assert [s.split()[0] for s in statements(database, look)] == ["SELECT", "UPDATE"]
    assert len(statements(database, look)) == 1


def test_a_changed_role_cohort_and_name_count_at_once(accounts, team, sign_in):
    token = sign_in("lee")
    accounts.people.set_role(team.ann, team.lee.id, "member")
    accounts.people.set_cohort(team.ann, team.lee.id, team.blue)
    accounts.people.rename(team.ann, team.lee.id, "Lee B.")
    person = accounts.sign_ins.person_of(token)
    assert (person.role, person.cohort, person.name) == ("member", team.blue, "Lee B.")


def test_signing_out_ends_this_one_at_once(accounts, team, sign_in):
    here, there = sign_in("may"), sign_in("may")
    accounts.sign_ins.sign_out(here)
    assert accounts.sign_ins.person_of(here) is None
    assert accounts.sign_ins.person_of(there)


def test_signing_out_everywhere_ends_ones_own_only(accounts, team, sign_in):
    here, there, lees = sign_in("may"), sign_in("may"), sign_in("lee")
    accounts.sign_ins.sign_out_everywhere(team.may, but=here)
    assert accounts.sign_ins.person_of(here)
    assert accounts.sign_ins.person_of(there) is None
    accounts.sign_ins.sign_out_everywhere(team.may)
    assert accounts.sign_ins.person_of(here) is None
    assert accounts.sign_ins.person_of(lees) == team.lee


def test_my_sign_ins_name_browsers_and_mark_this_one(accounts, team, sign_in, now):
    sign_in("may", browser="Fire\u202efox\n" + "x" * 500)
    now.forward(minutes=5)
    token = sign_in("may", browser="Safari")
    sign_in("lee", browser="Lee's")
    mine = accounts.sign_ins.mine(team.may, token)
    assert [(s.browser[:8], s.current) for s in mine] == [("Safari", True), ("Firefox ", False)]
    assert max(len(s.browser) for s in mine) <= 200
    assert all(s.id not in (token, hash_of(token)) for s in mine)


def test_nobody_ends_anothers_sign_in(accounts, team, sign_in):
    token = sign_in("may")
    [mine] = accounts.sign_ins.mine(team.may)
    for other in (team.lee, team.ann):
        with pytest.raises(MissingError):
            accounts.sign_ins.end(other, mine.id)
    with pytest.raises(MissingError):
        accounts.sign_ins.end(team.may, "%")
    assert accounts.sign_ins.person_of(token)
    accounts.sign_ins.end(team.may, mine.id)
    assert accounts.sign_ins.person_of(token) is None


def test_a_changed_password_signs_out_everywhere(accounts, team, sign_in):
    token = sign_in("may")
    reset = accounts.links.reset_link(team.ann, team.may.id).token
    accounts.sign_ins.change_password(team.may, PASSWORD, NEW, address="192.0.2.1")
    assert accounts.sign_ins.person_of(token) is None
    assert sign_in("may", NEW)
    with pytest.raises(WrongSignInError):
        sign_in("may")
    with pytest.raises(RefusedError):
        accounts.links.look_at(reset)


def test_changing_a_password_takes_the_old_one_and_a_good_new_one(accounts, team, sign_in):
    token = sign_in("may")
    with pytest.raises(WrongSignInError):
        accounts.sign_ins.change_password(team.may, "wrong password", NEW, address="192.0.2.1")
    with pytest.raises(RefusedError):
        accounts.sign_ins.change_password(team.may, PASSWORD, "short", address="192.0.2.1")
    assert accounts.sign_ins.person_of(token)


def test_guessing_the_old_password_is_throttled_too(accounts, team):
    for _ in range(5):
        with pytest.raises(WrongSignInError):
            accounts.sign_ins.confirm(team.may, "wrong password", address="192.0.2.1")
    with pytest.raises(ThrottledError):
        accounts.sign_ins.change_password(team.may, PASSWORD, NEW, address="192.0.2.1")


def test_confirming_takes_the_own_password(accounts, team):
    assert accounts.sign_ins.confirm(team.may, PASSWORD, address="192.0.2.1") is None
    with pytest.raises(WrongSignInError):
        accounts.sign_ins.confirm(team.may, NEW, address="192.0.2.1")


def test_the_disabled_cannot_come_in_and_are_out_at_once(accounts, team, sign_in):
    token = sign_in("may")
    accounts.people.disable(team.ann, team.may.id)
    assert accounts.sign_ins.person_of(token) is None
    with pytest.raises(ForbiddenError, match="disabled"):
        sign_in("may")
    with pytest.raises(ForbiddenError):
        accounts.sign_ins.start(team.may)
    with pytest.raises(WrongSignInError):
        sign_in("may", "wrong password")
    accounts.people.enable(team.ann, team.may.id)
    assert accounts.sign_ins.person_of(token) is None
    assert sign_in("may")


def test_a_sign_in_that_outlived_the_disabling_is_worthless(accounts, team, sign_in, database, now):
    token, secret = sign_in("may"), accounts.tokens.create(team.may, "x", ["reports:read"]).secret
    with AccountStore(database).write() as rows:
        rows.change(team.may.id, disabled_at=now())
    assert accounts.sign_ins.person_of(token) is None
    assert accounts.tokens.person_of(secret) is None


def test_a_sign_in_begun_with_the_old_password_does_not_survive_a_reset_in_between(accounts, team, hasher, monkeypatch):
    reset = accounts.links.reset_link(team.ann, team.may.id).token
    verify = CountedHasher.verify

    def verify_slowly(self, hash, password):
        right = verify(self, hash, password)
        monkeypatch.setattr(CountedHasher, "verify", verify)
        accounts.links.reset(reset, NEW)
        return right

    monkeypatch.setattr(CountedHasher, "verify", verify_slowly)
    with pytest.raises(WrongSignInError):
        accounts.sign_ins.sign_in("may", PASSWORD, address="192.0.2.1")
    assert accounts.sign_ins.mine(team.may) == ()


def test_a_hash_of_other_parameters_is_made_anew_at_the_next_sign_in(accounts, team, sign_in, database, now):
    stronger = Accounts(AccountStore(database), passwords=Passwords(CountedHasher(time_cost=2)), now=now)
    stronger.sign_ins.sign_in("may", PASSWORD, address="192.0.2.1")
    with database.read() as connection:
        stored = connection.exec_driver_sql("SELECT password FROM users WHERE login = 'may'").scalar()
    assert ",t=2," in stored
    assert sign_in("may")


def test_by_default_passwords_are_hashed_with_the_librarys_argon2id(accounts):
    hashed = Passwords().hash(PASSWORD)
    assert hashed.startswith("$argon2id$")
    assert not PasswordHasher().check_needs_rehash(hashed)
    assert Passwords().check(hashed, PASSWORD).right


def test_old_sign_ins_are_swept_away(accounts, team, sign_in, database, now):
    sign_in("may")
    now.forward(days=31)
    sign_in("lee")
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sign_ins").scalar() == 1
