"""What owners do is written down for owners; secrets and answers are not."""

import pytest

from interviewer.accounts.errors import ForbiddenError, TakenError
from interviewer.accounts.rules import OPERATOR
from tests.interviewer.accounts.conftest import PASSWORD


@pytest.fixture
def log(accounts, team):
    """What was written since the team came together, oldest first."""
    start = accounts.audit.page(team.ann)[0].id

    def log():
        return [entry for entry in reversed(accounts.audit.page(team.ann, limit=200)) if entry.id > start]

    return log


def test_everything_an_owner_does_is_there_with_whom_and_what(accounts, team, log, sign_in):
    people, cohorts, links = accounts.people, accounts.cohorts, accounts.links
    people.set_role(team.ann, team.may.id, "lead")
    people.set_cohort(team.ann, team.may.id, team.blue)
    people.rename(team.ann, team.may.id, "May B.")
    people.disable(team.ann, team.may.id)
    people.enable(team.ann, team.may.id)
    green = cohorts.create(team.ann, "Green")
    cohorts.rename(team.ann, green.id, "Mint")
    cohorts.delete(team.ann, green.id)
    links.revoke(team.ann, links.invite(team.ann, "lead", team.red).link.id)
    links.reset(links.reset_link(team.ann, team.may.id).token, "another unlikely phrase")
    people.delete(team.ann, team.may.id)
    sign_in("ann")
    entries = log()
    assert [entry.action for entry in entries] == [
        "role changed",
        "cohort changed",
        "renamed",
        "disabled",
        "enabled",
        "cohort created",
        "cohort renamed",
        "cohort deleted",
        "invitation made",
        "link revoked",
        "reset link made",
        "reset link used",
        "deleted",
        "owner signed in",
    ]
    by_action = {entry.action: entry for entry in entries}
    assert by_action["role changed"].details == {"before": "member", "after": "lead"}
    assert by_action["cohort changed"].details == {"before": "Red", "after": "Blue"}
    assert by_action["deleted"].target == f"May B. ({team.may.id})"
    assert by_action["invitation made"].details == {"role": "lead", "cohort": "Red"}
    assert by_action["reset link used"].actor_id == team.may.id
    assert {e.actor_name for e in entries if e.action != "reset link used"} == {"Ann"}


def test_the_name_is_the_one_of_that_time(accounts, team, log):
    accounts.people.set_role(team.ann, team.may.id, "lead")
    accounts.people.rename(team.ann, team.ann.id, "Anna")
    assert log()[0].actor_name == "Ann"


def test_what_is_refused_or_changes_nothing_is_not_written(accounts, team, log):
    with pytest.raises(TakenError):
        accounts.people.disable(team.ann, team.ann.id)
    with pytest.raises(TakenError):
        accounts.cohorts.create(team.ann, "Red")
    with pytest.raises(ForbiddenError):
        accounts.people.set_role(team.may, team.may.id, "owner")
    accounts.people.set_role(team.ann, team.may.id, "member")
    accounts.people.set_cohort(team.ann, team.may.id, team.red)
    accounts.people.enable(team.ann, team.may.id)
    assert log() == []


def test_the_command_line_is_an_actor_too(accounts, team, log):
    accounts.links.invite(OPERATOR)
    assert [(e.actor_id, e.actor_name) for e in log()] == [("operator", "command line")]


def test_members_and_leads_do_not_read_it(accounts, team):
    for person in (team.may, team.lee, team.lee.model_copy(update={"role": "owner"})):
        with pytest.raises(ForbiddenError):
            accounts.audit.page(person)


def test_it_is_read_in_pages(accounts, team):
    everything = [e.id for e in accounts.audit.page(team.ann, limit=200)]
    first = [e.id for e in accounts.audit.page(team.ann, limit=3)]
    second = [e.id for e in accounts.audit.page(team.ann, before=first[-1], limit=3)]
    assert first + second == everything[:6] == sorted(everything, reverse=True)[:6]
    assert len(accounts.audit.page(team.ann, limit=-5)) == 1


def test_no_token_and_no_password_is_in_it(accounts, team, sign_in, database):
    secrets = [PASSWORD, sign_in("ann"), accounts.links.invite(team.ann).token]
    secrets += [accounts.links.reset_link(team.ann, team.may.id).token]
    secrets += [accounts.tokens.create(team.ann, "x", ["export:read"]).secret]
    with database.read() as connection:
        written = str(connection.exec_driver_sql("SELECT * FROM audit").all())
    assert written
    assert [secret for secret in secrets if secret in written or secret[:20] in written] == []
