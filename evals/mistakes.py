"""Answers with mistakes in them, and honest ones that are like them in all else; by other writers than those of
`evals.answers`. What tells wrong statements is fitted on those of the training split, and measured on those of the
test split.

`python -m evals.mistakes check [TOPIC ...]` lists what is missing or wrong in them.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml
from pydantic import ValidationError

from evals.answers import AnswerSet, LabelledAnswer, Problem, list_units, longest_run, read_sets
from interviewer.models import LANGUAGES, Language, Question, Verdict
from knowledge.bank import load_bank

FOLDER = Path(__file__).parent / "data" / "mistakes"
READ_AGAIN = FOLDER.parent / "read-again.json"
KINDS = ("wrong", "mixed")
"""Every point that is touched is contradicted; some points are right and others contradicted."""
HONEST = ("corrected", "compared")
"""The wrong answer put right with few changes; one that compares, sets conditions, denies and refutes, all truly."""
_RUN: dict[Language, int] = {"zh": 20, "en": 12}
"""A `mixed` or `compared` answer shares no longer run with its reference: characters of Chinese, words of English."""


def load_mistakes(topic: str) -> list[AnswerSet]:
    """The sets of one topic, in the file's order; empty where there is no file.

    Raises:
        ValidationError: if the file does not fit the schema.
    """
    return read_sets(FOLDER / f"{topic}.yaml")


def read_again() -> list[tuple[str, str]]:
    """The labels of the test split's answers, point by point: the writer's letter, and that of a second reader who was
    shown neither labels nor kinds."""
    readings = json.loads(READ_AGAIN.read_text(encoding="utf-8"))
    found: list[tuple[str, str]] = []
    for entry in (
        entry for topic in sorted(path.stem for path in FOLDER.glob("*.yaml")) for entry in load_mistakes(topic)
    ):
        for language, kinds in readings.get(entry.question, {}).items():
            for answer in entry.in_language(language):
                found += zip(answer.labels, kinds[answer.kind], strict=True)
    return found


def problems(topic: str, bank: Sequence[Question]) -> Iterator[Problem]:
    """What is missing or wrong in the answers of a topic."""
    try:
        sets = {entry.question: entry for entry in load_mistakes(topic)}
    except (ValidationError, yaml.YAMLError) as error:
        yield Problem(f"{topic}.yaml", str(error))
        return
    questions = {question.id: question for question in bank if question.topic == topic}
    for missing in questions.keys() - sets.keys():
        yield Problem(missing, "no answers yet")
    for name, entry in sets.items():
        question = questions.get(name)
        if question is None:
            yield Problem(name, "no such question in this topic")
        elif entry.points != tuple(point.id for point in question.points):
            yield Problem(name, f"points should be {[point.id for point in question.points]}")
        else:
            for language in LANGUAGES:
                yield from _language_problems(question, entry, language)


def _language_problems(question: Question, entry: AnswerSet, language: Language) -> Iterator[Problem]:
    answers = entry.in_language(language)
    where = f"{question.id}/{language}"
    if sorted(answer.kind for answer in answers) != sorted((*KINDS, *HONEST)):
        yield Problem(where, f"kinds {[answer.kind for answer in answers]}, wanted {[*KINDS, *HONEST]}")
    for answer in answers:
        for what in _answer_problems(question, answer, language):
            yield Problem(f"{where}/{answer.kind}", what)


def _answer_problems(question: Question, answer: LabelledAnswer, language: Language) -> Iterator[str]:
    found = set(answer.verdicts)
    if len(answer.labels) != len(question.points):
        yield f"{len(answer.labels)} labels for {len(question.points)} points"
    if answer.kind == "wrong" and not {Verdict.CONTRADICTED} <= found <= {Verdict.CONTRADICTED, Verdict.MISSING}:
        yield f"labels {answer.labels} should be x and m alone"
    if answer.kind == "mixed" and not {Verdict.CONTRADICTED, Verdict.COVERED} <= found:
        yield f"labels {answer.labels} should have both c and x"
    if answer.kind in HONEST and (Verdict.CONTRADICTED in found or Verdict.COVERED not in found):
        yield f"labels {answer.labels} should have c and no x"
    said = list_units(answer.text, language)
    for text in (question.reference_in(language), *(point.in_language(language) for point in question.points)):
        run = longest_run(said, list_units(text, language))
        if answer.kind in ("mixed", "compared") and len(run) > _RUN[language]:
            yield f"shares {('' if language == 'zh' else ' ').join(run)!r} with the reference"
            return


def main(arguments: Sequence[str]) -> int:
    """Prints the problems; 1 where there are some."""
    if not arguments or arguments[0] != "check":
        sys.stderr.write("Usage: python -m evals.mistakes check [TOPIC ...]\n")
        return 2
    bank = load_bank()
    wanted = arguments[1:] or sorted({question.topic for question in bank})
    found = [problem for topic in wanted for problem in problems(topic, bank)]
    lines = [*(f"{problem.where}: {problem.what}" for problem in found), f"{len(found)} problems"]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
