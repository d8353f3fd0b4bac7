"""The page My data: downloading, bringing in, deleting; at home and in a team."""

import io
import zipfile

import pytest
from fastapi.testclient import TestClient

from interviewer.accounts.person import LOCAL
from interviewer.compose import compose
from interviewer.interview.commands import Press, Say
from interviewer.models import PlanRequest
from interviewer.mydata import layout
from interviewer.settings import Settings
from tests.ui.conftest import ScriptedGrader
from ui.app import build_site

HERE = "http://127.0.0.1"
PASSWORD = "four unrelated words"


def made(folder, **settings):
    app = compose(Settings(home=folder, _env_file=None, **settings))
    app.__dict__["grader"] = ScriptedGrader()
    app.grader.verdicts = ["covered", "partial", "missing", "missing", "missing"]
    app.load_questions()
    return app


def practise(app, user):
    question = next(q for q in app.questions.all() if len(q.points) == 5)
    view = app.service.start(user, PlanRequest(question_ids=(question.id,), language="en"))
    list(app.service.act(user, view.id, Say("An answer of my own <b>")))
    list(app.service.act(user, view.id, Press("stop")))
    return view.id


@pytest.fixture(scope="module")
def home(new_folder, copy_home):
    return made(copy_home(new_folder()))


@pytest.fixture(scope="module")
def browser(home):
    return TestClient(build_site(home), base_url=HERE, follow_redirects=False, headers={"accept": "text/html"})


@pytest.fixture(scope="module")
def team(new_folder, copy_home):
    return made(copy_home(new_folder()), team=True)


@pytest.fixture
def member(team):
    """Signs somebody in, the owner first."""
    web = build_site(team)

    def sign_in(name):
        accounts = team.accounts
        if not accounts.owned:
            owner = accounts.links.owner_link().token
            accounts.links.accept(owner, login="own", name="Own", password=PASSWORD)
        with accounts._store.read() as rows:
            account = rows.by_login(name)
            owner = rows.by_login("own").person
        if account is None:
            link = accounts.links.invite(owner).token
            person = accounts.links.accept(link, login=name, name=name, password=PASSWORD)
        else:
            person = account.person
        client = TestClient(web, base_url=HERE, follow_redirects=False, headers={"accept": "text/html"})
        reply = client.post("/en/sign-in", data={"login": name, "password": PASSWORD})
        assert reply.status_code == 303
        return person, client

    return sign_in


@pytest.mark.parametrize(("language", "words"), [("en", "Download my data"), ("zh", "下载我的数据")])
def test_the_page_says_what_there_is(home, browser, language, words):
    practise(home, LOCAL.id)
    text = browser.get(f"/{language}/my-data").text
    assert words in text
    assert str(home.my_data.counts(LOCAL).interviews) in text


def test_a_download_is_brought_in_again_and_nothing_comes_twice(home, browser):
    practise(home, LOCAL.id)
    out = browser.get("/en/my-data/file")
    assert out.headers["content-type"] == "application/zip"
    assert out.headers["content-disposition"] == 'attachment; filename="interviewer-my-data.zip"'
    with zipfile.ZipFile(io.BytesIO(out.content)) as file:
        assert layout.MANIFEST in file.namelist()
    home.my_data.delete(LOCAL, account=False)
    reply = browser.post("/en/my-data/file", files={"file": ("x.zip", out.content)})
    assert reply.status_code == 200
    assert "The file was brought in." in reply.text
    before = home.my_data.counts(LOCAL)
    assert before.interviews >= 1
    assert browser.post("/zh/my-data/file", files={"file": ("x.zip", out.content)}).status_code == 200
    assert home.my_data.counts(LOCAL) == before


@pytest.mark.parametrize(("language", "words"), [("en", "not a whole ZIP file"), ("zh", "不是一个完整的")])
def test_a_bad_file_is_told_in_the_language_of_the_page(browser, language, words):
    reply = browser.post(f"/{language}/my-data/file", files={"file": ("x.zip", b"PK no")})
    assert reply.status_code == 400
    assert words in reply.text


def test_no_file_and_one_too_large_are_told(browser, monkeypatch):
    assert "Choose a file first." in browser.post("/en/my-data/file", data={"x": "y"}).text
    assert "Choose a file first." in browser.post("/en/my-data/file", files={"other": ("x.zip", b"x")}).text
    monkeypatch.setattr("ui.site.my_data.LARGEST_FILE", 1000)
    reply = browser.post("/en/my-data/file", files={"file": ("x.zip", b"x" * 100_000)})
    assert reply.status_code == 400
    assert "larger than" in reply.text


def test_deleting_needs_the_word(home, browser):
    practise(home, LOCAL.id)
    for word in ("", "yes", "删除"):
        reply = browser.post("/en/my-data/delete", data={"word": word, "what": "data"})
        assert reply.status_code == 400
        assert "nothing was deleted" in reply.text
    assert home.my_data.counts(LOCAL).interviews
    reply = browser.post("/zh/my-data/delete", data={"word": " 删除 "})
    assert reply.status_code == 303
    assert "你的数据已删除" in browser.get(f"/zh/{reply.headers['location'].removeprefix('../')}").text
    assert home.my_data.counts(LOCAL).interviews == 0


def test_the_page_at_home_knows_no_account(browser):
    text = browser.get("/en/my-data").text
    assert 'name="what"' not in text
    assert browser.post("/en/my-data/delete", data={"word": "delete", "what": "account"}).status_code == 400


def test_a_member_deletes_their_account_and_is_out(team, member):
    person, browser = member("ann")
    kept = practise(team, person.id)
    assert 'value="account"' in browser.get("/en/my-data").text
    reply = browser.post("/en/my-data/delete", data={"word": "delete", "what": "account"})
    assert reply.status_code == 303
    assert reply.headers["location"].endswith("sign-in")
    assert browser.get("/en/my-data").status_code == 303
    assert team.accounts.people.me(person) is None
    assert kept not in [i.id for i in team.interviews.recent(person.id, limit=10)]


def test_a_member_can_keep_the_account(team, member):
    person, browser = member("bob")
    practise(team, person.id)
    assert browser.post("/en/my-data/delete", data={"word": "delete", "what": "data"}).status_code == 303
    assert browser.get("/en/my-data").status_code == 200
    assert team.my_data.counts(person).interviews == 0


def test_the_last_owner_is_told_and_nothing_is_deleted(team, member):
    person, browser = member("own")
    practise(team, person.id)
    assert "You are the last owner" in browser.get("/en/my-data").text
    reply = browser.post("/en/my-data/delete", data={"word": "delete", "what": "account"})
    assert reply.status_code == 400
    assert team.my_data.counts(person).interviews == 1


def test_one_persons_page_and_file_hold_nothing_of_another(team, member):
    eve, _ = member("eve")
    hers = practise(team, eve.id)
    _, browser = member("mal")
    with zipfile.ZipFile(io.BytesIO(browser.get("/en/my-data/file").content)) as file:
        assert not [name for name in file.namelist() if hers in name]
        assert b"An answer of my own" not in b"".join(file.read(name) for name in file.namelist())


def test_nobody_gets_a_page_or_a_file_without_signing_in(team):
    browser = TestClient(build_site(team), base_url=HERE, follow_redirects=False)
    for method, path in (
        ("GET", "my-data"),
        ("GET", "my-data/file"),
        ("POST", "my-data/file"),
        ("POST", "my-data/delete"),
    ):
        assert browser.request(method, f"/en/{path}").status_code == 401


def test_another_site_can_neither_take_nor_delete(browser):
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert browser.post("/en/my-data/delete", data={"word": "delete"}, headers=headers).status_code == 403
    headers["sec-fetch-mode"] = "no-cors"
    assert browser.get("/en/my-data/file", headers=headers).status_code == 403
