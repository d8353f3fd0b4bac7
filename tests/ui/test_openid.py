"""Signing in through an OpenID provider that is really there, and that lies."""

import time

import httpx
import pytest
from fastapi.testclient import TestClient

from interviewer.accounts.openid import Provider
from interviewer.accounts.rules import OPERATOR
from interviewer.accounts.values import Identity
from tests.ui.conftest import make_desk
from tests.ui.openid_server import OpenIdServer, new_key
from tests.ui.test_sign_in import join, owner_link, sign_in
from ui.app import build_site

pytestmark = pytest.mark.usefixtures("quick_clients")


@pytest.fixture
def provider():
    server = OpenIdServer()
    yield server
    server.stop()


@pytest.fixture
def settings(provider):
    return {
        "team": True,
        "oidc_issuer": provider.issuer,
        "oidc_client_id": "interviewer",
        "oidc_client_secret": "a secret",
        "oidc_name": "Example <Corp>",
    }


@pytest.fixture
def team(tmp_path, settings):
    return make_desk(tmp_path, **settings)


@pytest.fixture
def browser(team):
    web = build_site(team)
    return lambda: TestClient(web, follow_redirects=False, headers={"accept": "text/html", "accept-language": "en"})


@pytest.fixture
def ann(team, browser):
    """The owner, with a password."""
    made = browser()
    assert join(made, owner_link(team)).status_code == 303
    return made


def there_and_back(client, address="/en/openid/start", **params):
    """From our page to the provider and back; gives where the provider sent the browser."""
    reply = client.get(address, params=params)
    assert reply.status_code == 303
    return httpx.get(reply.headers["location"]).headers["location"]


def come_back(client, address):
    reply = client.get(address)
    assert reply.status_code == 303
    return client.get(str(reply.url.join(reply.headers["location"])))


def through(client, **params):
    return come_back(client, there_and_back(client, **params))


def known(team, provider):
    """An account that comes through the provider."""
    link = team.accounts.links.invite(OPERATOR, "member")
    identity = Identity(issuer=provider.issuer, subject=provider.person["sub"], name="Ann Provider")
    team.accounts.provider.sign_in_with(identity, link_token=link.token)


def test_who_is_known_comes_in_and_goes_where_they_wanted(team, ann, browser, provider):
    known(team, provider)
    bob = browser()
    assert "Sign in with Example &lt;Corp&gt;" in bob.get("/en/sign-in?next=/en/evidence").text
    reply = through(bob, next="/en/evidence")
    assert reply.headers["location"] == "../../en/evidence"
    assert "Ann Provider" in bob.get("/en/account").text
    assert "interviewer_session_openid=" not in str(list(bob.cookies.jar))


def test_an_invitation_is_accepted_through_the_provider(team, ann, browser, provider):
    link = team.accounts.links.invite(OPERATOR, "lead")
    bob = browser()
    page = bob.post("/en/openid/join", data={"token": link.token})
    assert page.status_code == 200
    address = page.text.split("url=")[1].split('"')[0].replace("&amp;", "&")
    assert link.token not in address
    assert come_back(bob, httpx.get(address).headers["location"]).status_code == 303
    account = next(a for a in team.accounts.people.all(OPERATOR) if a.provider)
    assert (account.name, account.role, account.login) == ("Ann Provider", "lead", None)


def test_who_is_not_invited_is_told(team, ann, browser):
    reply = through(browser())
    assert reply.status_code == 400
    assert "you have no account here yet" in reply.text
    assert len(team.accounts.people.all(OPERATOR)) == 1


def test_an_account_is_connected_and_disconnected(team, ann, browser, provider):
    reply = come_back(ann, there_and_back(ann, "/en/openid/connect"))
    assert reply.headers["location"] == "../account?done=connected"
    assert through(browser()).status_code == 303
    assert ann.post("/en/account", data={"do": "disconnect"}).status_code == 303
    assert through(browser()).status_code == 400


def test_an_identity_is_not_connected_to_who_signed_in_meanwhile(team, ann, browser):
    back = there_and_back(ann, "/en/openid/connect")
    link = team.accounts.links.invite(OPERATOR, "member")
    join(ann, link.token, login="bob", name="Bob")
    assert "was not begun in this browser" in come_back(ann, back).text
    assert not any(account.provider for account in team.accounts.people.all(OPERATOR))


def test_connecting_needs_a_sign_in(team, ann, browser):
    assert "sign-in?next=" in browser().get("/en/openid/connect").headers["location"]


def _none(provider):
    provider.key, provider.header = b"", {"alg": "none", "kid": "first"}


def _shared_secret(provider):
    provider.key, provider.header = b"a secret", {"alg": "HS256", "kid": "first"}


def _public_key_as_secret(provider):
    provider.key, provider.header = provider.key.as_pem(private=False), {"alg": "HS256", "kid": "first"}


def _strangers_key(provider):
    provider.key = new_key("first")


def _unpublished_key(provider):
    provider.key, provider.header = new_key("second"), {"alg": "RS256", "kid": "second"}


@pytest.mark.parametrize("forge", [_none, _shared_secret, _public_key_as_secret, _strangers_key, _unpublished_key])
def test_what_the_provider_did_not_sign_is_not_believed(team, ann, browser, provider, forge):
    known(team, provider)
    forge(provider)
    reply = through(browser())
    assert reply.status_code == 400
    assert "be believed" in reply.text
    assert "interviewer_session=" not in reply.headers["set-cookie"]


def test_a_new_key_of_the_provider_is_found_but_not_looked_for_all_the_time(team, ann, browser, provider):
    known(team, provider)
    now = [time.time()]
    browser().app.state.provider = Provider(team.settings, lambda: now[0])
    assert through(browser()).status_code == 303
    _unpublished_key(provider)
    provider.published = [*provider.published, provider.key]
    assert [through(browser()).status_code for _ in range(3)] == [400] * 3
    assert provider.asked.count("/keys") == 1
    now[0] += 61
    assert through(browser()).status_code == 303
    assert provider.asked.count("/keys") == 2


@pytest.mark.parametrize(
    "lie",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "somebody else"},
        {"aud": ["interviewer", "somebody else"], "azp": "somebody else"},
        {"aud": ["interviewer", "somebody else"]},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": 99_999_999_999},
        {"sub": None},
        {"sub": 42},
        {"sub": ""},
        {"sub": "4 2"},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_us_and_now_is_not_believed(team, ann, browser, provider, lie):
    known(team, provider)
    provider.lie = lambda claims: {k: v for k, v in (claims | lie).items() if v is not None}
    bob = browser()
    reply = through(bob)
    assert reply.status_code == 400
    assert bob.get("/en/account").status_code == 303


def test_what_comes_back_twice_or_to_another_browser_is_refused(team, ann, browser, provider):
    known(team, provider)
    bob, eve = browser(), browser()
    back = there_and_back(bob)
    assert "was not begun in this browser" in come_back(eve, back).text
    assert come_back(bob, back).status_code == 303
    assert "was not begun in this browser" in come_back(bob, back).text
    kept = there_and_back(eve)
    assert "was not begun in this browser" in come_back(eve, kept.replace("state=", "state=x")).text
    assert "was not begun in this browser" in come_back(eve, kept).text


def test_a_code_that_was_used_is_worth_nothing(team, ann, browser, provider):
    known(team, provider)
    bob, eve = browser(), browser()
    stolen = there_and_back(bob).split("code=")[1].split("&")[0]
    own = there_and_back(eve)
    reply = come_back(eve, own.replace(own.split("code=")[1].split("&")[0], stolen))
    assert "did not sign you in" in reply.text


def test_who_says_no_at_the_provider_can_try_again(team, ann, browser, provider):
    provider.denies = True
    reply = through(browser())
    assert "did not sign you in" in reply.text
    assert 'href="../sign-in"' in reply.text


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"authorization_endpoint": None},
    ],
)
def test_a_provider_that_leads_elsewhere_is_told(team, ann, browser, provider, metadata):
    provider.metadata = metadata
    bob = browser()
    reply = bob.get("/en/openid/start")
    if reply.status_code == 303:
        reply = come_back(bob, httpx.get(reply.headers["location"]).headers["location"])
    assert reply.status_code == 400


def test_a_provider_that_is_away_is_told_and_passwords_still_do(team, ann, browser, provider):
    provider.stop()
    bob = browser()
    reply = bob.get("/zh/openid/start")
    assert reply.status_code == 400
    assert "没有正常响应" in reply.text
    assert sign_in(bob).status_code == 303


def test_what_the_token_leaves_out_is_asked_for(tmp_path, provider, settings):
    desk = make_desk(tmp_path, **settings, oidc_domains="example.org")
    client = TestClient(build_site(desk), follow_redirects=False)
    assert join(client, owner_link(desk), login="owner").status_code == 303
    provider.person = {"sub": "43"}
    provider.user_info = {"sub": "43", "name": "Cy", "email": "cy@example.org", "email_verified": True}
    assert through(TestClient(client.app, follow_redirects=False)).status_code == 303
    assert "Cy" in {account.name for account in desk.accounts.people.all(OPERATOR)}
    provider.person, provider.user_info = {"sub": "44"}, provider.user_info | {"name": "Di"}
    assert through(TestClient(client.app, follow_redirects=False)).status_code == 400


def test_without_a_provider_there_is_no_such_page(tmp_path):
    desk = make_desk(tmp_path, team=True)
    client = TestClient(build_site(desk), follow_redirects=False)
    assert client.get("/en/openid/start").status_code == 404
    assert client.get("/en/openid/finish?code=x&state=y").status_code == 404
    assert "openid" not in client.get("/en/sign-in").text
