"""The scores of finished interviews, read without their conversations: a whole interview is a hundred times as long."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import case, null, select

from interviewer.interview.contested import decided_grade
from interviewer.models import Earned, Grade, Verdict
from interviewer.progress.trend import Scored
from interviewer.storage import tables as t
from interviewer.storage.database import Database

_TYPES = ("asked", "graded", "followed_up", "hinted", "closed", "decided")


class _Sheet:
    """What one interview's events say about its score; they are told in order."""

    def __init__(self) -> None:
        self.asked = -1
        self.revealed: set[int] = set()
        self.grades: dict[int, Mapping[str, Any]] = {}
        self.helped: dict[int, dict[str, Earned]] = defaultdict(dict)
        self.decided: dict[int, dict[str, Verdict]] = defaultdict(dict)

    def tell(self, type_: str, payload: Mapping[str, Any] | None) -> None:
        if type_ == "asked" or payload is None:
            self.asked += 1
        elif type_ == "graded":
            if payload["grade"]["status"] == "graded":
                self.grades[payload["index"]] = payload["grade"]
        elif type_ == "decided":
            self.decided[payload["index"]][payload["point_id"]] = Verdict(payload["verdict"])
        elif type_ == "closed":
            if payload["reason"] == "revealed":
                self.revealed.add(self.asked)
        elif payload["point_id"]:
            self._help(payload["point_id"], "hint" if type_ == "hinted" else "probe")

    def _help(self, point_id: str, kind: Earned) -> None:
        """A hint counts for more than a probe, whichever came first."""
        given = self.helped[self.asked]
        given[point_id] = "hint" if "hint" in (kind, given.get(point_id)) else kind

    def scores(self) -> list[float]:
        """0..10 for each question that has a score."""
        found = (self._grade(index).score for index in self.grades if index not in self.revealed)
        return [score for score in found if score is not None]

    def _grade(self, index: int) -> Grade:
        grade = Grade.model_validate(self.grades[index])
        return decided_grade(grade, self.decided[index], self.helped[index]) if self.decided[index] else grade


class _Header(NamedTuple):
    """The columns of `Scored` that stand in an interview's first event."""

    at: Any
    mode: Any
    track: Any


class ScoreStore:
    """Reads scores; they are those of `InterviewState.score`, which a test compares."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def finished(self, user_id: str) -> tuple[Scored, ...]:
        """This user's interviews that ended with a score, the oldest first. Three queries, however many there are."""
        e = t.events.c
        ended = select(e.interview_id).where(e.user_id == user_id, e.type == "ended")
        request = e.payload["plan"]["request"]
        started = (
            select(e.interview_id, e.at, request["mode"].as_string(), request["track"].as_string())
            .where(e.user_id == user_id, e.type == "started", e.interview_id.in_(ended))
            .order_by(e.at, e.interview_id)
        )
        # Of a question that was asked only its place matters; its text is most of what is stored.
        payload = case((e.type == "asked", null()), else_=e.payload)
        told = (
            select(e.interview_id, e.type, payload)
            .where(e.user_id == user_id, e.type.in_(_TYPES), e.interview_id.in_(ended))
            .order_by(e.interview_id, e.seq)
        )
        with self._database.read() as connection:
            headers = {id_: _Header(at, mode, track) for id_, at, mode, track in connection.execute(started)}
            scores = _scores(connection.execute(told))
        return tuple(
            Scored(id_, *header, score=round(sum(found) / len(found), 1), questions=len(found))
            for id_, header in headers.items()
            if (found := scores.get(id_))
        )


def _scores(rows: Iterable[Any]) -> dict[str, list[float]]:
    sheets: dict[str, _Sheet] = defaultdict(_Sheet)
    for interview_id, type_, payload in rows:
        sheets[interview_id].tell(type_, payload)
    return {interview_id: sheet.scores() for interview_id, sheet in sheets.items()}
