"""Settings come from one place, and a wrong one is named."""

import pytest

from interviewer.errors import SettingsError
from interviewer.settings import check_bind_address, load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "INTERVIEWER_HOME", "INTERVIEWER_CHAT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_defaults_need_nothing():
    settings = load_settings()
    assert settings.chat_model == ""
    assert settings.database.endswith("interviewer.sqlite3")


def test_the_environment_beats_the_env_file(monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("INTERVIEWER_CHAT_MODEL=from-file\nINTERVIEWER_PORT=1234\n")
    monkeypatch.setenv("INTERVIEWER_CHAT_MODEL", "from-environment")
    settings = load_settings()
    assert (settings.chat_model, settings.port) == ("from-environment", 1234)


def test_the_ecosystems_own_names_work_and_ours_beat_them(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    settings = load_settings()
    assert settings.chat_api_key.get_secret_value() == "theirs"
    assert settings.chat_base_url == "http://127.0.0.1:9/v1"
    monkeypatch.setenv("INTERVIEWER_CHAT_API_KEY", "ours")
    assert load_settings().chat_api_key.get_secret_value() == "ours"


def test_a_key_is_never_printed(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in repr(load_settings())


@pytest.mark.parametrize(("name", "value"), [("PORT", "many"), ("PORT", "70000"), ("CHAT_TIMEOUT", "0")])
def test_a_wrong_value_names_its_variable(monkeypatch, name, value):
    monkeypatch.setenv(f"INTERVIEWER_{name}", value)
    with pytest.raises(SettingsError, match=f"INTERVIEWER_{name}"):
        load_settings()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_is_open(host):
    assert check_bind_address(host) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_anything_else_is_refused_and_says_why(host):
    with pytest.raises(SettingsError, match="sign in"):
        check_bind_address(host)
