"""Points told nearly by heart, and with a slip: `evals/data/recited.jsonl`.

Writers gave each point two near copies that make it and two in which one thing is turned, as near. They are of training
questions, from which the cross-encoder learns, and of development and test questions of the bank, which show whether it
reads the one as said and the other as a contradiction. Who has learnt a reference by heart speaks like that.
"""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from evals.answers import Problem, Split, split
from evals.grading.data import Graded
from evals.grading.opposed import OPPOSED, SAID, Opposed, Told, put_together
from evals.grading.outside import outside_answers
from interviewer.grading.reading import CrossEncoder
from interviewer.language import detect
from interviewer.models import Language, Point, Question
from knowledge.bank import load_bank

DATA = Path(__file__).parents[1] / "data" / "recited.jsonl"
READINGS = DATA.with_name("recited-readings.json")
"""What a reader who saw no kinds called some of the texts: the group, the point, the text and a letter."""
_BANK = "bank/"


class Recited(NamedTuple):
    """A point of a question and what was made of it, all in one language.

    Attributes:
        group: As in `Graded`.
    """

    group: str
    question: Question
    point: Point
    language: Language
    said: tuple[str, str]
    slipped: tuple[str, str]

    @property
    def text(self) -> str:
        return self.point.in_language(self.language)


@cache
def load_recited() -> tuple[Recited, ...]:
    """All that were written, in the file's order.

    Raises:
        KeyError: if a question or a point is not there.
    """
    asked = {f"{_BANK}{question.id}": question for question in load_bank()}
    asked.update((row.group, row.question) for row in outside_answers("train"))
    return tuple(_read(line, asked) for line in DATA.read_text(encoding="utf-8").splitlines())


def _read(line: str, asked: dict[str, Question]) -> Recited:
    row = json.loads(line)
    question = asked[row["group"]]
    (said, also_said), (slipped, also_slipped) = row["said"], row["slipped"]
    point, language = question.point(row["point"]), row["language"]
    return Recited(row["group"], question, point, language, (said, also_said), (slipped, also_slipped))


def part_of(each: Recited) -> Split:
    """Questions outside the bank are training questions."""
    return split(each.group.removeprefix(_BANK)) if each.group.startswith(_BANK) else "train"


def recited_rows(choose: random.Random) -> Iterator[Graded]:
    """Each text of a training question beside its point, and answers put together of several points of a question."""
    together: dict[tuple[str, Language], list[Recited]] = {}
    for each in load_recited():
        if part_of(each) != "train":
            continue
        together.setdefault((each.group, each.language), []).append(each)
        alone = each.question.model_copy(update={"points": (each.point,)})
        for texts, label, letter in ((each.said, SAID, "c"), (each.slipped, OPPOSED, "x")):
            for text in texts:
                yield Graded(each.group, "recited/alone", alone, each.language, text, None, (label,), letter)
    for (group, language), those in together.items():
        if len(those) > 1:
            several = those[0].question.model_copy(update={"points": tuple(each.point for each in those)})
            told = tuple(Told(choose.choice(each.said), choose.choice(each.slipped)) for each in those)
            yield put_together(Opposed(group, several, language, told), "recited/company", choose)


class Reading(NamedTuple):
    """How what is recited is read; shares are 0..1.

    Attributes:
        points: How many.
        told_apart: Area under the curve of what is read as said: how often a copy has more than a slip.
        accused: The share of near copies that is read as contradicting the point.
        found: The share of slips that is.
    """

    points: int
    told_apart: float
    accused: float
    found: float


def read_recited(cross: CrossEncoder, part: Split, language: Language) -> Reading:
    """How near copies and slips of a part's points are read, each beside its point alone."""
    those = [each for each in load_recited() if part_of(each) == part and each.language == language]
    pairs = [(each.text, text) for each in those for text in (*each.said, *each.slipped)]
    is_said = np.tile([True, True, False, False], len(those))
    read = cross.predict(pairs)
    wrong = read[:, 1] > 0
    return Reading(
        len(those),
        float(roc_auc_score(is_said, read[:, 0])),
        float(wrong[is_said].mean()),
        float(wrong[~is_said].mean()),
    )


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data."""
    seen: set[tuple[str, Language]] = set()
    for each in load_recited():
        where = f"{each.group}/{each.point.id}"
        if (where, each.language) in seen:
            yield Problem(where, "twice")
        seen.add((where, each.language))
        texts = (*each.said, *each.slipped)
        if len({each.text, *texts}) != 1 + len(texts):
            yield Problem(where, "the same twice")
        for text in texts:
            if detect(text, each.language) != each.language:
                yield Problem(where, f"not in the point's language: {text}")
