"""The start page: choose what to practise, or go on where you left."""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import gradio as gr

from interviewer.compose import App
from interviewer.models import LANGUAGES, Language, Mode, PlanRequest
from ui.call import Call
from ui.pages.interview import open_interview
from ui.parts import markup
from ui.render.markup import render
from ui.screens import Choices, InterviewScreen, SetupScreen
from ui.texts import Texts

MODES: tuple[Mode, ...] = get_args(Mode)
MOST_QUESTIONS = 20


class SetupView(NamedTuple):
    """The components of the page; those from `sets` to `mode` are the choices, in the order of `Choices`."""

    page: gr.Column
    hero: gr.HTML
    unfinished: gr.HTML
    sets: gr.CheckboxGroup
    topics: gr.Dropdown
    low: gr.Dropdown
    high: gr.Dropdown
    language: gr.Radio
    number: gr.Slider
    mode: gr.Radio
    matching: gr.HTML
    start: gr.Button

    @property
    def choices(self) -> list[Any]:
        return [self.sets, self.topics, self.low, self.high, self.language, self.number, self.mode]


def build_setup(t: Texts) -> SetupView:
    levels = [(t(f"difficulty.{level}"), level) for level in range(1, 6)]
    with gr.Column(visible=False, elem_classes="iv-page iv-setup") as page:
        hero = markup()
        unfinished = markup(visible=False)
        with gr.Column(elem_classes="iv-panel"):
            sets = gr.CheckboxGroup([], label=t("setup.sets"), info=t("setup.sets_info"), elem_id="sets")
            topics = gr.Dropdown([], multiselect=True, label=t("setup.topics"), info=t("setup.topics_info"))
            with gr.Row(elem_classes="iv-pair"):
                low = gr.Dropdown(levels, value=1, label=t("setup.low"), filterable=False, min_width=120)
                high = gr.Dropdown(levels, value=5, label=t("setup.high"), filterable=False, min_width=120)
            with gr.Row(elem_classes="iv-pair"):
                language = gr.Radio(_named("language", LANGUAGES, t), value=t.language, label=t("setup.language"))
                mode = gr.Radio(_named("mode", MODES, t), value="practice", label=t("setup.mode"), elem_id="mode")
            number = gr.Slider(1, MOST_QUESTIONS, value=5, step=1, label=t("setup.count"), buttons=[])
            with gr.Row(elem_classes="iv-start-row"):
                matching = markup()
                start = gr.Button(t("setup.start"), variant="primary", elem_id="start", interactive=False)
    return SetupView(page, hero, unfinished, sets, topics, low, high, language, number, mode, matching, start)


def _value(chosen: list[str], fresh: bool) -> dict[str, Any]:
    """What a person chose is never written back: they may have chosen something else meanwhile."""
    return {"value": chosen} if fresh else {}


def show_setup(view: SetupView, screen: SetupScreen, t: Texts) -> dict[Any, Any]:
    problem = _problem(screen, t)
    matching = render("matching", t, matching=screen.matching, wanted=screen.choices.number, problem=problem)
    unfinished = screen.unfinished
    return {
        view.hero: render("hero", t, grader=screen.grader),
        view.unfinished: gr.update(
            visible=unfinished is not None, value=render("continue", t, open=unfinished) if unfinished else ""
        ),
        view.sets: gr.update(
            choices=[(t("setup.counted", name=s.title, n=s.questions), s.name) for s in screen.sets],
            **_value(list(screen.choices.sets), screen.fresh),
        ),
        view.topics: gr.update(
            choices=[(t("setup.counted", name=topic.title, n=topic.questions), topic.id) for topic in screen.topics],
            **_value([], screen.fresh),
        ),
        view.matching: matching,
        view.start: gr.update(interactive=not problem),
    }


class Setup:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def open(self, call: Call) -> Iterator[SetupScreen]:
        """The page with every set chosen."""
        sets = tuple(info.name for info in self._app.library.sets(self._t.language))
        yield self._screen(call, Choices(sets=sets, language=self._t.language))._replace(fresh=True)

    def choose(self, call: Call, *values: Any) -> Iterator[SetupScreen]:
        yield self._screen(call, read_choices(*values))

    def start(self, call: Call, *values: Any) -> Iterator[InterviewScreen]:
        choices = read_choices(*values)
        request = PlanRequest(
            sets=choices.sets,
            topics=choices.topics,
            min_difficulty=choices.low,
            max_difficulty=choices.high,
            language=choices.language,
            count=choices.number,
            mode=choices.mode,
        )
        yield open_interview(self._app, call, request, self._t)

    def _screen(self, call: Call, choices: Choices) -> SetupScreen:
        library = self._app.library
        topics = library.topics(choices.sets, self._t.language)
        chosen = tuple(topic for topic in choices.topics if topic in {info.id for info in topics})
        matching = self._count(choices._replace(topics=chosen)) if choices.sets and choices.difficulties else 0
        return SetupScreen(
            session=call.session.at("setup"),
            choices=choices._replace(topics=chosen),
            sets=library.sets(self._t.language),
            topics=topics,
            matching=matching,
            unfinished=self._app.service.latest_open(call.user),
            grader=self._app.grader_name(self._t.language),
        )

    def _count(self, choices: Choices) -> int:
        return self._app.library.count(
            sets=choices.sets, topics=choices.topics, difficulties=choices.difficulties, language=choices.language
        )


def read_choices(
    sets: list[str], topics: list[str] | None, low: int, high: int, language: Language, count: float, mode: Mode
) -> Choices:
    """The values of the components as choices."""
    return Choices(tuple(sets), tuple(topics or ()), int(low), int(high), language, int(count), mode)


def _problem(screen: SetupScreen, t: Texts) -> str:
    """Why the interview can't start; empty if it can."""
    if not screen.choices.sets:
        return t("setup.no_sets")
    if not screen.choices.difficulties:
        return t("setup.upside_down")
    return "" if screen.matching else t("setup.no_match")


def _named(family: str, values: tuple[Any, ...], t: Texts) -> list[tuple[str, Any]]:
    return [(t(f"{family}.{value}"), value) for value in values]
