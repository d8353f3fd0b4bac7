"""The gate: every route of the page asks who it is, and nobody gets at another person's tabs, events and uploads."""

import json

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers
from starlette.websockets import WebSocketDisconnect

from interviewer.accounts.person import LOCAL
from interviewer.accounts.rules import OPERATOR
from interviewer.accounts.values import SCOPES
from interviewer.interview.commands import Press, Say
from interviewer.models import PlanRequest
from tests.ui.conftest import make_desk
from tests.ui.test_sign_in import join, owner_link
from ui.app import build_app
from ui.site import claims
from ui.site.claims import Claims
from ui.site.cookie import SessionCookie
from ui.site.gate import Gate
from ui.site.origins import Origins
from ui.site.tabs import LARGEST_BODY, Tabs

GRADIO = "/en/gradio_api"
NOT_THERE = "There is no interview"


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    return make_desk(tmp_path_factory.mktemp("team"), team=True)


@pytest.fixture(scope="module")
def web(team):
    return build_app(team)


@pytest.fixture(scope="module")
def stranger(web):
    """A browser nobody signed in with; it also keeps the server going."""
    with TestClient(web, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def ann(team, web, stranger):
    client = TestClient(web, follow_redirects=False)
    client.portal = stranger.portal
    assert join(client, owner_link(team)).status_code == 303
    return client


@pytest.fixture(scope="module")
def bob(team, web, stranger, ann):
    client = TestClient(web, follow_redirects=False)
    client.portal = stranger.portal
    invitation = team.accounts.links.invite(OPERATOR, "member").token
    assert join(client, invitation, login="bob@example.org", name="Bob").status_code == 303
    return client


@pytest.fixture(scope="module")
def people(team, ann, bob):
    return {account.name: account for account in team.accounts.people.all(OPERATOR)}


@pytest.fixture(scope="module")
def interviews(team, people):
    """One ended interview of each."""
    made = {}
    for name, account in people.items():
        view = team.service.start(account.id, PlanRequest(question_ids=("a",), count=1))
        list(team.service.act(account.id, view.id, Say(f"A lock guards what is shared, {name}knows")))
        list(team.service.act(account.id, view.id, Press("stop")))
        made[name] = view.id
    return made


class Tab:
    """A gradio page as its script uses it."""

    def __init__(self, client, hash_):
        self.client = client
        self.hash = hash_
        config = client.get("/en/config").json()
        (self.load,) = [d for d in config["dependencies"] if any(event == "load" for _, event in d["targets"])]

    def event(self, route, **more):
        data = [None, route, None, ""]
        return {"data": data, "event_data": None, "fn_index": self.load["id"], "session_hash": self.hash} | more

    def join(self, route="#/history", **more):
        return self.client.post(f"{GRADIO}/queue/join", json=self.event(route, **more))

    def data(self, **params):
        return self.client.get(f"{GRADIO}/queue/data", params={"session_hash": self.hash} | params)

    def open(self, route, **more):
        """All that the server sends for a page opened at an address."""
        assert self.join(route, **more).status_code == 200
        return self.data().text


# --- who asks ---


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/en/config"),
        ("GET", f"{GRADIO}/info"),
        ("GET", f"{GRADIO}/app_id"),
        ("GET", f"{GRADIO}/startup-events"),
        ("POST", f"{GRADIO}/queue/join"),
        ("GET", f"{GRADIO}/queue/data?session_hash=x"),
        ("GET", f"{GRADIO}/queue/status"),
        ("POST", f"{GRADIO}/cancel"),
        ("POST", f"{GRADIO}/reset"),
        ("GET", f"{GRADIO}/heartbeat/x"),
        ("POST", f"{GRADIO}/upload"),
        ("GET", f"{GRADIO}/upload_progress?upload_id=x"),
        ("GET", f"{GRADIO}/file=pyproject.toml"),
        ("GET", f"{GRADIO}/proxy=http://127.0.0.1/"),
        ("POST", f"{GRADIO}/run/predict"),
        ("POST", f"{GRADIO}/call/run"),
        ("GET", "/en/assets/index.js"),
        ("GET", "/en/evidence"),
        ("GET", "/export/x.html"),
        ("GET", "/api/v1/interviews"),
        ("POST", "/api/v1/anything"),
        ("POST", "/en/sign-out"),
        ("GET", "/nowhere"),
        ("GET", "/en/sign-in/x"),
        ("GET", "/xx/sign-in"),
        ("GET", "//en/sign-in"),
        ("GET", "/en//gradio_api/info"),
        ("GET", "/healthz/"),
    ],
)
def test_without_signing_in_every_route_says_so_and_nothing_else(stranger, ann, method, path):
    reply = stranger.request(method, path)
    assert reply.status_code == 401
    assert set(reply.json()) == {"error", "next_step", "detail"}


@pytest.mark.parametrize("path", ["/", "/en", "/en/", "/zh/evidence", "/export/x.html", "/en/nowhere?x=1"])
def test_a_page_leads_to_the_sign_in(stranger, ann, path):
    reply = stranger.get(path, headers={"accept": "text/html", "accept-language": "zh"})
    language = "en" if path.startswith("/en") else "zh"
    assert reply.status_code == 303
    assert f"{language}/sign-in?next=/" in reply.headers["location"]
    assert stranger.get(str(reply.url.join(reply.headers["location"]))).status_code == 200


def test_a_form_sent_after_signing_out_is_told_on_a_page(stranger, ann):
    reply = stranger.post("/en/account", data={"do": "rename"}, headers={"accept": "text/html"})
    assert reply.status_code == 401
    assert 'href="./sign-in"' in reply.text.replace("../en/", "./")


@pytest.mark.parametrize(
    "path", ["/healthz", "/favicon.svg", "/favicon.ico", "/manifest.json", "/en/sign-in", "/zh/join"]
)
def test_what_comes_before_signing_in_is_there(stranger, ann, path):
    assert stranger.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/en/sign-in", "/en/evidence", "/healthz"])
def test_refusals_and_pages_alike_are_kept_from_other_sites(stranger, ann, path):
    headers = stranger.get(path).headers
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


def test_the_pages_before_signing_in_lead_nowhere_else(stranger, ann):
    html = stranger.get("/en/sign-in").text
    assert "<nav" in html
    assert 'href="./evidence"' not in html


# --- gradio knows the person ---


def test_an_event_of_the_queue_is_the_persons_who_sent_it(ann, bob, interviews):
    for name, client, other in (("Ann", ann, "Bob"), ("Bob", bob, "Ann")):
        shown = Tab(client, f"history-{name}").open("#/history")
        assert interviews[name] in shown
        assert interviews[other] not in shown
        assert f"{name}knows" in Tab(client, f"report-{name}").open(f"#/report/{interviews[name]}")
        for place in ("report", "interview"):
            stolen = Tab(client, f"{place}-stolen-{name}").open(f"#/{place}/{interviews[other]}")
            assert f"{other}knows" not in stolen
            assert NOT_THERE in stolen


@pytest.mark.parametrize(
    "trick", [{"batched": True}, {"event_id": "x"}, {"request": {"state": {}}}, {"simple_format": True}]
)
def test_nothing_in_an_event_makes_it_somebody_elses(bob, interviews, trick):
    shown = Tab(bob, f"trick-{next(iter(trick))}").open("#/history", **trick)
    assert interviews["Bob"] in shown


def test_the_document_says_whose_page_it_is(ann, bob, people):
    for name, client in (("Ann", ann), ("Bob", bob)):
        assert f'data-person="{people[name].id}"' in client.get("/en/").text[:300]


def test_an_export_is_the_persons_own(ann, bob, interviews):
    assert bob.get(f"/export/{interviews['Bob']}.json").status_code == 200
    assert bob.get(f"/export/{interviews['Ann']}.json").status_code == 404
    assert ann.get(f"/export/{interviews['Bob']}.json").status_code == 404


# --- tabs, events and uploads have owners ---


@pytest.fixture
def anns_tab(ann, request):
    """A tab with an event whose answer nobody has fetched yet."""
    tab = Tab(ann, f"ann-{request.node.name}")
    tab.event_id = tab.join().json()["event_id"]
    return tab


def test_a_tab_of_another_person_is_closed(anns_tab, bob, interviews):
    stolen = Tab(bob, anns_tab.hash)
    refused = [
        stolen.join(),
        stolen.data(),
        bob.get(f"{GRADIO}/heartbeat/{anns_tab.hash}"),
        bob.post(
            f"{GRADIO}/cancel", json={"session_hash": anns_tab.hash, "event_id": anns_tab.event_id, "fn_index": 0}
        ),
    ]
    assert [reply.status_code for reply in refused] == [403] * 4
    assert interviews["Ann"] in anns_tab.data().text


def test_an_event_of_another_person_is_not_cancelled_from_an_own_tab(anns_tab, bob, interviews):
    own = Tab(bob, "bobs-own")
    own.open("#/history")
    body = {"session_hash": own.hash, "event_id": anns_tab.event_id, "fn_index": own.load["id"]}
    assert bob.post(f"{GRADIO}/cancel", json=body).status_code == 403
    assert interviews["Ann"] in anns_tab.data().text


def test_an_own_event_can_be_cancelled(ann):
    tab = Tab(ann, "cancelled")
    event_id = tab.join().json()["event_id"]
    body = {"session_hash": tab.hash, "event_id": event_id, "fn_index": tab.load["id"]}
    assert ann.post(f"{GRADIO}/cancel", json=body).json() == {"success": True}


@pytest.mark.parametrize("names", [("own-twice", None), (None, "own-twice")])
def test_a_name_said_twice_does_not_slip_through(anns_tab, bob, names):
    first, second = (name or anns_tab.hash for name in names)
    assert Tab(bob, "x").data(session_hash=[first, second]).status_code == 400
    event = json.dumps(Tab(bob, first).event("#/history"))
    body = event[:-1] + f', "session_hash": {json.dumps(second)}}}'
    reply = bob.post(f"{GRADIO}/queue/join", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == (403 if second == anns_tab.hash else 200)
    if reply.status_code == 200:
        assert bob.get(f"{GRADIO}/queue/data", params={"session_hash": second}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b'{"data": []}', 400),
        (b'{"session_hash": 5, "data": []}', 400),
        (b'{"session_hash": "", "data": []}', 400),
        (b"[" * 100_000, 400),
        (b" " * (LARGEST_BODY + 1), 413),
    ],
)
def test_an_event_that_is_none_is_refused_before_gradio_sees_it(bob, body, status):
    assert bob.post(f"{GRADIO}/queue/join", content=body).status_code == status


@pytest.fixture(scope="module")
def upload(ann):
    """Where gradio put a file of Ann's."""
    files = {"files": ("cv.txt", b"Ann's life\n" * 200, "text/plain")}
    (path,) = ann.post(f"{GRADIO}/upload?upload_id=anns-upload", files=files).json()
    return path


def test_a_file_is_its_uploaders(ann, bob, upload):
    assert ann.get(f"{GRADIO}/file={upload}").text.startswith("Ann's life")
    assert bob.get(f"{GRADIO}/file={upload}").status_code == 403
    assert bob.get(f"{GRADIO}/upload_progress?upload_id=anns-upload").status_code == 403
    assert bob.post(f"{GRADIO}/upload?upload_id=anns-upload", files={"files": ("x", b"x")}).status_code == 403


@pytest.mark.parametrize("shape", [lambda p: {"path": p}, lambda p: [{"file": [{"path": p, "meta": {}}]}]])
def test_a_file_of_another_person_cant_be_handed_in(ann, bob, upload, shape):
    for client, status in ((bob, 403), (ann, 200)):
        tab = Tab(client, f"handing-in-{status}")
        event = tab.event("#/history")
        event["data"][3] = shape(upload)
        assert client.post(f"{GRADIO}/queue/join", json=event).status_code == status


@pytest.mark.parametrize("path", ["/etc/passwd", "pyproject.toml", "http://127.0.0.1:1/x", "/proc/self/environ"])
def test_no_file_but_an_upload_is_served(ann, path):
    assert ann.get(f"{GRADIO}/file={path}").status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{GRADIO}/proxy=http://127.0.0.1/"),
        ("GET", f"{GRADIO}/file/x"),
        ("GET", f"{GRADIO}/deep_link?session_hash=x"),
        ("GET", f"{GRADIO}/dev/reload"),
        ("GET", f"{GRADIO}/stream/x/y/1/playlist.m3u8"),
        ("POST", f"{GRADIO}/stream/x"),
        ("POST", f"{GRADIO}/run/predict"),
        ("POST", f"{GRADIO}/api/predict"),
        ("POST", f"{GRADIO}/call/run"),
        ("GET", f"{GRADIO}/call/run/x"),
        ("POST", f"{GRADIO}/component_server"),
        ("GET", f"{GRADIO}/run-history/records"),
        ("POST", "/en/login"),
        ("GET", "/en/logout"),
        ("GET", "/en/monitoring"),
        ("GET", "/en/monitoring/summary"),
    ],
)
def test_routes_of_gradio_that_the_page_does_not_use_are_not_there(ann, method, path):
    reply = ann.request(method, path, json={"data": [], "session_hash": "x", "fn_index": 0})
    assert (reply.status_code, reply.json()["error"]) == (404, "There is nothing here.")


def test_who_has_not_signed_in_cant_fill_the_memory(stranger, ann):
    assert stranger.post("/en/sign-in", data={"login": "x" * 90_000}).status_code == 401
    assert stranger.post("/en/sign-in", data={"login": "x" * 100_000}).status_code == 413
    assert stranger.post("/en/sign-in", content=iter([b"login=x"])).status_code == 413
    assert ann.post("/en/account", data={"do": "x" * 100_000}).status_code == 303


# --- names in memory ---


def test_names_are_forgotten_after_a_while_and_never_pile_up(monkeypatch):
    monkeypatch.setattr(claims, "MOST", 3)
    now = [0.0]
    names = Claims(lambda: now[0])
    assert names.claim("ann", "a")
    assert not names.claim("bob", "a")
    now[0] = claims.LASTS - 1
    assert names.claim("ann", "a")
    now[0] += claims.LASTS - 1
    assert not names.claim("bob", "a")
    now[0] += 1
    assert not names.has("ann", "a")
    assert names.claim("bob", "a")
    assert not names.claim("ann", "a")
    assert all(names.claim("bob", f"more {n}") for n in range(3))
    assert not names.has("bob", "a")
    assert names.claim("ann", "a")


# --- other sites ---


@pytest.fixture
def home(desk):
    return TestClient(Gate(_probe, *_parts(desk)), follow_redirects=False)


async def _probe(scope, receive, send):
    """Says who was let in."""
    state = {"person": scope["state"]["person"].id, "scopes": sorted(scope["state"]["scopes"])}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(state).encode()})


def _parts(desk):
    return (lambda: desk.accounts), SessionCookie(desk.settings), Origins(desk.settings.public_url), Tabs(Claims())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:3000", "host": "127.0.0.1:7860"}, 403),
        ({"origin": "http://127.0.0.1:7860", "host": "127.0.0.1:7860"}, 200),
        ({"origin": "http://testserver", "host": "127.0.0.1:7860"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, 200),
        ({}, 200),
    ],
)
def test_another_site_in_the_same_browser_cant_act_here(home, headers, status):
    for path in ("/en/gradio_api/reset", "/en/account", "/api/v1/questions"):
        assert home.post(path, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "none"}, 200),
    ],
)
def test_another_site_may_link_here_but_not_read(home, headers, status):
    assert home.get("/en/evidence", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:7860", 200),
        ("127.0.0.1", 200),
        ("[::1]:7860", 200),
        ("testserver", 200),
        ("evil.example", 403),
        ("evil.example:7860", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example", 403),
        ("192.168.1.5:7860", 403),
        ("", 403),
        ("[::1", 403),
        ("testserver.evil.example", 403),
    ],
)
def test_at_home_a_name_that_only_leads_here_is_refused(home, host, status):
    assert home.get("/en/evidence", headers={"host": host}).status_code == status


def test_in_a_team_any_name_will_do_since_cookies_stay_with_theirs(tmp_path):
    desk = make_desk(tmp_path, team=True)
    client = TestClient(Gate(_probe, *_parts(desk)))
    assert client.get("/healthz", headers={"host": "practice.lan"}).status_code == 200


# --- programs ---


def test_at_home_everything_is_allowed_and_a_wrong_token_is_still_wrong(home, desk):
    assert home.get("/api/v1/x").json() == {"person": LOCAL.id, "scopes": sorted(SCOPES)}
    assert home.get("/api/v1/x", headers={"authorization": "Bearer iv_wrong"}).status_code == 401
    secret = desk.accounts.tokens.create(LOCAL, "script", ["questions:read"]).secret
    reply = home.get("/api/v1/x", headers={"authorization": f"Bearer {secret}"})
    assert reply.json() == {"person": LOCAL.id, "scopes": ["questions:read"]}


def test_in_a_team_a_program_needs_a_token_and_a_cookie_is_none(team, ann, people):
    client = TestClient(Gate(_probe, *_parts(team)))
    cookies = {"cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in ann.cookies.jar)}
    assert client.get("/en/evidence", headers=cookies).json()["person"] == people["Ann"].id
    assert client.get("/api/v1/x", headers=cookies).status_code == 401
    assert client.get("/api/v1/openapi.json", headers=cookies).status_code == 200
    secret = team.accounts.tokens.create(people["Bob"].person, "script", ["reports:read"]).secret
    for sent in (f"Bearer {secret}", f"bearer  {secret} "):
        reply = client.get("/api/v1/x", headers={"authorization": sent})
        assert reply.json() == {"person": people["Bob"].id, "scopes": ["reports:read"]}
    for sent in (secret, f"Basic {secret}", f"Bearer {secret}x", "Bearer", ""):
        assert client.get("/api/v1/x", headers={"authorization": sent} | cookies).status_code == 401
    reply = client.get("/en/evidence", headers={"authorization": f"Bearer {secret}"})
    assert reply.status_code == 401
    assert "www-authenticate" in Headers(reply.headers)


def test_only_web_requests_are_let_through(home):
    with pytest.raises(WebSocketDisconnect) as closed, home.websocket_connect("/en/gradio_api/queue/join"):
        pass
    assert closed.value.code == 1008
