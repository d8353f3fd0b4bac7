"""Sentences of documentation beside their translations, turned and told, for the cross-encoder.

Answers teach what candidates say; there are too few of them to teach reading. Parallel text has sentences enough that
say one thing in two languages, and a rule that turns one of them makes a pair that shares nearly every word and says
the opposite. The point is turned as often as what is said of it, so that no sign of a rule tells the label.
"""

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evals.grading.restated import restate
from evals.grading.turned import turn
from interviewer.grading.evidence import Encoder
from interviewer.models import Language

SENTENCES = 12_000
_WEIGHT = 0.8
_TOLD, _TURNED, _OTHER = 0.97, 0.05, 0.0
_WORDS, _HAN = (7, 34), (11, 62)
"""How long a sentence is, in English words and in Chinese characters."""
_PROSE = re.compile(r"\b(?:is|are|was|can|will|must|should|may|the|when|if|that|which)\b")
_CODE = re.compile(r"[{}<>\\=|#`_@*]|::|->|https?:|\w\.\w+\.\w|--\w|\(\)")
_HAN_CHARACTER = re.compile(r"[\u4e00-\u9fff]")
_NEIGHBOURS, _SAME = 12, 0.93
"""Sentences among which a wrong one is drawn, and the cosine from which another one may say the same."""
_COMPANY, _MOST_OTHERS = 0.5, 3
_HALF, _HALF_TOLD = 0.25, 0.5
"""How often a lesson has a point of two sentences of which one is said, and the credit of that."""
_SPOKEN: tuple[tuple[Language, Language], ...] = (
    *(("en", "zh"), ("zh", "en")) * 2,
    ("zh", "zh"),
    ("en", "en"),
)
"""Of a point and of what is said: the other language twice as often as the same one."""


class Pair(NamedTuple):
    """A sentence in both languages."""

    en: str
    zh: str

    def text(self, language: Language) -> str:
        return self.en if language == "en" else self.zh


def read_sentences(paths: Sequence[Path], count: int = SENTENCES, seed: int = 0) -> list[Pair]:
    """Sentences of prose drawn from JSON Lines of parallel text (`{"en", "zh"}`, gzipped or not), each once."""
    found: dict[str, Pair] = {}
    for path in paths:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if _is_prose(row["en"], row["zh"]):
                    found.setdefault(row["en"].casefold(), Pair(row["en"], row["zh"]))
    pairs = [found[key] for key in sorted(found)]
    return random.Random(seed).sample(pairs, min(count, len(pairs)))


def _is_prose(en: str, zh: str) -> bool:
    words, han = len(en.split()), len(_HAN_CHARACTER.findall(zh))
    fits = _WORDS[0] <= words <= _WORDS[1] and _HAN[0] <= han <= _HAN[1]
    return fits and bool(_PROSE.search(en)) and not _CODE.search(en) and not _CODE.search(zh)


def sentence_lessons(pairs: Sequence[Pair], encoder: Encoder, seed: int = 0) -> Iterator[dict[str, Any]]:
    """For each sentence a lesson of up to seven pairs, as `knowledge.crossencoder.train.Taught` is read: told,
    restated, turned on either side, told as turned, another sentence that comes near, and half of what a point of two
    asks for.
    """
    choose = random.Random(seed)
    near = _neighbours(pairs, encoder)
    for pair, others in zip(pairs, near, strict=True):
        asked, spoken = choose.choice(_SPOKEN)
        point, said = pair.text(asked), pair.text(spoken)
        drawn = choose.sample(others, min(len(others), choose.randint(1, _MOST_OTHERS)))
        around = [pairs[at].text(spoken) for at in drawn]
        told = [(point, said, _TOLD, 0.0), (said, restate(said, spoken, choose), _TOLD, 0.0)]
        if turned := turn(said, spoken, choose):
            told.append((point, turned, _TURNED, 1.0))
        if against := turn(point, asked, choose):
            told.append((against, said, _TURNED, 1.0))
            if choose.random() < _COMPANY:
                told.append((against, against, _TOLD, 0.0))
        if around:
            absent = [(point, _joined(around if choose.random() < _COMPANY else around[:1], spoken), _OTHER, 0.0)]
            if choose.random() < _HALF:
                absent.append((_joined([point, pairs[drawn[0]].text(asked)], asked), said, _HALF_TOLD, 0.0))
            told = [_in_company(*each, around, spoken, choose) for each in told] + absent
        yield {
            "group": "parallel",
            "source": "sentences",
            "pairs": [[one, two] for one, two, _, _ in told],
            "shares": [1 / len(told)] * len(told),
            "labels": [label for _, _, label, _ in told],
            "wrong": [wrong for _, _, _, wrong in told],
            "score": None,
            "weight": _WEIGHT,
        }


def _in_company(
    point: str, said: str, label: float, wrong: float, others: Sequence[str], spoken: Language, choose: random.Random
) -> tuple[str, str, float, float]:
    """Now and then among other sentences."""
    if choose.random() >= _COMPANY:
        return point, said, label, wrong
    both = [said, *others]
    choose.shuffle(both)
    return point, _joined(both, spoken), label, wrong


def _joined(texts: Sequence[str], language: Language) -> str:
    return (" " if language == "en" else "").join(texts)


def _neighbours(pairs: Sequence[Pair], encoder: Encoder) -> list[list[int]]:
    """For each sentence the places of those nearest to it that do not say the same."""
    vectors = np.asarray(encoder.encode([pair.en for pair in pairs]), np.float32)
    found: list[list[int]] = []
    for start in range(0, len(pairs), 1_000):
        similar = vectors[start : start + 1_000] @ vectors.T
        nearest = np.argpartition(-similar, min(2 * _NEIGHBOURS, len(vectors) - 1), axis=1)[:, : 2 * _NEIGHBOURS]
        for row, places in zip(similar, nearest, strict=True):
            order = sorted(places, key=lambda at: -row[at])
            found.append([int(at) for at in order if row[at] < _SAME][:_NEIGHBOURS])
    return found
