"""Worked examples for the grading prompt: answers to other questions with the verdicts they deserve."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol

from interviewer.grading.protocol import GradingContext
from interviewer.models import Frozen, Language, Question, Verdict

MOST_EXAMPLES = 2


class WorkedExample(Frozen):
    """A graded answer that a model may learn from.

    Attributes:
        kind: What sort of answer it is, such as `half-a` or `wrong`; examples shown together differ in it.
        verdicts: The text of each point with its verdict.
    """

    question_id: str
    language: Language
    kind: str
    question: str
    answer: str
    verdicts: tuple[tuple[str, Verdict], ...]

    @property
    def telling(self) -> int:
        """How many different verdicts it shows."""
        return len({verdict for _, verdict in self.verdicts})


class Examples(Protocol):
    """Finds worked examples for an answer."""

    def similar(self, question: Question, answer: str, context: GradingContext) -> tuple[WorkedExample, ...]:
        """At most `MOST_EXAMPLES`; none of them is the answer itself."""
        ...


class ExampleShelf:
    """Examples by question: those on the question itself first, then on the questions whose passages were retrieved.

    Args:
        examples: All there are; only those that show at least two different verdicts are kept.
    """

    def __init__(self, examples: Iterable[WorkedExample]) -> None:
        self._shelf: dict[tuple[str, Language], list[WorkedExample]] = {}
        for example in examples:
            if example.telling > 1:
                self._shelf.setdefault((example.question_id, example.language), []).append(example)

    def similar(self, question: Question, answer: str, context: GradingContext) -> tuple[WorkedExample, ...]:
        """The nearest ones in the interview's language; two of different kinds where there are."""
        near = dict.fromkeys((question.id, *(passage.question_id for passage in context.passages)))
        found = chain.from_iterable(self._shelf.get((id_, context.language), ()) for id_ in near)
        return _of_different_kinds([each for each in found if each.answer.strip() != answer.strip()])


def _of_different_kinds(found: Sequence[WorkedExample]) -> tuple[WorkedExample, ...]:
    chosen: list[WorkedExample] = []
    for example in sorted(found, key=lambda each: -each.telling):
        if len(chosen) < MOST_EXAMPLES and example.kind not in {each.kind for each in chosen}:
            chosen.append(example)
    return tuple(chosen)
