"""Sharing one's own interview with the leads of one's cohort, and taking it back."""

from fastapi import FastAPI
from fastapi.responses import Response

from ui.site.team import team_page
from ui.site.visit import Form, Visiting


def add_share(web: FastAPI) -> None:
    """Serves `/{language}/share/{interview}`."""

    @web.get("/{language}/share/{interview_id}")
    def share(visit: Visiting, interview_id: str) -> Response:
        sharing = visit.app.teams.shares.standing(visit.person, interview_id)
        report = visit.app.service.report(visit.person.id, interview_id)
        return team_page(visit, "team_share", current="history", sharing=sharing, report=report)

    @web.post("/{language}/share/{interview_id}")
    def change(visit: Visiting, interview_id: str, form: Form) -> Response:
        shares = visit.app.teams.shares
        act = shares.take_back if form["action"] == "take_back" else shares.share
        act(visit.person, interview_id)
        return visit.go(f"share/{interview_id}")
