"""`interviewer people`: who has an account, and links that let people in, for whoever keeps the machine."""

from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.errors import InterviewerError, NotFoundError

if TYPE_CHECKING:
    from interviewer.accounts.service import Accounts
    from interviewer.accounts.values import NewLink
    from interviewer.settings import Settings

app = typer.Typer(help="Accounts: list people, invite them, let them set a new password.", no_args_is_help=True)


@app.callback()
def people() -> None:
    """Accounts: list people, invite them, let them set a new password."""


@app.command("list")
def list_people() -> None:
    """List everybody with an account: login, name, role, cohort."""
    from rich.console import Console
    from rich.table import Table

    from interviewer.accounts.rules import OPERATOR

    accounts, _ = _open()
    found = accounts.people.all(OPERATOR)
    if not found:
        typer.echo("Nobody has an account yet. `interviewer people owner-link` makes the link for the first owner.")
        return
    cohorts = {cohort.id: cohort.name for cohort in accounts.cohorts.all(OPERATOR)}
    table = Table("Login", "Name", "Role", "Cohort", "State")
    for account in found:
        login = account.login or "(provider)"
        state = "disabled" if account.disabled else ""
        table.add_row(login, account.name, account.role, cohorts.get(account.cohort or "", ""), state)
    Console(soft_wrap=True, highlight=False, markup=False).print(table)


@app.command()
def invite(
    role: Annotated[str, typer.Option(help="member, lead or owner.")] = "member",
    cohort: Annotated[str, typer.Option(help="Name of the cohort they join; none if not given.")] = "",
) -> None:
    """Print a link that creates one account; it works once, within 7 days."""
    from interviewer.accounts.person import ROLES
    from interviewer.accounts.rules import OPERATOR

    chosen = next((known for known in ROLES if known == role), None)
    if chosen is None:
        raise InterviewerError(f"There is no role {role!r}.", next_step="Choose member, lead or owner.")
    accounts, settings = _open()
    cohort_id = next((c.id for c in accounts.cohorts.all(OPERATOR) if c.name == cohort), None) if cohort else None
    if cohort and cohort_id is None:
        raise NotFoundError(f"There is no cohort {cohort!r}.", next_step="Owners create cohorts on the page of people.")
    _show(accounts.links.invite(OPERATOR, chosen, cohort_id), settings)


@app.command()
def reset(login: Annotated[str, typer.Argument(help="What they sign in with.")]) -> None:
    """Print a link that sets somebody's password; it works once, within 24 hours."""
    from interviewer.accounts.credentials import fold_login
    from interviewer.accounts.rules import OPERATOR

    accounts, settings = _open()
    folded = fold_login(login)
    found = next((a for a in accounts.people.all(OPERATOR) if folded and a.login == folded), None)
    if found is None:
        raise NotFoundError(f"Nobody has the login {login!r}.", next_step="`interviewer people list` shows everybody.")
    _show(accounts.links.reset_link(OPERATOR, found.id), settings)


@app.command("owner-link")
def owner_link() -> None:
    """Print the link that creates the first owner; it works once, within 24 hours."""
    accounts, settings = _open()
    _show(accounts.links.owner_link(), settings)


def _open() -> "tuple[Accounts, Settings]":
    from interviewer.compose import compose
    from interviewer.settings import load_settings

    settings = load_settings()
    return compose(settings).accounts, settings


def _show(new: "NewLink", settings: "Settings") -> None:
    from interviewer.accounts.keys import link_path

    typer.echo(settings.link(link_path(new.token)))
    typer.echo(f"Works once, until {new.link.expires_at:%Y-%m-%d %H:%M} UTC. Give it to nobody else.", err=True)
