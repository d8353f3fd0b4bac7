"""The page of figures in the app: both languages, nothing from elsewhere, every foreign text escaped."""

import re

import pytest
from fastapi.testclient import TestClient

from interviewer.accounts.person import LOCAL
from interviewer.models import LANGUAGES
from ui import evidence
from ui.app import build_app
from ui.pages.frame import header_html
from ui.texts import Texts

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"


@pytest.fixture(scope="module")
def client(shared_desk):
    return TestClient(build_app(shared_desk), follow_redirects=False)


@pytest.mark.parametrize(
    ("language", "tag", "title"), [("zh", "zh-CN", "评分有多准"), ("en", "en", "How well it grades")]
)
def test_the_page_is_there_in_its_language(client, language, tag, title):
    reply = client.get(f"/{language}/evidence")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    assert f'<html lang="{tag}" data-person="local">' in reply.text
    assert f"<h1>{title}</h1>" in reply.text
    assert len(re.findall("<svg[^>]*iv-chart", reply.text)) >= 3
    assert "<table>" in reply.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_asks_nobody_else(client, language):
    html = client.get(f"/{language}/evidence").text
    addresses = re.findall(r"""(?:src|href)=["']([^"']+)""", html)
    assert addresses
    assert not [a for a in addresses if a.startswith(("http", "//", "data:", "javascript:"))]
    assert not re.search(r"@import|url\(", html.split("</style>")[0].replace("url(#", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_links_lead_back_and_to_the_other_language(client, language):
    html = client.get(f"/{language}/evidence").text
    other = "en" if language == "zh" else "zh"
    assert f'href="./../{other}/evidence"' in html
    assert client.get(f"/{other}/evidence").status_code == 200
    assert 'href="./#/history"' in html
    assert 'href="evidence"' in header_html("setup", "", Texts(language), LOCAL)


@pytest.mark.parametrize("kind", ["heading", "text", "said", "table"])
def test_texts_are_escaped(client, monkeypatch, kind):
    blocks = [{"kind": kind, "text": HOSTILE, "columns": [HOSTILE], "rows": [[HOSTILE, HOSTILE]]}]
    monkeypatch.setattr(evidence, "load_evidence", lambda: {"style": "", "en": blocks})
    html = client.get("/en/evidence").text.split("<main")[1]
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "\u202e" not in html
