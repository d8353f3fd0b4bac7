"""Bringing in what a checked file holds, within one transaction."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from interviewer.interview.events import EVENT, Decided, InterviewEvent
from interviewer.models import Frozen
from interviewer.mydata import layout
from interviewer.mydata.counting import Counter, Outcome, Tally
from interviewer.mydata.errors import BadDataFileError
from interviewer.mydata.names import Renamed, interview_ids
from interviewer.mydata.own_sets import SetBringer
from interviewer.mydata.reading import DataFile, ReadInterview
from interviewer.storage import tables as t


class Brought(Frozen):
    """What came of a file.

    Attributes:
        sets: What the file's sets are called here, by their names in the file.
        edits: Edits of questions in sets that are not one's own; `edits_left` stay in the file, to read.
    """

    interviews: Tally
    kept_answers: Tally
    questions: Tally
    sets: dict[str, str]
    edits: Tally
    edits_left: int


class Bringer:
    """Writes as one person, over one connection.

    Args:
        connection: An open transaction.
        user_id: Whose it becomes.
        team: Whether there are others, whose sets and ids must stay theirs.
    """

    def __init__(self, connection: Connection, user_id: str, now: datetime, *, team: bool) -> None:
        self._run = connection
        self._user = user_id
        self._now = now
        self._team = team
        self._sets = SetBringer(connection, user_id, now, team=team)

    def bring(self, file: DataFile) -> Brought:
        """Everything of the file that is not here yet."""
        self._be_there()
        brought = self._sets.bring(file)
        interviews, kept = Counter(), Counter()
        for interview in file.interviews():
            interviews.count(self._interview(interview, brought.renamed))
        for answer in file.kept():
            kept.count(self._kept(answer, brought.renamed))
        return Brought(
            interviews=interviews.tally,
            kept_answers=kept.tally,
            questions=brought.questions,
            sets=brought.names,
            edits=brought.edits,
            edits_left=brought.edits_left,
        )

    def _be_there(self) -> None:
        known = self._run.scalar(select(t.users.c.id).where(t.users.c.id == self._user))
        if known is None and self._team:
            raise BadDataFileError("mydata_nobody")
        if known is None:
            self._run.execute(insert(t.users).values(id=self._user, created_at=self._now))

    def _interview(self, interview: ReadInterview, renamed: Renamed) -> Outcome:
        payloads = [self._payload(event, renamed) for event in interview.events]
        content = json.dumps(payloads, sort_keys=True)
        for candidate in interview_ids(interview.id, self._user, content):
            owner = self._run.scalar(select(t.interviews.c.user_id).where(t.interviews.c.id == candidate))
            if owner is None:
                values = {"id": candidate, "user_id": self._user, "created_at": interview.events[0].at}
                self._run.execute(insert(t.interviews).values(**values))
                self._events(candidate, interview.events, payloads, after=0)
                return "added"
            if owner != self._user:
                continue
            here = self._here(candidate)
            if here[: len(payloads)] == payloads:
                return "known"
            if payloads[: len(here)] == here:
                self._events(candidate, interview.events, payloads, after=len(here))
                return "renewed"
        return "known"

    def _here(self, interview_id: str) -> list[dict[str, Any]]:
        """The events of an own interview as a file would bring them."""
        c = t.events.c
        query = select(c.payload).where(c.interview_id == interview_id).order_by(c.seq)
        events = (EVENT.validate_python(payload) for payload in self._run.scalars(query))
        return [self._folded(event).model_dump(mode="json") for event in events]

    def _folded(self, event: InterviewEvent) -> InterviewEvent:
        foreign = isinstance(event, Decided) and event.by != self._user
        return event.model_copy(update={"by": layout.OTHER}) if foreign else event

    def _payload(self, event: InterviewEvent, renamed: Renamed) -> dict[str, Any]:
        if isinstance(event, Decided) and event.by == layout.ME:
            event = event.model_copy(update={"by": self._user})
        changed: dict[str, Any] = renamed.within(event.model_dump(mode="json"))
        return changed

    def _events(
        self, interview_id: str, events: tuple[InterviewEvent, ...], payloads: list[dict[str, Any]], *, after: int
    ) -> None:
        rows = [
            {
                "interview_id": interview_id,
                "seq": seq,
                "user_id": self._user,
                "type": event.type,
                "at": event.at,
                "payload": payload,
            }
            for seq, (event, payload) in enumerate(zip(events, payloads, strict=True))
        ]
        self._run.execute(insert(t.events), rows[after:])

    def _kept(self, answer: layout.KeptAnswerEntry, renamed: Renamed) -> Outcome:
        k = t.kept_answers.c
        values = answer.model_dump() | {"user_id": self._user, "question_id": renamed.question(answer.question_id)}
        mine = (k.user_id == self._user) & (k.question_id == values["question_id"]) & (k.language == answer.language)
        kept_at = self._run.scalar(select(k.kept_at).where(mine))
        if kept_at is None:
            self._run.execute(insert(t.kept_answers).values(**values))
            return "added"
        if kept_at >= answer.kept_at:
            return "known"
        self._run.execute(update(t.kept_answers).where(mine).values(**values))
        return "renewed"


__all__ = ["Bringer", "Brought", "Tally"]
