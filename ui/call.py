"""What every handler is told about a click."""

from typing import Any, NamedTuple

from interviewer.accounts.person import Person
from ui.session import Session


class Call(NamedTuple):
    """Who clicked, where, and what the page's own markup added to it, such as the id of a row."""

    person: Person
    session: Session
    event: dict[str, Any]

    @property
    def user(self) -> str:
        """The id of whoever clicked."""
        return self.person.id

    @property
    def target(self) -> str:
        """The id the click was about; empty for none."""
        return str(self.event.get("id", ""))

    @property
    def action(self) -> str:
        return str(self.event.get("action", ""))
