"""Connects components to handlers. Every event goes through `adapt`; nothing else touches gradio's calling rules."""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import gradio as gr

from interviewer.accounts.person import LOCAL, Person
from interviewer.compose import App
from interviewer.errors import InterviewerError
from ui.call import Call
from ui.choices import Prepared
from ui.contest import Contests
from ui.pages.frame import FrameView, show_frame, show_problem
from ui.pages.history import History, HistoryView, show_history
from ui.pages.interview import ACTIONS, Interview, InterviewPage, show_interview
from ui.pages.job import Job
from ui.pages.plan import Planning, PlanView, show_plan
from ui.pages.questions import Questions, QuestionsView, show_questions
from ui.pages.report import Reports, ReportView, show_report
from ui.pages.setup import Setup, SetupView, show_setup
from ui.screens import HistoryScreen, InterviewScreen, PlanScreen, QuestionsScreen, ReportScreen, Screen, SetupScreen
from ui.session import PAGES, Page, Session, read_session
from ui.texts import Texts
from ui.users import current_person

log = logging.getLogger(__name__)

Handler = Callable[..., Iterator[Screen]]
Event = Callable[..., Any]
ACTS_AT_ONCE = 32
"""Interviews that can be answered at the same moment; gradio's own threads are 40."""
READS_AT_ONCE = 32
IMPORTS_AT_ONCE = 1
EDITS_AT_ONCE = 1
"""Each change begins with what the one before it left."""
_IN_TURN: dict[str, Any] = {"limit": EDITS_AT_ONCE, "concurrency_id": "prepared"}
"""For what draws or changes a plan, one event after the other: a choice whose plan was still being drawn when the
person went on to look at another one would put its own in that one's place, behind the page."""
_ON_SEND = "(session, text) => [session, text, window.interviewer.writtenTo()]"
_ON_LOAD = "(session, _, prepared) => [session, window.location.hash, prepared, window.interviewer.kept('choices')]"


class Views(NamedTuple):
    """The components of every page."""

    frame: FrameView
    setup: SetupView
    plan: PlanView
    interview: InterviewPage
    report: ReportView
    history: HistoryView
    questions: QuestionsView


def components(views: Views, pages: Iterable[Page]) -> list[Any]:
    """What a handler may change that leads to one of `pages`: the frame, which page is visible, and what is on them."""
    others = [getattr(views, name).page for name in PAGES if name not in pages]
    parts = [part for view in (views.frame, *(getattr(views, name) for name in pages)) for part in _parts(view)]
    return list(dict.fromkeys(parts)) + others


def components_here(views: Views, page: Page) -> list[Any]:
    """What a handler may change that stays on `page`.

    Not where the tab is: while such a handler works, the person may have gone elsewhere.
    """
    return [
        views.frame.problem,
        *(part for part in _parts(getattr(views, page)) if part is not getattr(views, page).page),
    ]


def _parts(view: Any) -> list[Any]:
    return [part for field in view for part in (field if isinstance(field, tuple) else (field,))]


def show(views: Views, screen: Screen, t: Texts, person: Person = LOCAL) -> dict[Any, Any]:
    """A screen as updates: the frame, which page is visible, and what is on it."""
    pages = {getattr(views, name).page: gr.update(visible=name == screen.session.page) for name in PAGES}
    return show_frame(views.frame, screen, t, person) | pages | _show_page(views, screen, t)


def _show_page(views: Views, screen: Screen, t: Texts) -> dict[Any, Any]:
    match screen:
        case SetupScreen():
            return show_setup(views.setup, screen, t)
        case PlanScreen():
            return show_plan(views.plan, screen, t)
        case InterviewScreen():
            left = {} if screen.prepared is None else {views.setup.prepared: screen.prepared}
            return show_interview(views.interview, screen, t) | left
        case ReportScreen():
            return show_report(views.report, screen, t)
        case HistoryScreen():
            return show_history(views.history, screen, t)
        case QuestionsScreen():
            return show_questions(views.questions, screen, t)


def adapt(handler: Handler, views: Views, outputs: Iterable[Any], t: Texts) -> Callable[..., Iterator[dict[Any, Any]]]:
    """`handler` as gradio calls it: what it yields is shown on `outputs`, what it raises becomes one sentence."""
    allowed = set(outputs)

    def fit(updates: dict[Any, Any]) -> dict[Any, Any]:
        return {component: update for component, update in updates.items() if component in allowed}

    def run(request: gr.Request, event: gr.EventData, stored: Any, *values: Any) -> Iterator[dict[Any, Any]]:
        data = event._data if isinstance(event._data, dict) else {}
        call = Call(current_person(request), read_session(stored), data)
        last = call.session
        shown: dict[Any, Any] = {}
        try:
            for screen in handler(call, *values):
                last = screen.session
                yield _news(shown, fit(show(views, screen, t, call.person)))
        except InterviewerError as error:
            yield fit(show_problem(views.frame, last, str(error.said(t.language)), t))
        except Exception:
            incident = secrets.token_hex(4)
            log.exception("incident %s", incident)
            yield fit(show_problem(views.frame, last, t("error.unexpected", id=incident), t))

    return run


def _news(shown: dict[Any, Any], updates: dict[Any, Any]) -> dict[Any, Any]:
    """What the run of an event has not shown yet; `shown` keeps what it has. Another run knows nothing of it: a page
    may have missed what a broken-off one sent.
    """
    news = {part: update for part, update in updates.items() if part not in shown or shown[part] != update}
    # Gradio takes values out of the updates it is given.
    shown |= {part: dict(update) if isinstance(update, dict) else update for part, update in news.items()}
    return news


class Router:
    """Opens the page an address leads to."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self.setup = Setup(app, t)
        self.job = Job(app, t)
        self.planning = Planning(app, t)
        self.interview = Interview(app, t)
        self.reports = Reports(app, t)
        self.contests = Contests(app, t)
        self.history = History(app, t)
        self.questions = Questions(app, t)

    def load(self, call: Call, route: str, prepared: Prepared, kept: str) -> Iterator[Screen]:
        """A page that was just opened: the address decides, else where this browser was."""
        session = call.session.follow(route) if route.strip("#/") else call.session
        yield from self._open_or_start(call._replace(session=session), prepared, kept)

    def go(self, call: Call, prepared: Prepared, *filters: Any) -> Iterator[Screen]:
        """A link was followed."""
        session = call.session.follow(str(call.event.get("route", ""))).stepped(call.event.get("step"))
        kept = str(call.event.get("choices") or "")
        yield from self._open_or_start(call._replace(session=session), prepared, kept, *filters)

    def report_of_interview(self, call: Call) -> Iterator[Screen]:
        """From an interview to its report."""
        yield from self.reports.open(call._replace(session=call.session.at("report", call.session.item)))

    def _open_or_start(self, call: Call, prepared: Prepared, kept: str, *filters: Any) -> Iterator[Screen]:
        """What is not there any more must not lock a browser out: it gets the start page and the reason."""
        try:
            yield from self._open(call, prepared, kept, *filters)
        except InterviewerError:
            yield from self.setup.open(call._replace(session=Session(step=call.session.step)), prepared, kept)
            raise

    def _open(self, call: Call, prepared: Prepared, kept: str, *filters: Any) -> Iterator[Screen]:
        match call.session.page:
            case "interview" if call.session.item:
                return self.interview.open(call)
            case "report" if call.session.item:
                return self.reports.open(call)
            case "plan" if prepared.plan is not None:
                return self.planning.open(call, prepared)
            case "history":
                return self.history.open(call)
            case "questions":
                return self.questions.open(call, *(filters or ("", "", "", 0, 0)))
        return self.setup.open(call, prepared, kept)


_RAW: dict[str, Any] = {"preprocess": False}
"""For handlers that read choices: gradio refuses a value that the last update took from its list, and the person may
have pressed on before that update arrived. What is chosen is checked by the handlers themselves."""


class _On:
    """Connects one event to one handler."""

    def __init__(self, views: Views, t: Texts) -> None:
        self._views = views
        self._t = t

    def go(
        self, event: Event, handler: Handler, inputs: list[Any], pages: tuple[Page, ...] = PAGES, **options: Any
    ) -> Any:
        """For a handler that leads to one of `pages`."""
        return self._connect(event, handler, inputs, components(self._views, pages), **options)

    def stay(self, page: Page, event: Event, handler: Handler, inputs: list[Any], **options: Any) -> Any:
        """For a handler that stays on `page`."""
        return self._connect(event, handler, inputs, components_here(self._views, page), **options)

    def _connect(
        self,
        event: Event,
        handler: Handler,
        inputs: list[Any],
        outputs: list[Any],
        limit: int = READS_AT_ONCE,
        **options: Any,
    ) -> Any:
        return event(
            adapt(handler, self._views, outputs, self._t),
            [self._views.frame.session, *inputs],
            outputs,
            show_progress="hidden",
            api_visibility="private",
            concurrency_limit=limit,
            **options,
        )


def wire(views: Views, app: App, t: Texts, blocks: gr.Blocks) -> None:
    """Gives every component its handler."""
    router = Router(app, t)
    on = _On(views, t)
    on.go(blocks.load, router.load, [views.frame.route, views.setup.prepared, views.frame.kept], js=_ON_LOAD)
    _wire_setup(on, views.setup, router)
    _wire_plan(on, views.plan, router.planning)
    streams = _wire_interview(on, views.interview, router)
    clicks = on.go(views.report.report.click, router.reports.click, [], ("report", "interview"), limit=ACTS_AT_ONCE)
    often: dict[str, Any] = {"trigger_mode": "multiple", "limit": ACTS_AT_ONCE}
    contests = [
        on.stay("report", views.report.contest.submit, router.contests.on_report, [], **often),
        on.stay("interview", views.interview.contest.submit, router.contests.on_interview, [], **often),
    ]
    on.stay("history", views.history.rows.click, router.history.click, [])
    _wire_questions(on, views.questions, router.questions)
    # Whoever goes elsewhere stops watching; the grade goes on being made without them.
    # The script sends one link at a time, but the last one may still be closing when the next one comes.
    on.go(
        views.frame.bridge.submit,
        router.go,
        [views.setup.prepared, *views.questions.filters],
        cancels=[*streams, *contests, clicks],
        trigger_mode="multiple",
        **_RAW,
    )


def _wire_setup(on: _On, view: SetupView, router: Router) -> None:
    setup, chosen = router.setup, [view.prepared, *view.choices]
    stay = partial(on.stay, "setup")
    # One event for all: of two that run at once the older choices might be shown last.
    changes = partial(gr.on, [component.input for component in view.choices])
    stay(changes, setup.choose, chosen, trigger_mode="always_last", **_IN_TURN, **_RAW)
    stay(view.job.find.click, router.job.find, [view.prepared, view.job.text, view.job.file, *view.choices])
    stay(view.job.found.click, router.job.drop, chosen, trigger_mode="multiple", **_IN_TURN, **_RAW)
    on.go(view.look.click, router.planning.look, chosen, ("plan",), **_IN_TURN, **_RAW)
    on.go(view.start.click, setup.start, chosen, ("setup", "interview"), limit=ACTS_AT_ONCE, **_RAW)


def _wire_plan(on: _On, view: PlanView, planning: Planning) -> None:
    stay = partial(on.stay, "plan")
    stay(view.slots.click, planning.edit, [view.prepared], trigger_mode="multiple", **_IN_TURN)
    stay(view.again.click, planning.again, [view.prepared], **_IN_TURN)
    on.go(view.start.click, planning.start, [view.prepared], ("plan", "interview"), limit=ACTS_AT_ONCE)


def _wire_interview(on: _On, view: InterviewPage, router: Router) -> list[Any]:
    """Returns the events that may take long."""
    interview = router.interview
    stay = partial(on.stay, "interview")
    said = [view.answer, view.written_to]
    sent = (view.answer.submit, view.send.click)
    streams = [stay(event, interview.say, said, limit=ACTS_AT_ONCE, js=_ON_SEND) for event in sent]
    for action, button in zip(ACTIONS, view.actions, strict=True):
        streams.append(stay(button.click, partial(interview.press, action), [], limit=ACTS_AT_ONCE))
    streams.append(stay(view.stop_yes.click, partial(interview.press, "stop"), [], limit=ACTS_AT_ONCE))
    streams.append(stay(view.tracker.submit, interview.time_up, [], limit=ACTS_AT_ONCE))
    streams.append(stay(view.reveal_yes.click, interview.reveal, [view.answer], limit=ACTS_AT_ONCE))
    stay(view.reveal_no.click, interview.keep_on, [])
    stay(view.stop.click, interview.ask_stop, [])
    stay(view.stop_no.click, interview.keep_on, [])
    on.go(view.report.click, router.report_of_interview, [], ("report",))
    return streams


def _wire_questions(on: _On, view: QuestionsView, questions: Questions) -> None:
    stay = partial(on.stay, "questions")
    stay(view.query.change, questions.filter, view.filters, trigger_mode="always_last", **_RAW)
    for component in (view.set, view.topic, view.difficulty):
        stay(component.input, questions.filter, view.filters, trigger_mode="always_last", **_RAW)
    stay(view.previous.click, partial(questions.turn, -1), view.filters, **_RAW)
    stay(view.next.click, partial(questions.turn, 1), view.filters, **_RAW)
    on.go(view.detail.click, questions.practise, [], ("interview",), limit=ACTS_AT_ONCE)
    stay(
        view.importer.click,
        questions.import_files,
        [view.files, *view.target, *view.filters],
        limit=IMPORTS_AT_ONCE,
    )
