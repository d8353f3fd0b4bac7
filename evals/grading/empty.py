"""Words that say nothing of any subject: agreeing, claiming to have said it all, announcing, asking back.

Beside an answer they change none of its labels, and alone they make no point. `evals.grading.asides` has talk about
one's life, at length; these are short, and sound like part of an answer.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache

import yaml

from evals.grading.data import FULL_STOP, HERE, Graded, in_a_row, making_no_point
from interviewer.language import detect, sentences
from interviewer.models import LANGUAGES, Language

EMPTY = "empty/"
"""What the sources of answers with such words start with."""

_MARKS = tuple(".。!！?？…;；,，:：")
_ALONE = 0.1
_MOST = 3


@cache
def empty_sentences() -> dict[Language, tuple[str, ...]]:
    """What two writers wrote who knew of no question."""
    stored = yaml.safe_load((HERE / "empty.yaml").read_text(encoding="utf-8"))
    return {language: tuple(stored[language]) for language in LANGUAGES}


def with_empty_words(rows: Sequence[Graded], share: float, choose: random.Random) -> Iterator[Graded]:
    """Some of the labelled answers again with up to three such sentences anywhere in them, now and then nothing else.

    Args:
        share: Of the answers, 0..1.
    """
    for row in rows:
        if row.labels is None or choose.random() >= share:
            continue
        spoken = detect(row.answer, row.language)
        empty = choose.sample(empty_sentences()[spoken], choose.randint(1, _MOST))
        if choose.random() < _ALONE:
            yield making_no_point(row, f"{EMPTY}alone", in_a_row(empty, spoken))
            continue
        said = [each if each.endswith(_MARKS) else each + FULL_STOP[spoken] for each in sentences(row.answer)]
        for each in empty:
            said.insert(choose.choice((0, len(said), choose.randint(0, len(said)))), each)
        yield row._replace(source=f"{EMPTY}{row.source}", answer=in_a_row(said, spoken))
