"""Many members practising at once: a real server, and browsers that speak the page's own protocol."""

import asyncio
import json
import os
import random
import re
import resource
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx

from evals.answers import load_answers, topics
from interviewer.accounts.service import Accounts
from interviewer.compose import compose
from interviewer.interview.events import Answered, Graded
from interviewer.interview.state import fold
from interviewer.models import LANGUAGES, Language
from interviewer.settings import Settings

PASSWORD = "four unrelated words in a row"
QUESTIONS = 3
"""Of one interview; who is through begins another."""
SHORTEST_THOUGHT = 1.0
LONGEST_THOUGHT = 5.0
"""Times the mean; beyond it a thought is cut."""
PATIENCE = 60.0
"""Seconds after which a request counts as failed."""
LATEST = 120.0
"""Seconds after the last was to come in; then the measured time begins without those who are not."""
START_LIMIT = 300.0
_LEFT_OUT = ("attack", "copied", "off-topic")


class Turn(NamedTuple):
    """One answer: from pressing Send until the page shows its grade.

    Attributes:
        began: Seconds since the members began to come in.
        problem: What went wrong; empty for nothing.
    """

    began: float
    seconds: float
    problem: str = ""


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


class Login(NamedTuple):
    """A person's id, and what they sign in with."""

    id: str
    login: str


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


class _Wiring:
    """Where the page's events are among gradio's, found by the ids of its components."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        ids = {each["id"]: each["props"].get("elem_id") for each in config["components"]}
        self._events: dict[tuple[str, str], Mapping[str, Any]] = {}
        for event in config["dependencies"]:
            for target, kind in event["targets"]:
                self._events.setdefault((ids.get(target) or "", kind), event)
        self._ids = ids

    def event(self, component: str, kind: str) -> Mapping[str, Any]:
        return self._events[component, kind]

    def value(self, event: Mapping[str, Any], component: str, data: Sequence[Any]) -> Any:
        """What an event's reply has for a component."""
        places = [index for index, target in enumerate(event["outputs"]) if self._ids.get(target) == component]
        return data[places[0]] if places else None


class Crowd:
    """Everybody who practises, at the server with this address.

    Attributes:
        turns: What was measured of every answer.
        opened: How long each took to come in.
        problems: What went wrong outside of answers.
    """

    def __init__(self, address: str, *, seconds: float, ramp: float, think: float, seed: int) -> None:
        self._address = address
        self._seconds = seconds
        self._ramp = ramp
        self._think = think
        self._seed = seed
        self._answers = _prepared()
        self._began = 0.0
        self._everybody_at: float | None = None
        self._in = 0
        self._wirings: dict[Language, _Wiring] = {}
        self.turns: list[Turn] = []
        self.opened: list[float] = []
        self.problems: list[str] = []

    @property
    def measured(self) -> tuple[Turn, ...]:
        """The answers begun when everybody was there."""
        return tuple(t for t in self.turns if self._everybody_at is not None and t.began >= self._everybody_at)

    async def practise(self, logins: Sequence[Login]) -> None:
        """All of them, until the measured time is over; it begins when the last one is in."""
        _allow_connections(4 * len(logins) + 100)
        async with httpx.AsyncClient(base_url=self._address, timeout=PATIENCE) as client:
            for language in LANGUAGES:
                # A browser finds this in the page it has opened.
                tab = _Tab(client, language, None)
                await tab.sign_in(logins[0].login)
                self._wirings[language] = await tab.read_wiring()
        self._began = time.monotonic()
        waiting = asyncio.create_task(self._wait_no_longer())
        await asyncio.gather(*(self._member(number, login, len(logins)) for number, login in enumerate(logins)))
        waiting.cancel()

    async def _wait_no_longer(self) -> None:
        await asyncio.sleep(self._ramp + LATEST)
        if self._everybody_at is None:
            self._everybody_at = self.now()
            self.problems.append(f"not everybody was in {LATEST:g} s after the last was to come")

    def now(self) -> float:
        """Seconds since the first could come."""
        return time.monotonic() - self._began

    def _over(self) -> bool:
        return self._everybody_at is not None and self.now() >= self._everybody_at + self._seconds

    async def _member(self, number: int, login: Login, members: int) -> None:
        chance = random.Random(f"{self._seed}/{number}")
        await asyncio.sleep(self._ramp * number / members)
        language = LANGUAGES[number % len(LANGUAGES)]
        async with httpx.AsyncClient(base_url=self._address, timeout=PATIENCE) as client:
            tab = _Tab(client, language, self._wirings[language])
            try:
                came = time.monotonic()
                await tab.sign_in(login.login)
                await self._begin(tab, chance)
                self.opened.append(time.monotonic() - came)
                await self._turn(tab, chance)
                self._came_in(members)
                while not self._over():
                    await self._turn(tab, chance)
            except (httpx.HTTPError, _Failure) as error:
                self.problems.append(f"{type(error).__name__}: {error}"[:200])
                self._came_in(members)

    def _came_in(self, members: int) -> None:
        self._in += 1
        if self._in >= members and self._everybody_at is None:
            self._everybody_at = self.now()

    async def _begin(self, tab: "_Tab", chance: random.Random) -> None:
        questions = chance.sample(sorted(self._answers[tab.language]), QUESTIONS)
        await tab.open_interview(questions)

    async def _turn(self, tab: "_Tab", chance: random.Random) -> None:
        thought = min(max(chance.expovariate(1 / self._think), SHORTEST_THOUGHT), LONGEST_THOUGHT * self._think)
        await asyncio.sleep(thought)
        if self._over():
            return
        answers = self._answers[tab.language][tab.question]
        began = self.now()
        try:
            await tab.say(chance.choice(answers))
        except (httpx.HTTPError, _Failure) as error:
            self.turns.append(Turn(began, self.now() - began, f"{type(error).__name__}: {error}"[:200]))
            await self._begin(tab, chance)
            return
        self.turns.append(Turn(began, self.now() - began))
        while tab.may_go_on:
            await tab.go_on()
        if tab.over:
            await self._begin(tab, chance)


class _Failure(Exception):  # noqa: N818 - what a member met with
    """The page did not do what was asked."""


class _Tab:
    """A browser's tab with the page open.

    Attributes:
        question: Id of the question under way.
        may_go_on: Whether the page offers the next question.
        over: Whether the interview has ended.
    """

    def __init__(self, client: httpx.AsyncClient, language: Language, wiring: _Wiring | None) -> None:
        self.language = language
        self._client = client
        self._name = secrets.token_hex(8)
        self._wiring = wiring
        self._session: dict[str, Any] = {"page": "setup", "item": "", "interview": "", "step": 0}
        self._ids: Iterator[str] = iter(())
        self._number = 0
        self.question = ""
        self.may_go_on = False
        self.over = False

    async def sign_in(self, login: str) -> None:
        form = {"login": login, "password": PASSWORD}
        reply = await self._client.post(f"/{self.language}/sign-in", data=form)
        if reply.status_code != 303:
            raise _Failure(f"sign-in: {reply.status_code}")

    async def read_wiring(self) -> _Wiring:
        """How the page's events are called."""
        reply = await self._client.get(f"/{self.language}/config")
        return _Wiring(reply.raise_for_status().json())

    async def open_interview(self, questions: Sequence[str]) -> None:
        """Starts an interview over these questions and opens its page, as its link does."""
        form = {"question": list(questions), "language": self.language}
        reply = await self._client.post(f"/{self.language}/again", data=form)
        if reply.status_code != 303:
            raise _Failure(f"start: {reply.status_code}")
        route = reply.headers["location"].partition("#")[2]
        page = await self._client.get(f"/{self.language}/")
        page.raise_for_status()
        data = await self._event("", "load", [self._session, f"#{route}", None, ""])
        interview = route.rpartition("/")[2]
        self._session = {"page": "interview", "item": interview, "interview": interview, "step": 0}
        self._ids, self._number = iter(questions), -1
        self._next_question()
        self._look("", "load", data)

    async def say(self, text: str) -> None:
        """Sends an answer and waits for everything the page shows of it."""
        self._look("send", "click", await self._event("send", "click", [self._session, text, str(self._number)]))

    async def go_on(self) -> None:
        """Presses "Next question"."""
        self._look("do-next", "click", await self._event("do-next", "click", [self._session]))
        if not self.over:
            self._next_question()

    def _next_question(self) -> None:
        self.question = next(self._ids, self.question)
        self._number += 1

    def _look(self, component: str, kind: str, data: Sequence[Any]) -> None:
        assert self._wiring is not None
        event = self._wiring.event(component, kind)
        problem = self._wiring.value(event, "problem", data)
        if isinstance(problem, str) and problem:
            raise _Failure(re.sub(r"<[^>]+>", " ", problem).strip())
        self.may_go_on = _visible(self._wiring.value(event, "do-next", data))
        self.over = _visible(self._wiring.value(event, "do-report", data)) and not self.may_go_on

    async def _event(self, component: str, kind: str, data: list[Any]) -> Sequence[Any]:
        assert self._wiring is not None
        root = f"/{self.language}/gradio_api/queue"
        number = self._wiring.event(component, kind)["id"]
        body = {"data": data, "fn_index": number, "session_hash": self._name, "event_data": None, "trigger_id": None}
        joined = await self._client.post(f"{root}/join", json=body)
        joined.raise_for_status()
        found: Sequence[Any] | None = None
        async with self._client.stream("GET", f"{root}/data", params={"session_hash": self._name}) as stream:
            stream.raise_for_status()
            async for line in stream.aiter_lines():
                message = json.loads(line[5:]) if line.startswith("data:") else {}
                if message.get("msg") == "process_completed":
                    if not message.get("success"):
                        raise _Failure("the event failed")
                    found = message["output"]["data"]
                if message.get("msg") == "close_stream":
                    break
        if found is None:
            raise _Failure("no reply came")
        return found


def _visible(update: Any) -> bool:
    return isinstance(update, dict) and update.get("visible") is True


def _prepared() -> dict[Language, dict[str, list[str]]]:
    """Labelled answers by language and question."""
    found: dict[Language, dict[str, list[str]]] = {language: {} for language in LANGUAGES}
    for entry in (entry for topic in topics() for entry in load_answers(topic)):
        for language in LANGUAGES:
            texts = [answer.text for answer in entry.in_language(language) if answer.kind not in _LEFT_OUT]
            if texts:
                found[language][entry.question] = texts
    return found


def _allow_connections(wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
