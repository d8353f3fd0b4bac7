"""What is taken as a name, a login and a password."""

import pytest

from interviewer.accounts.credentials import check_password, clean_login, clean_name, fold_login
from interviewer.accounts.errors import RefusedError


@pytest.mark.parametrize("password", ["0123456789a"[:9], "", "短密码", "x" * 201, "ﷺ" * 60, "a" * 5_000_000])
def test_a_password_takes_10_to_200_characters_not_bytes(password):
    with pytest.raises(RefusedError, match="characters"):
        check_password(password, login="ann", name="Ann")


def test_ten_chinese_characters_are_ten_characters():
    assert check_password("正确的马电池订书钉呀", login="ann", name="Ann") == "正确的马电池订书钉呀"


def test_a_password_is_the_same_from_every_keyboard():
    assert check_password("unlikely Words 12", login="ann", name="Ann") == "unlikely Words 12"


@pytest.mark.parametrize("password", ["ann@example.org", "ANN@EXAMPLE.ORG", " ann@example.org ", "Ann von Example"])
def test_neither_login_nor_name_is_a_password(password):
    with pytest.raises(RefusedError, match="login or name"):
        check_password(password, login="ann@example.org", name="Ann von Example")


@pytest.mark.parametrize(
    "password", ["Password123", "qwertyuiop", "poiuytrewq", "1234567890", "0987654321", "aaaaaaaaaaaa", "abababababab"]
)
def test_the_commonest_are_refused(password):
    with pytest.raises(RefusedError, match="first that are tried"):
        check_password(password, login="ann", name="Ann")


def test_half_a_surrogate_pair_is_a_character():
    assert check_password("unlikely \ud83d words", login="ann", name="Ann")


@pytest.mark.parametrize("login", ["", "ab", "a b c", "x" * 201, "ann\x00", "ann\u202e", "a\ud800bc"])
def test_a_login_has_no_spaces_or_control_characters(login):
    assert fold_login(login) is None
    with pytest.raises(RefusedError):
        clean_login(login)


def test_a_login_is_folded():
    assert clean_login("  ANN@Example.ORG\n") == "ann@example.org"
    assert clean_login("Straße") == clean_login("STRASSE")


@pytest.mark.parametrize("name", ["", "   ", "\u202e\x00", "x" * 121])
def test_a_name_has_something_to_read(name):
    with pytest.raises(RefusedError):
        clean_name(name)


def test_the_words_of_a_refusal_are_there_in_both_languages():
    with pytest.raises(RefusedError) as raised:
        clean_login("ab")
    assert raised.value.message == raised.value.said("en").message
    assert "登录名" in raised.value.said("zh").message
    assert raised.value.said("zh").next_step
