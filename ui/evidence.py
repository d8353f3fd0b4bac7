"""The page that says how well answers are graded: made of stored figures.

`interviewer eval evidence --write` writes what it shows.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response
from markupsafe import Markup

from ui.site.visit import Visiting


def add_evidence(web: FastAPI) -> None:
    """Serves `/zh/evidence` and `/en/evidence`."""

    @web.get("/{language}/evidence")
    def evidence(visit: Visiting) -> Response:
        stored = load_evidence()
        blocks = [_drawn(block) for block in stored[visit.language]]
        return visit.page(
            "evidence", current="evidence", blocks=blocks, own=Markup(f"{_own_style()}\n{stored['style']}")
        )


@cache
def _own_style() -> str:
    return files("ui").joinpath("static", "evidence.css").read_text("utf-8")


@cache
def load_evidence() -> dict[str, Any]:
    """The blocks of the page by language, and `style`, that of its pictures."""
    found: dict[str, Any] = json.loads(files("ui").joinpath("static", "evidence.json").read_text("utf-8"))
    return found


def _drawn(block: dict[str, Any]) -> dict[str, Any]:
    """A picture is markup of our own; every other text is escaped by the template."""
    return {**block, "svg": Markup(block["svg"])} if "svg" in block else block
