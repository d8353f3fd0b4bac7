"""The start page: choices, the plan they lead to, and what a job description asks for."""

import json
from pathlib import Path

import pytest

from interviewer.accounts.person import LOCAL
from interviewer.errors import DocumentError, InterviewerError, NotFoundError
from interviewer.models import Track
from tests.ui.choosing import free, on_track
from ui.choices import Choices, Prepared, keep, kept, read_choices
from ui.render.plan import found_html, outlook_html
from ui.rounds import is_proposed, proposed_rounds
from ui.screens import InterviewScreen, SetupScreen
from ui.texts import Texts
from ui.wiring import show

EN = Texts("en")


def last(screens):
    return list(screens)[-1]


def test_a_newcomer_is_offered_the_first_track_with_rounds_that_fit_and_a_plan(router, call):
    screen = last(router.load(call, "", Prepared(), ""))
    assert isinstance(screen, SetupScreen)
    assert screen.fresh
    assert screen.choices[:6] == ("backend", "mid", ("first", "second"), 30, "practice", "en")
    assert screen.choices.sets == ("bank", "mine")
    assert {q.question_id for q in screen.prepared.plan.questions} <= {"a", "b", "c", "own"}
    assert [r.title for r in screen.prepared.plan.rounds] == ["Round one", "Round two"]
    assert screen.unfinished is None


def test_the_start_says_what_will_come_but_no_question(router, call):
    screen = last(router.setup.choose(call, Prepared(), *on_track()))
    html = outlook_html(screen, EN)
    assert f"Questions: {len(screen.prepared.plan.questions)}" in html
    assert "Round one" in html
    assert "mutex" not in html


@pytest.mark.parametrize(
    ("values", "matching"),
    [
        (free(("mine",)), 1),
        (free(("bank",), ("locks",)), 2),
        (free(("bank",), (), 4, 5), 1),
        (free(("bank",), (), 5, 4), 0),
        (free(()), 0),
    ],
)
def test_a_change_of_a_free_choice_counts_again(router, call, values, matching):
    screen = last(router.setup.choose(call, Prepared(), *values))
    assert screen.matching == matching
    assert bool(screen.problem) == (matching == 0)
    assert (screen.prepared.plan is None) == (matching == 0)


def test_a_topic_that_the_chosen_sets_lack_is_dropped(router, call):
    screen = last(router.setup.choose(call, Prepared(), *free(("mine",), ("locks", "net"))))
    assert screen.choices.topics == ("net",)


def test_no_round_and_no_time_are_problems_with_a_next_step(router, call, desk):
    assert last(router.setup.choose(call, Prepared(), *on_track(()))).problem == EN("setup.no_rounds")
    desk.questions.retire(["a", "b", "c", "own"])
    screen = last(router.setup.choose(call, Prepared(), *on_track()))
    assert screen.problem == EN("setup.no_match")
    assert EN("setup.no_match") in outlook_html(screen, EN)


def test_the_plan_stays_while_the_choices_do_and_what_starts_is_what_was_shown(router, call):
    shown = last(router.setup.choose(call, Prepared(), *on_track())).prepared
    assert last(router.setup.choose(call, shown, *on_track())).prepared == shown
    other = last(router.setup.choose(call, shown, *on_track(("first",)))).prepared
    assert other.plan != shown.plan
    started = last(router.setup.start(call, shown, *on_track()))
    assert isinstance(started, InterviewScreen)
    assert started.view.state.plan == shown.plan
    assert started.prepared.plan is None
    assert started.session.route == f"/interview/{started.view.id}"


def test_a_choice_made_at_the_last_moment_counts(router, call):
    shown = last(router.setup.choose(call, Prepared(), *on_track())).prepared
    started = last(router.setup.start(call, shown, *free(("mine",))))
    assert [q.question_id for q in started.view.state.plan.questions] == ["own"]
    with pytest.raises(NotFoundError):
        list(router.setup.start(call, shown, *free(("bank",), (), 5, 4)))


def test_another_track_or_level_brings_its_own_rounds(router, call):
    shown = last(router.load(call, "", Prepared(), "")).prepared
    screen = last(router.setup.choose(call, shown, *on_track(track="mine")))
    assert (screen.choices.rounds, screen.new_rounds) == (("all",), True)
    screen = last(router.setup.choose(call, screen.prepared, *on_track((), level="senior", minutes=60)))
    assert screen.choices.rounds == ("first", "second", "top")


def test_a_page_that_the_server_has_forgotten_gets_the_rounds_of_its_track(router, call):
    screen = last(router.setup.choose(call, Prepared(), *on_track(("first",), track="mine")))
    assert (screen.choices.rounds, screen.new_rounds) == (("all",), True)
    assert not last(router.setup.choose(call, Prepared(), *on_track(("first",)))).new_rounds


def test_more_time_proposes_more_rounds_unless_the_person_chose(router, call, desk):
    proposed = proposed_rounds(desk.tracks(LOCAL)[0], "senior", 10)
    shown = last(router.setup.choose(call, Prepared(), *on_track(proposed, level="senior", minutes=10))).prepared
    more = last(router.setup.choose(call, shown, *on_track(proposed, level="senior", minutes=60)))
    assert more.choices.rounds == ("first", "second", "top")
    assert more.new_rounds
    own = last(router.setup.choose(call, shown, *on_track(("second", "top"), level="senior", minutes=60)))
    assert own.choices.rounds == ("second", "top")
    assert not own.new_rounds


def test_rounds_are_proposed_that_leave_room_for_a_question_each():
    def part(id, minutes, *kinds):
        return {"id": id, "title": {"en": id}, "minutes": minutes, "kinds": kinds}

    track = Track.model_validate(
        {
            "id": "t",
            "title": {"en": "t"},
            "topics": [{"id": "x", "title": {"en": "x"}, "topics": ["x"]}],
            "rounds": [
                part("basics", 15, "concept"),
                part("domain", 30, "concept", "troubleshooting"),
                part("design", 40, "design"),
                part("project", 10, "experience"),
            ],
        }
    )
    assert proposed_rounds(track, "mid", 30) == ("basics", "domain")
    assert proposed_rounds(track, "mid", 60) == ("basics", "domain", "design")
    assert proposed_rounds(track, "mid", 95) == ("basics", "domain", "design", "project")
    assert len(proposed_rounds(track, "mid", 1)) == 1
    assert is_proposed(track, "mid", ("basics", "domain"), range(10, 100, 5))
    assert not is_proposed(track, "mid", ("project",), range(10, 100, 5))


def test_choices_survive_in_the_browser_and_the_language_follows_the_page(router, call):
    chosen = read_choices(*on_track(("second",), level="senior", minutes=45, mode="mock"))
    assert kept(keep(chosen), "zh") == chosen._replace(language="zh")
    opened = last(router.load(call, "", Prepared(), keep(chosen)))
    assert opened.choices == chosen


@pytest.mark.parametrize(
    "stored", ["", "null", "[]", "3", "{", '{"level": "king"}', '{"rounds": {}}', '{"zz": 1}', '{"minutes": "x"}']
)
def test_what_is_no_choice_counts_as_a_newcomers(router, call, stored):
    assert kept(stored, "en") is None
    assert last(router.load(call, "", Prepared(), stored)).choices.track == "backend"


def test_stored_choices_are_held_within_what_the_page_offers(router, call):
    wild = json.dumps({"track": "", "minutes": 99999, "number": -4, "low": -3, "high": 77, "sets": ["gone", "mine"]})
    choices = last(router.load(call, "", Prepared(), wild)).choices
    assert (choices.minutes, choices.number, choices.low, choices.high) == (180, 1, 1, 5)
    assert choices.sets == ("mine",)
    assert last(router.load(call, "", Prepared(), '{"track": "gone"}')).choices.track == "backend"
    assert last(router.load(call, "", Prepared(), keep(Choices(track="backend", rounds=("x",))))).choices.rounds


def test_an_emptied_field_and_what_the_page_does_not_offer_break_nothing(router, call):
    """The page's events come as the browser sends them, unchecked."""
    cleared = ("", "mid", None, None, "practice", "en", ["bank"], None, None, None, None)
    screen = last(router.setup.choose(call, Prepared(), *cleared))
    assert screen.choices == Choices(sets=("bank",), language="en", minutes=10, number=1)
    assert len(screen.prepared.plan.questions) == 1
    forged = ("", "<b>", [], 10**9, "forged", "xx", ["bank"], [], -3, 99, 10**6)
    choices = last(router.setup.choose(call, Prepared(), *forged)).choices
    assert choices == Choices(sets=("bank",), minutes=180, low=1, high=5, number=20)


def test_a_job_description_becomes_topics_that_can_be_removed(router, call):
    text = "We want locks <b>really</b>.\nAnd net."
    looking, found = router.job.find(call, Prepared(), text, None, *on_track())
    assert looking.reading
    assert [f.topic for f in found.prepared.focus] == ["locks", "net"]
    assert found.prepared.plan.request.focus == found.prepared.focus
    html = found_html(found, EN)
    assert "We want locks &lt;b&gt;really&lt;/b&gt;." in html
    assert "Concurrency" in html
    left = last(
        router.job.drop(call._replace(event={"action": "drop", "id": "locks"}), found.prepared, *on_track())
    ).prepared
    assert [f.topic for f in left.focus] == ["net"]
    assert left.plan.request.focus == left.focus
    none = last(router.job.drop(call._replace(event={"action": "clear"}), left, *on_track()))
    assert none.prepared.focus == ()
    assert found_html(none, EN) == ""


def test_a_text_about_nothing_and_no_text_say_so(router, call):
    found = last(router.job.find(call, Prepared(), "Good coffee.", None, *on_track()))
    assert EN("job.none") in found_html(found, EN)
    with pytest.raises(DocumentError, match="Paste a text"):
        list(router.job.find(call, Prepared(), "  ", None, *on_track()))


def test_a_long_text_is_cut_and_the_page_says_so(router, call):
    found = last(router.job.find(call, Prepared(), "locks\n" + "x" * 20_000 + "\nnet", None, *on_track()))
    assert [f.topic for f in found.prepared.focus] == ["locks"]
    assert EN("job.cut") in found_html(found, EN)


def test_an_uploaded_text_is_read_shown_and_its_copy_removed(router, call, tmp_path: Path):
    file = tmp_path / "job.md"
    file.write_text("# Job\n\nMuch about locks here.\n", "utf-8")
    found = last(router.job.find(call, Prepared(), "and net", str(file), *on_track()))
    assert [f.topic for f in found.prepared.focus] == ["locks", "net"]
    assert "Much about locks here." in found.read
    assert not file.exists()


@pytest.mark.parametrize(("name", "content"), [("job.exe", b"MZ locks"), ("job.pdf", b"%PDF-1.7 no"), ("job.txt", b"")])
def test_an_upload_that_can_not_be_read_is_an_error_with_a_sentence(router, call, tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InterviewerError) as error:
        list(router.job.find(call, Prepared(), "", str(file), *on_track()))
    assert str(error.value)
    assert not file.exists()


def test_tracks_are_cards_with_a_sentence_and_imported_ones_say_where_they_come_from(router, call, views, t):
    shown = show(views, last(router.load(call, "", Prepared(), "")), t)
    cards = [label for label, _ in shown[views.setup.track]["choices"]]
    assert cards[:2] == ["Backend\nFor people who write services.", "Mine <b>\nFrom outline.md"]
    assert cards[2].startswith(EN("setup.free"))
    assert shown[views.setup.track]["value"] == "backend"
    assert next(c for c, _ in shown[views.setup.rounds]["choices"]) == "Round one · 15 min"


def test_the_outlook_tells_the_style_sheet_what_is_chosen_from(router, call, t):
    for values, chosen in ((on_track(), "track"), (free(), "free"), (free(()), "free"), (on_track(()), "track")):
        screen = last(router.setup.choose(call, Prepared(), *values))
        assert f'data-chosen="{chosen}"' in outlook_html(screen, t)
