"""A team over a real database, with a clock that stands still and hashes that cost little."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from interviewer.accounts.passwords import Passwords
from interviewer.accounts.person import Person, Role
from interviewer.accounts.service import Accounts
from interviewer.storage.accounts import AccountStore
from tests.databases import open_database

PASSWORD = "four unlikely words together"


class StillClock:
    """A clock that only moves when it is told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **delta: float) -> None:
        self.time += timedelta(**delta)


class CountedHasher(PasswordHasher):
    """argon2id with the least it takes, which counts what it computed; what is no hash takes no computing."""

    def __init__(self, **parameters: int) -> None:
        super().__init__(**{"time_cost": 1, "memory_cost": 8, "parallelism": 1} | parameters)
        self.hashed = self.verified = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.hashed += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:
        try:
            right = super().verify(hash, password)
        except VerifyMismatchError:
            self.verified += 1
            raise
        self.verified += 1
        return right


class Team(NamedTuple):
    """Two cohorts: ann owns; lee leads red, where may practises; bo is in blue, and so is its lead lou."""

    ann: Person
    lee: Person
    may: Person
    bo: Person
    lou: Person
    red: str
    blue: str


@pytest.fixture
def now() -> StillClock:
    return StillClock()


@pytest.fixture
def hasher() -> CountedHasher:
    return CountedHasher()


@pytest.fixture
def database(tmp_path: Path):
    database = open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    yield database
    database.close()


@pytest.fixture
def accounts(database, now, hasher) -> Accounts:
    return Accounts(AccountStore(database), team=True, domains={"corp.example"}, passwords=Passwords(hasher), now=now)


@pytest.fixture
def owner(accounts) -> Person:
    link = accounts.links.owner_link()
    return accounts.links.accept(link.token, login="ann", name="Ann", password=PASSWORD)


@pytest.fixture
def join(accounts, owner) -> Callable[..., Person]:
    """Somebody new, by an invitation of the owner's."""

    def join(login: str, role: Role = "member", cohort: str | None = None) -> Person:
        link = accounts.links.invite(owner, role, cohort)
        return accounts.links.accept(link.token, login=login, name=login.title(), password=PASSWORD)

    return join


@pytest.fixture
def team(accounts, owner, join) -> Team:
    red, blue = (accounts.cohorts.create(owner, name).id for name in ("Red", "Blue"))
    return Team(
        ann=owner,
        lee=join("lee", "lead", red),
        may=join("may", "member", red),
        bo=join("bo1", "member", blue),
        lou=join("lou", "lead", blue),
        red=red,
        blue=blue,
    )


@pytest.fixture
def sign_in(accounts) -> Callable[..., str]:
    def sign_in(login: str, password: str = PASSWORD, address: str = "192.0.2.1", browser: str = "") -> str:
        return accounts.sign_ins.sign_in(login, password, address=address, browser=browser)

    return sign_in
