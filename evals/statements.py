"""Claims with sentences that say each of them, half say it, and get it wrong in the same words.

The labelled answers and those with mistakes have writers who knew what they were to get wrong, and a grader can learn
how such writers write. Here the true and the false sentences of a claim have one writer and one tone, about equal
length and about as many negations: little but what they say tells them apart.

The cross-encoder learns from three claims of five; the others are for the figures.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from evals.answers import LABELS
from interviewer.models import Language, Localized, Verdict

PATH = Path(__file__).parent / "data" / "statements.jsonl"
KINDS = ("true", "half", "false")
_LEARNT = 0.6
VERDICTS: dict[str, Verdict] = {"true": Verdict.COVERED, "half": Verdict.PARTIAL, "false": Verdict.CONTRADICTED}
LETTERS: dict[str, str] = {
    kind: letter for kind, verdict in VERDICTS.items() for letter, label in LABELS.items() if label == verdict
}


class Claim(NamedTuple):
    """What is to be said, and sentences about it.

    Attributes:
        topic: The field it is of; `bank` for points of the bank.
        question: The question of the bank whose point it is, if any: all are of the training split.
        said: By kind (`KINDS`) and language: two sentences each, of the half ones one.
    """

    topic: str
    question: str | None
    text: Localized
    said: dict[str, dict[Language, tuple[str, ...]]]

    @property
    def is_learnt(self) -> bool:
        """Whether the cross-encoder learns from it. Nothing learns from the others, and figures are of them alone."""
        drawn = int(sha256(self.text["en"].encode()).hexdigest()[:8], 16) / 2**32
        return self.question is not None or drawn < _LEARNT


@cache
def load_claims() -> tuple[Claim, ...]:
    """Every claim, in the order of the file."""
    return tuple(map(_read, PATH.read_text(encoding="utf-8").splitlines()))


def _read(line: str) -> Claim:
    row = json.loads(line)
    half = {language: [text] for language, text in row["half"].items()}
    said = {
        kind: {language: tuple(texts) for language, texts in sentences.items()}
        for kind, sentences in (("true", row["true"]), ("half", half), ("false", row["false"]))
    }
    return Claim(row["topic"], row.get("question"), row["claim"], said)
