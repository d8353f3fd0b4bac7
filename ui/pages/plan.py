"""The plan before the start: what will come, for how long and why, and every way to change it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import gradio as gr

from interviewer.compose import App
from interviewer.errors import NotFoundError
from interviewer.interview.ports import Outline
from interviewer.models import Plan
from interviewer.planning import add, exchange, move, remove, set_minutes
from ui.call import Call
from ui.choices import Prepared, read_choices
from ui.pages.interview import open_plan
from ui.parts import markup
from ui.preparing import Preparer
from ui.render.markup import render
from ui.render.plan import plan_heading_html, plan_html
from ui.screens import InterviewScreen, PlanScreen
from ui.texts import Texts

_ON_LOAD = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-action]');
  if (!button) return;
  const from = button.dataset.from && document.getElementById(button.dataset.from);
  trigger('click', {action: button.dataset.action, id: from ? from.value : button.dataset.id});
});
element.addEventListener('change', (event) => {
  const field = event.target.closest('[data-change]');
  if (field) trigger('click', {action: field.dataset.change, id: field.dataset.id, value: field.value});
});
watch('value', () => window.interviewer.refocus(element));
"""
"""Like `CLICKS`, with fields that were changed; afterwards the focus goes back to where it was."""


class PlanView(NamedTuple):
    """The components of the page; `prepared` is the same state as on the start page."""

    page: gr.Column
    heading: gr.HTML
    slots: gr.HTML
    again: gr.Button
    start: gr.Button
    prepared: gr.State


def build_plan(t: Texts, prepared: gr.State) -> PlanView:
    with gr.Column(visible=False, elem_classes="iv-page iv-setup") as page:
        heading = markup(plan_heading_html(None, t))
        slots = gr.HTML("", js_on_load=_ON_LOAD, apply_default_css=False, elem_id="plan")
        with gr.Row(elem_classes="iv-start-row"):
            markup(render("back", t))
            again = gr.Button(t("plan.again"), elem_id="draw-again", min_width=0, scale=0)
            start = gr.Button(t("setup.start"), variant="primary", elem_id="start-plan", min_width=0, scale=0)
    return PlanView(page, heading, slots, again, start, prepared)


def show_plan(view: PlanView, screen: PlanScreen, t: Texts) -> dict[Any, Any]:
    return {
        view.heading: plan_heading_html(screen.plan, t),
        view.slots: plan_html(screen, t),
        view.prepared: screen.prepared,
    }


class Planning:
    """What the page does."""

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t
        self._preparer = Preparer(app, t)

    def look(self, call: Call, prepared: Prepared, *values: Any) -> Iterator[PlanScreen]:
        """From the start page: the plan for what is chosen there."""
        choices = read_choices(*values)
        ready = self._preparer.prepare(call, self._preparer.valid(call.person, choices) or choices, prepared)
        yield from self.open(call._replace(session=call.session.at("plan")), ready)

    def open(self, call: Call, prepared: Prepared) -> Iterator[PlanScreen]:
        """The plan as it stands.

        Raises:
            NotFoundError: if there is none, because the page or the server was started anew.
        """
        yield self._screen(call, prepared, self._plan(prepared))

    def again(self, call: Call, prepared: Prepared) -> Iterator[PlanScreen]:
        """Another plan for the same choices."""
        request = self._plan(prepared).request.model_copy(update={"seed": None})
        plan = self._app.service.draft(call.user, request)
        yield self._screen(call, prepared._replace(plan=plan), plan, self._t("plan.drawn"))

    def edit(self, call: Call, prepared: Prepared) -> Iterator[PlanScreen]:
        """One change, named by the button; what can't be done changes nothing and says so."""
        plan = self._plan(prepared)
        changed, at = self._changed(plan, call)
        said = self._t("plan.unchanged") if changed == plan else self._t(f"plan_said.{call.action}", n=at + 1)
        screen = self._screen(call, prepared._replace(plan=changed), changed, said)
        yield screen._replace(focus=f"{call.action}:{at}")

    def start(self, call: Call, prepared: Prepared) -> Iterator[InterviewScreen]:
        yield open_plan(self._app, call, prepared, self._t)

    def _changed(self, plan: Plan, call: Call) -> tuple[Plan, int]:
        """The plan after the change, and the place to go on from."""
        index = int(call.target) if call.target.isdecimal() else len(plan.questions)
        if index >= len(plan.questions) and call.action != "add":
            return plan, 0
        pool = self._app.service.pool(call.user, plan.request)
        match call.action:
            case "remove":
                changed = remove(plan, index)
                return changed, min(index, len(changed.questions) - 1)
            case "up" | "down":
                changed = move(plan, index, -1 if call.action == "up" else 1)
                return changed, _place(changed, plan.questions[index].question_id)
            case "exchange":
                return exchange(plan, index, pool), index
            case "another":
                return _added(plan, plan.questions[index].topic, pool)
            case "add":
                return _added(plan, call.target, pool)
            case "minutes":
                return set_minutes(plan, index, _number(call.event.get("value"), plan.questions[index].minutes)), index
        return plan, 0

    def _plan(self, prepared: Prepared) -> Plan:
        if prepared.plan is None:
            raise NotFoundError(self._t("plan.lost"))
        return prepared.plan

    def _screen(self, call: Call, prepared: Prepared, plan: Plan, said: str = "") -> PlanScreen:
        pool = self._app.service.pool(call.user, plan.request)
        planned = {q.question_id for q in plan.questions}
        addable = tuple(dict.fromkeys(q.topic for q in pool if q.id not in planned))
        titles = {topic: self._app.library.topic_title(topic, self._t.language) for topic in (*plan.topics, *addable)}
        return PlanScreen(
            session=call.session,
            prepared=prepared,
            plan=plan,
            titles=titles,
            kinds={q.id: q.kind for q in pool},
            addable=tuple(sorted(addable, key=lambda topic: titles[topic])),
            said=said,
        )


def _added(plan: Plan, topic: str, pool: Sequence[Outline]) -> tuple[Plan, int]:
    changed = add(plan, topic, pool)
    known = {q.question_id for q in plan.questions}
    places = [i for i, q in enumerate(changed.questions) if q.question_id not in known]
    return changed, places[0] if places else 0


def _place(plan: Plan, question_id: str) -> int:
    return next(i for i, q in enumerate(plan.questions) if q.question_id == question_id)


def _number(value: Any, otherwise: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return otherwise
    return number if number == number and abs(number) < 1e6 else otherwise
