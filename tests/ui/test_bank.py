"""The pages of question sets over HTTP, with real sign-ins: editing, reviewing, and what another's id opens."""

import re
from time import perf_counter

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from interviewer.accounts.rules import OPERATOR
from interviewer.models import LANGUAGES, Point
from interviewer.sharing.rights import is_reviewed
from interviewer.sharing.sets import ImportTarget
from tests.ui.conftest import make_desk, make_question
from ui.app import build_site

PASSWORD = "four unrelated words"
PEOPLE = {"olga": ("owner", None), "rita": ("lead", "Red"), "max": ("lead", "Blue"), "ann": ("member", "Red"),
          "bob": ("member", "Red")}  # fmt: skip
HOSTILE = "</textarea><script>alert(1)</script>\u202e{{ 7*7 }} \"'><img src=x onerror=alert(1)>"


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
        fields = {
            "token": token,
            "do": "accept",
            "login": f"{name}@example.org",
            "name": name.title(),
            "password": PASSWORD,
        }
        assert self.browsers[name].post("/en/join", data=fields).status_code == 303
        return self.person(name)

    def person(self, name):
        found = {account.login: account for account in self.desk.accounts.people.all(OPERATOR)}
        return found[f"{name}@example.org"].person

    def imported(self, name, set_name, *questions, visibility=None):
        person = self.person(name)
        known = self.desk.shared_sets.open(person, ImportTarget(set=set_name, visibility=visibility))
        store = self.desk.questions.imported_by(person.id, review=is_reviewed(person, known))
        store.save(questions, reason="import")

    def get(self, name, path, status=200):
        reply = self.browsers[name].get(path)
        assert reply.status_code == status, (name, path, reply.text[-800:])
        return BeautifulSoup(reply.text, "html.parser")

    def post(self, name, path, status=303, **data):
        reply = self.browsers[name].post(path, data=data)
        assert reply.status_code == status, (name, path, reply.text[-800:])
        return reply

    def form(self, name, question_id):
        """The editor's fields as a browser would send them."""
        return fields_of(self.get(name, f"/en/bank/questions/{question_id}"))


def fields_of(page):
    form = page.select_one("form.iv-editor")
    sent = (box for box in form.select("input[name]") if box.get("type") != "checkbox" or box.has_attr("checked"))
    values = {box["name"]: box.get("value", "") for box in sent}
    # A browser drops the line end right after the tag, which is there so that it can.
    values |= {area["name"]: area.text.removeprefix("\n") for area in form.select("textarea")}
    for select in form.select("select"):
        chosen = select.select_one("option[selected]") or select.select_one("option")
        values[select["name"]] = chosen.get("value", chosen.text)
    return values


@pytest.fixture
def team(tmp_path):
    return Team(tmp_path)


@pytest.fixture
def reds(team):
    made = [make_question(i, set="reds", question={"en": f"Ask {i}"}) for i in ("r1", "r2")]
    team.imported("ann", "reds", *made, visibility="cohort")
    return team


def test_saving_the_form_untouched_changes_nothing(team):
    odd = make_question("b", reference={"en": "  an indented start\n\n```\ncode\n```\n\n", "zh": "零\u200b宽"})
    team.desk.questions.save([odd], reason="test")
    team.post("rita", "/en/bank/questions/b", do="save", **team.form("rita", "b"))
    assert team.desk.questions.get("b") == odd
    assert len(team.desk.review.versions(team.person("rita"), "b")) == 2


def test_an_edit_is_saved_shown_and_listed_with_its_author(team):
    values = team.form("rita", "a") | {
        "question.en": "Rewritten?",
        "p0.weight": "2.5",
        "p1.aliases.en": "one\n\ntwo\none",
    }
    reply = team.post("rita", "/en/bank/questions/a", do="save", **values)
    assert "Saved." in team.get("rita", f"/en/bank/questions/{reply.headers['location'].rpartition('/')[2]}").text
    stored = team.desk.questions.get("a")
    assert stored.asked_in("en") == "Rewritten?"
    assert (stored.points[0].weight, stored.points[1].aliases["en"]) == (2.5, ("one", "two"))
    assert [p.id for p in stored.points] == ["p1", "p2", "p3"]
    page = team.get("rita", "/en/bank/questions/a/versions")
    assert "Rita" in page.select("tbody tr")[0].text
    assert "Rewritten" in page.select_one(".iv-diff ins").text
    assert page.select_one(".iv-diff del")


def test_rows_are_added_moved_and_removed_without_saving_and_nothing_typed_is_lost(team):
    values = team.form("rita", "a") | {"question.en": "Typed, not saved"}
    added = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 200, do="add-point", **values).text, "html.parser")
    more = fields_of(added)
    assert more["question.en"] == "Typed, not saved"
    assert re.fullmatch("x[0-9a-f]{8}", more["p3.id"])
    more |= {"p3.text.en": "A new statement"}
    moved = fields_of(
        BeautifulSoup(team.post("rita", "/en/bank/questions/a", 200, do="up-point-3", **more).text, "html.parser")
    )
    assert moved["p2.text.en"] == "A new statement"
    removed = fields_of(
        BeautifulSoup(team.post("rita", "/en/bank/questions/a", 200, do="remove-point-0", **moved).text, "html.parser")
    )
    assert team.desk.questions.get("a").asked_in("en") == "What is a mutex (a)"
    team.post("rita", "/en/bank/questions/a", do="save", **removed)
    stored = team.desk.questions.get("a")
    assert [p.id for p in stored.points] == ["p2", more["p3.id"], "p3"]


def test_faults_stand_beside_their_fields_and_the_rest_stays_typed(team):
    values = team.form("rita", "a") | {
        "p1.weight": "heavy", "p2.text.en": "", "p2.text.zh": "", "topic": "", "question.en": "Kept as typed",
        "m0.text.en": "half a misconception",
    }  # fmt: skip
    page = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 400, do="save", **values).text, "html.parser")
    named = {error["id"] for error in page.select(".iv-error")}
    assert named == {"e-p1.weight", "e-p2.text", "e-topic", "e-m0"}
    again = fields_of(page)
    assert (again["p1.weight"], again["question.en"]) == ("heavy", "Kept as typed")
    assert again["m0.text.en"] == "half a misconception"
    assert team.desk.questions.get("a").topic == "locks"


def test_how_many_points_are_enough_is_typed_ticked_and_cleared(team):
    def choices():
        return [(choice.points, choice.enough) for choice in team.desk.questions.get("a").choices]

    plain = team.form("rita", "a")
    assert not [name for name in plain if name.endswith(".chosen")], "no question has boxes that it does not need"
    team.post("rita", "/en/bank/questions/a", do="save", **plain | {"enough": "2"})
    assert choices() == [(("p1", "p2", "p3"), 2)]
    ticked = team.form("rita", "a")
    assert [name for name in ticked if name.endswith(".chosen")] == ["p0.chosen", "p1.chosen", "p2.chosen"]
    del ticked["p1.chosen"]
    team.post("rita", "/en/bank/questions/a", do="save", **ticked | {"enough": "1"})
    assert choices() == [(("p1", "p3"), 1)]
    assert "Points of which some are enough" in team.get("rita", "/en/bank/questions/a/versions").text
    for typed in ("0", "two"):
        values = team.form("rita", "a") | {"enough": typed}
        page = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 400, do="save", **values).text, "html.parser")
        assert {error["id"] for error in page.select(".iv-error")} == {"e-choices"}
        assert fields_of(page)["enough"] == typed
    again = {"enough": "1", "p0.chosen": "on", "p2.chosen": "on"}
    for typed in ("", "2"):
        team.post("rita", "/en/bank/questions/a", do="save", **team.form("rita", "a") | again)
        team.post("rita", "/en/bank/questions/a", do="save", **team.form("rita", "a") | {"enough": typed})
        assert choices() == [], "two of two are all"


def test_a_point_that_is_removed_leaves_its_choice(team):
    team.post("rita", "/en/bank/questions/a", do="save", **team.form("rita", "a") | {"enough": "2"})
    page = team.post("rita", "/en/bank/questions/a", 200, do="remove-point-0", **team.form("rita", "a"))
    fewer = fields_of(BeautifulSoup(page.text, "html.parser"))
    team.post("rita", "/en/bank/questions/a", do="save", **fewer | {"enough": "1"})
    assert [choice.points for choice in team.desk.questions.get("a").choices] == [("p2", "p3")]


def test_several_choices_stay_as_they_are(team):
    several = [{"points": ["p1"], "enough": 1}, {"points": ["p2", "p3"], "enough": 1}]
    team.desk.questions.save([make_question("b", choices=several)], reason="test")
    team.post("rita", "/en/bank/questions/b", do="save", **team.form("rita", "b") | {"question.en": "Rewritten?"})
    assert [c.points for c in team.desk.questions.get("b").choices] == [("p2", "p3")]


def test_a_preview_is_rendered_and_saves_nothing(team):
    values = team.form("rita", "a") | {"reference.en": "Some **bold** text <script>alert(1)</script>"}
    page = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 200, do="preview", **values).text, "html.parser")
    preview = page.select_one("#preview [lang=en]")
    assert preview.select_one("strong").text == "bold"
    assert not preview.select("script")
    assert "bold" not in team.desk.questions.get("a").reference_in("en")


def test_who_was_slower_keeps_what_they_typed_and_decides(team):
    values = team.form("rita", "a")
    team.post("olga", "/en/bank/questions/a", do="save", **(team.form("olga", "a") | {"topic": "net"}))
    mine = values | {"question.en": "Mine"}
    page = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 409, do="save", **mine).text, "html.parser")
    assert "in the meantime" in page.text
    again = fields_of(page)
    assert again["question.en"] == "Mine"
    assert team.desk.questions.get("a").topic == "net"
    team.post("rita", "/en/bank/questions/a", do="save", **again)
    assert team.desk.questions.get("a").asked_in("en") == "Mine"


def test_hostile_text_is_shown_as_text_on_every_page(team):
    hostile = make_question(
        "h1", set="hostile", topic=HOSTILE[:150], question={"en": HOSTILE}, reference={"en": HOSTILE},
        points=(Point(id="p1", text={"en": HOSTILE}, aliases={"en": (HOSTILE[:100],)}, probe={"en": HOSTILE}),),
        misconceptions=({"text": {"en": HOSTILE}, "correction": {"en": HOSTILE}},),
        source={"document": HOSTILE},
    )  # fmt: skip
    team.imported("rita", "hostile", hostile)
    changed = hostile.model_copy(update={"question": {"en": f"{HOSTILE} anew"}})
    team.imported("rita", "hostile", changed)
    team.desk.shared_sets.describe(team.person("rita"), "hostile", source=HOSTILE, licence=HOSTILE[:90])
    report = {"problems": [{"kind": "too_short", "detail": HOSTILE, "question": "h1", "other": ""}]}
    team.desk.questions.save_document("hostile", "x", "0", "qa", report, None)
    team.imported("rita", HOSTILE[:60], make_question("h2", set=HOSTILE[:60].replace("\u202e", "")))
    paths = [
        "bank", "bank/review", "bank/sets/hostile", "bank/questions/h1", "bank/questions/h1/versions?older=1&newer=2",
        "bank/review?set=hostile&page=9&done=3",
    ]  # fmt: skip
    own = team.get("rita", "/en/bank").select(".iv-sets a")
    paths += [f"bank/{link['href'].partition('bank/')[2]}" for link in own]
    for path in paths:
        for language in LANGUAGES:
            page = team.get("rita", f"/{language}/{path}")
            shown = page.select_one("main")
            assert shown.select("script, img") == []
            for clock in shown.select("time"):
                clock.extract()
            assert "49" not in shown.text  # what {{7*7}} would make
            for field in shown.select("textarea"):
                field.extract()
            assert "\u202e" not in shown.text


def test_a_made_up_address_or_button_breaks_nothing(team):
    for path in ("bank/questions/a?done=nonsense", "bank/sets/bank?page=-3", "bank/review?page=999", "bank?x=1"):
        team.get("rita", f"/en/{path}")
    for path in ("bank/questions/none", "bank/sets/none", "bank/questions/a/versions?older=7", "bank/review?set=none"):
        team.get("rita", f"/en/{path}", 404)
    for action in ("remove-point-99", "up-point-0", "nonsense", ""):
        team.post("rita", "/en/bank/questions/a", 200, do=action, **team.form("rita", "a"))
    team.post("rita", "/en/bank/questions/a", 409, do="publish", stamp="0")
    team.post("rita", "/en/bank/questions/a/versions", 404, number="x", stamp="0")
    assert len(team.desk.review.versions(team.person("rita"), "a")) == 1


def test_an_id_forged_into_the_form_makes_a_new_point_instead_of_taking_one(team):
    values = team.form("rita", "a") | {"p0.id": "../../etc", "p1.id": "p3"}
    team.post("rita", "/en/bank/questions/a", do="save", **values)
    ids = [p.id for p in team.desk.questions.get("a").points]
    assert len(ids) == len(set(ids))
    assert "../../etc" not in ids


def test_what_waits_is_published_or_rejected_by_its_lead(reds):
    page = reds.get("rita", "/en/bank/review?set=reds")
    assert [li.select_one(".iv-q").text for li in page.select(".iv-bank-list li")] == ["Ask r1", "Ask r2"]
    stamp = reds.form("rita", "r1")["stamp"]
    reds.post("rita", "/en/bank/questions/r1", do="publish", stamp=stamp)
    assert reds.desk.questions.get("r1") is not None
    reds.post("rita", "/en/bank/questions/r2", do="reject", stamp=reds.form("rita", "r2")["stamp"])
    assert "Nothing waits" in reds.get("rita", "/en/bank/review").text
    assert "Rejected" in reds.get("rita", "/en/bank/sets/reds").text


def test_all_clean_ones_are_published_at_once(reds):
    reply = reds.post("rita", "/en/bank/review", set="reds")
    assert "Published: 2" in reds.get("rita", reply.headers["location"].replace("../", "/en/", 1)).text
    assert reds.desk.library.count(reds.person("bob"), sets=("reds",)) == 2


def test_two_alike_are_merged_from_the_editor(reds):
    pair = {"kind": "similar_meaning", "detail": "alike", "question": "r2", "other": "r1"}
    reds.desk.questions.save_document("reds", "doc.md", "0", "qa", {"problems": [pair]}, None)
    page = reds.get("rita", "/en/bank/questions/r1")
    assert "Ask r2" in page.text
    reds.post("rita", "/en/bank/questions/r1/merge", other="r2", keep="this")
    assert reds.desk.questions.current_id("r2") == "r1"
    assert "Ask r1" in reds.get("rita", "/en/bank/questions/r2").select_one("h1").text


def test_the_document_s_wording_can_be_taken_where_both_changed(team):
    team.post("rita", "/en/bank/questions/a", do="save", **(team.form("rita", "a") | {"question.en": "Lead's wording"}))
    document = make_question("a", question={"zh": "互斥锁是什么（a）", "en": "Document's wording"})
    team.desk.questions.save([document], reason="shipped bank")
    page = team.get("rita", "/en/bank/questions/a")
    assert "Document changed too" in page.text
    assert team.desk.questions.get("a").asked_in("en") == "Lead's wording"
    values = team.form("rita", "a")
    taken = BeautifulSoup(team.post("rita", "/en/bank/questions/a", 200, do="document", **values).text, "html.parser")
    assert fields_of(taken)["question.en"] == "Document's wording"
    team.post("rita", "/en/bank/questions/a", do="save", **fields_of(taken))
    assert team.desk.questions.get("a") == document
    assert "Nothing waits" in team.get("rita", "/en/bank/review").text


def test_an_older_version_is_restored_as_a_new_one(team):
    team.post("rita", "/en/bank/questions/a", do="save", **(team.form("rita", "a") | {"topic": "net"}))
    page = team.get("rita", "/en/bank/questions/a/versions?older=1&newer=2")
    stamp = page.select_one("input[name=stamp]")["value"]
    team.post("rita", "/en/bank/questions/a/versions", number="1", stamp=stamp)
    assert team.desk.questions.get("a").topic == "locks"
    assert len(team.get("rita", "/en/bank/questions/a/versions").select("tbody tr")) == 3


def test_a_set_is_described_shown_to_others_and_deleted_from_its_page(team):
    team.imported("rita", "ritas/own #1", make_question("o1", set="ritas/own #1"))
    path = "/en/bank/" + team.get("rita", "/en/bank").find("a", string="ritas/own #1")["href"].partition("bank/")[2]
    team.post("rita", path, do="describe", source="a book", licence="CC-BY")
    page = team.get("rita", path)
    assert "a book" in page.text
    team.post("rita", path, do="show", visibility="cohort")
    assert "o1" in {q.id for q in team.desk.library.browse(team.person("bob"))}
    team.get("bob", path)
    team.post("rita", path, do="delete")
    assert team.desk.questions.get("o1") is not None
    team.post("rita", path, do="delete", sure="yes")
    team.get("rita", path, 404)


@pytest.mark.parametrize("name", ["bob", "max", "olga"])
def test_another_person_gets_nowhere_with_the_ids_of_a_set_that_is_not_theirs(reds, name):
    team = reds
    team.imported("ann", "anns", make_question("a1", set="anns", question={"en": "Secret words"}))
    stamp = team.desk.review.entry(team.person("ann"), "a1").stored.stamp
    values = team.form("ann", "a1") | {"question.en": "Taken over"}
    told = {}
    for question_id in ("a1", "a0"):
        for path in (f"bank/questions/{question_id}", f"bank/questions/{question_id}/versions"):
            page = team.get(name, f"/en/{path}", 404).select_one("main").text
            told.setdefault(path.replace(question_id, "…"), set()).add(page.replace(question_id, "…"))
        for action in ("save", "preview", "publish", "reject", "settle", "document", "add-point"):
            team.post(name, f"/en/bank/questions/{question_id}", 404, do=action, **(values | {"stamp": stamp}))
        team.post(name, f"/en/bank/questions/{question_id}/versions", 404, number="1", stamp=stamp)
        status = 403 if name == "bob" else 404
        team.post(name, f"/en/bank/questions/{question_id}/merge", status, other="a", keep="other")
    assert all(len(pages) == 1 for pages in told.values())
    team.post(name, "/en/bank/questions/a/merge", 404 if name != "bob" else 403, other="a1", keep="this")
    for action in ("describe", "show", "delete"):
        team.post(name, "/en/bank/sets/anns", 404, do=action, sure="yes", visibility="everyone", source="x")
    team.get(name, "/en/bank/sets/anns", 404)
    team.get(name, "/en/bank/review?set=anns", 404)
    team.post(name, "/en/bank/review", 404, set="anns")
    for path in ("bank", "bank/review"):
        page = team.get(name, f"/en/{path}").text
        assert "anns" not in page
        assert "Secret" not in page
        assert "Ask r1" not in page
    team.get(name, "/en/bank/questions/r1", 404)
    assert team.desk.questions.get("a1").asked_in("en") == "Secret words"


def test_a_member_may_read_the_bank_but_not_change_it(team):
    team.get("bob", "/en/bank/sets/bank")
    team.get("bob", "/en/bank/questions/a", 403)
    team.post("bob", "/en/bank/questions/a", 403, do="save")
    team.post("bob", "/en/bank/review", 403, set="bank")
    team.post("ann", "/en/bank/questions/a/merge", 403, other="b", keep="this")


def test_a_member_cannot_publish_their_own_import_by_hand(reds):
    stamp = reds.form("ann", "r1")["stamp"]
    for action in ("publish", "reject", "settle"):
        reds.post("ann", "/en/bank/questions/r1", 403, do=action, stamp=stamp)
    reds.post("ann", "/en/bank/review", 403, set="reds")
    assert reds.desk.questions.get("r1") is None


def test_who_has_not_signed_in_is_led_to_the_sign_in(team):
    browser = TestClient(team.web, follow_redirects=False, headers={"accept": "text/html"})
    for path in ("bank", "bank/questions/a", "bank/sets/bank", "bank/review"):
        reply = browser.get(f"/en/{path}")
        assert reply.status_code in (303, 307)
        assert "sign-in" in reply.headers["location"]
    assert browser.post("/en/bank/questions/a", data={"do": "save"}).status_code in (303, 401, 403)


def test_two_thousand_questions_are_paged(team):
    made = [make_question(f"n{i:04}", set="big", question={"en": f"Ask {i}"}) for i in range(2000)]
    team.imported("olga", "big", *made, visibility="everyone")
    start = perf_counter()
    page = team.get("olga", "/en/bank/review?set=big&page=20")
    took = perf_counter() - start
    assert page.select(".iv-bank-list li a .iv-q")[0].text == "Ask 1000"
    assert len(page.select(".iv-bank-list li")) == 50
    assert "Page 21 of 40" in page.text
    assert took < 3


def test_at_home_the_person_edits_without_signing_in(desk):
    browser = TestClient(build_site(desk), follow_redirects=False, headers={"accept": "text/html"})
    page = BeautifulSoup(browser.get("/zh/bank/questions/a").text, "html.parser")
    values = fields_of(page) | {"question.zh": "改过的题", "do": "save"}
    assert browser.post("/zh/bank/questions/a", data=values).status_code == 303
    assert desk.questions.get("a").asked_in("zh") == "改过的题"
    assert "仅自己" not in browser.get("/zh/bank/sets/bank").text
