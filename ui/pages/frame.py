"""What stands around every page: the header with its links, and the channel to the browser's own script."""

from typing import Any, NamedTuple

import gradio as gr

from interviewer.accounts.person import LOCAL, Person
from ui.navigation import nav_links
from ui.parts import markup
from ui.render.markup import render
from ui.screens import Screen
from ui.session import Page, Session
from ui.texts import Texts

STORAGE_KEY = "interviewer.session"
_ON_LOAD = """
window.interviewer.connect((detail) => trigger('submit', {...detail, choices: window.interviewer.kept('choices')}));
window.interviewer.apply(props.value);
watch('value', () => window.interviewer.apply(props.value));
"""


class FrameView(NamedTuple):
    """The parts of the frame.

    Attributes:
        session: The tab's `Session`, kept by the browser.
        route: The address the page was opened at; filled in by the browser.
        kept: The choices of an earlier visit, as the browser kept them.
        problem: One sentence about what did not work, until the next click.
        bridge: Tells the script what is shown, and brings back changes of the address bar.
    """

    session: gr.BrowserState
    route: gr.Textbox
    kept: gr.Textbox
    header: gr.HTML
    problem: gr.HTML
    bridge: gr.HTML


def build_frame(t: Texts) -> FrameView:
    # A key made anew at every start would make browsers forget where they were.
    session = gr.BrowserState(Session().model_dump(), storage_key=STORAGE_KEY, secret="not a secret")
    route = gr.Textbox(visible="hidden", elem_id="route", elem_classes="iv-gone", container=False)
    kept = gr.Textbox(visible="hidden", elem_id="kept", elem_classes="iv-gone", container=False)
    header = markup(header_html("setup", "", t, LOCAL), elem_id="header")
    problem = markup(elem_id="problem")
    bridge = gr.HTML(value={}, html_template="<i hidden></i>", js_on_load=_ON_LOAD, elem_id="bridge")
    return FrameView(session, route, kept, header, problem, bridge)


def show_frame(view: FrameView, screen: Screen, t: Texts, person: Person) -> dict[Any, Any]:
    session = screen.session
    return {
        view.session: session.model_dump(),
        view.header: header_html(session.page, session.interview, t, person),
        view.problem: "",
        view.bridge: signal(screen, t),
    }


def show_problem(view: FrameView, session: Session, text: str, t: Texts) -> dict[Any, Any]:
    """A sentence above the page, which stays as it is.

    The session is written again: left out, gradio would put it back to its first value.
    """
    return {
        view.session: session.model_dump(),
        view.problem: render("problem", t, text=text),
        view.bridge: {"step": session.step},
    }


def header_html(page: Page, interview: str, t: Texts, person: Person) -> str:
    other = "en" if t.language == "zh" else "zh"
    current = "setup" if page == "plan" else page
    return render("header", t, current=current, links=nav_links(person, interview), other=other)


def signal(screen: Screen, t: Texts) -> dict[str, Any]:
    """What the script in the browser needs: the address, the title, and which link this is the reply to."""
    return {
        "route": screen.session.route,
        "title": f"{t(f'title.{screen.session.page}')} · {t('frame.name')}",
        "step": screen.session.step,
    }
