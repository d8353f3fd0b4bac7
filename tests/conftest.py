"""What all tests share."""

import gc
import os
import shutil
import sqlite3
import ssl
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import onnxruntime
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings, strategies

import ui  # noqa: F401, before gradio, which is then imported as in the product
from interviewer.storage import database
from tests.browser.server import ServerProcess

# A slow machine is no failure; CI tries the same examples every time, a developer's run looks for new ones.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("patient"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "patient")


def pytest_collection_finish() -> None:
    """What is imported and collected by now stays: looking through it for garbage took a tenth of the tests' time."""
    # hypothesis imports this late, and pytest then parses it. Python 3.11 fails at that where another thread compiles at
    # the same time (gh-106905), as servers do that a test has started.
    strategies.from_regex("a").validate()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the checkout; a clone made elsewhere has none."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ folder stands beside this checkout")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _nothing_waits_for_the_disk() -> Iterator[None]:
    """No test cuts the power: the databases of this process don't wait until the disk has it. Those of others do."""
    prepare = database._prepare_sqlite

    def prepare_quickly(connection: sqlite3.Connection, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_prepare_sqlite", prepare_quickly)
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_thread_a_worker(worker_id: str) -> Iterator[None]:
    """Where every core has a worker, threads of one only wait for those of the others: a fifth of what grading takes."""
    with pytest.MonkeyPatch.context() as patch:
        if worker_id != "master":
            patch.setattr(onnxruntime, "InferenceSession", _single_threaded)
        yield


_session = onnxruntime.InferenceSession


def _single_threaded(
    path: str, options: onnxruntime.SessionOptions | None = None, **named: object
) -> onnxruntime.InferenceSession:
    options = options or onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return _session(path, options, **named)


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes empty folders. pytest's own numbered folders take the longer the more there are, and tests are thousands."""
    parent, numbers = tmp_path_factory.mktemp("folders"), count()

    def make() -> Path:
        folder = parent / str(next(numbers))
        folder.mkdir()
        return folder

    return make


@pytest.fixture(autouse=True)
def own_home(new_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes what belongs to the person who runs it, or asks the model they configured."""
    for name in [name for name in os.environ if name.startswith(("INTERVIEWER_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    home = new_folder()
    monkeypatch.setenv("INTERVIEWER_HOME", str(home))
    return home


@pytest.fixture
def tmp_path(new_folder: Callable[[], Path]) -> Path:
    """As pytest's own, quicker."""
    return new_folder()


@pytest.fixture
def quick_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP clients read the certificates of all authorities once a run, not twice each; no test speaks TLS."""
    monkeypatch.setattr(ssl, "create_default_context", _default_context)


_default_context = cache(ssl.create_default_context)


@pytest.fixture(scope="session")
def built_home(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A home after its first start, index and all, which takes seconds; nobody has practised there yet. All workers of a
    run share it, so it is only read: see `copy_home`."""
    base = tmp_path_factory.getbasetemp()
    home = (base if worker_id == "master" else base.parent) / "built" / "home"
    with FileLock(f"{base.parent}/built.lock"):
        if not home.exists():
            building = home.with_name("building")
            building.mkdir(parents=True, exist_ok=True)
            ServerProcess(building).start().stop()
            building.rename(home)
    return home


@pytest.fixture(scope="session")
def copy_home(built_home: Path) -> Callable[[Path], Path]:
    """Copies the built home into a folder, for tests that need an index but not its building."""

    def copy(folder: Path) -> Path:
        shutil.copytree(built_home, folder, dirs_exist_ok=True)
        return folder

    return copy


@pytest.fixture
def indexed_home(own_home: Path, copy_home: Callable[[Path], Path]) -> Path:
    """This test's own home is a copy of the built one."""
    return copy_home(own_home)
