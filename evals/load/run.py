"""Many members practising at once: a real server, and browsers that speak the page's own protocol."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from evals.load.crowd import Crowd, Login, Turn
from evals.load.tab import PASSWORD
from interviewer.accounts.service import Accounts
from interviewer.compose import compose
from interviewer.interview.events import Answered, Graded
from interviewer.interview.state import fold
from interviewer.settings import Settings

START_LIMIT = 300.0


class ServerFigures(NamedTuple):
    """What the server's process took; None where the machine does not tell.

    Attributes:
        peak: Largest resident memory so far, in MB.
        cpu: Seconds of processor time so far.
    """

    peak: float | None
    cpu: float | None


class LoadRun(NamedTuple):
    """What was measured.

    Attributes:
        turns: Answers begun within the measured time.
        opened: Seconds that signing in, starting an interview and opening the page took, together, a member each.
        idle: The server before anybody came, `busy` after everybody.
        ungraded: Answers stored without a grade that holds.
        unstored: Answers shown as taken that are not in the database.
        client_cpu: Processor seconds of the members' side.
    """

    turns: tuple[Turn, ...]
    opened: tuple[float, ...]
    problems: tuple[str, ...]
    idle: ServerFigures
    busy: ServerFigures
    ungraded: int
    unstored: int
    client_cpu: float


def run_load(*, members: int, seconds: float, ramp: float, think: float, seed: int = 1) -> LoadRun:
    """Starts a server with a home of its own, lets everybody practise, and looks into its database afterwards.

    Args:
        members: How many practise at once.
        seconds: How long is measured, after everybody came in.
        ramp: Seconds over which they come in; each has answered once before the measured time begins.
        think: Mean seconds between a grade and the next answer, exponentially distributed.
    """
    with TemporaryDirectory(prefix="interviewer-load-") as folder:
        home = Path(folder) / "home"
        settings = Settings(home=home, team=True, _env_file=None)  # type: ignore[call-arg]
        parts = compose(settings)
        logins = join(parts.accounts, members)
        parts.database.close()
        with _server(home) as (address, pid):
            asyncio.run(Crowd(address, seconds=0, ramp=0, think=1, seed=seed).practise(logins[:1]))
            idle = figures(pid)
            before = time.process_time()
            crowd = Crowd(address, seconds=seconds, ramp=ramp, think=think, seed=seed)
            asyncio.run(crowd.practise(logins[1:]))
            client_cpu = time.process_time() - before
            busy = figures(pid)
        stored, ungraded = stored_answers(settings, [login.id for login in logins[1:]])
    sent = sum(not turn.problem for turn in crowd.turns)
    return LoadRun(
        turns=crowd.measured,
        opened=tuple(crowd.opened),
        problems=tuple(crowd.problems + [turn.problem for turn in crowd.turns if turn.problem]),
        idle=idle,
        busy=busy,
        ungraded=ungraded,
        unstored=max(0, sent - stored),
        client_cpu=client_cpu,
    )


def join(accounts: Accounts, members: int) -> list[Login]:
    """Makes an owner and members of one cohort; the owner comes first."""
    owner = accounts.links.accept(accounts.links.owner_link().token, login="owner", name="Owner", password=PASSWORD)
    cohort = accounts.cohorts.create(owner, "Everybody")
    found = [Login(owner.id, "owner")]
    for number in range(members):
        link = accounts.links.invite(owner, cohort_id=cohort.id)
        login = f"member{number:04}"
        person = accounts.links.accept(link.token, login=login, name=f"Member {number}", password=PASSWORD)
        found.append(Login(person.id, login))
    return found


@contextmanager
def _server(home: Path) -> Iterator[tuple[str, int]]:
    """`interviewer serve` as a process: its address and its id."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("INTERVIEWER_", "OPENAI_"))}
    environment |= {"INTERVIEWER_HOME": str(home), "INTERVIEWER_TEAM": "1", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "interviewer", "serve", "--port", "0"]
    with (home.parent / "server.log").open("w+") as log:
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield _address(process, home.parent / "server.log"), process.pid
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    until = time.monotonic() + START_LIMIT
    while time.monotonic() < until and process.poll() is None:
        found = re.search(r"Ready: (http://\S+)", log.read_text(errors="replace"))
        if found:
            return found.group(1)
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


def figures(pid: int) -> ServerFigures:
    """What a process has taken so far, as Linux tells it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ServerFigures(None, None)
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    ticks = os.sysconf("SC_CLK_TCK")
    cpu = (int(fields[11]) + int(fields[12])) / ticks
    return ServerFigures(int(peak.group(1)) / 1024 if peak else None, cpu)


def stored_answers(settings: Settings, user_ids: Sequence[str]) -> tuple[int, int]:
    """How many answers the database has of these people, and how many of them lack a grade that holds."""
    parts = compose(settings)
    answers = ungraded = 0
    for user_id in user_ids:
        for interview in parts.interviews.recent(user_id, limit=1000):
            answers += sum(isinstance(event, Answered) for event in interview.events)
            ungraded += sum(isinstance(e, Graded) and e.grade.status != "graded" for e in interview.events)
            ungraded += sum(question.ungraded for question in fold(interview.events).questions)
    parts.database.close()
    return answers, ungraded
