"""The interview: the conversation beside its live card, and the box the candidate writes in."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import gradio as gr

from interviewer.compose import App
from interviewer.errors import NotFoundError
from interviewer.interview.commands import Action, Command, Press, Say
from interviewer.interview.revealing import asks_to_end_scoring, reveal_ends_scoring
from interviewer.interview.service import Update
from interviewer.interview.state import InterviewState
from interviewer.models import PlanRequest
from ui.call import Call
from ui.chat import anchor, chat_messages, message_component
from ui.choices import Prepared
from ui.parts import contest_bridge, markup
from ui.render.card import card_html
from ui.render.dispute import nothing_said
from ui.render.markup import render
from ui.render.timing import clock_signal, skips_to_phase
from ui.screens import InterviewScreen
from ui.texts import Texts

ACTIONS: tuple[Action, ...] = ("next", "resume", "retry", "hint", "repeat", "skip", "reveal", "pause")
_VARIANT: dict[str, Literal["primary"]] = {"next": "primary", "resume": "primary", "retry": "primary"}

_ON_LOAD = """
window.interviewerClock.connect((detail) => trigger('submit', detail));
const tell = () => window.interviewer.track(props.value);
tell();
watch('value', tell);
"""


class InterviewPage(NamedTuple):
    """The components of the page; `actions` are the buttons for `ACTIONS`, `tracker` tells the script.

    `written_to` is filled in by the browser when something is sent: the question that was shown then.
    """

    page: gr.Column
    heading: gr.HTML
    chat: gr.Chatbot
    card: gr.HTML
    notice: gr.HTML
    composer: gr.Row
    answer: gr.Textbox
    written_to: gr.Textbox
    send: gr.Button
    toolbar: gr.Row
    actions: tuple[gr.Button, ...]
    stop: gr.Button
    report: gr.Button
    confirm: gr.Row
    stop_yes: gr.Button
    stop_no: gr.Button
    confirm_reveal: gr.Row
    reveal_ask: gr.HTML
    reveal_yes: gr.Button
    reveal_no: gr.Button
    tracker: gr.HTML
    contest: gr.HTML


def build_interview(t: Texts) -> InterviewPage:
    with gr.Column(visible=False, elem_classes="iv-page iv-interview") as page:
        heading = markup(render("title", t, title=t("interview.title")))
        markup(render("clock_said", t))
        with gr.Row(elem_classes="iv-columns", equal_height=False):
            with gr.Column(elem_classes="iv-talk", min_width=0, scale=3):
                chat = _chat(t)
                notice = markup(elem_classes="iv-notice-line")
                toolbar, actions, stop, report = _toolbar(t)
                confirm, stop_yes, stop_no = _confirm(t)
                confirm_reveal, reveal_ask, reveal_yes, reveal_no = _confirm_reveal(t)
                composer, answer, send = _composer(t)
                markup(render("keys", t))
            card = markup(elem_id="card")
        written_to = gr.Textbox(visible="hidden", container=False, elem_id="written-to", elem_classes="iv-gone")
        tracker = gr.HTML(value={}, html_template="<i hidden></i>", js_on_load=_ON_LOAD)
        contest = contest_bridge("interview")
    return InterviewPage(
        page, heading, chat, card, notice, composer, answer, written_to, send,
        toolbar, actions, stop, report, confirm, stop_yes, stop_no,
        confirm_reveal, reveal_ask, reveal_yes, reveal_no, tracker, contest,
    )  # fmt: skip


def _chat(t: Texts) -> gr.Chatbot:
    message_component()
    return gr.Chatbot(
        label=t("interview.chat"),
        show_label=False,
        elem_id="chat",
        autoscroll=False,
        buttons=[],
        render_markdown=False,
        group_consecutive_messages=False,
        height="100%",
        container=False,
        layout="bubble",
    )


def _composer(t: Texts) -> tuple[gr.Row, gr.Textbox, gr.Button]:
    with gr.Row(elem_classes="iv-composer", equal_height=False) as row:
        answer = gr.Textbox(
            label=t("interview.answer"),
            show_label=False,
            container=False,
            placeholder=t("interview.placeholder"),
            lines=1,
            max_lines=12,
            elem_id="answer",
            scale=1,
        )
        send = gr.Button(t("interview.send"), variant="primary", elem_id="send", scale=0, min_width=88)
    return row, answer, send


def _toolbar(t: Texts) -> tuple[gr.Row, tuple[gr.Button, ...], gr.Button, gr.Button]:
    with gr.Row(elem_classes="iv-toolbar") as row:
        actions = tuple(
            gr.Button(
                t(f"action.{action}"),
                variant=_VARIANT.get(action, "secondary"),
                size="sm",
                elem_id=f"do-{action}",
                visible=False,
                min_width=0,
                scale=0,
            )
            for action in ACTIONS
        )
        report = gr.Button(
            t("action.report"), variant="primary", size="sm", elem_id="do-report", visible=False, min_width=0, scale=0
        )
        stop = gr.Button(
            t("action.stop"), size="sm", elem_id="do-stop", elem_classes="iv-end", visible=False, min_width=0, scale=0
        )
    return row, actions, stop, report


def _confirm(t: Texts) -> tuple[gr.Row, gr.Button, gr.Button]:
    with gr.Row(visible=False, elem_classes="iv-toolbar iv-confirm") as row:
        markup(render("ask", t, text=t("interview.stop_ask")))
        yes = gr.Button(t("interview.stop_yes"), variant="stop", size="sm", elem_id="stop-yes", min_width=0, scale=0)
        no = gr.Button(t("interview.stop_no"), size="sm", elem_id="stop-no", min_width=0, scale=0)
    return row, yes, no


def _confirm_reveal(t: Texts) -> tuple[gr.Row, gr.HTML, gr.Button, gr.Button]:
    with gr.Row(visible=False, elem_classes="iv-toolbar iv-confirm") as row:
        ask = markup()
        yes = gr.Button(t("reveal.yes"), variant="stop", size="sm", elem_id="reveal-yes", min_width=0, scale=0)
        no = gr.Button(t("reveal.no"), size="sm", elem_id="reveal-no", min_width=0, scale=0)
    return row, ask, yes, no


def show_interview(view: InterviewPage, screen: InterviewScreen, t: Texts) -> dict[Any, Any]:
    """The box is never written to from here: what is in it belongs to the candidate."""
    state = screen.view.state
    busy = screen.progress is not None
    asking = screen.asks_to_stop or screen.asks_to_reveal
    ended = state.phase == "ended"
    usable = usable_actions(state)
    buttons = {
        button: gr.update(visible=action in usable, interactive=not busy)
        for action, button in zip(ACTIONS, view.actions, strict=True)
    }
    skip = view.actions[ACTIONS.index("skip")]
    buttons[skip]["value"] = t(f"action.{skip_label(state)}")
    return buttons | {
        view.chat: chat_messages(screen, t),
        view.card: card_html(screen.view, screen.progress, screen.grader, t),
        view.notice: render("notice", t, text=screen.notice),
        view.composer: gr.update(visible=not ended),
        view.send: gr.update(interactive=not busy),
        view.toolbar: gr.update(visible=not asking),
        view.confirm: gr.update(visible=screen.asks_to_stop),
        view.confirm_reveal: gr.update(visible=screen.asks_to_reveal),
        view.reveal_ask: render("ask", t, text=t("reveal.ask_mock") if state.mode == "mock" else t("reveal.ask")),
        view.stop: gr.update(visible=not ended, interactive=not busy),
        view.report: gr.update(visible=ended),
        view.tracker: signal(screen),
    }


def signal(screen: InterviewScreen) -> dict[str, Any]:
    """What the script in the browser needs to keep drafts, and to scroll to what is new."""
    messages = screen.view.messages
    return {
        "interview": screen.view.id,
        "said": screen.said,
        "question": len(screen.view.state.questions) - 1,
        "anchor": anchor(messages),
        "last": "progress" if screen.progress else messages[-1].key if messages else "",
        "asks": "stop" if screen.asks_to_stop else "reveal" if screen.asks_to_reveal else "",
        "clock": clock_signal(screen.view) | ({"running": False} if screen.progress else {}),
    }


def skip_label(state: InterviewState) -> str:
    """What skipping means: the question, or the phase of it."""
    current = state.current
    if current is None or not current.phases:
        return "skip"
    return "phase" if skips_to_phase(current) else "finish"


def usable_actions(state: InterviewState) -> frozenset[Action]:
    """The buttons that make sense now."""
    retry: frozenset[Action] = frozenset({"retry"} if state.current and state.current.failed else ())
    if state.phase in ("answering", "grading"):
        return retry.union(("hint", "repeat", "skip", "reveal", "pause"))
    if state.phase in ("reviewing", "asking"):
        return retry.union(("next", "pause"))
    return frozenset({"resume"}) if state.phase == "paused" else frozenset()


class Interview:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def open(self, call: Call) -> Iterator[InterviewScreen]:
        """Shows the interview as stored, then finishes what was under way when page or server went away."""
        yield self._shown(call)
        for update in self._app.service.resume(call.user, call.session.item):
            yield interview_screen(self._app, call, update, self._t)

    def say(self, call: Call, text: str, written_to: str = "") -> Iterator[InterviewScreen]:
        """What was written, and to which question, as time may have moved on since."""
        if self._asks_for_answer(text, call):
            yield self._shown(call)._replace(asks_to_reveal=True)
            return
        question = int(written_to) if written_to.isdecimal() else None
        yield from self._act(call, Say(text, question))

    def press(self, action: Action, call: Call) -> Iterator[InterviewScreen]:
        """A button; what would end scoring is asked about first."""
        if action == "reveal" and reveal_ends_scoring(self._state(call)):
            yield self._shown(call)._replace(asks_to_reveal=True)
            return
        yield from self._act(call, Press(action))

    def reveal(self, call: Call, text: str) -> Iterator[InterviewScreen]:
        """Shows the model answer after a yes; where it was asked for in words, those are said."""
        words = self._asks_for_answer(text, call)
        yield from self._act(call, Say(text) if words else Press("reveal"))

    def time_up(self, call: Call) -> Iterator[InterviewScreen]:
        """The browser's clock has run out; whether that is so is for the server's to say."""
        yield from self._act(call, Press("time_up"))

    def ask_stop(self, call: Call) -> Iterator[InterviewScreen]:
        yield self._shown(call)._replace(asks_to_stop=True)

    def keep_on(self, call: Call) -> Iterator[InterviewScreen]:
        yield self._shown(call)

    def _act(self, call: Call, command: Command) -> Iterator[InterviewScreen]:
        for update in self._app.service.act(call.user, call.session.item, command):
            yield interview_screen(self._app, call, update, self._t)

    def _asks_for_answer(self, text: str, call: Call) -> bool:
        return asks_to_end_scoring(self._state(call), text)

    def _state(self, call: Call) -> InterviewState:
        return self._app.service.view(call.user, call.session.item).state

    def _shown(self, call: Call) -> InterviewScreen:
        view = self._app.service.view(call.user, call.session.item)
        return interview_screen(self._app, call, Update(view), self._t)


def open_interview(app: App, call: Call, request: PlanRequest, t: Texts) -> InterviewScreen:
    """Starts an interview and goes to it."""
    view = app.service.start(call.user, request)
    there = call._replace(session=call.session.at("interview", view.id))
    return interview_screen(app, there, Update(view), t)


def open_plan(app: App, call: Call, prepared: Prepared, t: Texts) -> InterviewScreen:
    """Starts the interview that was prepared and goes to it; the next one gets a plan of its own.

    Raises:
        NotFoundError: if there is no plan, because the server was started anew.
    """
    if prepared.plan is None:
        raise NotFoundError(t("plan.lost"))
    view = app.service.start_plan(call.user, prepared.plan)
    there = call._replace(session=call.session.at("interview", view.id))
    return interview_screen(app, there, Update(view), t)._replace(prepared=prepared._replace(plan=None))


def interview_screen(app: App, call: Call, update: Update, t: Texts) -> InterviewScreen:
    """An update of an interview with what the page says around it."""
    topics = {topic: app.library.topic_title(topic, t.language) for topic in update.view.state.plan.topics}
    return InterviewScreen(
        session=call.session,
        view=update.view,
        progress=update.progress,
        notice=update.notice,
        grader=app.grader_name(t.language),
        topics=topics,
        contest=nothing_said(call.person),
    )
