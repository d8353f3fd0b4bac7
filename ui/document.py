"""The HTML document around gradio's page: language, script, styles and icon, in place before gradio starts.

Gradio's own `head` and `css` options arrive only while its page is being built: too late to choose a language or a
colour without a flash, and with the styles rewritten.
"""

import json
from functools import cache
from html import escape
from pathlib import Path

import gradio
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interviewer.models import LANGUAGES, Language
from ui.texts import Texts
from ui.theme import script, stylesheet
from ui.users import current_user

_TAGS: dict[Language, str] = {"zh": "zh-CN", "en": "en"}
_PAGES: dict[str, Language] = {f"/{language}/": language for language in LANGUAGES}


def add_document(web: FastAPI) -> None:
    """Completes the documents that the gradio apps at `/zh/` and `/en/` send."""
    web.add_middleware(_Documents)


def complete(html: str, language: Language, person: str) -> str:
    """Gradio's document with our head, in the right language, for the person with that id."""
    root = f'lang="{_TAGS[language]}" data-person="{escape(person)}"'
    return html.replace('lang="en"', root, 1).replace("<head>", f"<head>{head(language)}", 1)


@cache
def head(language: Language) -> str:
    tag = json.dumps(_TAGS[language])
    return f"""
<title>{Texts(language)("frame.name")}</title>
<link rel="icon" type="image/svg+xml" href="../favicon.svg">
<script>
window.interviewerLanguage = {tag};
// Gradio's own few words follow the browser; they must follow the page.
Object.defineProperty(navigator, 'language', {{get: () => {tag}}});
Object.defineProperty(navigator, 'languages', {{get: () => [{tag}]}});
window.interviewerMath = {json.dumps(_katex())};
{script()}
</script>
<style>{stylesheet()}</style>
"""


@cache
def _katex() -> dict[str, str] | None:
    """Gradio ships KaTeX under names that change with every version; without it formulas stay as text."""
    assets = Path(gradio.__file__).parent / "templates" / "frontend" / "assets"
    found = {kind: sorted(assets.glob(f"katex-*.{kind}")) for kind in ("js", "css")}
    if not all(found.values()):
        return None
    return {"script": f"assets/{found['js'][0].name}", "style": f"assets/{found['css'][0].name}"}


class _Documents:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        language = _PAGES.get(scope.get("path", "")) if scope["type"] == "http" else None
        if language is None or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        # Compressed, it could not be completed.
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": plain}, receive, _Completed(send, language, current_user(Request(scope))))


class _Completed:
    """Holds an HTML reply back until it is whole."""

    def __init__(self, send: Send, language: Language, person: str) -> None:
        self._send = send
        self._language = language
        self._person = person
        self._start: Message = {}
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            if not self._is_html:
                await self._send(message)
        elif message["type"] != "http.response.body" or not self._is_html:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish()

    @property
    def _is_html(self) -> bool:
        return Headers(raw=self._start["headers"]).get("content-type", "").startswith("text/html")

    async def _finish(self) -> None:
        body = complete(self._body.decode(), self._language, self._person).encode()
        headers = MutableHeaders(raw=self._start["headers"])
        headers["content-length"] = str(len(body))
        headers["cache-control"] = "no-store"
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": body})
