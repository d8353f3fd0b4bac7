"""What the services of accounts give back; none of it holds a secret."""

from datetime import datetime
from typing import Literal, NamedTuple, get_args

from interviewer.accounts.person import Person, Role
from interviewer.models import Frozen

LinkKind = Literal["owner", "invite", "reset"]
"""owner: creates the first owner; invite: creates a person; reset: sets a person's password anew."""

Scope = Literal[
    "questions:read", "questions:write", "interviews:read", "interviews:write", "reports:read", "export:read"
]
"""What the bearer of an API token may do, within what its person may."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Account(Frozen):
    """A person with a way to sign in.

    Attributes:
        login: None for who only comes through a provider.
        cohort: Id of their cohort; None for none.
        password: Whether they have one.
        provider: Whether they can come through an OpenID provider.
    """

    id: str
    name: str
    login: str | None
    role: Role
    cohort: str | None
    disabled: bool
    password: bool
    provider: bool
    created_at: datetime

    @property
    def person(self) -> Person:
        """Who they are for the other services."""
        return Person(id=self.id, name=self.name, role=self.role, cohort=self.cohort)


class Cohort(Frozen):
    """People who practise together.

    Attributes:
        people: How many accounts are in it.
    """

    id: str
    name: str
    people: int


class Link(Frozen):
    """An open link, without its token.

    Attributes:
        id: Names it for revoking; not the token.
        user_id: Whose password it sets; None but for `reset`.
        created_by: Id of the owner who made it; None for the command line.
    """

    id: str
    kind: LinkKind
    role: Role
    cohort: str | None
    user_id: str | None
    created_by: str | None
    created_at: datetime
    expires_at: datetime


class NewLink(NamedTuple):
    """A link and its token, which is shown this once."""

    token: str
    link: Link


class SignIn(Frozen):
    """One browser somebody is signed in with.

    Attributes:
        id: Names it for ending it; not the token.
        browser: What the browser said it is, at most 200 characters.
        current: Whether it is the one that asks.
    """

    id: str
    created_at: datetime
    seen_at: datetime
    browser: str
    current: bool


class ApiToken(Frozen):
    """A token for the REST API, without its secret."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime


class NewApiToken(NamedTuple):
    """An API token and its secret, which is shown this once."""

    secret: str
    token: ApiToken


class Bearer(NamedTuple):
    """Who an API token stands for, and what it may do."""

    person: Person
    scopes: frozenset[Scope]


class Identity(Frozen):
    """What an OpenID provider says of somebody, already verified by its signature.

    Attributes:
        verified: Whether the provider vouches for the address.
    """

    issuer: str
    subject: str
    email: str = ""
    verified: bool = False
    name: str = ""

    @property
    def key(self) -> str:
        """How the account keeps it; a subject is only unique within its issuer."""
        return f"{self.issuer} {self.subject}"


class AuditEntry(Frozen):
    """One thing done.

    Attributes:
        id: Grows with time.
        actor_name: As it was then.
        action: Such as `role changed`; see `interviewer.accounts.audit.Action`.
        target: Name and id of whom or what it was done to.
        details: Plain values; never an answer or a secret.
    """

    id: int
    at: datetime
    actor_id: str
    actor_name: str
    action: str
    target: str
    details: dict[str, str]
