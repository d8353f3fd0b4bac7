"""The adapter between handlers and gradio, and what `show_*` may touch."""

import asyncio
import logging
from types import SimpleNamespace

import gradio as gr
import pytest
from gradio.state_holder import SessionState

from interviewer.accounts.person import LOCAL
from interviewer.errors import NotFoundError
from interviewer.models import LANGUAGES
from interviewer.worded import UnknownError
from tests.ui.choosing import free
from ui.app import build_page, build_views
from ui.blocks import Page
from ui.choices import Choices, Prepared
from ui.screens import SetupScreen
from ui.session import PAGES, Session
from ui.texts import Texts
from ui.wiring import adapt, components, components_here, show, wire


def screen(**session):
    choices = Choices(sets=("bank",))
    return SetupScreen(Session(**session), choices, (), (), (), Prepared(), "", 3, {}, None, "x")


def request(person=LOCAL):
    return SimpleNamespace(scope={"state": {"person": person}})


def run(handler, views, t, stored=None, event=None):
    data = gr.EventData(None, event)
    return list(adapt(handler, views, components(views, PAGES), t)(request(), data, stored))


def test_a_handler_gets_the_user_the_session_and_what_was_clicked(views, t):
    seen = []

    def handler(call):
        seen.append(call)
        yield screen()

    run(handler, views, t, Session(page="history").model_dump(), {"action": "ask", "id": 7})
    assert (seen[0].user, seen[0].session.page, seen[0].action, seen[0].target) == ("local", "history", "ask", "7")


def test_a_known_error_becomes_its_sentence_and_the_page_stays(views, t):
    def handler(call):
        yield screen(page="setup")
        raise NotFoundError("There is no <b>x</b>.", next_step="Look elsewhere.")

    first, second = run(handler, views, t)
    assert views.setup.page in first
    assert set(second) == {views.frame.session, views.frame.problem, views.frame.bridge}
    assert "There is no &lt;b&gt;x&lt;/b&gt;. Look elsewhere." in second[views.frame.problem]
    assert second[views.frame.session]["page"] == "setup"


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "There is no interview &#39;7&#39;."), ("zh", "没有面试 &#39;7&#39;。请从历史记录里选一场。")],
)
def test_an_error_speaks_the_language_of_the_page(views, language, told):
    def handler(call):
        yield screen(page="setup")
        raise UnknownError("error_no_interview", id="7")

    assert told in run(handler, views, Texts(language))[-1][views.frame.problem]


def test_an_unknown_error_is_logged_with_the_id_that_is_shown(views, t, caplog):
    def handler(call):
        raise ValueError("secret detail")
        yield

    with caplog.at_level(logging.ERROR):
        (shown,) = run(handler, views, t, Session(page="history").model_dump())
    record = next(r for r in caplog.records if r.name == "ui.wiring")
    assert "secret detail" in caplog.text
    assert "secret detail" not in shown[views.frame.problem]
    assert record.args[0] in shown[views.frame.problem]
    assert shown[views.frame.session]["page"] == "history"


def test_exactly_one_page_is_visible(views, t):
    updates = show(views, screen(), t)
    visible = [name for name in PAGES if updates[getattr(views, name).page].get("visible")]
    assert visible == ["setup"]


def test_show_touches_only_what_its_event_may_change(views, t, router, call):
    shown = {
        "setup": router.load(call, "#/", Prepared(), ""),
        "history": router.load(call, "#/history", Prepared(), ""),
        "questions": router.load(call, "#/questions", Prepared(), ""),
        "interview": router.questions.practise(call._replace(event={"id": "a"})),
    }
    for name, screens in shown.items():
        for each in screens:
            assert set(show(views, each, t)) <= set(components(views, [name])), name


@pytest.mark.parametrize("name", PAGES)
def test_a_handler_that_stays_can_not_move_the_tab(views, t, name):
    here = set(components_here(views, name))
    assert not here & {views.frame.session, views.frame.bridge, views.frame.header}
    assert not here & {getattr(views, page).page for page in PAGES}
    (only,) = list(adapt(lambda call: iter([screen()]), views, here, t)(request(), gr.EventData(None, None), None))
    assert set(only) <= here


def test_what_a_person_chose_is_not_written_back(views, t, router, call):
    (chosen,) = router.setup.choose(call, Prepared(), *free(("mine",)))
    updates = show(views, chosen, t)
    assert not [c for c in views.setup.choices if "value" in updates.get(c, {})]
    (filtered,) = router.questions.filter(call, "x", "mine", "net", 3, 0)
    updates = show(views, filtered, t)
    assert not [c for c in views.questions.filters[:4] if "value" in updates.get(c, {})]


def test_the_answer_box_is_never_written_to(views, t, router, call):
    for each in router.questions.practise(call._replace(event={"id": "a"})):
        assert views.interview.answer not in show(views, each, t)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_its_own_limit_and_is_private(desk, language):
    blocks = build_page(desk, language)
    assert len(blocks.fns) > 20
    for function in blocks.fns.values():
        if function.fn is None:  # only stops others
            continue
        assert function.concurrency_limit not in ("default", None)
        assert function.api_visibility == "private"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_draws_or_changes_a_plan_waits_for_what_did_so_before(desk, language):
    """Else a choice that is still drawn for puts its plan behind the one that is already looked at."""
    blocks = build_page(desk, language)
    parts = {part for f in blocks.fns.values() for part in f.inputs}
    (prepared,) = (part for part in parts if isinstance(part, gr.State) and isinstance(part.value, Prepared))
    both = [f for f in blocks.fns.values() if prepared in f.inputs and prepared in f.outputs]
    starting = [f for f in both if any(isinstance(part, gr.Chatbot) for part in f.outputs)]
    reading = [f for f in both if any(isinstance(part, gr.File) for part in f.inputs)]
    turns = [f for f in both if f not in starting and f not in reading]
    assert len(turns) >= 5
    assert {(f.concurrency_id, f.concurrency_limit) for f in turns} == {("prepared", 1)}
    assert "prepared" not in {f.concurrency_id for f in (*starting, *reading)}


def test_a_value_that_was_just_taken_from_its_list_still_reaches_the_handler(desk):
    blocks = build_page(desk, "en")
    moving = (gr.CheckboxGroup, gr.Dropdown, gr.Radio)
    reading = [f for f in blocks.fns.values() if any(isinstance(part, moving) for part in f.inputs)]
    assert len(reading) > 10
    checked = [f for f in reading if f.preprocess]
    assert all(any(isinstance(part, gr.File) for part in f.inputs) for f in checked)
    assert len(checked) == 2


def test_an_event_shows_again_only_what_changed(views, t):
    def handler(call):
        yield screen(page="setup")
        yield screen(page="setup")
        yield screen(page="setup")._replace(grader="another")

    first, second, third = run(handler, views, t)
    assert views.setup.page in first
    assert second == {}
    assert 0 < len(third) < len(first)
    assert views.setup.page not in third


def test_what_an_event_says_nothing_about_is_not_made_anew():
    with Page(analytics_enabled=False) as page:
        text, press, html, other = outputs = [gr.Textbox(), gr.Button("a"), gr.HTML(), gr.Button("b")]
        press.click(lambda: None, None, outputs)
    (function,) = page.fns.values()
    state = SessionState(page)
    before = [state[block._id] for block in outputs]
    nothing = gr.skip()
    for said, told in (
        ({}, [nothing] * 4),
        ({html: "<b>x</b>"}, [nothing, nothing, "<b>x</b>", nothing]),
        ({other: gr.update(visible=False)}, [nothing] * 3 + [nothing | {"visible": False}]),
        ({other: gr.update(visible=True), text: "y"}, ["y", nothing, nothing, nothing | {"visible": True}]),
    ):
        assert asyncio.run(page.postprocess_data(function, dict(said), state)) == told
    assert [state[block._id] for block in outputs][:3] == before[:3]
    assert state[other._id] is not before[3]


def test_choices_go_through_one_event_so_that_the_newest_are_shown_last(desk, t):
    with gr.Blocks(analytics_enabled=False) as blocks:
        views = build_views(t)
        wire(views, desk, t, blocks)
    choices = {component._id for component in views.setup.choices}
    (event,) = [fn for fn in blocks.fns.values() if choices & {part for part, name in fn.targets if name == "input"}]
    assert {part for part, _ in event.targets} == choices
    assert event.trigger_mode == "always_last"
