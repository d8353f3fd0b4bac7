"""A PostgreSQL server of the tests' own, where its programs are installed."""

import getpass
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine


def find_program(name: str) -> str | None:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(installed[-1]) if installed else None)


class PostgreSQL:
    """A server in a folder, reached by its socket there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()
        # The server refuses to run as root.
        self._as_other = ["runuser", "-u", "postgres", "--"] if getpass.getuser() == "root" else []
        if self._as_other:
            shutil.chown(folder, "postgres")
            for parent in list(folder.parents)[:3]:
                parent.chmod(0o755)
        self._run("initdb", "-D", str(folder / "data"), "-U", "tester", "-A", "trust", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        self._run("pg_ctl", "-D", str(folder / "data"), "-w", "-l", str(folder / "log"), "-o", options, "start")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_other, find_program(program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self._folder)

    def _url(self, name: str) -> str:
        return f"postgresql+psycopg://tester@/{name}?host={self._folder}"

    def new_database(self) -> str:
        """URL of an empty database."""
        name = f"test{next(self._numbers)}"
        engine = create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        engine.dispose()
        return self._url(name)

    def stop(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it may be gone already, and that is all that is wanted
            self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgreSQL]:
    if not find_program("initdb"):
        pytest.skip("PostgreSQL's server is not installed")
    server = PostgreSQL(tmp_path_factory.mktemp("pg"))
    yield server
    server.stop()
