"""What was right beyond the reference can be made a point by whoever may edit the question, and by nobody else."""

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from interviewer.accounts.person import LOCAL, Person
from interviewer.interview.commands import Press, Say
from interviewer.models import PlanRequest
from tests.ui.test_bank import fields_of
from ui.app import build_site
from ui.call import Call
from ui.pages.report import Reports, report_screen, show_report
from ui.render.dispute import NOTHING_SAID
from ui.render.report import report_html
from ui.session import Session

SAID = "<i>Lock</i>s also need fences & order."


@pytest.fixture
def reported(desk):
    """The id of an ended interview with something said beyond the reference."""
    service = desk.service
    view = service.start(LOCAL.id, PlanRequest(question_ids=("a",), count=1, language="en"))
    for command in (Say(SAID), Press("skip"), Press("stop")):
        list(service.act(LOCAL.id, view.id, command))
    return view.id


def link(desk, t, interview_id, person=LOCAL):
    screen = report_screen(desk, Call(person, Session().at("report", interview_id), {}), NOTHING_SAID)
    html = report_html(screen.report, "", t, addable=screen.addable)
    found = BeautifulSoup(html, "html.parser").select_one(".iv-beyond a")
    return found["href"] if found else None


def test_the_statement_becomes_a_point_once_it_is_saved(desk, t, reported):
    address = link(desk, t, reported)
    client = TestClient(build_site(desk), base_url="http://127.0.0.1:7860", headers={"accept": "text/html"})
    page = BeautifulSoup(client.get(f"/en/{address}").text, "html.parser")
    values = fields_of(page)
    assert values["p3.text.en"] == SAID[:4]
    assert "Not saved yet" in page.select_one(".iv-save").text
    assert len(desk.questions.get("a").points) == 3
    reply = client.post("/en/bank/questions/a", data=values | {"do": "save"}, follow_redirects=False)
    assert reply.status_code == 303
    assert desk.questions.get("a").points[3].text == {"en": SAID[:4]}


def test_who_may_not_edit_the_question_is_offered_nothing(desk, t, reported):
    assert link(desk, t, reported) is not None
    member = Person(id=LOCAL.id, role="member")
    lead = Person(id=LOCAL.id, role="lead", cohort="red")
    assert link(desk, t, reported, member) is None
    assert link(desk, t, reported, lead) is not None


def test_the_page_shows_the_link(desk, t, reported, views):
    call = Call(LOCAL, Session().at("report", reported), {})
    (screen,) = Reports(desk, t).open(call)
    assert (
        "bank/questions/a?in=en&amp;point=%3Ci%3EL#points" in show_report(views.report, screen, t)[views.report.report]
    )
