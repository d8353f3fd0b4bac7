"""Guessing gets slower and slower, by login and by address, and never locks anybody out for long."""

import pytest

from interviewer.accounts.errors import ThrottledError, WrongSignInError
from interviewer.accounts.throttle import network_of


@pytest.fixture
def wrong(sign_in):
    def wrong(login="may", address="192.0.2.1", times=1):
        for _ in range(times):
            with pytest.raises(WrongSignInError):
                sign_in(login, "wrong password", address=address)

    return wrong


def waits(sign_in, login="may", address="192.0.2.1"):
    with pytest.raises(ThrottledError) as raised:
        sign_in(login, address=address)
    return raised.value.seconds


def test_five_wrong_passwords_are_free_then_it_takes_time(team, sign_in, wrong, now, hasher):
    wrong(times=5)
    before = hasher.verified
    assert waits(sign_in) == 30
    assert hasher.verified == before
    now.forward(seconds=29)
    assert waits(sign_in) == 1
    now.forward(seconds=1)
    assert sign_in("may")


def test_the_wait_doubles_up_to_a_quarter_of_an_hour(team, sign_in, wrong, now):
    wrong(times=5)
    pauses = []
    for _ in range(7):
        pauses.append(waits(sign_in))
        now.forward(seconds=pauses[-1])
        wrong()
    assert pauses == [30, 60, 120, 240, 480, 900, 900]


def test_waiting_attempts_do_not_lengthen_the_wait(team, sign_in, wrong):
    wrong(times=5)
    assert [waits(sign_in) for _ in range(20)] == [30] * 20


def test_the_right_password_cleans_the_slate(team, sign_in, wrong):
    wrong(times=4)
    sign_in("may")
    wrong(times=4)
    assert sign_in("may")


def test_an_hour_later_all_is_forgotten(team, sign_in, wrong, now, database):
    wrong(times=5)
    now.forward(hours=1)
    wrong(times=5)
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sign_in_attempts").scalar() == 10


def test_a_login_is_throttled_from_wherever_it_is_tried(team, sign_in, wrong):
    for number in range(5):
        wrong(address=f"198.51.100.{number}")
    assert waits(sign_in, address="203.0.113.9") == 30
    assert sign_in("lee")


def test_an_unknown_login_is_throttled_like_a_known_one(team, sign_in, wrong):
    wrong("nobody", times=5)
    assert waits(sign_in, "nobody") == 30


def test_trying_one_password_on_many_logins_slows_the_address(team, sign_in, wrong):
    for number in range(30):
        wrong(f"login{number}")
    assert waits(sign_in, "may") == 10
    assert sign_in("may", address="192.0.2.2")


def test_signing_in_oneself_does_not_clean_the_addresss_slate(team, sign_in, wrong):
    for number in range(30):
        if number % 3 == 0:
            sign_in("bo1")
        wrong(f"login{number}")
    assert waits(sign_in, "lee") == 10


def test_many_addresses_of_one_household_are_one(team, sign_in, wrong):
    for number in range(30):
        wrong(f"login{number}", address=f"2001:db8:1:2::{number:x}")
    assert waits(sign_in, "may", address="2001:db8:1:2:ffff::1") == 10
    assert sign_in("may", address="2001:db8:1:3::1")


def test_one_address_has_one_name():
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
    assert network_of("testclient") == "testclient"
    assert len(network_of("x" * 10_000)) == 100


def test_the_message_says_how_long(team, sign_in, wrong, now):
    wrong(times=5)
    with pytest.raises(ThrottledError, match="in 30 s"):
        sign_in("may")
    now.forward(seconds=30)
    wrong()
    now.forward(seconds=-1)
    with pytest.raises(ThrottledError, match="in 2 min") as raised:
        sign_in("may")
    assert "2 分钟" in raised.value.said("zh").next_step


def test_neither_login_nor_address_is_written_down(team, wrong, database):
    wrong("typed-my-password-here", address="192.0.2.77")
    with database.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM sign_in_attempts").all()
    assert rows
    assert "typed-my-password-here" not in str(rows)
    assert "192.0.2.77" not in str(rows)
