"""A team on a server of its own: who belongs to it, and how they come in."""

from playwright.sync_api import Page, expect

from interviewer.accounts.person import Person, Role
from interviewer.accounts.rules import OPERATOR
from interviewer.accounts.service import Accounts
from interviewer.settings import Settings
from interviewer.storage.accounts import AccountStore
from interviewer.storage.database import Database
from tests.browser.server import ServerProcess
from tests.browser.visitor import Visitor

PASSWORD = "four unrelated words"
OWNER = "ann@example.org"
LINK = r"owner's account: (http://\S+)"


class Team:
    """A server with accounts, and the ways into it that need no browser."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.url = ""
        self._database = Database(Settings(home=server.home, _env_file=None).database)
        self._accounts = Accounts(AccountStore(self._database), team=True)

    def start(self) -> str:
        """Starts the server; gives the owner's link that it prints, which is another one at every start."""
        earlier = self._accounts.links.owner_link().token
        self.url = self.server.start().url
        link = self.server.said(LINK)
        assert earlier not in link
        return link

    def stop(self) -> None:
        self._database.close()
        self.server.stop()

    def invite(self, role: Role = "member", cohort: str | None = None) -> str:
        """A link for somebody new; a cohort nobody has heard of is made."""
        return f"{self.url}/join#{self._invitation(role, cohort)}"

    def join(self, login: str, role: Role = "member", cohort: str | None = None, password: str = PASSWORD) -> Person:
        """Somebody new, who has used their link."""
        token = self._invitation(role, cohort)
        return self._accounts.links.accept(token, login=login, name=login.title(), password=password)

    def _invitation(self, role: Role, cohort: str | None) -> str:
        known = {each.name: each.id for each in self._accounts.cohorts.all(OPERATOR)}
        if cohort is not None and cohort not in known:
            known[cohort] = self._accounts.cohorts.create(OPERATOR, cohort).id
        return self._accounts.links.invite(OPERATOR, role, cohort and known[cohort]).token


def fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f'[name="{name}"]:visible').fill(value)


def create(me: Visitor, link: str, login: str, name: str) -> None:
    """An account, at the page of a link."""
    me.page.goto(link)
    fill(me.page, name=name, login=login, password=PASSWORD)
    me.page.locator("main form button.iv-button").first.click()
    expect(me.page.locator("#start")).to_be_visible()


def sign_in(me: Visitor, login: str) -> None:
    """At the page of sign-in that is open."""
    fill(me.page, login=login, password=PASSWORD)
    me.page.locator("main form button").first.click()
