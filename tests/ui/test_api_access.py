"""Every address of the API, tried by who may not: another person, a token without the scope, one that is over."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from interviewer.accounts.values import SCOPES
from interviewer.storage import tables as t
from tests.ui.test_api import HERE, NOTES, made

ANSWER = "an answer only its author may read"
# Whoever imports also interviews, on questions drawn at random: they must not be those that ann keeps to herself.
OTHER_NOTES = NOTES.replace("a race condition", "a data race").replace("a deadlock", "a livelock")


class Team:
    """An owner and two members with tokens, and what ann has."""

    def __init__(self, folder):
        self.app, self.web = made(folder, team=True)
        accounts = self.app.accounts
        first = accounts.links.owner_link().token
        self.owner = accounts.links.accept(first, login="own", name="Own", password="own four unlikely words")
        self.ann, self.bob = (self._join(name) for name in ("ann", "bob"))
        self.tokens = {person.id: self.token(person) for person in (self.owner, self.ann, self.bob)}

    def _join(self, name):
        accounts = self.app.accounts
        link = accounts.links.invite(self.owner)
        return accounts.links.accept(link.token, login=name, name=name.title(), password=f"{name} four unlikely words")

    def token(self, person, scopes=SCOPES):
        return self.app.accounts.tokens.create(person, "test", list(scopes)).secret


@pytest.fixture(scope="module")
def team(new_folder, copy_home):
    return Team(copy_home(new_folder()))


@pytest.fixture(scope="module")
def client(team):
    with TestClient(team.web, base_url=HERE) as client:
        yield client


@pytest.fixture(scope="module")
def operations(client, team):
    """(method, path, scope) of every address there is."""
    found = client.get("/api/v1/openapi.json", headers=bearer(team.tokens[team.ann.id])).json()["paths"]
    return [(m.upper(), p, o["x-scope"]) for p, item in found.items() for m, o in item.items()]


@pytest.fixture(scope="module")
def hers(client, team):
    """What ann has: an ended interview with an answer, and a question of a private set."""
    headers = bearer(team.tokens[team.ann.id])
    files = [("files", ("notes.md", NOTES.encode(), "text/markdown"))]
    assert (
        client.post("/api/v1/questions/import", data={"set": "anns"}, files=files, headers=headers).status_code == 201
    )
    question = client.get("/api/v1/questions", params={"set": ["anns"]}, headers=headers).json()["items"][0]
    body = {"question_ids": [question["id"]], "language": "en"}
    interview = client.post("/api/v1/interviews", json=body, headers=headers).json()["id"]
    client.post(f"/api/v1/interviews/{interview}/say", json={"text": ANSWER}, headers=headers)
    client.post(f"/api/v1/interviews/{interview}/press", json={"action": "stop"}, headers=headers)
    return {"interview_id": interview, "question_id": question["id"], "question": question["question"]["en"]}


def bearer(secret):
    return {"authorization": f"Bearer {secret}"}


def sent(client, method, path, headers):
    """A request that would do what the address is for."""
    if path == "/questions/import":
        files = [("files", ("notes.md", OTHER_NOTES.encode(), "text/markdown"))]
        return client.post(f"/api/v1{path}", data={"set": "fresh"}, files=files, headers=headers)
    if (method, path) == ("POST", "/my-data"):
        return client.post("/api/v1/my-data", files={"file": ("x.zip", b"no zip")}, headers=headers)
    body = {"action": "stop"} if path.endswith("/press") else {"text": "intruding"} if path.endswith("/say") else {}
    query = {"q": "race"} if path.endswith("/search") else None
    return client.request(
        method, f"/api/v1{path}", json=body if method == "POST" else None, params=query, headers=headers
    )


def test_nobody_is_let_in_without_a_token(client, operations, hers):
    for headers in ({}, bearer(""), bearer("nonsense"), {"authorization": "Basic b3duOm93bg=="}):
        for method, path, _ in operations:
            reply = sent(client, method, path.format(**hers), headers)
            assert reply.status_code == 401, (method, path)
            assert {"error", "next_step"} <= set(reply.json())


def test_a_cookie_is_no_token(client, team, operations, hers):
    cookie = team.app.accounts.sign_ins.start(team.ann)
    for method, path, _ in operations:
        reply = sent(client, method, path.format(**hers), {"cookie": f"interviewer_session={cookie}"})
        assert reply.status_code == 401, (method, path)


def test_a_token_that_is_over_opens_nothing(client, team, operations, hers):
    accounts = team.app.accounts
    revoked = accounts.tokens.create(team.ann, "revoked", list(SCOPES))
    accounts.tokens.revoke(team.ann, revoked.token.id)
    expired = accounts.tokens.create(team.ann, "expired", list(SCOPES))
    with team.app.database.write() as connection:
        ago = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(update(t.tokens).where(t.tokens.c.id == expired.token.id).values(expires_at=ago))
    for secret in (revoked.secret, expired.secret):
        for method, path, _ in operations:
            assert sent(client, method, path.format(**hers), bearer(secret)).status_code == 401, (method, path)


def test_a_disabled_persons_token_opens_nothing(client, team, operations, hers):
    carl = team._join("carl")
    secret = team.token(carl)
    assert client.get("/api/v1/me", headers=bearer(secret)).status_code == 200
    team.app.accounts.people.disable(team.owner, carl.id)
    for method, path, _ in operations:
        assert sent(client, method, path.format(**hers), bearer(secret)).status_code == 401, (method, path)


def test_a_token_without_the_scope_is_told_which_one_it_lacks(client, team, operations, hers):
    for scope in SCOPES:
        secret = team.token(team.ann, [other for other in SCOPES if other != scope])
        guarded = [(method, path) for method, path, needed in operations if needed == scope]
        assert guarded, scope
        for method, path in guarded:
            reply = sent(client, method, path.format(**hers), bearer(secret))
            assert reply.status_code == 403, (method, path)
            assert scope in reply.json()["error"]
        with team.app.accounts._store.write() as rows:
            for token in rows.tokens.of(team.ann.id):
                if set(token.scopes) == set(SCOPES) - {scope}:
                    rows.tokens.revoke(team.ann.id, token.id)


@pytest.mark.parametrize("who", ["bob", "owner"])
def test_another_person_finds_nothing_of_hers(client, team, operations, hers, who):
    person = getattr(team, who)
    headers = bearer(team.tokens[person.id])
    before = client.get(f"/api/v1/interviews/{hers['interview_id']}", headers=bearer(team.tokens[team.ann.id])).json()
    for method, path, _ in operations:
        reply = sent(client, method, path.format(**hers), headers)
        if "{" in path:
            assert reply.status_code == 404, (method, path)
        for secret in (ANSWER, hers["interview_id"], hers["question"]):
            # What was asked for may be named in the refusal, and that is all.
            assert secret not in reply.text.replace(f"'{hers['interview_id']}'", ""), (method, path)
    after = client.get(f"/api/v1/interviews/{hers['interview_id']}", headers=bearer(team.tokens[team.ann.id])).json()
    assert after == before


def test_another_person_can_ask_neither_about_nor_for_her_questions(client, team, hers):
    headers = bearer(team.tokens[team.bob.id])
    asked = client.post("/api/v1/interviews", json={"question_ids": [hers["question_id"]]}, headers=headers)
    assert asked.status_code == 404
    listed = client.get("/api/v1/questions", params={"set": ["anns"]}, headers=headers).json()
    assert listed["total"] == 0
    assert "anns" not in client.get("/api/v1/sets", headers=headers).text
    drawn = client.post("/api/v1/interviews/draft", json={"sets": ["anns"]}, headers=headers)
    assert drawn.status_code == 404


def test_another_person_can_not_import_into_her_set(client, team, hers):
    files = [("files", ("more.md", NOTES.replace("race", "rat race").encode(), "text/markdown"))]
    headers = bearer(team.tokens[team.bob.id])
    reply = client.post("/api/v1/questions/import", data={"set": "anns"}, files=files, headers=headers)
    assert reply.status_code in (403, 404, 409)
    listed = client.get("/api/v1/questions", params={"set": ["anns"]}, headers=bearer(team.tokens[team.ann.id])).json()
    assert listed["total"] == 2


def test_bringing_in_needs_both_scopes(client, team):
    secret = team.token(team.bob, ["interviews:write"])
    reply = client.post("/api/v1/my-data", files={"file": ("x.zip", b"no zip")}, headers=bearer(secret))
    assert reply.status_code == 403
    assert "questions:write" in reply.json()["error"]


def test_her_file_brought_in_by_another_becomes_his_copy(client, team, hers):
    out = client.get("/api/v1/my-data", headers=bearer(team.tokens[team.ann.id])).content
    his = bearer(team.tokens[team.bob.id])
    reply = client.post("/api/v1/my-data", files={"file": ("x.zip", out)}, headers=his)
    assert reply.status_code == 200
    ids = [line["id"] for line in client.get("/api/v1/interviews", headers=his).json()["items"]]
    assert ids
    assert hers["interview_id"] not in ids
