"""How hard the next question is: two strong answers in a row raise the difficulty, two weak ones lower it."""

from collections.abc import Collection

from interviewer.interview.state import InterviewState, QuestionState
from interviewer.models import Alternative, PlannedQuestion

STRONG = 7.5
"""Score from which an answer that needed no hint counts as strong."""

WEAK = 4.0
"""Score up to which an answer counts as weak; so does none at all."""

MOST = 2
"""How far the difficulty moves from the planned one, up or down."""

IN_A_ROW = 2


def difficulty_shift(state: InterviewState) -> int:
    """-2..2: how much harder than planned the next question should be. A change begins the count anew."""
    shift = row = 0
    for question in state.questions:
        step = _step(question)
        row = row + step if row * step > 0 else step
        if abs(row) == IN_A_ROW:
            shift, row = max(-MOST, min(MOST, shift + step)), 0
    return shift


def choose(planned: PlannedQuestion, shift: int, taken: Collection[str]) -> Alternative | None:
    """The planned question, or the one beside it that is nearest to the wanted difficulty; None if all are `taken`.

    Of equally near ones the planned comes first, then the others in their order.
    """
    own = Alternative(question_id=planned.question_id, difficulty=planned.difficulty)
    wanted = max(1, min(5, planned.difficulty + shift))
    free = [each for each in (own, *planned.others) if each.question_id not in taken]
    return min(free, key=lambda each: abs(each.difficulty - wanted), default=None)


def _step(question: QuestionState) -> int:
    """1 for a strong answer, -1 for a weak one, 0 for one in between or one that can't be judged."""
    if question.closed is None:
        return 0
    if question.closed in ("conceded", "skipped", "time"):
        return -1
    if question.score is None:
        return 0
    if question.score >= STRONG and not question.hints:
        return 1
    return -1 if question.score <= WEAK else 0
