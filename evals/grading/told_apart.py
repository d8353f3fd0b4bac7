"""Claims of no question, each with two sentences that say it and two that get it wrong: `evals/data/told-apart.jsonl`.

The sentences of `evals.statements` have figures made of them, and there are few to learn from; these are only learnt
from. Eight writers wrote them, each in a field of its own and half of them in either language. As there, nothing but
what is said tells the true ones from the false.
"""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evals.answers import Problem, list_units, longest_run
from evals.grading.data import EXPLAIN, Graded
from evals.grading.opposed import OPPOSED, SAID, Opposed, Told, put_together
from interviewer.language import detect
from interviewer.models import Language, Point, Question

DATA = Path(__file__).parents[1] / "data" / "told-apart.jsonl"
READINGS = DATA.with_name("told-apart-readings.json")
"""What readers who saw no kinds called some of the sentences: the claim, the sentence and a letter."""
_RUN: dict[Language, int] = {"zh": 9, "en": 6}
"""No true sentence shares a longer run with its claim: characters of Chinese, words of English."""
_IN_COMPANY = (2, 5)
"""Claims of a field that an answer is put together of, at least and at most."""
_ELSEWHERE = 0.25
"""How often a sentence about another claim of the field stands beside a claim, which it does not say."""


class Claim(NamedTuple):
    """What is to be said, and two sentences of either kind, in one language.

    Attributes:
        topic: The field it is of.
    """

    topic: str
    language: Language
    text: str
    true: tuple[str, str]
    false: tuple[str, str]


@cache
def load_claims() -> tuple[Claim, ...]:
    """Every claim, in the order of the file."""
    return tuple(map(_read, DATA.read_text(encoding="utf-8").splitlines()))


def _read(line: str) -> Claim:
    row = json.loads(line)
    (true, also_true), (false, also_false) = row["true"], row["false"]
    return Claim(row["topic"], row["language"], row["claim"], (true, also_true), (false, also_false))


def told_apart_rows(choose: random.Random) -> Iterator[Graded]:
    """Every sentence beside its claim, some beside another claim, and answers to several claims of a field."""
    by_field: dict[tuple[str, Language], list[tuple[int, Claim]]] = {}
    for number, claim in enumerate(load_claims()):
        by_field.setdefault((claim.topic, claim.language), []).append((number, claim))
        for texts, label, letter in ((claim.true, SAID, "c"), (claim.false, OPPOSED, "x")):
            for said in texts:
                yield _beside(number, claim, "apart/alone", said, label, letter)
    for claims in by_field.values():
        yield from _about_others(claims, choose)
        yield from _in_company(claims, choose)


def _about_others(claims: Sequence[tuple[int, Claim]], choose: random.Random) -> Iterator[Graded]:
    for number, claim in claims:
        others = [other for place, other in claims if place != number]
        if others and choose.random() < _ELSEWHERE:
            other = choose.choice(others)
            yield _beside(number, claim, "apart/elsewhere", choose.choice((*other.true, *other.false)), 0.0, "m")


def _in_company(claims: Sequence[tuple[int, Claim]], choose: random.Random) -> Iterator[Graded]:
    """Answers to some claims at a time, each claim in one of them; which of its sentences are told is drawn."""
    least, most = _IN_COMPANY
    left = choose.sample(claims, len(claims))
    while len(left) >= least:
        drawn = [left.pop() for _ in range(min(len(left), choose.randint(least, most)))]
        number, asked = drawn[0][0], [claim for _, claim in drawn]
        told = tuple(Told(choose.choice(claim.true), choose.choice(claim.false)) for claim in asked)
        each = Opposed(f"apart/{number}", question_of(number, asked), asked[0].language, told)
        yield put_together(each, "apart/company", choose)


def _beside(number: int, claim: Claim, source: str, said: str, label: float, letter: str) -> Graded:
    return Graded(f"apart/{number}", source, question_of(number, [claim]), claim.language, said, None, (label,), letter)


def question_of(number: int, claims: Sequence[Claim]) -> Question:
    """A question with the claims as its points."""
    language = claims[0].language
    return Question(
        id=f"apart-{number}",
        set="apart",
        question={language: EXPLAIN[language]},
        reference={language: "-"},
        points=tuple(Point(id=f"p{at}", text={language: claim.text}) for at, claim in enumerate(claims, 1)),
    )


def problems() -> Iterator[Problem]:
    """What is missing or wrong in the data."""
    seen: set[str] = set()
    for claim in load_claims():
        for text in (claim.text, *claim.true, *claim.false):
            if text in seen:
                yield Problem(claim.text, f"twice: {text}")
            seen.add(text)
            if detect(text, claim.language) != claim.language:
                yield Problem(claim.text, f"not in its language: {text}")
        units = list_units(claim.text, claim.language)
        for said in claim.true:
            run = longest_run(list_units(said, claim.language), units)
            if len(run) > _RUN[claim.language]:
                yield Problem(claim.text, f"shares {run}: {said}")
