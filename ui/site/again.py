"""Asking a question again, from wherever it stands; and the model answers people keep."""

from fastapi import FastAPI
from fastapi.responses import Response
from markupsafe import Markup

from interviewer.errors import NotFoundError
from interviewer.models import LANGUAGES, Language, Plan, PlanRequest
from interviewer.planning.drilling import POINT_MINUTES, QUESTION_MINUTES
from ui.site.progress import style
from ui.site.visit import Form, Posted, Visit, Visiting

MOST_QUESTIONS = 20


def add_again(web: FastAPI) -> None:
    """Serves `/{language}/again` and `/{language}/kept`."""

    @web.post("/{language}/again")
    def again(visit: Visiting, form: Form) -> Response:
        """Starts practice of the questions named, or of some of their points, and goes there."""
        ids = tuple(dict.fromkeys(filter(None, form.all("question"))))[:MOST_QUESTIONS]
        if not ids:
            raise NotFoundError(visit.t("again.nothing"), next_step=visit.t("again.nothing_next"))
        request = PlanRequest(question_ids=ids, count=len(ids), language=_language(visit, form))
        plan = visit.app.service.draft(visit.person.id, request)
        started = visit.app.service.start_plan(visit.person.id, _narrowed(visit, plan, form.all("point")))
        return visit.go(f"#/interview/{started.id}")

    @web.get("/{language}/kept")
    def kept(visit: Visiting) -> Response:
        answers = visit.app.keeping.all(visit.person)
        return visit.page("kept", current="progress", own=Markup(style()), answers=answers)

    @web.post("/{language}/kept")
    def keep(visit: Visiting, form: Form) -> Response:
        """Keeps the model answer to a question of an interview, or to one of the question list."""
        index, language = form["index"], _language(visit, form)
        if form["interview"] and index.isascii() and index.isdecimal():
            visit.app.keeping.keep_from(visit.person, form["interview"], int(index[:6]), language)
        else:
            visit.app.keeping.keep(visit.person, form["question"], language)
        return visit.go("kept")

    @web.post("/{language}/kept/remove")
    def remove(visit: Visiting, form: Form) -> Response:
        visit.app.keeping.remove(visit.person, form["question"], form["language"])
        return visit.go("kept")


def _narrowed(visit: Visit, plan: Plan, point_ids: list[str]) -> Plan:
    """The plan as a drill of these points of its one question; as it is where the question has none of them."""
    if not point_ids or len(plan.questions) != 1:
        return plan
    question = visit.app.library.get(visit.person, plan.questions[0].question_id)
    points = tuple(point.id for point in question.points if point.id in point_ids)
    if not points:
        return plan
    minutes = QUESTION_MINUTES + POINT_MINUTES * len(points)
    asked = plan.questions[0].model_copy(update={"points": points, "wording": "probe", "minutes": minutes})
    request = plan.request.model_copy(update={"mode": "drill"})
    return plan.model_copy(update={"request": request, "questions": (asked,)})


def _language(visit: Visit, form: Posted) -> Language:
    """The language the form names, else the page's."""
    return next((language for language in LANGUAGES if language == form["language"]), visit.language)
