"""The templates of the page. They escape everything that is not markup already."""

from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from interviewer.language import clean
from interviewer.models import Verdict
from interviewer.reporting.lines import choice_lines
from ui.render.reference import formulas_html, reference_html
from ui.render.timing import clock_text
from ui.texts import Texts

VERDICT_ICON = {
    Verdict.COVERED: "✓\ufe0e",
    Verdict.PARTIAL: "◐\ufe0e",
    Verdict.MISSING: "○",
    Verdict.CONTRADICTED: "✕\ufe0e",
}


@cache
def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("ui", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    env.filters |= {
        "md": reference_html,
        "tex": formulas_html,
        "plain": plain,
        "score": score,
        "when": when,
        "stars": _stars,
        "clock": clock_text,
    }
    env.globals |= {"icon": _icon, "choice_lines": choice_lines}
    return env


def _icon(verdict: str) -> str:
    return VERDICT_ICON[Verdict(verdict)]


def render(template: str, t: Texts, **values: Any) -> str:
    """The HTML of `templates/<template>.html` with `values`; texts come from `t`."""
    return _environment().get_template(f"{template}.html").render(t=t, **values).strip()


def plain(text: str) -> str:
    """Somebody's text without control and direction-changing characters; the template escapes it."""
    return clean(text)


def score(value: float | None) -> str:
    """A score of 0..10 with one decimal, or a dash where there is none."""
    return "–" if value is None else f"{value:.1f}"


def when(moment: datetime) -> Markup:
    """A moment the browser shows in its own time zone; UTC to the minute where scripts don't run."""
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(moment.isoformat(), moment)


@pass_context
def _stars(context: Context, value: int) -> Markup:
    """A difficulty of 1..5 as dots, with its words for those who don't see them."""
    words = context["t"](f"difficulty.{value}")
    dots = "●" * value + "○" * (5 - value)
    return Markup('<span class="iv-dots" title="{w}"><span aria-hidden="true">{d}</span> {w}</span>').format(
        w=words, d=dots
    )
