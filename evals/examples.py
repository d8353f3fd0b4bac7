"""Worked examples for a model that grades, from the labelled answers of the train split: no test question is shown."""

from collections.abc import Iterator

from evals.answers import load_answers, split, topics
from interviewer.grading.examples import WorkedExample
from interviewer.models import LANGUAGES
from knowledge.bank import load_bank

LONGEST = 700
"""Characters of an answer that still serves as an example."""


def worked_examples() -> Iterator[WorkedExample]:
    """Every labelled answer of the train split that is short enough, in the language of its question."""
    bank = {question.id: question for question in load_bank()}
    for entry in (entry for topic in topics() for entry in load_answers(topic)):
        if split(entry.question) != "train" or entry.question not in bank:
            continue
        question = bank[entry.question]
        for language in LANGUAGES:
            for answer in entry.in_language(language):
                if len(answer.text) <= LONGEST and answer.kind != "cross":
                    texts = (point.in_language(language) for point in question.points)
                    yield WorkedExample(
                        question_id=question.id,
                        language=language,
                        kind=answer.kind.partition("-")[0],
                        question=question.asked_in(language),
                        answer=answer.text,
                        verdicts=tuple(zip(texts, answer.verdicts, strict=True)),
                    )
