"""The web page: one gradio app a language on a FastAPI app, with the gate in front of both."""

import secrets
import socket
from collections.abc import Callable

import gradio as gr
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from interviewer.compose import App
from interviewer.models import LANGUAGES, Language
from ui.blocks import Page
from ui.document import add_document
from ui.exports import add_exports
from ui.pages.frame import build_frame
from ui.pages.history import build_history
from ui.pages.interview import build_interview
from ui.pages.plan import build_plan
from ui.pages.questions import build_questions
from ui.pages.report import build_report
from ui.pages.setup import build_setup
from ui.preference import preferred_language
from ui.render.markup import render
from ui.security import add_security
from ui.site.gate import add_gate
from ui.site.routes import add_site
from ui.texts import Texts
from ui.theme import theme
from ui.users import current_user
from ui.wiring import READS_AT_ONCE, Views, wire

LARGEST_UPLOAD = "200mb"
IDLE = 0.02
"""Seconds between looks into gradio's queue while nothing is under way."""


def build_app(app: App) -> FastAPI:
    """The page for `app` as a web application; opens nothing."""
    web = build_site(app)
    for language in LANGUAGES:
        gr.mount_gradio_app(
            web,
            build_page(app, language),
            path=f"/{language}",
            theme=theme(),
            footer_links=[],
            run_history=False,
            ssr_mode=False,
            pwa=False,
            mcp_server=False,
            show_error=False,
            max_file_size=LARGEST_UPLOAD,
        )
    return web


def build_site(app: App) -> FastAPI:
    """All of it but gradio's pages, and the gate in front."""
    web = FastAPI(title="Interviewer", docs_url=None, redoc_url=None, openapi_url=None)
    _add_routes(web)
    add_exports(web, app)
    add_site(web, app)
    # What is added last is met first.
    add_document(web)
    add_gate(web, app)
    add_security(web)
    return web


def build_page(app: App, language: Language) -> gr.Blocks:
    """All pages in one language."""
    t = Texts(language)
    blocks: gr.Blocks
    with Page(title=t("frame.name"), analytics_enabled=False) as blocks:
        wire(build_views(t), app, t, blocks)
    blocks.queue(default_concurrency_limit=READS_AT_ONCE, api_open=False)
    # Gradio looks a thousand times a second for something to do, which costs an idle server 4% of a core a language.
    blocks._queue.sleep_when_free = blocks._queue.progress_update_sleep_when_free = IDLE
    return blocks


def build_views(t: Texts) -> Views:
    """The components of every page, inside the current `gr.Blocks`."""
    frame = build_frame(t)
    with gr.Column(elem_classes="iv-main"):
        setup = build_setup(t)
        plan = build_plan(t, setup.prepared)
        return Views(frame, setup, plan, build_interview(t), build_report(t), build_history(t), build_questions(t))


def serve(app: App, listening: socket.socket, on_ready: Callable[[str], None]) -> None:
    """Serves the page until interrupted.

    Args:
        listening: Takes the connections; closed in the end.
        on_ready: Called with the address once the page answers.
    """
    config = uvicorn.Config(build_app(app), log_level="warning", ws="none")
    server = _Server(config, on_ready)
    server.run([listening])


class _Server(uvicorn.Server):
    """A server that says when it listens, and where."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        for listening in self.servers:
            host, port = listening.sockets[0].getsockname()[:2]
            self._on_ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def _add_routes(web: FastAPI) -> None:
    @web.get("/")
    def start(request: Request) -> Response:
        return RedirectResponse(f"{preferred_language(request)}/", status_code=307)

    for language in LANGUAGES:
        web.add_api_route(f"/{language}", lambda language=language: RedirectResponse(f"{language}/"))

    run = secrets.token_hex(8)

    @web.get("/healthz")
    def healthz(request: Request) -> Response:
        """Says that the server is up; by `run`, whether it is the one that was up before; and who is signed in."""
        told = {"status": "ok", "run": run, "person": current_user(request)}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    @web.get("/manifest.json")
    def manifest() -> Response:
        return JSONResponse({"name": "Interviewer", "icons": [{"src": "favicon.svg", "sizes": "any"}]})

    @web.get("/favicon.ico")
    @web.get("/favicon.svg")
    def icon() -> Response:
        return Response(render("logo", Texts("en")), media_type="image/svg+xml")
