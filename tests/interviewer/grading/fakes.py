"""A chat model with a queue and a history, and a grader that says what it is told."""

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from interviewer.chat import ChatMessage
from interviewer.errors import ChatModelError
from interviewer.grading.protocol import GradingContext, OnProgress
from interviewer.models import Grade, GraderInfo, PointGrade, Question, Verdict


class FakeChat:
    """Replies with what was queued: text, a value to be sent as JSON, or an error to be raised."""

    name = "fake"

    def __init__(self, *replies: Any, piece: int = 9) -> None:
        self._queue = deque(replies)
        self._piece = piece
        self.history: list[list[ChatMessage]] = []

    def stream_json(self, messages: list[ChatMessage], schema: dict[str, Any]) -> Iterator[str]:
        self.history.append(messages)
        reply = self._queue.popleft()
        if isinstance(reply, ChatModelError):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        yield from (text[i : i + self._piece] for i in range(0, len(text), self._piece))


class FakeGrader:
    """Gives the verdicts it was made with, with one confidence; without any it is `ungraded`."""

    def __init__(self, confidence: float = 0.95, **verdicts: str) -> None:
        self._confidence = confidence
        self._verdicts = verdicts
        self.calls = 0

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        self.calls += 1
        info = GraderInfo(name="builtin", model="test")
        if not self._verdicts:
            return Grade(status="ungraded", reason="No words.", grader=info, language=context.language)
        points = tuple(
            PointGrade(
                id=point.id,
                text=point.in_language(context.language),
                weight=point.weight,
                verdict=Verdict(self._verdicts[point.id]),
                quote=answer[:12] if self._verdicts[point.id] != "missing" else "",
                confidence=self._confidence,
                reason="By its words.",
            )
            for point in question.points
        )
        return Grade(status="graded", points=points, grader=info, language=context.language)


def point(id: Any, verdict: str, quote: str = "", **more: Any) -> dict[str, Any]:
    """What a grade reply says of one point, and its id."""
    return {"id": id, "reason": "Because.", "verdict": verdict, "quote": quote, "correction": "", **more}


def reply(*points: dict[str, Any], comment: str = "Clear. Add an example.", beyond: Any = ()) -> dict[str, Any]:
    """A grade reply in the form asked for: points by their ids."""
    by_id = {each["id"]: {name: value for name, value in each.items() if name != "id"} for each in points}
    return {"points": by_id, "beyond": list(beyond), "comment": comment}


def listed(*points: dict[str, Any], comment: str = "Clear. Add an example.") -> dict[str, Any]:
    """A grade reply with its points in a list, as some models send it where nothing makes them keep the form."""
    return {"points": list(points), "beyond": [], "comment": comment}
