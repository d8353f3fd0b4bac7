"""Two at once, over real databases: one wins, and no rule gives way."""

from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest

from interviewer.accounts.errors import RefusedError
from interviewer.accounts.person import LOCAL
from interviewer.accounts.values import Identity
from tests.databases import open_database
from tests.interviewer.accounts.conftest import PASSWORD
from tests.interviewer.storage.conftest import postgresql  # noqa: F401 - a fixture


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path: Path):
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'test.sqlite3'}"
    else:
        url = request.getfixturevalue("postgresql").new_database()
    database = open_database(url)
    yield database
    database.close()


def at_once(*work: Callable[[], object]) -> tuple[list[object], list[RefusedError]]:
    """What came back, and what was refused; anything else that goes wrong is raised."""
    barrier, done, refused, broken = Barrier(len(work)), [], [], []

    def run(one: Callable[[], object]) -> None:
        barrier.wait()
        try:
            done.append(one())
        except RefusedError as error:
            refused.append(error)
        except Exception as error:  # noqa: BLE001 - raised below, in the test's own thread
            broken.append(error)

    threads = [Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if broken:
        raise broken[0]
    return done, refused


def test_one_invitation_lets_one_in(accounts, owner):
    token = accounts.links.invite(owner).token
    take = [lambda n=n: accounts.links.accept(token, login=f"login{n}", name="N", password=PASSWORD) for n in range(6)]
    done, refused = at_once(*take)
    assert (len(done), len(refused)) == (1, 5)
    assert len(accounts.people.all(owner)) == 2


def test_one_login_is_taken_once_and_the_other_invitation_stays_open(accounts, owner):
    tokens = [accounts.links.invite(owner).token for _ in range(4)]
    done, refused = at_once(
        *[lambda t=t: accounts.links.accept(t, login="may", name="May", password=PASSWORD) for t in tokens]
    )
    assert (len(done), len(refused)) == (1, 3)
    assert len(accounts.links.open(owner)) == 3


def test_there_is_one_first_owner(accounts):
    tokens = [accounts.links.owner_link().token for _ in range(4)]
    take = [
        lambda n=n, t=t: accounts.links.accept(t, login=f"owner{n}", name="N", password=PASSWORD)
        for n, t in enumerate(tokens)
    ]
    claim = lambda: accounts.links.claim(LOCAL, login="local", name="N", password=PASSWORD)  # noqa: E731
    done, refused = at_once(*take, claim)
    assert (len(done), len(refused)) == (1, 4)
    assert len(accounts.people.all(done[0])) == 1


def test_one_reset_link_sets_one_password(accounts, owner):
    token = accounts.links.reset_link(owner, owner.id).token
    done, refused = at_once(*[lambda n=n: accounts.links.reset(token, f"unlikely phrase {n}") for n in range(4)])
    assert (len(done), len(refused)) == (1, 3)


def test_two_owners_who_demote_each_other_leave_one(accounts, owner, join):
    other = join("other", "owner")
    done, refused = at_once(
        lambda: accounts.people.set_role(owner, other.id, "member"),
        lambda: accounts.people.set_role(other, owner.id, "member"),
    )
    assert (len(done), len(refused)) == (1, 1)
    assert sorted(accounts.people.me(person).role for person in (owner, other)) == ["member", "owner"]


def test_two_owners_who_leave_at_once_leave_one(accounts, owner, join):
    other = join("other", "owner")
    at_once(
        lambda: accounts.people.delete(owner, owner.id),
        lambda: accounts.people.delete(other, other.id),
    )
    assert sum(accounts.people.me(person) is not None for person in (owner, other)) == 1


def test_many_guesses_at_once_do_not_slip_through(accounts, owner, hasher):
    guess = lambda: accounts.sign_ins.sign_in("ann", "wrong password", address="192.0.2.1")  # noqa: E731
    done, refused = at_once(*[guess] * 12)
    assert (len(done), len(refused)) == (0, 12)
    assert hasher.verified == 5


def test_one_identity_makes_one_account(accounts, owner):
    who = Identity(issuer="https://id.example", subject="cor", email="cor@corp.example", verified=True, name="Cor")
    done, refused = at_once(*[lambda: accounts.provider.sign_in_with(who)] * 4)
    assert len(done) >= 1
    assert len(done) + len(refused) == 4
    assert len(accounts.people.all(owner)) == 2


def test_many_look_who_it_is_while_it_ends(accounts, owner, now):
    token = accounts.sign_ins.start(owner)
    now.forward(minutes=2)
    done, refused = at_once(
        *[lambda: accounts.sign_ins.person_of(token)] * 6, lambda: accounts.sign_ins.sign_out(token)
    )
    assert not refused
    assert set(done) <= {None, owner}
    assert accounts.sign_ins.person_of(token) is None
