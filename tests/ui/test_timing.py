"""What the page says of time, rounds and phases."""

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup

from interviewer.interview.commands import Press, Say
from interviewer.interview.service import InterviewService
from interviewer.models import PlannedRound, PlanRequest
from interviewer.storage.interviews import InterviewStore
from tests.ui.conftest import NoPassages
from ui.pages.interview import skip_label
from ui.render.card import card_html
from ui.render.points import by_phase
from ui.render.report import report_html
from ui.render.timing import clock_level, clock_signal, clock_text, phase_steps
from ui.texts import Texts

EN = Texts("en")
PHASES = [
    {"id": "f1", "title": {"zh": "需求", "en": "Needs <b>"}, "minutes": 5, "prompt": {"en": "Ask."}, "points": ["p1"]},
    {
        "id": "f2",
        "title": {"zh": "架构", "en": "Parts"},
        "minutes": 15,
        "prompt": {"en": "Draw."},
        "points": ["p2", "p3"],
    },
]


class Timed:
    """A service whose clock is turned by hand."""

    def __init__(self, desk):
        self.moment = datetime(2026, 3, 1, tzinfo=UTC)
        self.service = InterviewService(
            InterviewStore(desk.service._interviews._database), desk.questions, desk.script, NoPassages(),
            now=lambda: self.moment,
        )  # fmt: skip

    def start(self, *ids, mode="mock", minutes=10.0):
        plan = self.service.draft("local", PlanRequest(question_ids=ids, count=len(ids), mode=mode))
        questions = (q.model_copy(update={"minutes": minutes, "round": i}) for i, q in enumerate(plan.questions))
        rounds = tuple(PlannedRound(id=id_, title=f"Round <{id_}>") for id_ in ids)
        plan = plan.model_copy(update={"questions": tuple(questions), "rounds": rounds})
        return self.service.start_plan("local", plan)

    def later(self, view, seconds):
        self.moment += timedelta(seconds=seconds)
        return self.service.view("local", view.id)

    def act(self, view, command):
        return list(self.service.act("local", view.id, command))[-1].view


@pytest.fixture
def timed(desk, question):
    desk.questions.save([question("phased", phases=PHASES)], reason="test")
    return Timed(desk)


def card(view):
    return BeautifulSoup(card_html(view, None, "nobody", EN), "html.parser")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (-3, "0:00"), (59.9, "0:59"), (247, "4:07"), (3600, "1:00:00"), (4000, "1:06:40")],
)
def test_seconds_become_a_clock(seconds, text):
    assert clock_text(seconds) == text


@pytest.mark.parametrize(
    ("left", "limit", "level"),
    [(100, 300, ""), (60, 300, "soon"), (0, 300, "over"), (-4, 300, "over"), (None, None, "")],
)
def test_the_last_fifth_is_amber_and_beyond_is_red(left, limit, level):
    assert clock_level(left, limit) == level


def test_a_mock_interview_has_a_clock_and_rounds_on_its_card(timed):
    view = timed.later(timed.start("a", "b"), 500)
    soup = card(view)
    assert soup.select_one('[data-clock="left"]').text == "1:40"
    assert soup.select_one('[data-clock="overall"]').text == "11:40"
    assert soup.select_one(".iv-clock")["data-clock-level"] == "soon"
    assert soup.select_one(".iv-round").text == "Round 1 of 2: Round <a>"
    assert not soup.select("[role=timer][aria-live]")
    signal = clock_signal(view)
    assert (signal["left"], signal["limit"], signal["overall"], signal["running"]) == (100, 600, 700, True)


def test_practice_tells_the_time_used_and_has_no_limit(timed):
    view = timed.later(timed.start("a", mode="practice"), 75)
    soup = card(view)
    assert soup.select_one('[data-clock="used"]').text == "1:15"
    assert not soup.select(".iv-clock")
    assert clock_signal(view)["left"] is None


def test_a_pause_is_counted_and_stops_the_clock(timed):
    view = timed.act(timed.later(timed.start("a"), 60), Press("pause"))
    view = timed.later(view, 200)
    soup = card(view)
    assert soup.select_one('[data-clock="paused"]').text == "3:20"
    assert soup.select_one('[data-clock="left"]').text == "9:00"
    assert (clock_signal(view)["running"], clock_signal(view)["pausing"]) == (False, True)


def test_phases_are_steps_with_their_share_of_the_minutes(timed):
    view = timed.start("phased", minutes=40)
    assert [(s.title, s.minutes, s.state) for s in phase_steps(view.state)] == [
        ("Needs <b>", 10, "now"), ("Parts", 30, "todo"),
    ]  # fmt: skip
    assert skip_label(view.state) == "phase"
    assert "Needs &lt;b&gt;" in card_html(view, None, "nobody", EN)
    parts = {clock_signal(view)["part"]}
    view = timed.act(timed.later(view, 30), Press("skip"))
    parts.add(clock_signal(view)["part"])
    assert len(parts) == 2
    assert [s.state for s in phase_steps(view.state)] == ["done", "now"]
    assert skip_label(view.state) == "finish"
    assert card(view).select_one('[aria-current="step"]').text.startswith("Parts")
    assert card(view).select_one('[data-clock="left"]').text == "30:00"


def test_a_question_without_phases_is_skipped(timed):
    assert skip_label(timed.start("a").state) == "skip"


def test_points_stand_under_their_phases_with_the_numbers_of_the_grade(timed, desk):
    desk.script.verdicts = ["covered", "partial", "missing"]
    view = timed.start("phased", mode="practice")
    view = timed.act(view, Say("An answer to begin with."))
    for _ in range(4):
        if view.state.current.closed:
            break
        view = timed.act(view, Press("skip"))
    current = view.state.current
    groups = by_phase(current.grade.points, current.question, "en", ("1:00",))
    assert [(g.title, [n for n, _ in g.points], g.note) for g in groups] == [
        ("Needs <b>", [1], "1:00"), ("Parts", [2, 3], ""),
    ]  # fmt: skip
    assert len(by_phase(current.grade.points, None, "en")) == 1


def test_the_report_tells_time_reasons_rounds_and_phases(timed):
    view = timed.start("phased", "a", minutes=20)
    view = timed.act(timed.later(view, 65), Press("pause"))
    view = timed.act(timed.later(view, 30), Press("resume"))
    view = timed.act(timed.later(view, 5), Say("An answer that is graded."))
    timed.act(view, Press("stop"))
    soup = BeautifulSoup(report_html(timed.service.report("local", view.id), "../export/", EN), "html.parser")
    assert soup.select_one(".iv-report-time").text == "Time: 1:10 of 40:00 · paused 1×, 0:30"
    assert [li.select_one("span").text for li in soup.select("#iv-rounds + ul li")] == ["Round <phased>", "Round <a>"]
    assert "not reached" in soup.select("#iv-rounds + ul li")[1].text
    item = soup.select_one(".iv-item")
    assert "Asked because you chose it." in item.select_one(".iv-because").text
    assert "1:10 of 20:00" in item.select_one("summary").text
    titles = [h.text for h in item.select(".iv-phase-title")]
    assert titles[0].startswith("Needs <b> 1:10 of 5:00")
    assert titles[1].startswith("Parts")
