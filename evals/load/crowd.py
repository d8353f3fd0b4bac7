"""Everybody who practises in the load benchmark, each in a tab of their own, until the measured time is over."""

import asyncio
import random
import resource
import time
from collections.abc import Sequence
from typing import NamedTuple

import httpx

from evals.answers import load_answers, topics
from evals.load.tab import Failure, Tab, Wiring
from interviewer.models import LANGUAGES, Language

QUESTIONS = 3
"""Of one interview; who is through begins another."""
SHORTEST_THOUGHT = 1.0
LONGEST_THOUGHT = 5.0
"""Times the mean; beyond it a thought is cut."""
PATIENCE = 60.0
"""Seconds after which a request counts as failed."""
LATEST = 120.0
"""Seconds after the last was to come in; then the measured time begins without those who are not."""
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


class Login(NamedTuple):
    """A person's id, and what they sign in with."""

    id: str
    login: str


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
        self._wirings: dict[Language, Wiring] = {}
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
                tab = Tab(client, language, None)
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
            tab = Tab(client, language, self._wirings[language])
            try:
                came = time.monotonic()
                await tab.sign_in(login.login)
                await self._begin(tab, chance)
                self.opened.append(time.monotonic() - came)
                await self._turn(tab, chance)
                self._came_in(members)
                while not self._over():
                    await self._turn(tab, chance)
            except (httpx.HTTPError, Failure) as error:
                self.problems.append(f"{type(error).__name__}: {error}"[:200])
                self._came_in(members)

    def _came_in(self, members: int) -> None:
        self._in += 1
        if self._in >= members and self._everybody_at is None:
            self._everybody_at = self.now()

    async def _begin(self, tab: Tab, chance: random.Random) -> None:
        questions = chance.sample(sorted(self._answers[tab.language]), QUESTIONS)
        await tab.open_interview(questions)

    async def _turn(self, tab: Tab, chance: random.Random) -> None:
        thought = min(max(chance.expovariate(1 / self._think), SHORTEST_THOUGHT), LONGEST_THOUGHT * self._think)
        await asyncio.sleep(thought)
        if self._over():
            return
        answers = self._answers[tab.language][tab.question]
        began = self.now()
        try:
            await tab.say(chance.choice(answers))
        except (httpx.HTTPError, Failure) as error:
            self.turns.append(Turn(began, self.now() - began, f"{type(error).__name__}: {error}"[:200]))
            await self._begin(tab, chance)
            return
        self.turns.append(Turn(began, self.now() - began))
        while tab.may_go_on:
            await tab.go_on()
        if tab.over:
            await self._begin(tab, chance)


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
