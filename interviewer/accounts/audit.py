"""Who did what: actions of owners, and how people came and went. Never an answer, never a secret."""

from datetime import datetime
from typing import Literal

from interviewer.accounts.person import Person
from interviewer.accounts.rules import Clock, require_owner
from interviewer.accounts.values import Account, AuditEntry
from interviewer.storage.accounts import AccountRows, AccountStore

Action = Literal[
    "owner created",
    "owner signed in",
    "owner link made",
    "invitation made",
    "invitation used",
    "link revoked",
    "reset link made",
    "reset link used",
    "joined by domain",
    "role changed",
    "cohort changed",
    "renamed",
    "disabled",
    "enabled",
    "deleted",
    "cohort created",
    "cohort renamed",
    "cohort deleted",
]
MOST = 200


def record(
    rows: AccountRows, at: datetime, actor: Person | Account, action: Action, target: str, **details: str
) -> None:
    """Writes one thing down in the transaction that does it."""
    rows.audit.add(at, actor_id=actor.id, actor_name=actor.name, action=action, target=target, **details)


def named(name: str, id: str) -> str:
    """How a target is written."""
    return f"{name} ({id})"


class AuditLog:
    """What was done, for owners."""

    def __init__(self, store: AccountStore, now: Clock) -> None:
        self._store = store
        self._now = now

    def page(self, person: Person, *, before: int | None = None, limit: int = 50) -> tuple[AuditEntry, ...]:
        """The newest entries first, from below the id `before`; at most 200.

        Raises:
            ForbiddenError: if `person` is no owner.
        """
        with self._store.read() as rows:
            require_owner(rows, person)
            return tuple(rows.audit.page(before=before, limit=max(1, min(limit, MOST))))
