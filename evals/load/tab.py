"""A browser's tab as the load benchmark has it: it speaks the page's own protocol."""

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from interviewer.models import Language

PASSWORD = "four unrelated words in a row"


class Failure(Exception):  # noqa: N818 - what a member met with
    """The page did not do what was asked."""


class Wiring:
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


class Tab:
    """A browser's tab with the page open.

    Attributes:
        question: Id of the question under way.
        may_go_on: Whether the page offers the next question.
        over: Whether the interview has ended.
    """

    def __init__(self, client: httpx.AsyncClient, language: Language, wiring: Wiring | None) -> None:
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
            raise Failure(f"sign-in: {reply.status_code}")

    async def read_wiring(self) -> Wiring:
        """How the page's events are called."""
        reply = await self._client.get(f"/{self.language}/config")
        return Wiring(reply.raise_for_status().json())

    async def open_interview(self, questions: Sequence[str]) -> None:
        """Starts an interview over these questions and opens its page, as its link does."""
        form = {"question": list(questions), "language": self.language}
        reply = await self._client.post(f"/{self.language}/again", data=form)
        if reply.status_code != 303:
            raise Failure(f"start: {reply.status_code}")
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
            raise Failure(re.sub(r"<[^>]+>", " ", problem).strip())
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
                        raise Failure("the event failed")
                    found = message["output"]["data"]
                if message.get("msg") == "close_stream":
                    break
        if found is None:
            raise Failure("no reply came")
        return found


def _visible(update: Any) -> bool:
    return isinstance(update, dict) and update.get("visible") is True
