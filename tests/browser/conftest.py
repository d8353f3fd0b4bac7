"""A real server, a real Chromium, and visitors who notice everything that must not happen."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, sync_playwright

from knowledge.bank import load_bank
from tests.browser.contexts import Contexts
from tests.browser.server import ServerProcess
from tests.browser.team import OWNER, PASSWORD, Team, create
from tests.browser.visitor import Visitor
from tests.protocol_server import ProtocolServer
from ui.render.reference import reference_html

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-dev-shm-usage",
    "--disable-component-update", "--no-first-run", "--disable-sync", "--disable-default-apps", "--process-per-site",
)  # fmt: skip

MakeVisitor = Callable[..., Visitor]


SERVERS = ("team", "with_model", "spare")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the same server of the rarer kinds come in a row, so that one worker starts it."""
    here = {n: item for n, item in enumerate(items) if Path(__file__).parent in item.path.parents}
    for number, item in zip(here, sorted(here.values(), key=_by_server), strict=True):
        item.add_marker(pytest.mark.browser)
        items[number] = item


def _by_server(item: pytest.Item) -> int:
    needed = item.fixturenames if isinstance(item, pytest.Function) else []
    return next((n for n, name in enumerate(SERVERS) if name in needed), len(SERVERS))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("No Chromium found: `make test` installs one, or put chromium on the PATH.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture(scope="session")
def served_home(copy_home: Callable[[Path], Path], new_folder: Callable[[], Path]) -> Callable[[], Path]:
    """Makes copies of the built home."""
    return lambda: copy_home(new_folder() / "home")


@pytest.fixture(scope="session")
def server(served_home: Callable[[], Path]) -> Iterator[ServerProcess]:
    """One server for all tests that don't kill theirs."""
    process = ServerProcess(served_home()).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def team(served_home: Callable[[], Path], contexts: Contexts) -> Iterator[Team]:
    """A team whose owner came in by the link that the server printed; also the cohort Red, of the lead Rita and Anna,
    and the lead Bert of the cohort Blue."""
    made = Team(ServerProcess(served_home(), INTERVIEWER_TEAM="1"))
    link = made.start()
    with _visitors(contexts, made.url) as visitor:
        create(visitor("en"), link, OWNER, "Ann")
    made.join("rita", "lead", "Red")
    made.join("bert", "lead", "Blue")
    made.join("anna", "member", "Red")
    yield made
    made.stop()


@pytest.fixture
def signed_in(visitor: MakeVisitor, team: Team) -> MakeVisitor:
    """Makes visitors of the team who have signed in and opened no page yet."""

    def make(login: str, language: str = "en", **options: object) -> Visitor:
        who = visitor(language, url=team.url, **options)
        form = {"login": login, "password": PASSWORD}
        reply = who.context.request.post(f"{team.url}/{language}/sign-in", form=form, max_redirects=0)
        assert reply.status == 303
        return who

    return make


@pytest.fixture(scope="session")
def model() -> Iterator[ProtocolServer]:
    with ProtocolServer() as running:
        yield running


@pytest.fixture(scope="session")
def with_model(model: ProtocolServer, served_home: Callable[[], Path]) -> Iterator[ServerProcess]:
    """A server that asks `model`; whoever kills it starts it again."""
    settings = {"CHAT_MODEL": "mock", "CHAT_BASE_URL": model.url, "CHAT_TIMEOUT": "2", "CHAT_DEADLINE": "20"}
    process = ServerProcess(served_home(), **{f"INTERVIEWER_{name}": value for name, value in settings.items()})
    yield process.start()
    process.stop()


@pytest.fixture
def visitor(contexts: Contexts, server: ServerProcess) -> Iterator[MakeVisitor]:
    """Makes visitors; afterwards none of them may have met a dialog, a script error or a foreign server."""
    with _visitors(contexts, server.url) as make:
        yield make


@pytest.fixture
def imported(server: ServerProcess) -> Iterator[str]:
    """The name of a set to import into; afterwards it is gone again, so that nobody else is asked from it by chance."""
    yield "my set"
    with urlopen(f"{server.url}/en/bank/sets/my%20set", data=b"do=delete&sure=yes", timeout=30) as reply:
        assert reply.url.endswith("/en/bank")


@contextmanager
def _visitors(contexts: Contexts, address: str) -> Iterator[MakeVisitor]:
    made: list[tuple[Visitor, dict[str, object]]] = []

    def make(language: str = "zh", *, url: str = "", **options: object) -> Visitor:
        locale = {"zh": "zh-CN", "en": "en-US"}[language]
        looks = {name: options.pop(name) for name in ("viewport", "color_scheme") if name in options}
        settings = {"viewport": {"width": 1280, "height": 860}, "locale": locale} | options
        made.append((Visitor(contexts.take(url or address, **settings), url or address, **looks), settings))
        return made[-1][0]

    try:
        yield make
    finally:
        for each, settings in made:
            each.leave()
            contexts.give_back(each.context, each.origins, **settings)
    assert [each.outside for each, _ in made if each.outside] == []
    assert [each.accidents for each, _ in made if each.accidents] == []


@pytest.fixture(scope="session")
def well_said() -> Callable[[str, str], str]:
    """A good answer to a shipped question, found by its text: all its points, in a row."""
    bank = load_bank()

    def flat(text: str) -> str:
        return "".join(text.split())

    def answer(asked: str, language: str) -> str:
        question = next(q for q in bank if flat(reference_html(q.asked_in(language)).striptags()) == flat(asked))
        joint = "" if language == "zh" else " "
        return joint.join(
            p.in_language(language).rstrip("。.") + ("。" if language == "zh" else ".") for p in question.points
        )

    return answer
