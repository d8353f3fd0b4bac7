"""The page as a web application: addresses, headers, downloads, nothing from elsewhere."""

import asyncio
import json
import re

import pytest
from fastapi.testclient import TestClient

from interviewer.interview.commands import Press, Say
from interviewer.models import PlanRequest
from ui.app import build_app, build_page


@pytest.fixture(scope="module")
def client(shared_desk):
    return TestClient(build_app(shared_desk), follow_redirects=False)


@pytest.fixture(scope="module")
def ended(shared_desk):
    desk = shared_desk
    view = desk.service.start("local", PlanRequest(question_ids=("a",), count=1))
    list(desk.service.act("local", view.id, Say("A lock <script>alert(1)</script>")))
    list(desk.service.act("local", view.id, Press("stop")))
    return view.id


@pytest.mark.parametrize(
    ("accept", "cookie", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "", "zh"),
        ("en-GB", "", "en"),
        ("fr-FR,zh;q=0.4", "", "zh"),
        ("fr", "", "en"),
        ("", "", "en"),
        ("zh-CN", "en", "en"),
        ("zh-CN", "xx", "zh"),
    ],
)
def test_the_page_opens_in_the_language_of_the_person(client, accept, cookie, language):
    headers = {"accept-language": accept, "cookie": f"interviewer_language={cookie}"}
    assert client.get("/", headers=headers).headers["location"] == f"{language}/"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_address_without_its_slash_still_works(client, language):
    assert client.get(f"/{language}").headers["location"] == f"{language}/"


@pytest.mark.parametrize("path", ["/zh/", "/en/", "/healthz", "/export/x.html"])
def test_every_reply_forbids_loading_from_elsewhere(client, path):
    policy = client.get(path).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert not re.search(r"https?:|\*", policy)


def test_the_page_names_no_script_style_or_font_from_elsewhere(client):
    html = client.get("/zh/").text
    loaded = re.findall(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["']?([^"'> ]+)""", html)
    assert loaded
    assert not [address for address in loaded if address.startswith(("http", "//"))]
    assert "fonts.googleapis" not in client.get("/zh/theme.css").text + html


@pytest.mark.parametrize(("language", "tag"), [("zh", "zh-CN"), ("en", "en")])
def test_the_document_is_in_its_language_and_complete_before_gradio_starts(client, language, tag):
    reply = client.get(f"/{language}/", headers={"accept-encoding": "br, gzip"})
    head = reply.text.split("</head>")[0]
    assert f'lang="{tag}"' in reply.text[:200]
    assert head.index("window.interviewer = {") < head.index("window.gradio_config")
    assert "--iv-accent" in head
    assert int(reply.headers["content-length"]) == len(reply.content)


def test_formulas_are_drawn_with_what_gradio_ships(client):
    found = re.search(r"window.interviewerMath = (\{.*?\});", client.get("/en/").text)
    for address in json.loads(found.group(1)).values():
        assert client.get(f"/en/{address}").status_code == 200


def test_health_and_icon(client):
    health = client.get("/healthz").json()
    assert health["status"] == "ok"
    assert health == client.get("/healthz").json()
    assert client.get("/favicon.svg").headers["content-type"] == "image/svg+xml"
    assert client.get("/manifest.json").json()["name"] == "Interviewer"


@pytest.mark.parametrize(
    ("kind", "type_"), [("html", "text/html"), ("md", "text/markdown"), ("json", "application/json")]
)
def test_a_report_downloads_as_a_file(client, ended, kind, type_):
    reply = client.get(f"/export/{ended}.{kind}")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith(type_)
    assert re.fullmatch(rf'attachment; filename="interview-[\d-]+\.{kind}"', reply.headers["content-disposition"])
    assert "What is a mutex (a)" in reply.text
    if kind == "json":
        assert json.loads(reply.text)["interview_id"] == ended
    if kind == "html":
        assert "<script>alert" not in reply.text


def test_what_goes_on_can_not_be_downloaded(client, shared_desk):
    view = shared_desk.service.start("local", PlanRequest(count=1))
    reply = client.get(f"/export/{view.id}.json")
    assert reply.status_code == 409
    assert "not over yet" in reply.text
    list(shared_desk.service.act("local", view.id, Press("stop")))
    assert client.get(f"/export/{view.id}.json").status_code == 200


@pytest.mark.parametrize("path", ["/export/nobody.html", "/export/nobody.exe", "/export/..%2f..%2fx.html"])
def test_a_download_of_nothing_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_page_nobody_uses_looks_for_work_a_few_times_a_second(shared_desk, monkeypatch):
    queue = build_page(shared_desk, "en")._queue
    queue.active_jobs = [None]
    waits = []

    async def sleep(seconds):
        waits.append(seconds)
        queue.stopped = len(waits) % 10 == 0

    monkeypatch.setattr("gradio.queueing.asyncio.sleep", sleep)
    for look in (queue.start_processing, queue.start_progress_updates):
        asyncio.run(look())
        queue.stopped = False
    assert len(waits) == 20
    assert min(waits) >= 0.02
