"""The page that says how well answers are graded: plain HTML beside the gradio pages, made of stored figures.

`interviewer eval evidence --write` writes what it shows.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from interviewer.models import LANGUAGES, Language
from ui.render.markup import render
from ui.texts import Texts
from ui.theme import stylesheet

_TAGS: dict[Language, str] = {"zh": "zh-CN", "en": "en"}
_SCRIPT = Markup("""(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  function paint() {
    let mode = null;
    try { mode = localStorage.getItem('interviewer.theme'); } catch { /* the system's choice then */ }
    const dark = mode === 'dark' || (mode !== 'light' && system.matches);
    document.documentElement.classList.toggle('iv-dark', dark);
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  }
  paint();
  system.addEventListener('change', paint);
})();""")


def add_evidence(web: FastAPI) -> None:
    """Serves `/zh/evidence` and `/en/evidence`; to be added before gradio takes everything below `/zh` and `/en`."""

    def page(language: Language) -> Response:
        return HTMLResponse(evidence_html(language), headers={"Cache-Control": "no-cache"})

    for language in LANGUAGES:
        web.add_api_route(f"/{language}/evidence", lambda language=language: page(language))


@cache
def evidence_html(language: Language) -> str:
    """The whole document in one language."""
    stored = load_evidence()
    own = files("ui").joinpath("static", "evidence.css").read_text("utf-8")
    return render(
        "evidence",
        Texts(language),
        tag=_TAGS[language],
        other="en" if language == "zh" else "zh",
        script=_SCRIPT,
        style=Markup(f"{stylesheet()}\n{own}\n{stored['style']}"),
        blocks=[_drawn(block) for block in stored[language]],
    )


@cache
def load_evidence() -> dict[str, Any]:
    """The blocks of the page by language, and `style`, that of its pictures."""
    found: dict[str, Any] = json.loads(files("ui").joinpath("static", "evidence.json").read_text("utf-8"))
    return found


def _drawn(block: dict[str, Any]) -> dict[str, Any]:
    """A picture is markup of our own; every other text is escaped by the template."""
    return {**block, "svg": Markup(block["svg"])} if "svg" in block else block
