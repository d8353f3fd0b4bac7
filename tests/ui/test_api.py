"""The API over the real gate, services and stores; only the grader is told what to say."""

import io
import json
import threading
import zipfile

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from interviewer.accounts.person import LOCAL
from interviewer.accounts.values import SCOPES
from interviewer.compose import compose
from interviewer.settings import Settings
from interviewer.storage.interviews import InterviewStore
from tests.ui.conftest import ScriptedGrader
from ui.api.application import add_api
from ui.site.gate import add_gate
from ui.site.visit import add_problems

HERE = "http://127.0.0.1"
NOTES = """# Notes

## 1. What is a race condition?

Two threads change one place without order between them. A lock puts them in order.

## 2. What is a deadlock?

Two threads each wait for a lock the other holds. Taking locks in one order avoids it.
"""


def made(folder, **settings):
    app = compose(Settings(home=folder, _env_file=None, **settings))
    app.__dict__["grader"] = ScriptedGrader()
    app.load_questions()
    web = FastAPI(docs_url=None, openapi_url=None)
    web.state.interviewer = app
    add_problems(web)
    add_api(web, app)
    add_gate(web, app)
    return app, web


@pytest.fixture(scope="module")
def alone(new_folder, copy_home):
    return made(copy_home(new_folder()))


@pytest.fixture(scope="module")
def client(alone):
    with TestClient(alone[1], base_url=HERE) as client:
        yield client


@pytest.fixture
def grader(alone):
    return alone[0].grader


def points_of(client, question_id):
    return client.get(f"/api/v1/questions/{question_id}").json()["points"]


@pytest.fixture(scope="module")
def asked(client):
    """A question with three points, so that the script fits."""
    found = client.get("/api/v1/questions", params={"limit": 100}).json()["items"]
    return next(q["id"] for q in found if len(points_of(client, q["id"])) == 5)


@pytest.fixture
def started(client, grader, asked):
    grader.verdicts = ["covered", "partial", "missing", "missing", "missing"]
    reply = client.post("/api/v1/interviews", json={"question_ids": [asked], "language": "en"})
    assert reply.status_code == 201
    return reply.json()


def test_at_home_it_answers_this_machine_without_a_token(client):
    me = client.get("/api/v1/me").json()
    assert (me["id"], me["team"]) == ("local", False)
    assert me["scopes"] == sorted(SCOPES)


def test_a_page_of_another_site_is_kept_out(client):
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}, {"host": "evil.example"}):
        reply = client.post("/api/v1/interviews", json={}, headers=headers)
        assert reply.status_code == 403
        assert set(reply.json()) >= {"error", "next_step"}


def test_questions_are_listed_a_page_at_a_time(client):
    first = client.get("/api/v1/questions", params={"limit": 100}).json()
    second = client.get("/api/v1/questions", params={"limit": 100, "offset": first["next_offset"]}).json()
    ids = [q["id"] for q in first["items"] + second["items"]]
    assert len(set(ids)) == len(ids) == first["total"]
    assert second["next_offset"] is None
    assert "reference" not in first["items"][0]
    hard = client.get("/api/v1/questions", params={"difficulty": [5], "limit": 100}).json()
    assert {q["difficulty"] for q in hard["items"]} == {5}
    assert client.get("/api/v1/sets").json()[0]["name"] == "bank"
    topics = client.get("/api/v1/topics", params={"language": "zh", "set": ["bank"]}).json()
    assert sum(topic["questions"] for topic in topics) == first["total"]


def test_questions_are_found_and_read(client):
    found = client.get("/api/v1/questions/search", params={"q": "gradient accumulation", "limit": 3}).json()
    assert len(found) == 3
    assert found[0]["score"] >= found[1]["score"]
    question = client.get(f"/api/v1/questions/{found[0]['question']['id']}").json()
    assert question["reference"]
    assert question["points"]


def test_documents_become_questions_and_twice_is_once(client):
    files = [("files", ("notes.md", NOTES.encode(), "text/markdown"))]
    first = client.post("/api/v1/questions/import", data={"set": "notes"}, files=files)
    assert first.status_code == 201
    assert first.json()["questions"] == 2
    again = client.post("/api/v1/questions/import", data={"set": "notes"}, files=files).json()
    listed = client.get("/api/v1/questions", params={"set": ["notes"]}).json()
    assert listed["total"] == 2
    assert again["questions"] == 2
    assert [document["path"] for document in again["report"]["documents"]] == ["notes.md"]


@pytest.mark.parametrize("name", ["../../evil.md", "C:\\x\\evil.md", "/etc/evil.md", "a\x00b/evil.md", ".evil.md"])
def test_a_files_name_leads_nowhere(client, tmp_path, name):
    files = [("files", (name, NOTES.encode(), "text/markdown"))]
    reply = client.post("/api/v1/questions/import", data={"set": "evil"}, files=files)
    assert reply.status_code in (201, 400, 422)
    if reply.status_code == 201:
        assert "/" not in reply.json()["report"]["documents"][0]["path"].removeprefix("/")


def test_an_interview_from_draft_to_report(client, grader, asked):
    grader.verdicts = ["covered", "partial", "missing", "missing", "missing"]
    plan = client.post("/api/v1/interviews/draft", json={"count": 2, "language": "en"}).json()
    again = client.post("/api/v1/interviews/draft", json=plan["request"]).json()
    assert again["questions"] == plan["questions"]
    begun = client.post("/api/v1/interviews", json={"question_ids": [asked], "language": "en"})
    interview = begun.json()
    assert begun.headers["location"] == f"interviews/{interview['id']}"
    assert interview["phase"] == "answering"
    said = client.post(f"/api/v1/interviews/{interview['id']}/say", json={"text": "An answer of mine", "question": 0})
    assert said.status_code == 200
    feedback = next(m for m in said.json()["messages"] if m["kind"] == "feedback")
    assert [p["verdict"] for p in feedback["grade"]["points"]] == grader.verdicts
    too_early = client.get(f"/api/v1/interviews/{interview['id']}/report")
    assert too_early.status_code == 409
    ended = client.post(f"/api/v1/interviews/{interview['id']}/press", json={"action": "stop"}).json()
    assert (ended["phase"], ended["pending"]) == ("ended", False)
    report = client.get(f"/api/v1/interviews/{interview['id']}/report")
    assert report.json()["interview_id"] == interview["id"]
    markdown = client.get(f"/api/v1/interviews/{interview['id']}/report", params={"format": "markdown"})
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert "An answer of mine" in markdown.text
    listed = client.get("/api/v1/interviews", params={"limit": 1}).json()
    assert listed["items"][0]["id"] == interview["id"]
    assert client.delete(f"/api/v1/interviews/{interview['id']}").status_code == 204
    assert client.get(f"/api/v1/interviews/{interview['id']}").status_code == 404


def test_nothing_of_the_reference_is_told_while_the_question_is_open(client, started, asked):
    question = client.get(f"/api/v1/questions/{asked}").json()
    said = client.post(f"/api/v1/interviews/{started['id']}/say", json={"text": "Half of it"})
    assert said.json()["question"]["closed"] is None
    for point in question["points"][1:]:
        assert point["text"]["en"] not in said.text
    assert question["reference"]["en"][:60] not in json.dumps(said.json(), ensure_ascii=False)
    revealed = client.post(f"/api/v1/interviews/{started['id']}/press", json={"action": "reveal"}).json()
    texts = [p["text"] for m in revealed["messages"] if m["grade"] for p in m["grade"]["points"]]
    assert all(texts)


def test_a_mock_interview_tells_no_score_before_its_end(client, grader, asked):
    grader.verdicts = ["covered"] * 5
    body = {"question_ids": [asked], "language": "en", "mode": "mock"}
    interview = client.post("/api/v1/interviews", json=body).json()
    said = client.post(f"/api/v1/interviews/{interview['id']}/say", json={"text": "All of it"}).json()
    if said["phase"] != "ended":
        assert said["score"] is None
        assert not [m for m in said["messages"] if m["grade"]]
        said = client.post(f"/api/v1/interviews/{interview['id']}/press", json={"action": "stop"}).json()
    assert said["score"] == 10


def test_the_grade_can_be_waited_for_or_asked_for_later(client, grader, started, monkeypatch):
    may_go_on = threading.Event()
    real = grader.grade

    def slow(*arguments, **more):
        assert may_go_on.wait(20)
        return real(*arguments, **more)

    monkeypatch.setattr(grader, "grade", slow)
    path = f"/api/v1/interviews/{started['id']}"
    said = client.post(f"{path}/say", json={"text": "An answer"}, params={"wait": 0})
    assert said.status_code == 202
    assert said.headers["location"] == f"../{started['id']}"
    assert said.json()["pending"] is True
    assert said.json()["messages"][-1]["text"] == "An answer", "it is kept before the grade is there"
    assert client.get(path).json()["pending"] is True
    may_go_on.set()
    for _ in range(200):
        found = client.get(path).json()
        if not found["pending"]:
            break
        threading.Event().wait(0.02)
    assert found["pending"] is False
    assert [m for m in found["messages"] if m["grade"]]


def test_a_grade_that_a_crash_left_undone_is_made_when_somebody_asks(alone, client, started):
    from datetime import UTC, datetime

    from interviewer.interview.events import Answered

    InterviewStore(alone[0].database).append(
        LOCAL.id, started["id"], [Answered(at=datetime.now(UTC), text="before the crash")], at=started["version"]
    )
    path = f"/api/v1/interviews/{started['id']}"
    for _ in range(200):
        found = client.get(path).json()
        if not found["pending"]:
            break
        threading.Event().wait(0.02)
    assert [m for m in found["messages"] if m["grade"]]


def test_the_same_request_sent_twice_is_carried_out_once(client, asked, started):
    body = {"question_ids": [asked], "language": "en"}
    keyed = [client.post("/api/v1/interviews", json=body, headers={"Idempotency-Key": "k1"}).json() for _ in "ab"]
    assert keyed[0]["id"] == keyed[1]["id"] != started["id"]
    path = f"/api/v1/interviews/{started['id']}"
    said = {"text": "Once", "version": started["version"]}
    assert client.post(f"{path}/say", json=said).status_code == 200
    again = client.post(f"{path}/say", json=said)
    assert again.status_code == 409
    assert sum(m["text"] == "Once" for m in client.get(path).json()["messages"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/v1/nothing", None, 404),
        ("PUT", "/api/v1/questions", None, 405),
        ("GET", "/api/v1/questions/none", None, 404),
        ("GET", "/api/v1/questions?limit=101", None, 422),
        ("GET", "/api/v1/questions?limit=0", None, 422),
        ("GET", "/api/v1/questions?offset=99999999999999999999", None, 422),
        ("GET", "/api/v1/questions/search", None, 422),
        ("GET", f"/api/v1/questions/search?q={'x' * 1001}", None, 422),
        ("GET", "/api/v1/interviews/none", None, 404),
        ("GET", "/api/v1/interviews/none/report", None, 404),
        ("DELETE", "/api/v1/interviews/none", None, 404),
        ("POST", "/api/v1/interviews/none/say", {"text": "x"}, 404),
        ("POST", "/api/v1/interviews/none/press", {"action": "stop"}, 404),
        ("POST", "/api/v1/interviews/none/press", {"action": "hack"}, 422),
        ("POST", "/api/v1/interviews/none/say", {"text": ""}, 422),
        ("POST", "/api/v1/interviews", {"topics": ["no such topic"]}, 404),
        ("POST", "/api/v1/interviews", {"count": 0}, 422),
        ("POST", "/api/v1/interviews", {"unknown": 1}, 422),
        ("POST", "/api/v1/interviews", {"question_ids": ["x"] * 101}, 422),
        ("POST", "/api/v1/interviews", {"track": "none"}, 404),
        ("POST", "/api/v1/interviews", "not an object", 422),
        ("POST", "/api/v1/my-data", None, 422),
    ],
)
def test_what_goes_wrong_is_told_with_the_next_step(client, method, path, body, status):
    reply = client.request(method, path, json=body)
    assert reply.status_code == status
    assert set(reply.json()) == {"error", "next_step"}
    assert all(reply.json().values())


def test_what_is_no_json_is_told(client):
    reply = client.post("/api/v1/interviews", content=b"{", headers={"content-type": "application/json"})
    assert reply.status_code == 422
    assert set(reply.json()) == {"error", "next_step"}


def test_a_request_too_large_is_not_read(client):
    reply = client.post("/api/v1/interviews", content=b" " * 1_000_001, headers={"content-type": "application/json"})
    assert reply.status_code == 413

    def unannounced():
        for _ in range(20):
            yield b" " * 100_000

    reply = client.post("/api/v1/interviews", content=unannounced(), headers={"content-type": "application/json"})
    assert reply.status_code == 413
    assert set(reply.json()) == {"error", "next_step"}


def test_a_failure_is_one_sentence_and_no_trace(alone, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(alone[0].library), "sets", broken)
    with TestClient(alone[1], base_url=HERE, raise_server_exceptions=False) as client:
        reply = client.get("/api/v1/sets")
    assert reply.status_code == 500
    assert set(reply.json()) == {"error", "next_step"}
    assert "secret" not in reply.text


def test_ones_own_data_goes_out_and_comes_in(client, started):
    out = client.get("/api/v1/my-data")
    assert out.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(out.content)) as file:
        assert any(started["id"] in name for name in file.namelist())
    back = client.post("/api/v1/my-data", files={"file": ("my-data.zip", out.content)})
    assert back.status_code == 200
    assert back.json()["interviews"]["added"] == 0
    assert back.json()["interviews"]["known"] >= 1
    bad = client.post("/api/v1/my-data", files={"file": ("my-data.zip", b"PK nothing")})
    assert bad.status_code == 400
    assert "ZIP" in bad.json()["error"]


def test_the_description_names_every_address_with_its_scope(client):
    found = client.get("/api/v1/openapi.json").json()
    assert found["servers"] == [{"url": "/api/v1"}]
    operations = {(m, p): o for p, item in found["paths"].items() for m, o in item.items()}
    assert len(operations) == 17
    for operation in operations.values():
        assert operation["operationId"]
        assert operation["description"]
        assert operation["security"]
    assert operations["post", "/interviews/{interview_id}/say"]["x-scope"] == "interviews:write"
    assert {o["x-scope"] for o in operations.values()} == {None, *SCOPES}


def test_the_page_of_the_api_describes_every_address_in_both_languages_and_loads_nothing(alone):
    import re

    from ui.app import build_site

    browser = TestClient(build_site(alone[0]), base_url=HERE, headers={"accept": "text/html"})
    described = browser.get("/api/v1/openapi.json").json()
    ids = [o["operationId"] for item in described["paths"].values() for o in item.values()]
    for language in ("en", "zh"):
        html = browser.get(f"/{language}/api").text
        assert [id for id in ids if f'id="{id}"' not in html] == []
        assert re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', html) == []
        assert "<script src" not in html
    assert "Idempotency-Key" in html
