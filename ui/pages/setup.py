"""The start page: choose what to practise, see what will happen, or go on where you left."""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import gradio as gr

from interviewer.compose import App
from interviewer.models import LANGUAGES, LEVELS, Mode, Track, TrackRound, pick
from ui.call import Call
from ui.choices import MINUTES_STEP, MOST_QUESTIONS, Prepared, keep, kept, read_choices
from ui.pages.interview import open_plan
from ui.pages.job import JobView, build_job, show_job
from ui.parts import markup
from ui.preparing import Preparer
from ui.render.markup import render
from ui.render.plan import outlook_html
from ui.screens import InterviewScreen, SetupScreen
from ui.texts import Texts

MODES: tuple[Mode, ...] = get_args(Mode)
_KEEP = "watch('value', () => window.interviewer.keep('choices', props.value));"


class SetupView(NamedTuple):
    """The components of the page; those from `track` to `number` are the choices, in the order of `Choices`.

    Attributes:
        prepared: The tab's `Prepared`.
        memory: Gives the choices to the browser to keep.
    """

    page: gr.Column
    hero: gr.HTML
    unfinished: gr.HTML
    track: gr.Radio
    level: gr.Radio
    rounds: gr.CheckboxGroup
    minutes: gr.Number
    mode: gr.Radio
    language: gr.Radio
    sets: gr.CheckboxGroup
    topics: gr.Dropdown
    low: gr.Dropdown
    high: gr.Dropdown
    number: gr.Slider
    job: JobView
    outlook: gr.HTML
    look: gr.Button
    start: gr.Button
    prepared: gr.State
    memory: gr.HTML

    @property
    def choices(self) -> list[Any]:
        return [
            self.track, self.level, self.rounds, self.minutes, self.mode, self.language,
            self.sets, self.topics, self.low, self.high, self.number,
        ]  # fmt: skip


def build_setup(t: Texts) -> SetupView:
    """The page. Everything stays mounted, so that no value is sent before it is set; the style sheet shows what there
    is to choose by the classes `iv-of-*` and by what the outlook says is chosen."""
    with gr.Column(visible=False, elem_classes="iv-page iv-setup") as page:
        hero = markup()
        unfinished = markup(visible=False)
        with gr.Column(elem_classes="iv-panel"):
            with gr.Row(elem_classes="iv-pair"):
                mode = gr.Radio(_named("mode", MODES, t), value="practice", label=t("setup.mode"), elem_id="mode")
                language = gr.Radio(_named("language", LANGUAGES, t), value=t.language, label=t("setup.language"))
            with gr.Column(elem_classes="iv-group iv-of-new"):
                track = gr.Radio([], label=t("setup.track"), elem_id="track", elem_classes="iv-cards")
            with gr.Row(elem_classes="iv-pair iv-of-time"):
                with gr.Column(elem_classes="iv-group iv-of-track"):
                    level = gr.Radio(_named("level", LEVELS, t), value="mid", label=t("setup.level"), elem_id="level")
                # Without bounds of its own: typed digit by digit, a number is outside them for a moment.
                minutes = gr.Number(
                    value=30, step=MINUTES_STEP, precision=0, label=t("setup.minutes"), elem_id="minutes"
                )
            with gr.Column(elem_classes="iv-group iv-of-track"):
                rounds = gr.CheckboxGroup([], label=t("setup.rounds"), info=t("setup.rounds_info"), elem_id="rounds")
            with gr.Column(elem_classes="iv-group iv-of-free"):
                sets, topics, low, high, number = _free_choices(t)
            with gr.Column(elem_classes="iv-group iv-of-track"):
                job = build_job(t)
            with gr.Row(elem_classes="iv-start-row"):
                outlook = markup(elem_id="outlook")
                look = gr.Button(t("setup.look"), elem_id="look", interactive=False, min_width=0, scale=0)
                start = gr.Button(
                    t("setup.start"), variant="primary", elem_id="start", interactive=False, min_width=0, scale=0
                )
        prepared = gr.State(Prepared())
        memory = gr.HTML(value="", html_template="<i hidden></i>", js_on_load=_KEEP)
    return SetupView(
        page, hero, unfinished, track, level, rounds, minutes, mode, language,
        sets, topics, low, high, number, job, outlook, look, start, prepared, memory,
    )  # fmt: skip


def _free_choices(t: Texts) -> tuple[gr.CheckboxGroup, gr.Dropdown, gr.Dropdown, gr.Dropdown, gr.Slider]:
    difficulties = [(t(f"difficulty.{level}"), level) for level in range(1, 6)]
    sets = gr.CheckboxGroup([], label=t("setup.sets"), info=t("setup.sets_info"), elem_id="sets")
    topics = gr.Dropdown([], multiselect=True, label=t("setup.topics"), info=t("setup.topics_info"))
    with gr.Row(elem_classes="iv-pair"):
        low = gr.Dropdown(difficulties, value=1, label=t("setup.low"), filterable=False, min_width=120)
        high = gr.Dropdown(difficulties, value=5, label=t("setup.high"), filterable=False, min_width=120)
    number = gr.Slider(1, MOST_QUESTIONS, value=5, step=1, label=t("setup.count"), buttons=[], elem_id="count")
    return sets, topics, low, high, number


def show_setup(view: SetupView, screen: SetupScreen, t: Texts) -> dict[Any, Any]:
    choices, unfinished = screen.choices, screen.unfinished
    ready = screen.prepared.plan is not None and not screen.problem
    return {
        view.hero: render("hero", t, grader=screen.grader, assigned=screen.assigned),
        view.unfinished: gr.update(
            visible=unfinished is not None, value=render("continue", t, open=unfinished) if unfinished else ""
        ),
        view.topics: gr.update(
            choices=[(t("setup.counted", name=topic.title, n=topic.questions), topic.id) for topic in screen.topics],
            **_value(list(choices.topics), screen.fresh),
        ),
        view.outlook: outlook_html(screen, t),
        view.look: gr.update(interactive=ready),
        view.start: gr.update(interactive=ready),
        view.prepared: screen.prepared,
        view.memory: keep(choices),
    } | show_job(view.job, screen, t) | _own_choices(view, screen, t)  # fmt: skip


def _own_choices(view: SetupView, screen: SetupScreen, t: Texts) -> dict[Any, Any]:
    """What the page chooses itself; everything else is the person's, who may have changed it since."""
    if not (screen.fresh or screen.new_rounds):
        return {}
    choices = screen.choices
    parts = [(_round_label(part, t), part.id) for part in _rounds(screen)]
    rounds = {view.rounds: gr.update(choices=parts, value=list(choices.rounds))}
    if not screen.fresh:
        return rounds
    cards = [(_card(track, t), track.id) for track in screen.tracks]
    cards.append((f"{t('setup.free')}\n{t('setup.free_about')}", ""))
    sets = [(t("setup.counted", name=s.title, n=s.questions), s.name) for s in screen.sets]
    return rounds | {
        view.track: gr.update(choices=cards, value=choices.track),
        view.sets: gr.update(choices=sets, value=list(choices.sets)),
        view.level: choices.level,
        view.minutes: choices.minutes,
        view.mode: gr.update(choices=_modes(screen.due, t), value=choices.mode),
        view.language: choices.language,
        view.low: choices.low,
        view.high: choices.high,
        view.number: choices.number,
    }


def _modes(due: int, t: Texts) -> list[tuple[str, str]]:
    drill = [(t("drill.mode", n=due), "drill")] if due else []
    return [*_named("mode", MODES[:-1] if due else MODES, t), *drill]


def _value(chosen: list[str], fresh: bool) -> dict[str, Any]:
    return {"value": chosen} if fresh else {}


def _card(track: Track, t: Texts) -> str:
    about = t("setup.imported_from", source=track.source) if track.source else pick(track.about, t.language) or ""
    return f"{pick(track.title, t.language)}\n{about}"


def _round_label(part: TrackRound, t: Texts) -> str:
    return t("setup.round", title=pick(part.title, t.language), n=part.minutes)


def _rounds(screen: SetupScreen) -> tuple[TrackRound, ...]:
    track = next((track for track in screen.tracks if track.id == screen.choices.track), None)
    return track.rounds if track else ()


class Setup:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t
        self._preparer = Preparer(app, t)

    def open(self, call: Call, prepared: Prepared, stored: str = "") -> Iterator[SetupScreen]:
        """The page with the choices of last time, or with what suits a newcomer."""
        choices = self._preparer.valid(call.person, kept(stored, self._t.language))
        choices = choices or self._preparer.first(call.person)
        due = self._app.memory.counts(call.user).due
        yield self._preparer.screen(call, choices, prepared)._replace(fresh=True, due=due)

    def choose(self, call: Call, prepared: Prepared, *values: Any) -> Iterator[SetupScreen]:
        """Other choices, and the rounds that suit them, unless the person chose their own."""
        chosen, before = read_choices(*values), prepared.choices
        choices = self._preparer.with_fitting_rounds(call.person, chosen, before)
        screen = self._preparer.screen(call, choices, prepared)
        other_track = before is not None and not before.has_rounds_of(choices)
        yield screen._replace(new_rounds=other_track or choices.rounds != chosen.rounds)

    def start(self, call: Call, prepared: Prepared, *values: Any) -> Iterator[InterviewScreen]:
        """The plan that is shown; a choice made at the last moment still counts."""
        choices = read_choices(*values)
        ready = self._preparer.prepare(call, self._preparer.valid(call.person, choices) or choices, prepared)
        yield open_plan(self._app, call, ready, self._t)


def _named(family: str, values: tuple[Any, ...], t: Texts) -> list[tuple[str, Any]]:
    return [(t(f"{family}.{value}"), value) for value in values]
