"""What goes into the page's `<head>`: script, styles (gradio would rewrite them), icon, and where KaTeX lies."""

import json
from functools import cache
from pathlib import Path

import gradio

from interviewer.models import Language
from ui.theme import script, stylesheet


def head(language: Language) -> str:
    """The head's own part; the language is set here because gradio always writes `en`."""
    tag = {"zh": "zh-CN", "en": "en"}[language]
    return "\n".join(
        [
            '<link rel="icon" type="image/svg+xml" href="../favicon.svg">',
            # Gradio's own few words follow the browser; they must follow the page.
            f"<script>window.interviewerLanguage = {json.dumps(tag)};",
            "Object.defineProperty(navigator, 'language', {get: () => window.interviewerLanguage});",
            "Object.defineProperty(navigator, 'languages', {get: () => [window.interviewerLanguage]});",
            f"window.interviewerMath = {json.dumps(_katex())};",
            script(),
            "</script>",
            f"<style>{stylesheet()}</style>",
        ]
    )


@cache
def _katex() -> dict[str, str] | None:
    """Gradio ships KaTeX under names that change with every version; without it formulas stay as text."""
    assets = Path(gradio.__file__).parent / "templates" / "frontend" / "assets"
    found = {kind: sorted(assets.glob(f"katex-*.{kind}")) for kind in ("js", "css")}
    if not all(found.values()):
        return None
    return {"script": f"assets/{found['js'][0].name}", "style": f"assets/{found['css'][0].name}"}
