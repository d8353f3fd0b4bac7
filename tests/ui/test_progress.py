"""Progress, asking again and kept answers as pages: both languages, hostile texts, forms that start something."""

import re

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from interviewer.accounts.person import LOCAL
from interviewer.interview.commands import Press, Say
from interviewer.models import LANGUAGES, PlanRequest
from tests.ui.conftest import make_question
from tests.ui.test_team import Team
from ui.app import build_site
from ui.render.charts import Axis, radar
from ui.texts import Texts

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"


@pytest.fixture
def client(desk):
    return TestClient(build_site(desk), follow_redirects=False)


def practise(desk, answer="A lock that one thread holds.", question="a", verdicts=("covered", "partial", "missing")):
    """One question answered without follow-ups, to its end; gives the interview's id."""
    desk.script.verdicts = list(verdicts)
    request = PlanRequest(question_ids=(question,), count=1, followups=0)
    view = desk.service.start(LOCAL.id, request)
    for command in (Say(answer), Press("next")):
        for update in desk.service.act(LOCAL.id, view.id, command):
            view = update.view
    assert view.state.phase == "ended"
    return view.id


def soup(reply) -> BeautifulSoup:
    assert reply.status_code == 200, reply.text
    return BeautifulSoup(reply.text, "html.parser")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_newcomer_is_told_what_will_be_here_and_can_start(client, language):
    page = soup(client.get(f"/{language}/progress"))
    assert page.h1.text == Texts(language)("progress_page.title")
    assert page.select_one("main a.iv-button")["href"].endswith("#/")
    assert not page.select(".iv-tiles, svg.iv-chart")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_has_its_numbers_in_a_table(client, desk, language):
    for _ in range(5):
        practise(desk)
    page = soup(client.get(f"/{language}/progress"))
    assert len(page.select("svg.iv-chart")) == 2, "the trend, for a desk and for a phone; two topics make no radar"
    assert all(svg["aria-label"] and svg["role"] == "img" for svg in page.select("svg.iv-chart"))
    trend = page.select_one('section[aria-labelledby="trend"]')
    assert len(trend.select("tbody tr")) == 5
    assert len(trend.select("svg.iv-trend-wide a")) == 5
    assert trend.select_one("polyline.iv-smooth")
    assert trend.dt.text == Texts(language)("trend.last_few")
    practise(desk)
    trend = soup(client.get(f"/{language}/progress")).select_one('section[aria-labelledby="trend"]')
    assert [dt.text for dt in trend.select("dt")] == [Texts(language)("trend.latest")]
    tiles = {li.select_one(".iv-tile-title").text: li for li in page.select(".iv-tile")}
    unseen = tiles[{"zh": "网络", "en": "Networks"}[language]]
    assert "iv-level-unseen" in unseen["class"]
    assert Texts(language)("mastery_level.unseen") in unseen.text
    assert len(page.select(".iv-bars")) == 1, "the track that was practised; the other has nothing asked"


def test_weak_spots_lead_to_the_report_and_are_asked_again_by_their_points(client, desk):
    interview = practise(desk)
    page = soup(client.get("/en/progress"))
    rows = page.select(".iv-weak > li")
    assert [row.select_one(".iv-weak-point").text for row in rows] == ["text of point 3", "text of point 2"], (
        "what is due first"
    )
    assert rows[0].select_one("a")["href"] == f"./#/report/{interview}"
    form = rows[0].form
    assert (form["method"], form["action"]) == ("post", "./again")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    started = client.post("/en/again", data=fields)
    assert started.status_code == 303
    view = desk.service.view(LOCAL.id, opened(started))
    assert [p.id for p in view.state.current.question.points] == ["p3"]
    assert "probe 3" in view.messages[-1].text


def test_proof_stands_side_by_side(client, desk):
    first = practise(desk, "I only know what it is for.", verdicts=("covered", "missing", "missing"))
    second = practise(desk, "It blocks until it is free.", verdicts=("covered", "covered", "missing"))
    page = soup(client.get("/en/progress"))
    (panel,) = page.select(".iv-gain")
    then, now = panel.select(".iv-side")
    assert "I only know what it is for." in then.text
    assert not then.select("mark")
    assert now.select_one("mark.iv-covered sup").extract()
    assert "It blocks until it is free." in now.text
    assert [a["href"] for a in panel.select("a")] == [f"./#/report/{first}", f"./#/report/{second}"]


def test_gains_are_paged(client, desk):
    for question in ("a", "b", "c", "own"):
        practise(desk, question=question, verdicts=("missing", "missing", "missing"))
        practise(desk, question=question, verdicts=("covered", "covered", "covered"))
    first = soup(client.get("/en/progress"))
    assert len(first.select(".iv-gain")) == 3
    assert "12 points" in first.select_one("#gains").text
    older = first.select_one(".iv-pages a")["href"].removeprefix("./")
    assert len(soup(client.get(f"/en/{older}")).select(".iv-gain")) == 1
    assert len(soup(client.get("/en/progress?page=999")).select(".iv-gain")) == 1, "the last page there is"


@pytest.mark.parametrize("query", ["track=mine", "days=30", "track=nonsense&days=7&page=0", "weak=all"])
def test_whatever_it_is_narrowed_down_to_there_is_a_page(client, desk, query):
    practise(desk)
    page = soup(client.get(f"/en/progress?{query}"))
    marked = [a.text for a in page.select(".iv-choices [aria-current]")]
    assert len(marked) == 2
    assert (marked[0] == "Mine <b>") == (query == "track=mine"), "escaped once"


def test_nothing_said_or_imported_can_run(client, desk):
    text = {"en": HOSTILE}
    points = tuple(p.model_copy(update={"text": text}) for p in make_question("x").points)
    desk.questions.save([make_question("x", topic=HOSTILE, question=text, points=points)], reason="test")
    practise(desk, HOSTILE, "x", ("missing", "missing", "missing"))
    practise(desk, HOSTILE, "x", ("covered", "missing", "missing"))
    desk.keeping.keep(LOCAL, "x", "en")
    for path in ("progress", "kept"):
        html = client.get(f"/en/{path}").text.split("<main")[1]
        assert "&lt;script&gt;" in html
        assert not re.search(r"<script|<img|\u202e", html)


def test_a_drill_starts_where_something_is_due_and_says_when_if_nothing_is(client, desk, monkeypatch):
    practise(desk)
    refused = client.post("/en/drill")
    assert refused.status_code == 404
    assert "Nothing is due" in refused.text
    later = desk.memory._now().replace(year=desk.memory._now().year + 1)
    monkeypatch.setattr(desk.memory, "_now", lambda: later)
    page = soup(client.get("/en/progress"))
    assert "3 ideas are due" in page.select_one(".iv-today").text
    assert page.select_one(".iv-today form")["action"] == "./drill"
    started = client.post("/en/drill")
    assert desk.service.view(LOCAL.id, opened(started)).state.mode == "drill"


def test_asking_again_needs_a_question_one_may_read(client, desk):
    assert client.post("/en/again", data={}).status_code == 404
    assert client.post("/en/again", data={"question": "no such question"}).status_code == 404
    started = client.post("/en/again", data={"question": ["b", "a", "b"], "language": "zh", "point": "p1"})
    state = desk.service.view(LOCAL.id, opened(started)).state
    assert [q.question_id for q in state.plan.questions] == ["b", "a"]
    assert (state.language, state.mode) == ("zh", "practice")
    assert len(state.current.question.points) == 3, "points are of one question only"
    started = client.post("/en/again", data={"question": "a", "point": "no such point"})
    assert len(desk.service.view(LOCAL.id, opened(started)).state.current.question.points) == 3


def test_an_answer_is_kept_read_asked_again_and_let_go(client, desk):
    assert soup(client.get("/en/kept")).select_one(".iv-empty a")["href"] == "./#/questions"
    interview = practise(desk)
    kept = client.post("/en/kept", data={"interview": interview, "index": "0"})
    assert (kept.status_code, kept.headers["location"]) == (303, "./kept")
    page = soup(client.get("/en/kept"))
    assert page.select_one(".iv-kept .iv-md strong").text == "lock", "Markdown"
    again, remove = page.select(".iv-kept form")
    assert again["action"] == "./again"
    fields = {field["name"]: field["value"] for field in remove.select("input")}
    assert client.post("/en/kept/remove", data=fields).headers["location"] == "../kept"
    assert not soup(client.get("/en/kept")).select(".iv-kept")
    assert client.post("/en/kept", data={"question": "c"}).status_code == 303
    assert client.post("/en/kept", data={"interview": "no such one", "index": "0"}).status_code == 404
    open_ = desk.service.start(LOCAL.id, PlanRequest(question_ids=("a",), count=1))
    assert client.post("/en/kept", data={"interview": open_.id, "index": "0"}).status_code == 403


def test_in_a_team_nobody_reaches_what_is_anothers(tmp_path):
    team = Team(tmp_path)
    interview = team.practise("ann")
    assert team.get("ann", "/en/progress").select(".iv-tiles")
    team.post("ann", "/en/kept", interview=interview, index="0")
    for name in ("bob", "rita", "olga"):
        assert not team.get(name, "/en/progress").select(".iv-tiles"), "nothing of their own yet"
        team.post(name, "/en/kept", 404, interview=interview, index="0")
        team.post(name, "/en/kept/remove", question="a", language="en")
        assert team.get(name, "/en/kept").select(".iv-empty")
        team.post(name, "/en/drill", 404)
    for path in ("again", "kept"):
        team.post("bob", f"/en/{path}", 404, question="own")
    assert len(team.get("ann", "/en/kept").select(".iv-kept > li")) == 1


def opened(reply) -> str:
    """The id of the interview a form led to."""
    assert reply.status_code == 303, reply.text
    return re.fullmatch(r"\./#/interview/(\w+)", reply.headers["location"]).group(1)


@pytest.mark.parametrize("count", [3, 8, 10])
def test_a_radar_names_every_axis_with_its_number_and_marks_what_was_not_asked(count):
    axes = [Axis(f"Topic number {n}", None if n == 1 else n / 10) for n in range(count)]
    page = BeautifulSoup(radar(axes, "A <track>", Texts("en")), "html.parser")
    assert page.svg["aria-label"] == "A <track>"
    values = [text.select("tspan")[-1].text for text in page.select("text")]
    assert values == ["–" if a.value is None else f"{round(a.value * 100)}%" for a in axes]
    assert len(page.select(".iv-mark-none")) == 1
    shape = page.select(".iv-shape")
    assert [len(polygon["points"].split()) for polygon in shape] == ([] if count == 3 else [count - 1])


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Troubleshooting", ["Troubleshooting"]),
        ("Deep learning and model compression", ["Deep learning", "and model…"]),
        ("检索增强生成与智能体系统", ["检索增强生成与", "智能体系统"]),
        ("a" * 60, ["aaaaaaaaaaaaaa…"]),
    ],
)
def test_long_labels_are_broken_and_cut(title, lines):
    html = radar([Axis("x", 0.5), Axis(title, 0.5), Axis("y", 0.5)], "t", Texts("en"))
    label = BeautifulSoup(html, "html.parser").select("text")[1]
    assert [tspan.text for tspan in label.select("tspan")[:-1]] == lines
