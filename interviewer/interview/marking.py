"""Grading the answers of interviews, in work that goes on when the page that waits for it has gone."""

from collections.abc import Callable, Iterator
from datetime import datetime

from interviewer.errors import ConflictError
from interviewer.grading.merging import merge
from interviewer.grading.protocol import Grader, OnProgress, Progress, Retriever
from interviewer.interview import events as ev
from interviewer.interview import machine
from interviewer.interview.jobs import Jobs
from interviewer.interview.judging import Judge
from interviewer.interview.ports import Interviews
from interviewer.interview.state import QuestionState, fold
from interviewer.models import Grade, Language
from interviewer.sharing.readable import Readable


class Marking:
    """Grades what waits for a grade; at most one piece of work for a question at a time.

    Args:
        now: The clock.
        readable: What a user may read.
    """

    def __init__(
        self,
        interviews: Interviews,
        grader: Grader,
        retriever: Retriever,
        now: Callable[[], datetime],
        readable: Callable[[str], Readable],
    ) -> None:
        self._interviews = interviews
        self._judge = Judge(grader, retriever, readable)
        self._now = now
        self._jobs = Jobs()

    def watch(self, user_id: str, interview_id: str, index: int) -> Iterator[Progress]:
        """Grades the question at `index` (0-based), or joins the work under way, until its grade is stored."""
        work = self._jobs.join(f"{interview_id}/{index}", lambda on: self._grade(user_id, interview_id, index, on))
        yield from work.watch()

    def _grade(self, user_id: str, interview_id: str, index: int, on_progress: OnProgress) -> None:
        """Grades a question until no answer waits; more may be said while a grade is made."""
        tried = 0
        while True:
            state = fold(self._interviews.load(user_id, interview_id))
            current = state.questions[index]
            if not current.ungraded or tried == len(current.answers):
                return
            tried = len(current.answers)
            grade = self._judged(user_id, current, state.language, on_progress)
            graded = ev.Graded(at=self._now(), index=index, covers=tried, grade=grade)
            self._store_grade(user_id, interview_id, graded)

    def _store_grade(self, user_id: str, interview_id: str, graded: ev.Graded) -> None:
        while True:
            after = fold((*self._interviews.load(user_id, interview_id), graded))
            events: tuple[ev.InterviewEvent, ...] = (graded,)
            if graded.index == len(after.questions) - 1:
                events += machine.after_grade(after, self._now())
            try:
                self._interviews.append(user_id, interview_id, events, at=after.version - 1)
                return
            except ConflictError:
                # Something was said or pressed meanwhile: the grade still holds for the answers it covers.
                continue

    def _judged(self, user_id: str, current: QuestionState, language: Language, on_progress: OnProgress) -> Grade:
        grade = self._judge.grade(user_id, current, language, on_progress)
        if grade.status == "ungraded":
            return grade
        return merge(current.full_grade, grade, helped=machine.helped_points(current))
