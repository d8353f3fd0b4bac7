"""Answers by candidates who saw the question alone: what people say who do not know what is looked for.

The other answers were written to labels that were decided first. These were labelled afterwards by a reader who saw the
points; those of the test split by two, who saw nothing of each other, and a third settled where the two differed. One
group (`CONTRAST`) is another matter: its writers saw the points, and are the third.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.answers import AnswerSet, Problem, read_sets, split
from interviewer.models import LANGUAGES, Language, Question

_DATA = Path(__file__).parent / "data"


class Group(NamedTuple):
    """Candidates who were asked for answers in one way.

    Attributes:
        name: Of its files, below evals/data.
        kinds: One answer of each to every question in either language.
    """

    name: str
    kinds: tuple[str, ...]

    @property
    def key(self) -> str:
        """Of its figures."""
        return self.name.replace("-", "_")

    @property
    def path(self) -> Path:
        """The answers with their labels."""
        return _DATA / f"{self.name}.yaml"

    @property
    def readings(self) -> Path:
        """What the two readers said of those of the test split."""
        return _DATA / f"{self.name}-readings.json"


FIRST = Group("candidates", ("senior", "junior"))
"""Years in the field; one or two, or from a neighbouring one."""
SECOND = Group("candidates-second", ("solid", "brief", "confused"))
"""Right about most, in words of their own; the core in up to three sentences; as sure as the others, but wrong about
half of it or more."""
THIRD = Group("candidates-third", ("plain", "muddled", "mistaken"))
"""Mostly right in everyday words; about half right; fluent and wrong. Questions to fit and to choose on, none of the
test split."""
STRANGERS = Group("candidates-strangers", THIRD.kinds)
"""The same kinds by writers none of whose answers are fitted on. Some of the questions of the test split."""
CONTRAST = Group("candidates-contrast", ("against", "astray", "casual"))
"""Right, and told by what things are not; told so, but partly the wrong way round; right as far as it goes, as people
type in a chat. These writers saw the points and labelled what they wrote. The cross-encoder learns from those to
training questions; the scorer is not fitted on them."""
GROUPS = (FIRST, SECOND, STRANGERS, CONTRAST)
"""Those that the grader is measured on, on the test split."""
FITTED = (FIRST, SECOND, THIRD)
"""Those that its scorer is fitted on, on the others."""


class Reading(NamedTuple):
    """The letters that each of two readers gave the points of one answer, and those that were settled."""

    first: str
    second: str
    settled: str


def load_candidates(group: Group = FIRST) -> list[AnswerSet]:
    """The sets in the file's order; `labels` are the settled ones.

    Raises:
        ValidationError: if the file does not fit the schema.
    """
    return read_sets(group.path)


def readings(group: Group = FIRST) -> dict[tuple[str, Language, str], Reading]:
    """What the two readers said of each answer of the test split, by question, language and kind."""
    stored = json.loads(group.readings.read_text(encoding="utf-8"))
    found: dict[tuple[str, Language, str], Reading] = {}
    for entry in (entry for entry in load_candidates(group) if split(entry.question) == "test"):
        for language in LANGUAGES:
            for answer in entry.in_language(language):
                first, second = stored[entry.question][language][answer.kind]
                found[entry.question, language, answer.kind] = Reading(first, second, answer.labels)
    return found


def problems(bank: Sequence[Question], group: Group = FIRST) -> Iterator[Problem]:
    """What is missing or wrong in a group's answers."""
    points = {question.id: tuple(point.id for point in question.points) for question in bank}
    for entry in load_candidates(group):
        if entry.points != points.get(entry.question):
            yield Problem(entry.question, f"points should be {points.get(entry.question)}")
        if group not in GROUPS and split(entry.question) == "test":
            yield Problem(entry.question, "nothing of the test split is fitted on")
        if group == STRANGERS and split(entry.question) != "test":
            yield Problem(entry.question, "only the test split is measured on")
        for language in LANGUAGES:
            kinds = tuple(answer.kind for answer in entry.in_language(language))
            if kinds != group.kinds:
                yield Problem(f"{entry.question}/{language}", f"kinds {kinds}, wanted {group.kinds}")
            for answer in entry.in_language(language):
                if len(answer.labels) != len(entry.points):
                    yield Problem(f"{entry.question}/{language}/{answer.kind}", f"labels {answer.labels}")
    twice = readings(group) if group in GROUPS else {}
    for (question, spoken, kind), reading in twice.items():
        for at, (first, second, settled) in enumerate(zip(*reading, strict=True), start=1):
            if first == second != settled:
                yield Problem(f"{question}/{spoken}/{kind}", f"both readers say {first} of point {at}, not {settled}")
