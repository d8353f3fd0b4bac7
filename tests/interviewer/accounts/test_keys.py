"""The secret cookies are signed with, and the settings of accounts."""

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from interviewer.accounts.keys import new_token, secret_file, signing_secret
from interviewer.accounts.service import Accounts
from interviewer.compose import compose
from interviewer.errors import SettingsError
from interviewer.settings import Settings, check_bind_address, load_settings
from interviewer.storage.accounts import AccountStore
from tests.interviewer.accounts.conftest import PASSWORD


def test_a_token_has_256_random_bits():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {43}


def test_the_secret_is_made_once_and_nobody_else_reads_it(tmp_path):
    settings = Settings(home=tmp_path / "home")
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: signing_secret(settings), range(16)))
    assert len(secrets) == 1
    assert len(secrets.pop()) >= 32
    assert stat.S_IMODE(secret_file(settings).stat().st_mode) == 0o600
    assert [path.name for path in settings.folder.iterdir()] == ["secret"]


def test_a_secret_others_can_read_is_not_used(tmp_path):
    settings = Settings(home=tmp_path)
    signing_secret(settings)
    secret_file(settings).chmod(0o644)
    with pytest.raises(SettingsError, match="Others"):
        signing_secret(settings)


def test_a_home_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match="INTERVIEWER_HOME"):
        signing_secret(Settings(home=tmp_path / "file"))


def test_a_given_secret_is_used_and_has_to_be_long(tmp_path, monkeypatch):
    monkeypatch.setenv("INTERVIEWER_SECRET", "x" * 32)
    assert signing_secret(load_settings()) == "x" * 32
    assert "x" * 32 not in repr(load_settings())
    monkeypatch.setenv("INTERVIEWER_SECRET", "x" * 31)
    with pytest.raises(SettingsError, match="32 characters"):
        load_settings()


@pytest.mark.parametrize("address", ["practice.example.org", "ftp://x.example", "https://", "https://x.example/?a=b"])
def test_an_address_of_the_page_is_one(monkeypatch, address):
    monkeypatch.setenv("INTERVIEWER_PUBLIC_URL", address)
    with pytest.raises(SettingsError, match="INTERVIEWER_PUBLIC_URL"):
        load_settings()


def test_links_begin_with_where_people_reach_the_page():
    assert Settings(public_url="https://x.example/practice/").link("/join/t") == "https://x.example/practice/join/t"
    assert Settings(port=8000).link("/join/t") == "http://127.0.0.1:8000/join/t"
    assert Settings(host="::1").link("/") == "http://[::1]:7860/"


def test_a_provider_needs_both_its_address_and_our_name_there(monkeypatch):
    monkeypatch.setenv("INTERVIEWER_OIDC_ISSUER", "https://id.example")
    with pytest.raises(SettingsError, match="INTERVIEWER_OIDC_CLIENT_ID"):
        load_settings()


def test_domains_are_a_list_with_commas():
    assert Settings(oidc_domains=" Corp.example, b.example ,").allowed_domains == {"corp.example", "b.example"}
    assert Settings().allowed_domains == frozenset()


def test_with_accounts_the_page_may_be_reached_from_elsewhere():
    assert check_bind_address("0.0.0.0", team=True) is None
    with pytest.raises(SettingsError, match="INTERVIEWER_TEAM"):
        check_bind_address("0.0.0.0")


def test_accounts_are_on_by_the_setting_or_by_the_first_login(tmp_path, database, now):
    assert compose(Settings(home=tmp_path, team=True)).accounts.team
    home = Accounts(AccountStore(database), now=now)
    elsewhere = Accounts(AccountStore(database), now=now)
    assert not home.team
    elsewhere.links.accept(elsewhere.links.owner_link().token, login="ann", name="Ann", password=PASSWORD)
    assert home.team
