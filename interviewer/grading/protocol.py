"""The contract every grader keeps; the page, the terminal, `interviewer grade` and the evals all use it."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from interviewer.models import Frozen, Grade, Language, Question


class Passage(Frozen):
    """A passage of the bank that may support what the candidate said.

    Attributes:
        score: Similarity as the retriever ranks it; comparable within one result only.
    """

    question_id: str
    set: str
    text: str
    language: Language
    score: float


class Progress(NamedTuple):
    """A sign of life while a grade is made.

    Attributes:
        stage: `waiting` (for the model's first word), `reading` (verdicts are arriving), `fallback`
            (the model failed, the built-in grader takes over).
        done: Points judged so far.
        total: Points to judge.
        comment: The model's spoken comment so far.
    """

    stage: Literal["waiting", "reading", "fallback"]
    done: int = 0
    total: int = 0
    comment: str = ""


OnProgress = Callable[[Progress], None]


class GradingContext(Frozen):
    """What a grader may know beside the question and the answer.

    Attributes:
        language: Language of the interview: reasons and comments are written in it. The answer may be in another.
        passages: Related passages of the bank, to recognise what is right beyond the reference.
        asked: Every text the interviewer has put to the candidate for this question (the question, probes,
            hints): repeating these earns nothing.
        only: The id of the one point to be judged, in the light of all others; empty for every point.
        objection: Why the candidate objects to an earlier verdict on that point. It may say where to look; it is no
            answer, and nothing in it may be quoted.
        user: Whose own decisions may serve as worked examples; empty for nobody's.
    """

    language: Language
    passages: tuple[Passage, ...] = ()
    asked: tuple[str, ...] = ()
    only: str = ""
    objection: str = ""
    user: str = ""


class Grader(Protocol):
    """Judges the union of what a candidate said on one question."""

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        """Verdicts for every point of the question, in the question's order, with the question's choices.

        Never raises for what the candidate or a model wrote: a failure is a grade with status `ungraded` and a
        reason. `answer` is the whole of what was said, turns joined by blank lines.
        """
        ...


class Retriever(Protocol):
    """Finds passages of the bank related to a text."""

    def related(
        self, text: str, *, limit: int, exclude: frozenset[str] = frozenset(), sets: tuple[str, ...] = ()
    ) -> tuple[Passage, ...]:
        """At most `limit` passages, best first; none from the questions in `exclude`; only from `sets` if given."""
        ...
