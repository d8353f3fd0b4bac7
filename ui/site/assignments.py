"""Assignments: the list of those who do them, and what a lead gives, follows and withdraws."""

from datetime import date, timedelta
from typing import Any, get_args

from fastapi import FastAPI
from fastapi.responses import Response

from interviewer.accounts.errors import RefusedError
from interviewer.models import LANGUAGES, LEVELS, Language, Mode
from interviewer.teams.assignments import NOTE_LIMIT, TITLE_LIMIT, NewAssignment
from interviewer.teams.reading import read_date, read_request
from ui.choices import LEAST_MINUTES, MINUTES_STEP, MOST_MINUTES, MOST_QUESTIONS
from ui.site.team import team_page
from ui.site.visit import Form, Posted, Visit, Visiting

MODES: tuple[Mode, ...] = tuple(mode for mode in get_args(Mode) if mode != "drill")
_USUAL: dict[str, Any] = {
    "title": "", "note": "", "basis": "track", "track": "", "level": "mid", "minutes": "30", "count": "5",
    "topics": [], "mode": "practice", "language": "any",
}  # fmt: skip


def add_assignments(web: FastAPI) -> None:
    """Serves `/{language}/assignments` for everyone in a cohort, `/{language}/team/assignments/…` for its leads."""

    @web.get("/{language}/assignments")
    def mine(visit: Visiting) -> Response:
        found = visit.app.teams.assignments.mine(visit.person)
        return team_page(visit, "team_mine", current="assignments", mine=found)

    @web.post("/{language}/assignments/{assignment_id}/start")
    def start(visit: Visiting, assignment_id: str, form: Form) -> Response:
        wished = form["language"]
        language: Language = next((name for name in LANGUAGES if name == wished), visit.language)
        interview = visit.app.teams.assignments.start(visit.person, assignment_id, language)
        return visit.go(f"#/interview/{interview}")

    @web.get("/{language}/team/assignments/new")
    def ask(visit: Visiting) -> Response:
        in_a_week = date.today() + timedelta(days=7)
        return _form(visit, _USUAL | {"due": in_a_week.isoformat()})

    @web.post("/{language}/team/assignments/new")
    def give(visit: Visiting, form: Form) -> Response:
        try:
            made = visit.app.teams.assignments.create(visit.person, _wanted(form))
        except RefusedError as refused:
            values = {name: form[name] for name in (*_USUAL, "due")} | {"topics": form.all("topics")}
            return _form(visit, values, refused, status=400)
        return visit.go(f"team/assignments/{made.id}")

    @web.get("/{language}/team/assignments/{assignment_id}")
    def follow(visit: Visiting, assignment_id: str) -> Response:
        followed = visit.app.teams.assignments.follow(visit.person, assignment_id)
        plan = followed.assignment.plans.get(visit.language, followed.assignment.plan)
        asked = {q.id: q for q in visit.app.questions.many([q.question_id for q in plan.questions])}
        titles = {topic: visit.app.library.topic_title(topic, visit.language) for topic in plan.topics}
        means = {mean.question_id: mean for mean in followed.questions}
        return team_page(
            visit, "team_assignment", followed=followed, plan=plan, asked=asked, titles=titles, means=means
        )

    @web.post("/{language}/team/assignments/{assignment_id}/withdraw")
    def withdraw(visit: Visiting, assignment_id: str) -> Response:
        visit.app.teams.assignments.withdraw(visit.person, assignment_id)
        return visit.go(f"team/assignments/{assignment_id}")


def _form(visit: Visit, values: dict[str, Any], refused: RefusedError | None = None, status: int = 200) -> Response:
    """The form as it was filled in, with what keeps it from being taken."""
    services = visit.app.teams.assignments
    audience = services.audience(visit.person)
    return team_page(
        visit,
        "team_assign",
        status=status,
        values=values,
        refused=refused.said(visit.language) if refused else None,
        tracks=services.tracks(visit.person),
        topics=visit.app.library.topics(audience, (), visit.language),
        levels=LEVELS,
        modes=MODES,
        minutes=(LEAST_MINUTES, MOST_MINUTES, MINUTES_STEP),
        most=MOST_QUESTIONS,
        title_limit=TITLE_LIMIT,
        note_limit=NOTE_LIMIT,
    )


def _wanted(form: Posted) -> NewAssignment:
    """What the form asks for.

    Raises:
        RefusedError: where a field holds what the form does not offer.
    """
    any_language = form["language"] not in LANGUAGES
    fields: dict[str, Any] = {"mode": form["mode"]}
    if form["basis"] == "track":
        fields |= {"track": form["track"], "level": form["level"], "minutes": form["minutes"] or None}
    else:
        fields |= {"topics": tuple(form.all("topics")), "count": form["count"]}
    if not any_language:
        fields["language"] = form["language"]
    due, request = read_date(form["due"]), read_request(fields)
    return NewAssignment(form["title"], form["note"], request, any_language, due)
