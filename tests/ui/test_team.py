"""The pages of a team over HTTP, with real sign-ins: what each may open, and what nobody gets by another's id."""

import csv
import io
import re
from datetime import date, timedelta

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from interviewer.accounts.rules import OPERATOR
from interviewer.errors import NotFoundError
from interviewer.interview.commands import Press, Say
from interviewer.models import LANGUAGES, PlanRequest
from tests.ui.conftest import make_desk
from ui.app import build_site
from ui.call import Call
from ui.choices import Prepared
from ui.navigation import nav_links
from ui.render.markup import render
from ui.render.report import history_html, report_html
from ui.session import Session
from ui.texts import Texts
from ui.wiring import Router

PASSWORD = "four unrelated words"
HOSTILE = '=cmd|"/c calc"!A1<script>alert(1)</script>'
PEOPLE = {
    "olga": ("owner", None), "rita": ("lead", "Red"), "bert": ("lead", "Blue"), "ann": ("member", "Red"),
    "bob": ("member", "Red"), "cem": ("member", "Red"), "eve": ("member", "Blue"), "lone": ("member", None),
}  # fmt: skip


class Team:
    """Everybody signed in, each with a browser of their own, on one site."""

    def __init__(self, folder):
        self.desk = make_desk(folder, team=True)
        self.web = build_site(self.desk)
        accounts = self.desk.accounts
        self.browsers = {}
        owner = self._join("olga", accounts.links.owner_link().token)
        cohorts = {name: accounts.cohorts.create(owner, name).id for name in ("Red", "Blue")} | {None: None}
        for name, (role, cohort) in PEOPLE.items():
            if name != "olga":
                self._join(name, accounts.links.invite(owner, role, cohorts[cohort]).token)

    def _join(self, name, token):
        self.browsers[name] = TestClient(self.web, follow_redirects=False, headers={"accept": "text/html"})
        shown = HOSTILE if name == "cem" else name.title()
        fields = {"token": token, "do": "accept", "login": f"{name}@example.org", "name": shown, "password": PASSWORD}
        assert self.browsers[name].post("/en/join", data=fields).status_code == 303
        return self.person(name)

    def person(self, name):
        found = {account.login: account for account in self.desk.accounts.people.all(OPERATOR)}
        return found[f"{name}@example.org"].person

    def get(self, name, path, status=200):
        reply = self.browsers[name].get(path)
        assert reply.status_code == status, (name, path, reply.text[-800:])
        return BeautifulSoup(reply.text, "html.parser")

    def post(self, name, path, status=303, **data):
        reply = self.browsers[name].post(path, data=data)
        assert reply.status_code == status, (name, path, reply.text[-800:])
        return reply

    def practise(self, name, answer="my secret words", question="a"):
        person = self.person(name)
        view = self.desk.service.start(person.id, PlanRequest(question_ids=(question,), followups=0))
        list(self.desk.service.act(person.id, view.id, Say(answer)))
        list(self.desk.service.act(person.id, view.id, Press("next")))
        return view.id

    def give(self, name="rita", status=303, **changes):
        fields = {
            "title": "Week <b>one</b>", "note": "Read first.", "due": (date.today() + timedelta(days=3)).isoformat(),
            "basis": "topics", "topics": "locks", "count": "2", "mode": "practice", "language": "any", "level": "mid",
        }  # fmt: skip
        reply = self.post(name, "/en/team/assignments/new", status, **(fields | changes))
        return reply.headers["location"].rpartition("/")[2] if status == 303 else reply


@pytest.fixture
def team(tmp_path):
    return Team(tmp_path)


def test_only_leads_open_the_pages_of_a_cohort(team):
    ann = team.person("ann").id
    pages = ["team", "team/members.csv", "team/points.csv", f"team/members/{ann}", "team/assignments/new"]
    for page in pages:
        assert team.get("rita", f"/en/{page}")
        for name, status in {"ann": 403, "bob": 403, "lone": 403, "olga": 404}.items():
            team.get(name, f"/en/{page}", status)
    nobody = TestClient(team.web, follow_redirects=False)
    assert {nobody.get(f"/en/{page}").status_code for page in pages} == {401}


def test_at_home_there_are_no_such_pages(desk):
    home = TestClient(build_site(desk), follow_redirects=False)
    for page in ("team", "team/members.csv", "team/members/local", "team/assignments/new", "share/x"):
        assert home.get(f"/en/{page}").status_code == 404
    assert not {"team", "assignments"} & {link.name for link in nav_links()}
    assert home.post("/en/team/shared/x/decide", data={"index": "0", "verdict": "covered"}).status_code == 404


def test_a_lead_sees_the_own_cohort_and_nothing_of_another(team):
    page = team.get("rita", "/en/team")
    names = [cell.text for cell in page.select("section[aria-labelledby=people] tbody th")]
    assert sorted(names) == sorted(["Ann", "Bob", HOSTILE])
    for name in ("eve", "bert", "olga", "lone"):
        team.get("rita", f"/en/team/members/{team.person(name).id}", 404)
    team.get("rita", "/en/team/members/..%2f..%2fetc", 404)
    assert "Eve" in team.get("bert", "/en/team").text
    assert "Ann" not in team.get("bert", "/en/team").text


def test_the_header_leads_leads_to_the_team_and_members_to_their_assignments(team):
    def links(name):
        page = team.get(name, "/en/evidence")
        return {link["href"] for link in page.select("header nav a")}

    assert "./team" in links("rita")
    assert "./assignments" in links("ann")
    assert not {"./team", "./assignments"} & (links("lone") | links("olga"))


def test_no_answer_is_on_any_page_of_a_lead_until_it_is_shared(team):
    interview = team.practise("ann")
    team.practise("bob")
    team.practise("cem")
    ann = team.person("ann").id
    for path in ("team", f"team/members/{ann}", "team/members.csv", "team/points.csv"):
        assert "my secret" not in str(team.get("rita", f"/en/{path}"))
    team.get("rita", f"/en/team/shared/{interview}", 404)
    for kind in ("html", "md", "json"):
        assert team.browsers["rita"].get(f"/export/{interview}.{kind}").status_code == 404
    team.post("ann", f"/en/share/{interview}", action="share")
    assert "my secret" in team.get("rita", f"/en/team/shared/{interview}").text
    assert "my secret" not in team.get("rita", "/en/team").text


def test_a_member_shares_and_takes_back(team):
    interview = team.practise("ann")
    page = team.get("ann", f"/en/share/{interview}")
    assert [name.text for name in page.select(".iv-who li")] == ["Rita"]
    assert "everything you answered" in page.text
    reply = team.post("ann", f"/en/share/{interview}", action="share")
    assert reply.headers["location"] == f"../share/{interview}"
    assert "Take it back" in team.get("ann", f"/en/share/{interview}").text
    assert "Ann" in team.get("rita", "/en/team").select_one("[aria-labelledby=shared]").text
    team.post("ann", f"/en/share/{interview}", action="take_back")
    team.get("rita", f"/en/team/shared/{interview}", 404)


def test_nobody_shares_or_takes_back_anothers(team):
    interview = team.practise("ann")
    for name in ("bob", "rita", "bert", "eve", "olga", "lone"):
        team.get(name, f"/en/share/{interview}", 404)
        team.post(name, f"/en/share/{interview}", 404, action="share")
    team.get("rita", f"/en/team/shared/{interview}", 404)
    team.post("ann", f"/en/share/{interview}", action="share")
    for name in ("bob", "rita", "bert"):
        team.post(name, f"/en/share/{interview}", 404, action="take_back")
    team.get("rita", f"/en/team/shared/{interview}")
    for name, status in {"bert": 404, "bob": 403, "ann": 403, "olga": 404, "eve": 403}.items():
        team.get(name, f"/en/team/shared/{interview}", status)


def test_a_lead_decides_on_what_is_shared_and_nobody_else_does(team):
    interview, ann = team.practise("ann"), team.person("ann").id
    list(team.desk.disputes.dispute(ann, interview, 0, "p3", "I said my secret words"))
    path, settled = f"/en/team/shared/{interview}/decide", {"index": "0", "point": "p3", "verdict": "covered"}
    team.post("rita", path, 404, **settled)
    team.post("ann", f"/en/share/{interview}", action="share")
    for name, status in {"bert": 404, "bob": 403, "ann": 403, "eve": 403, "olga": 404}.items():
        team.post(name, path, status, **settled)
    assert team.desk.service.report(ann, interview).questions[0].disputes[0].decision is None
    assert "to decide: 1" in team.get("rita", "/en/team").text
    for wrong in (
        {"index": "7"},
        {"index": "-1"},
        {"index": "x"},
        {"index": "²"},
        {"verdict": "best"},
        {"point": "p9"},
    ):
        assert team.browsers["rita"].post(path, data=settled | wrong).status_code in (400, 404)
    page = team.get("rita", f"/en/team/shared/{interview}")
    assert "I said my secret words" in page.select_one(".iv-objected").text
    assert team.post("rita", path, **settled).headers["location"].endswith(f"team/shared/{interview}#q0")
    assert team.desk.service.report(ann, interview).questions[0].disputes[0].decision == "covered"
    assert "to decide:" not in team.get("rita", "/en/team").text


def test_what_people_write_is_text(team):
    interview = team.practise("cem", "<script>alert(2)</script>\u202e")
    team.post("cem", f"/en/share/{interview}", action="share")
    cem = team.person("cem").id
    team.give()
    for path in ("team", f"team/shared/{interview}", f"team/members/{cem}", "assignments"):
        html = team.browsers["rita"].get(f"/en/{path}").text.split("<main")[1]
        assert "<script" not in html
        assert "\u202e" not in html
        assert "<b>one" not in html


def test_no_figure_of_a_point_for_fewer_than_three(team):
    team.practise("ann")
    team.practise("bob")
    page = team.get("rita", "/en/team")
    assert page.select_one("[aria-labelledby=points]") is None
    assert page.select(".iv-teach li") == []
    assert len(list(csv.reader(io.StringIO(team.browsers["rita"].get("/en/team/points.csv").text)))) == 1
    team.practise("eve")
    assert "3 members" not in team.get("bert", "/en/team").text
    assert "fewer than three" in team.get("bert", "/en/team").text
    team.practise("cem")
    page = team.get("rita", "/en/team")
    assert "3 / 3" in page.select_one("[aria-labelledby=points]").text
    assert "text of point 3" in page.select_one(".iv-teach").text


def test_no_filter_changes_what_is_told_of_points_and_topics(team):
    for name in ("ann", "bob", "cem"):
        team.practise(name)
    pages = [team.get("rita", f"/en/team?days={days}") for days in (7, 30, 90, 0, 1, -5)]
    for section in ("points", "map", "teach"):
        assert len({str(page.select_one(f"[aria-labelledby={section}]")) for page in pages}) == 1
    assert team.browsers["rita"].get("/en/team?days=x").status_code == 422


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_hold_no_formulas(team, language):
    for name in ("ann", "bob", "cem"):
        team.practise(name)
    reply = team.browsers["rita"].get(f"/{language}/team/members.csv?days=30")
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in reply.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(reply.text.removeprefix("\ufeff"))))
    assert len(rows) == 4
    assert f"'{HOSTILE}" in [row[0] for row in rows]
    points = list(csv.reader(io.StringIO(team.browsers["rita"].get(f"/{language}/team/points.csv").text)))
    assert points[1][3:] == ["3", "3", "3"]
    assert not [cell for row in rows + points for cell in row if re.match(r"[=+\-@\t\r]", cell)]


def test_an_assignment_from_giving_to_doing(team):
    task = team.give(topics=["locks"])
    strip = team.get("ann", "/en/assignments")
    assert "Week <b>one</b>" in strip.text
    reply = team.post("ann", f"/en/assignments/{task}/start", language="zh")
    interview = reply.headers["location"].rpartition("/")[2]
    assert reply.headers["location"] == f"../../#/interview/{interview}"
    assert team.desk.service.view(team.person("ann").id, interview).state.language == "zh"
    assert team.post("ann", f"/en/assignments/{task}/start").headers["location"].endswith(interview)
    page = team.get("rita", f"/en/team/assignments/{task}")
    states = {row.th.text: row.td.text for row in page.select("[aria-labelledby=who] tbody tr")}
    assert states == {"Ann": "under way", "Bob": "not begun", HOSTILE: "not begun"}
    assert "#/interview/" in str(team.get("ann", "/en/assignments"))


def test_another_cohort_can_do_nothing_with_an_assignment(team):
    task = team.give()
    for name in ("eve", "bert", "lone", "olga"):
        team.post(name, f"/en/assignments/{task}/start", 404)
    for name, status in {"bert": 404, "ann": 403, "olga": 404}.items():
        team.get(name, f"/en/team/assignments/{task}", status)
        team.post(name, f"/en/team/assignments/{task}/withdraw", status)
    team.give("ann", 403)
    team.give("olga", 404)
    assert "Week" not in team.get("eve", "/en/assignments").select_one("main").text
    assert "Week" in team.get("bob", "/en/assignments").text
    team.post("rita", f"/en/team/assignments/{task}/withdraw")
    assert "Week" not in team.get("bob", "/en/assignments").select_one("main").text
    team.post("bob", f"/en/assignments/{task}/start", 404)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"title": " "}, "needs a title"),
        ({"due": "soon"}, "no date"),
        ({"due": "2020-01-01"}, "in the past"),
        ({"mode": "drill"}, "No question fits"),
        ({"mode": "nonsense"}, "can't be used"),
        ({"count": "1e9"}, "can't be used"),
        ({"topics": ["unheard of"]}, "No question fits"),
        ({"basis": "track", "track": "unheard of"}, "No question fits"),
        ({"basis": "track", "track": "backend", "minutes": "-1"}, "can't be used"),
        ({"note": "x" * 2001}, "too long"),
    ],
)
def test_what_cannot_be_given_is_said_and_nothing_typed_is_lost(team, wrong, told):
    page = BeautifulSoup(team.give(status=400, **({"note": "keep me"} | wrong)).text, "html.parser")
    assert told in page.select_one("[role=alert]").text
    assert page.select_one("textarea").text in ("keep me", "x" * 2001)
    assert "None yet" in team.get("rita", "/en/team").text


def test_the_form_offers_what_the_whole_cohort_may_see(team):
    page = team.get("rita", "/en/team/assignments/new")
    assert [box["value"] for box in page.select("input[name=topics]")] == ["locks", "net"]
    assert [option["value"] for option in page.select("select[name=track] option")] == ["backend", "mine"]
    assert [option["value"] for option in page.select("select[name=mode] option")] == ["practice", "mock"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_both_languages_and_asks_nobody_else(team, language):
    interview, ann = team.practise("ann"), team.person("ann").id
    team.post("ann", f"/en/share/{interview}", action="share")
    task = team.give()
    of_leads = ("team", f"team/members/{ann}", f"team/shared/{interview}", f"team/assignments/{task}")
    pages = {
        "rita": (*of_leads, "team/assignments/new", "assignments"),
        "ann": (f"share/{interview}", "assignments"),
    }
    for name, paths in pages.items():
        for path in paths:
            html = str(team.get(name, f"/{language}/{path}"))
            addresses = re.findall(r"""(?:src|href|action)=["']([^"']+)""", html)
            assert not [a for a in addresses if a.startswith(("http", "//", "/", "javascript:"))]


def test_what_is_refused_is_said_in_the_readers_language(team):
    assert "只对组长开放" in team.get("ann", "/zh/team", 403).text
    assert "for the leads of a cohort" in team.get("ann", "/en/team", 403).text


def tab(team, name, page="report", item="", **event):
    person = team.person(name)
    return Call(person, Session().at(page, item), event)


def last(screens):
    return list(screens)[-1]


def test_the_report_and_the_history_lead_to_sharing_and_say_what_is_shared(team):
    router, interview = Router(team.desk, Texts("en")), team.practise("ann")
    for shared, told in ((False, "Share with your leads"), (True, "Shared with leads")):
        report = last(router.reports.open(tab(team, "ann", item=interview)))
        html = report_html(report.report, "", Texts("en"), report.contest, report.shared)
        assert BeautifulSoup(html, "html.parser").select_one(f'a[href="share/{interview}"]').text == told
        rows = last(router.history.open(tab(team, "ann", "history")))
        html = history_html(rows.rows, "", Texts("en"), rows.shared)
        assert BeautifulSoup(html, "html.parser").select_one(f'a[href="share/{interview}"]').text == told
        if not shared:
            team.post("ann", f"/en/share/{interview}", action="share")
    lone = team.practise("lone")
    assert last(router.reports.open(tab(team, "lone", item=lone))).shared is None


def test_the_pages_own_handlers_let_no_member_decide_and_no_lead_read(team):
    router, interview = Router(team.desk, Texts("zh")), team.practise("ann")
    event = {"id": "0:p3", "action": "dispute", "text": "I said my secret words"}
    last(router.contests.on_report(tab(team, "ann", item=interview, **event)))
    decide = {"id": "0:p3", "action": "decide", "value": "covered"}
    screen = last(router.contests.on_report(tab(team, "ann", item=interview, **decide)))
    assert "异议由组长裁定" in screen.contest.problem
    assert screen.report.questions[0].disputes[0].decision is None
    html = report_html(screen.report, "", Texts("zh"), screen.contest, screen.shared)
    assert not BeautifulSoup(html, "html.parser").select('[data-contest-action="decide"]')
    team.post("ann", f"/en/share/{interview}", action="share")
    for name in ("rita", "bob", "olga"):
        for handler, more in ((router.reports.open, {}), (router.contests.on_report, decide)):
            with pytest.raises(NotFoundError):
                last(handler(tab(team, name, item=interview, **more)))


def test_the_start_page_shows_what_is_to_be_done_and_nothing_at_home(team, call, tmp_path_factory):
    task = team.give()
    page = Router(team.desk, Texts("en"))
    screen = last(page.setup.open(tab(team, "ann", "setup"), Prepared()))
    assert [mine.assignment.id for mine in screen.assigned] == [task]
    html = BeautifulSoup(render("hero", Texts("en"), grader="g", assigned=screen.assigned), "html.parser")
    assert html.select_one("form")["action"] == f"assignments/{task}/start"
    assert "Week <b>one</b>" in html.text
    assert last(page.setup.open(tab(team, "eve", "setup"), Prepared())).assigned == ()
    home = Router(make_desk(tmp_path_factory.mktemp("home")), Texts("en"))
    assert last(home.setup.open(call, Prepared())).assigned == ()
