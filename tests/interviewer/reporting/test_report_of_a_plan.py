"""What the report says of the plan: why, how long, how hard, in which rounds and phases; in every kind of file."""

import json
from html import unescape

import pytest

from interviewer.models import Alternative
from interviewer.reporting.because import asked_because
from interviewer.reporting.export import to_html, to_json, to_markdown
from interviewer.reporting.lines import duration, path_line, pauses_line
from interviewer.reporting.markup import render_markdown
from interviewer.wording import say
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk
from tests.interviewer.interview.test_phases import design
from tests.interviewer.reporting.test_report import HOSTILE, tags

REASONS = ["requested", "focus", "weak", "frequent", "new", "oldest"]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(tmp_path, clock):
    desk = Desk(f"sqlite:///{tmp_path / 'x.sqlite3'}", clock)
    desk.questions.save([make_question(f"q{n}", topic="training", difficulty=n) for n in range(1, 6)], reason="test")
    desk.questions.save([design("d1", topic="design")], reason="test")
    yield desk
    desk.database.close()


def start(desk, ids, minutes=10, mode="mock", rounds=(), language="en", **changes):
    """Begins an interview about these questions; `changes` to all of them, `rounds` as (title, number of questions)."""
    request = desk.request(question_ids=ids, mode=mode, followups=0, language=language)
    plan = desk.service.draft("ann", request)
    data = plan.model_dump() | {"rounds": [{"id": f"r{n}", "title": title} for n, (title, _) in enumerate(rounds)]}
    places = [n for n, (_, count) in enumerate(rounds) for _ in range(count)] or [0] * len(ids)
    for question, place in zip(data["questions"], places, strict=True):
        question |= {"minutes": minutes, "round": place, **changes}
    return desk.service.start_plan("ann", type(plan).model_validate(data))


def report(desk, view):
    return desk.service.report("ann", view.id)


def files(report):
    return to_html(report), to_markdown(report), to_json(report)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("why", REASONS)
def test_every_reason_is_said_in_every_file(desk, why, language):
    view = start(desk, ["q1"], why=why, sentence="You tune CUDA kernels", language=language)
    made = report(desk, view)
    because = made.facts[0].because
    assert because == asked_because(view.state.questions[0], language)
    assert ("You tune CUDA kernels" in because) == (why == "focus")
    for file in files(made):
        assert because in unescape(file)


def test_a_description_without_a_sentence_is_named_all_the_same(desk):
    view = start(desk, ["q1"], why="focus")
    assert report(desk, view).facts[0].because == say("why_focus", "en")


@pytest.mark.parametrize(("answer", "third", "word"), [("sum memory", "q4", "Harder"), ("memory", "q2", "Easier")])
def test_a_harder_or_easier_question_says_so_and_not_that_it_was_the_weak_one(desk, answer, third, word):
    desk.questions.save([make_question("q6", difficulty=3)], reason="test")
    others = (Alternative(question_id="q2", difficulty=2), Alternative(question_id="q4", difficulty=4))
    request = desk.request(question_ids=["q1", "q5", "q3"], mode="mock", followups=0)
    plan = desk.service.draft("ann", request)
    last = plan.questions[2].model_copy(update={"others": others, "why": "weak"})
    view = desk.service.start_plan("ann", plan.model_copy(update={"questions": (*plan.questions[:2], last)}))
    for _ in range(2):
        view = desk.say(view, answer)
    made = report(desk, view)
    facts = made.facts[2]
    assert view.state.current.question.id == third
    assert facts.because.startswith(word)
    assert say("why_weak", "en") not in facts.because
    assert (facts.planned_difficulty, facts.difficulty) == (3, int(third[1]))
    assert f"1 → 5 → 3; asked: 1 → 5 → {third[1]}" in path_line(made)
    for file in (to_html(made), to_markdown(made)):
        assert path_line(made) in file


def test_time_used_stands_against_time_planned(desk, clock):
    view = start(desk, ["q1", "q2"], minutes=10)
    clock.forward(minutes=4)
    view = desk.say(view, "sum memory")
    clock.forward(minutes=2)
    view = desk.say(view, "sum memory")
    made = report(desk, view)
    assert [(round(f.seconds / 60), f.planned_seconds) for f in made.facts] == [(4, 600), (2, 600)]
    assert (round(made.seconds / 60), made.planned_seconds) == (6, 1200)
    for file in (to_html(made), to_markdown(made)):
        assert "of 20:00 min" in file
        assert file.count("of 10:00 min") == 2


def test_practice_tells_time_without_a_plan_to_hold_it_against(desk):
    made = report(desk, start(desk, ["q1"], mode="practice"))
    assert (made.planned_seconds, made.facts[0].planned_seconds) == (None, None)
    assert "of 10:00 min" not in to_html(made)


@pytest.mark.parametrize(
    ("times", "words"), [(0, ""), (1, "Paused once, 6:0"), (2, "Paused twice, 12:0"), (3, "3 times")]
)
def test_pauses_are_told(desk, clock, times, words):
    view = start(desk, ["q1"])
    for _ in range(times):
        view = desk.press(view, "pause")
        clock.forward(minutes=6)
        view = desk.press(view, "resume")
    made = report(desk, desk.press(view, "stop"))
    assert (made.paused_times, round(made.paused_seconds / 60)) == (times, 6 * times)
    assert words in pauses_line(made)
    assert bool(pauses_line(made)) == bool(times)
    for file in (to_html(made), to_markdown(made)):
        assert pauses_line(made) in file


def test_rounds_group_the_questions_and_have_their_own_score(desk, clock):
    rounds = (("Basics", 2), ("Domain", 1), ("Design", 1))
    view = start(desk, ["q1", "q2", "q3", "d1"], rounds=rounds)
    for words in ("sum memory", "memory", "sum"):
        clock.forward(minutes=1)
        view = desk.say(view, words)
    made = report(desk, desk.press(view, "stop"))
    assert [(r.title, r.score, r.asked) for r in made.rounds] == [
        ("Basics", 6.2, 2),
        ("Domain", 7.5, 1),
        ("Design", None, 1),
    ]
    assert [r.planned_seconds for r in made.rounds] == [1200, 600, 600]
    assert [round(r.seconds / 60) for r in made.rounds] == [2, 1, 0]
    page, text, data = files(made)
    headings = [page.index(f'<h2 class="round">Round {n}') for n in (1, 2, 3)]
    questions = [page.index(f"<h2>{n}. ") for n in (1, 2, 3, 4)]
    assert sorted(headings + questions) == [
        headings[0], questions[0], questions[1], headings[1], questions[2], headings[2], questions[3],
    ]  # fmt: skip
    assert text.count("Round 1: Basics — 6.2 / 10") == 2
    assert json.loads(data)["rounds"][1] == made.rounds[1].model_dump()


def test_a_round_not_come_to_is_listed_without_a_score(desk):
    view = start(desk, ["q1", "q2"], rounds=(("Basics", 1), ("Domain", 1)))
    made = report(desk, desk.press(view, "stop"))
    assert [(r.asked, r.score) for r in made.rounds] == [(1, None), (0, None)]
    assert "Domain" in to_html(made)
    assert '<h2 class="round">Round 2' not in to_html(made)


def test_points_stand_under_their_phases_with_the_time_of_each(desk, clock):
    view = start(desk, ["d1"], minutes=40)
    clock.forward(minutes=4)
    view = desk.say(view, "scale")
    clock.forward(minutes=8)
    view = desk.say(view, "shape")
    made = report(desk, desk.press(view, "stop"))
    phases = made.facts[0].phases
    assert [(p.begun, p.score, p.planned_seconds) for p in phases] == [
        (True, 5.0, 300),
        (True, 10.0, 600),
        (True, 0.0, 900),
        (False, None, 600),
    ]
    assert [round(p.seconds / 60) for p in phases] == [4, 8, 0, 0]
    page, text, data = files(made)
    for file in (page, text):
        assert "Phase 1: Part needs — 5.0 / 10 — Time: 4:0" in file
        assert "Phase 4: Part breaks — not reached" in file
        assert file.index("Phase 2") < file.index("text of shape") < file.index("Phase 3")
    assert '<li value="4">' in page
    stored = json.loads(data)["questions"][0]
    assert [p["points"] for p in stored["facts"]["phases"]] == [list(p.points) for p in phases]
    assert "whole" not in stored


def test_an_end_by_time_is_told_with_what_was_not_asked(desk, clock):
    view = start(desk, ["q1", "q2", "q3"], minutes=10)
    clock.forward(minutes=31)
    view = list(desk.service.resume("ann", view.id))[-1].view
    made = report(desk, view)
    assert (made.ended, made.unasked, made.unscored) == ("time", 2, 1)
    for file in (to_html(made), to_markdown(made)):
        assert "2 planned questions not asked" in file
        assert "no answer before the time was over" in file


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_file_is_made_in_every_language(desk, clock, language):
    view = start(desk, ["q1", "d1"], minutes=20, rounds=(("甲", 1), ("乙", 1)), language=language, why="focus")
    view = desk.say(view, "sum memory")
    view = desk.say(view, "scale")
    view = desk.press(view, "pause")
    clock.forward(minutes=50)
    view = desk.press(desk.press(view, "resume"), "stop")
    for file in files(report(desk, view)):
        assert "甲" in file


def test_hostile_plans_stay_text(desk):
    view = start(desk, ["q1"], why="focus", sentence=HOSTILE[:300], rounds=((HOSTILE, 1),))
    made = report(desk, desk.press(view, "stop"))
    for page in (to_html(made), render_markdown(to_markdown(made))):
        assert not tags(page).found & {"script", "img", "b"}
    assert "\u202e" not in made.facts[0].because


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (245, "4:05"), (4500, "75:00")])
def test_minutes_and_seconds(seconds, text):
    assert duration(seconds) == text
