"""A real server, a real Chromium, and visitors who notice everything that must not happen."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright

from knowledge.bank import load_bank
from tests.browser.server import ServerProcess
from tests.browser.visitor import Visitor
from ui.render.reference import reference_html

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-dev-shm-usage",
    "--disable-component-update", "--no-first-run", "--disable-sync", "--disable-default-apps",
)  # fmt: skip

MakeVisitor = Callable[..., Visitor]
MakeServer = Callable[..., ServerProcess]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


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
def built_home(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A home after its first start, index and all; nobody has practised there yet. All workers of a run share it."""
    base = tmp_path_factory.getbasetemp()
    home = (base if worker_id == "master" else base.parent) / "built" / "home"
    with FileLock(f"{base.parent}/built.lock"):
        if not home.exists():
            starting = home.with_name("starting")
            starting.mkdir(parents=True)
            ServerProcess(starting).start().stop()
            starting.rename(home)
    return home


@pytest.fixture(scope="session")
def served_home(built_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes copies of the built home."""

    def make() -> Path:
        home = tmp_path_factory.mktemp("served") / "home"
        shutil.copytree(built_home, home)
        return home

    return make


@pytest.fixture(scope="module")
def new_server(served_home: Callable[[], Path]) -> Iterator[MakeServer]:
    """Starts servers, each with a copy of the built home; keyword arguments are environment variables."""
    started: list[ServerProcess] = []

    def make(**settings: str) -> ServerProcess:
        started.append(ServerProcess(served_home(), **settings).start())
        return started[-1]

    yield make
    for process in started:
        process.stop()


@pytest.fixture(scope="session")
def server(served_home: Callable[[], Path]) -> Iterator[ServerProcess]:
    """One server for all tests that don't kill theirs."""
    process = ServerProcess(served_home()).start()
    yield process
    process.stop()


@pytest.fixture
def visitor(chromium: Browser, server: ServerProcess) -> Iterator[MakeVisitor]:
    """Makes visitors; afterwards none of them may have met a dialog, a script error or a foreign server."""
    made: list[Visitor] = []

    def make(language: str = "zh", *, url: str = "", **options: object) -> Visitor:
        locale = {"zh": "zh-CN", "en": "en-US"}[language]
        settings = {"viewport": {"width": 1280, "height": 860}, "locale": locale} | options
        made.append(Visitor(chromium.new_context(**settings), url or server.url))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
    assert [each.outside for each in made if each.outside] == []
    assert [each.accidents for each in made if each.accidents] == []


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
