"""Decided verdicts as labelled answers: worked examples for the same person, and data for calibration."""

from collections.abc import Iterable, Iterator

from interviewer.grading.examples import MOST_EXAMPLES, Examples, ExampleShelf, WorkedExample
from interviewer.grading.guarded import hear
from interviewer.grading.protocol import GradingContext
from interviewer.interview.ports import Interviews, StoredInterview
from interviewer.interview.question_state import QuestionState
from interviewer.interview.state import fold
from interviewer.models import Frozen, Grade, Language, PointGrade, Question, Verdict

KIND = "decided"
REMEMBERED_INTERVIEWS = 100


class DecidedPoint(Frozen):
    """A point of an answer with everything said of it.

    Attributes:
        verdict: The first grader's.
        confidence: 0..1, how sure it was.
        second: The second opinion's; None where there was none.
        decided: The label; None where the point was not decided on.
        reason: The newest objection to the verdict; empty for none.
    """

    id: str
    text: str
    weight: float
    verdict: Verdict
    confidence: float
    quote: str
    second: Verdict | None = None
    decided: Verdict | None = None
    reason: str = ""


class DecidedAnswer(Frozen):
    """An answer of which at least one point was decided on."""

    question_id: str
    question: str
    language: Language
    answer: str
    grader: str
    points: tuple[DecidedPoint, ...]


def decided_answers(interviews: Iterable[StoredInterview]) -> Iterator[DecidedAnswer]:
    """Every answer with a decision, in the order of the interviews."""
    for question, grade, language in _decided_on(interviews):
        yield DecidedAnswer(
            question_id=question.question.id,
            question=question.question.asked_in(language),
            language=language,
            answer=question.union,
            grader=grade.grader.name,
            points=tuple(_decided_point(question, point) for point in grade.points),
        )


def decided_examples(interviews: Iterable[StoredInterview]) -> Iterator[WorkedExample]:
    """The same answers as worked examples: each point with the verdict that counts, words to the grader left out."""
    for question, grade, language in _decided_on(interviews):
        yield WorkedExample(
            question_id=question.question.id,
            language=language,
            kind=KIND,
            question=question.question.asked_in(language),
            answer=hear(question.question, question.union).text,
            verdicts=tuple((point.text, point.counted) for point in grade.points),
        )


def _decided_on(interviews: Iterable[StoredInterview]) -> Iterator[tuple[QuestionState, Grade, Language]]:
    for interview in interviews:
        state = fold(interview.events)
        for question in state.questions:
            if question.grade is not None and any(point.decided for point in question.grade.points):
                yield question, question.grade, state.language


def with_decisions(interviews: Interviews, user_id: str) -> tuple[StoredInterview, ...]:
    """A user's newest interviews in which something was decided, whole."""
    decided = interviews.recent(user_id, limit=REMEMBERED_INTERVIEWS, types=("decided",))
    return tuple(StoredInterview(i.id, interviews.load(user_id, i.id)) for i in decided if i.events)


class DecidedFirst:
    """Worked examples with the person's own decisions before all others; nobody sees another's.

    Args:
        others: The examples for everybody.
    """

    def __init__(self, interviews: Interviews, others: Examples) -> None:
        self._interviews = interviews
        self._others = others

    def similar(self, question: Question, answer: str, context: GradingContext) -> tuple[WorkedExample, ...]:
        """See `Examples.similar`."""
        own: tuple[WorkedExample, ...] = ()
        if context.user:
            shelf = ExampleShelf(decided_examples(with_decisions(self._interviews, context.user)))
            own = shelf.similar(question, hear(question, answer).text, context)
        return (*own, *self._others.similar(question, answer, context))[:MOST_EXAMPLES]


def _decided_point(question: QuestionState, point: PointGrade) -> DecidedPoint:
    dispute = question.dispute(point.id)
    return DecidedPoint(
        id=point.id,
        text=point.text,
        weight=point.weight,
        verdict=point.verdict,
        confidence=point.confidence,
        quote=point.quote,
        second=dispute.second.verdict if dispute and dispute.second else None,
        decided=point.decided,
        reason=dispute.reason if dispute else "",
    )
