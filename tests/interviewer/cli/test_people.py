"""The command line lists people and prints links that work."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.cli.doctor import examine
from interviewer.compose import compose
from interviewer.errors import InterviewerError
from interviewer.settings import Settings, load_settings

PASSWORD = "four unlikely words together"


def run(*arguments: str) -> str:
    """What it prints; what it refuses is raised, as the command's edge expects."""
    return CliRunner().invoke(app, ["people", *arguments], catch_exceptions=False).stdout


def token_in(output: str) -> str:
    address, _, token = output.strip().rpartition("/join#")
    assert address == load_settings().link("")
    return token


@pytest.fixture
def owner():
    links = compose(load_settings()).accounts.links
    return links.accept(token_in(run("owner-link")), login="ann", name="Ann", password=PASSWORD)


def test_at_first_it_says_how_to_begin() -> None:
    assert "owner-link" in run("list")
    with pytest.raises(InterviewerError, match="owner-link"):
        run("invite")


def test_the_owner_link_works_and_is_made_no_second_time(owner) -> None:
    assert (owner.id, owner.role) == ("local", "owner")
    with pytest.raises(InterviewerError, match="owner already"):
        run("owner-link")


def test_an_invitation_lets_somebody_into_a_cohort(owner) -> None:
    accounts = compose(load_settings()).accounts
    accounts.cohorts.create(owner, "Red [bold]")
    token = token_in(run("invite", "--role", "lead", "--cohort", "Red [bold]"))
    accounts.links.accept(token, login="lee", name="[red]Lee", password=PASSWORD)
    listed = run("list")
    assert all(word in listed for word in ("lee", "[red]Lee", "lead", "Red [bold]", "ann", "owner"))
    assert "disabled" not in listed
    accounts.people.disable(owner, next(a.id for a in accounts.people.all(owner) if a.login == "lee"))
    assert "disabled" in run("list")


def test_a_reset_link_sets_a_password(owner) -> None:
    accounts = compose(load_settings()).accounts
    accounts.links.reset(token_in(run("reset", " ANN ")), "another unlikely phrase")
    assert accounts.sign_ins.sign_in("ann", "another unlikely phrase", address="192.0.2.1")


@pytest.mark.parametrize(
    "arguments", [("reset", "nobody"), ("invite", "--cohort", "none"), ("invite", "--role", "king")]
)
def test_what_is_not_there_is_named(owner, arguments) -> None:
    with pytest.raises(InterviewerError) as raised:
        run(*arguments)
    assert arguments[-1] in raised.value.message
    assert raised.value.next_step


def account_finding(home: Path, **chosen: object) -> tuple[str, str]:
    findings = examine(compose(Settings(home=home, **chosen)))  # type: ignore[arg-type]
    found = next(finding for finding in findings if finding.what == "Accounts")
    return found.health, found.detail


def test_the_doctor_tells_about_accounts(tmp_path: Path) -> None:
    assert "INTERVIEWER_TEAM" in account_finding(tmp_path)[1]
    assert "owner-link" in account_finding(tmp_path, team=True)[1]
    links = compose(Settings(home=tmp_path)).accounts.links
    links.accept(links.owner_link().token, login="ann", name="Ann", password=PASSWORD)
    assert account_finding(tmp_path)[0] == "ok"
    health, detail = account_finding(tmp_path, public_url="http://practice.example.org")
    assert (health, "https" in detail) == ("note", True)
    assert account_finding(tmp_path, public_url="https://practice.example.org")[0] == "ok"
    (tmp_path / "secret").chmod(0o644)
    assert account_finding(tmp_path)[0] == "missing"
