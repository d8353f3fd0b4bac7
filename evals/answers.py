"""Labelled answers: for each question of the bank, written to labels that were decided first.

`python -m evals.answers check [TOPIC ...]` lists what is missing or wrong in them.
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from interviewer.language import fold
from interviewer.models import LANGUAGES, Frozen, Language, Question, Verdict
from knowledge.bank import load_bank

FOLDER = Path(__file__).parent / "data" / "answers"
LABELS = {"c": Verdict.COVERED, "p": Verdict.PARTIAL, "m": Verdict.MISSING, "x": Verdict.CONTRADICTED}
ALWAYS = ("strong", "half-a", "half-b", "weak", "short-strong")
TURNS = ("wrong", "list", "off-topic", "copied", "dont-know", "cross", "attack")
"""The sixth kind goes by turns over the questions of a topic; English is three turns ahead of Chinese."""
_AHEAD: Mapping[Language, int] = {"zh": 0, "en": 3}

Split = Literal["train", "dev", "test"]
_RUN: Mapping[Language, int] = {"zh": 12, "en": 8}
"""A strong answer shares no longer run with its reference: characters of Chinese, words of English."""
_SHARE = 0.3
"""... and no more than this share of its runs of four characters or three words."""


class LabelledAnswer(Frozen):
    """One answer; `labels` has a letter for each point of its question, in order."""

    kind: Literal[
        "strong", "half-a", "half-b", "weak", "short-strong",
        "wrong", "list", "off-topic", "copied", "dont-know", "cross", "attack",
        "mixed", "corrected", "compared", "senior", "junior", "solid", "brief", "confused",
        "plain", "muddled", "mistaken", "against", "astray", "casual",
    ]  # fmt: skip
    voice: str = Field(min_length=1)
    labels: str = Field(pattern="^[cpmx]+$")
    text: str = Field(min_length=1)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(LABELS[letter] for letter in self.labels)


class AnswerSet(Frozen):
    """All labelled answers to one question; `points` repeats the ids that the labels follow."""

    question: str
    points: tuple[str, ...]
    zh: tuple[LabelledAnswer, ...] = ()
    en: tuple[LabelledAnswer, ...] = ()

    def in_language(self, language: Language) -> tuple[LabelledAnswer, ...]:
        return cast("tuple[LabelledAnswer, ...]", getattr(self, language))


class Problem(NamedTuple):
    where: str
    what: str


_FILE: TypeAdapter[list[AnswerSet]] = TypeAdapter(list[AnswerSet])


def load_answers(topic: str) -> list[AnswerSet]:
    """The sets of one topic, in the file's order; empty where there is no file.

    Raises:
        ValidationError: if the file does not fit the schema.
    """
    return read_sets(FOLDER / f"{topic}.yaml")


def read_sets(path: Path) -> list[AnswerSet]:
    """The sets in a file, in its order; empty where there is no file.

    Raises:
        ValidationError: if the file does not fit the schema.
    """
    return _FILE.validate_python(read_yaml(path) or []) if path.exists() else []


def read_yaml(path: Path) -> Any:
    """The content of a file; libyaml reads the large ones ten times as fast as Python does."""
    return yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def topics() -> tuple[str, ...]:
    """The topics that have labelled answers."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def split(question_id: str) -> Split:
    """Where a question belongs: 55% train, 15% development, 30% test, by a hash of its id."""
    part = int(hashlib.sha256(question_id.encode()).hexdigest()[:8], 16) % 100
    return "train" if part < 55 else "dev" if part < 70 else "test"


def problems(topic: str, bank: Sequence[Question]) -> Iterator[Problem]:
    """What is missing or wrong in the answers of a topic."""
    try:
        sets = load_answers(topic)
    except (ValidationError, yaml.YAMLError) as error:
        yield Problem(f"{topic}.yaml", str(error))
        return
    questions = [q for q in bank if q.topic == topic]
    known = {entry.question: entry for entry in sets}
    if len(known) < len(sets):
        yield Problem(f"{topic}.yaml", "a question stands there twice")
    for extra in known.keys() - {q.id for q in questions}:
        yield Problem(extra, "no such question in this topic")
    for position, question in enumerate(questions):
        entry = known.get(question.id)
        if entry is None:
            yield Problem(question.id, "no answers yet")
            continue
        if entry.points != tuple(p.id for p in question.points):
            yield Problem(question.id, f"points should be {[p.id for p in question.points]}")
        for language in LANGUAGES:
            yield from _language_problems(question, entry, language, position)


def _language_problems(question: Question, entry: AnswerSet, language: Language, at: int) -> Iterator[Problem]:
    answers = entry.in_language(language)
    kinds: list[str] = [answer.kind for answer in answers]
    wanted = (*ALWAYS, TURNS[(at + _AHEAD[language]) % len(TURNS)])
    where = f"{question.id}/{language}"
    for kind in wanted:
        if kinds.count(kind) != 1:
            yield Problem(where, f"{kinds.count(kind)} answers of kind {kind}, wanted 1")
    for answer in answers:
        here = f"{where}/{answer.kind}"
        if len(answer.labels) != len(question.points):
            yield Problem(here, f"{len(answer.labels)} labels for {len(question.points)} points")
        yield from _label_problems(here, answer)
        if answer.kind in ("strong", "short-strong"):
            yield from _wording_problems(here, answer, question, language)


def _label_problems(where: str, answer: LabelledAnswer) -> Iterator[Problem]:
    credit = sum(v.credit for v in answer.verdicts) / len(answer.labels)
    if answer.kind == "strong" and credit < 0.7:
        yield Problem(where, f"a strong answer with labels {answer.labels}")
    if answer.kind in ("list", "off-topic", "copied", "dont-know") and set(answer.labels) != {"m"}:
        yield Problem(where, f"labels {answer.labels} should all be m")
    if answer.kind == "wrong" and ("c" in answer.labels or "x" not in answer.labels):
        yield Problem(where, f"a wrong answer with labels {answer.labels}")
    if answer.kind in ("half-a", "half-b") and not 0.15 <= credit <= 0.8:
        yield Problem(where, f"half an answer with labels {answer.labels}")


def _wording_problems(where: str, answer: LabelledAnswer, question: Question, language: Language) -> Iterator[Problem]:
    texts = [question.reference_in(language), *(p.in_language(language) for p in question.points)]
    known = [list_units(text, language) for text in texts]
    said = list_units(answer.text, language)
    run = max((longest_run(said, other) for other in known), default=())
    if len(run) > _RUN[language] and answer.kind == "strong":
        joint = "" if language == "zh" else " "
        yield Problem(where, f"shares {joint.join(run)!r} with the reference")
    size = 4 if language == "zh" else 3
    grams = {tuple(said[i : i + size]) for i in range(len(said) - size + 1)}
    theirs = {tuple(other[i : i + size]) for other in known for i in range(len(other) - size + 1)}
    if answer.kind == "strong" and grams and len(grams & theirs) / len(grams) > _SHARE:
        yield Problem(where, f"{len(grams & theirs) / len(grams):.0%} of its wording stands in the reference")


def list_units(text: str, language: Language) -> list[str]:
    """Characters of Chinese and words of English: what wording is compared by."""
    folded = fold(text)
    return re.findall(r"[a-z0-9.+/-]+|[一-鿿]", folded) if language == "zh" else re.findall(r"[a-z0-9.+/-]+", folded)


def longest_run(said: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The longest row of units that both have; of several the one that is said first."""
    places: dict[str, list[int]] = {}
    for place, unit in enumerate(other):
        places.setdefault(unit, []).append(place)
    longest: tuple[str, ...] = ()
    runs = [(start, place) for start, unit in enumerate(said) for place in places.get(unit, ())]
    while runs:
        size = len(longest) + 1
        longest = tuple(said[runs[0][0] : runs[0][0] + size])
        runs = [
            (start, place)
            for start, place in runs
            if start + size < len(said) and place + size < len(other) and said[start + size] == other[place + size]
        ]
    return longest


def main(arguments: Sequence[str]) -> int:
    """Prints the problems; 1 where there are some."""
    if not arguments or arguments[0] != "check":
        sys.stderr.write("Usage: python -m evals.answers check [TOPIC ...]\n")
        return 2
    bank = load_bank()
    wanted = arguments[1:] or sorted({q.topic for q in bank})
    found = [problem for topic in wanted for problem in problems(topic, bank)]
    count = sum(len(s.zh) + len(s.en) for topic in wanted for s in load_answers(topic))
    lines = [*(f"{problem.where}: {problem.what}" for problem in found), f"{count} answers, {len(found)} problems"]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
