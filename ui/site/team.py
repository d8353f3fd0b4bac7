"""The cohort page for leads: how everyone is doing, what most miss, and the interviews members share."""

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response
from markupsafe import Markup

from interviewer.interview.question_state import QuestionState
from interviewer.models import pick
from interviewer.teams.cohort import PERIODS, Member, Overview
from interviewer.teams.csv_file import Cell, csv_text
from interviewer.teams.figures import Share
from interviewer.teams.reading import read_index, read_verdict
from ui.additions import addable
from ui.render.dispute import Round, rounds_of
from ui.render.report import report_items
from ui.site.visit import Form, Visit, Visiting

FAIR_FROM, GOOD_FROM = 40, 70
"""Percent known from which a share is fair, and good."""
MOST_TAUGHT = 5
MOST_POINTS = 12
"""Shown on the page; the file has all."""


def add_team(web: FastAPI) -> None:
    """Serves `/{language}/team` and what is below it."""

    @web.get("/{language}/team")
    def cohort(visit: Visiting, days: int = 30) -> Response:
        overview = visit.app.teams.cohort.overview(visit.person, days)
        return team_page(
            visit,
            "team",
            overview=overview,
            name=visit.app.accounts.cohorts.name_of(visit.person),
            taught=overview.to_teach(MOST_TAUGHT),
            points=overview.points[:MOST_POINTS],
            periods=(*PERIODS, 0),
            titles=_titles(visit, [topic.topic for topic in overview.topics]),
            given=visit.app.teams.assignments.given(visit.person),
            shares=visit.app.teams.shares.shared_with(visit.person),
        )

    @web.get("/{language}/team/members.csv")
    def members_file(visit: Visiting, days: int = 30) -> Response:
        overview = visit.app.teams.cohort.overview(visit.person, days)
        columns = ("name", "last", "week", "month", "interviews", "questions", "known", "known_before", "points")
        return _file("members.csv", _header(visit, columns), [_line(member) for member in overview.members])

    @web.get("/{language}/team/points.csv")
    def points_file(visit: Visiting) -> Response:
        overview = visit.app.teams.cohort.overview(visit.person)
        columns = ("topic", "question", "point", "missed", "asked", "frequency")
        return _file("points.csv", _header(visit, columns), _point_lines(visit, overview))

    @web.get("/{language}/team/members/{user_id}")
    def member(visit: Visiting, user_id: str) -> Response:
        page = visit.app.teams.cohort.member(visit.person, user_id)
        shares = [each for each in visit.app.teams.shares.shared_with(visit.person) if each.user_id == user_id]
        titles = _titles(visit, [topic.topic for topic in page.topics])
        return team_page(visit, "team_member", page=page, titles=titles, shares=shares)

    @web.get("/{language}/team/shared/{interview_id}")
    def shared(visit: Visiting, interview_id: str) -> Response:
        found = visit.app.teams.shares.report(visit.person, interview_id)
        may_add = addable(visit.app, visit.person, found.report.questions)
        items = report_items(found.report, visit.t, addable=may_add)
        rounds = [_objections(state) for state in found.report.questions]
        return team_page(
            visit, "team_shared", share=found.share, report=found.report, items=list(zip(items, rounds, strict=True))
        )

    @web.post("/{language}/team/shared/{interview_id}/decide")
    def decide(visit: Visiting, interview_id: str, form: Form) -> Response:
        index, verdict = read_index(form["index"]), read_verdict(form["verdict"])
        visit.app.teams.shares.decide(visit.person, interview_id, index, form["point"], verdict)
        return visit.go(f"team/shared/{interview_id}#q{index}")


def _objections(question: QuestionState) -> dict[str, tuple[Round, ...]]:
    """Those to each point of a question, by its id."""
    points = question.grade.points if question.grade is not None else ()
    return {point.id: rounds_of(question, point) for point in points}


def team_page(visit: Visit, template: str, *, current: str = "team", **values: Any) -> Response:
    """A page with this part's own style."""
    return visit.page(template, current=current, own=Markup(_own_style()), level=level, **values)


def level(share: Share) -> str:
    """A share in a word."""
    percent = share.percent
    if percent is None:
        return "unseen"
    return "good" if percent >= GOOD_FROM else "fair" if percent >= FAIR_FROM else "weak"


@cache
def _own_style() -> str:
    return files("ui").joinpath("static", "team.css").read_text("utf-8")


def _titles(visit: Visit, topics: list[str]) -> dict[str, str]:
    return {topic: visit.app.library.topic_title(topic, visit.language) for topic in topics}


def _header(visit: Visit, columns: tuple[str, ...]) -> list[str]:
    return [visit.t(f"team_column.{name}") for name in columns]


def _line(member: Member) -> list[Cell]:
    last = member.practised_at
    return [
        member.name,
        f"{last:%Y-%m-%d}" if last else "",
        member.week,
        member.month,
        member.interviews,
        member.questions,
        member.standing.now.percent,
        member.standing.then.percent,
        member.standing.now.asked,
    ]


def _point_lines(visit: Visit, overview: Overview) -> list[list[Cell]]:
    return [
        [
            visit.app.library.topic_title(missed.figure.topic, visit.language),
            pick(missed.question, visit.language),
            pick(missed.text, visit.language),
            missed.figure.missed,
            missed.figure.asked,
            missed.frequency,
        ]
        for missed in overview.points
    ]


def _file(name: str, header: list[str], rows: list[list[Cell]]) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(csv_text(header, rows), media_type="text/csv; charset=utf-8", headers=headers)
