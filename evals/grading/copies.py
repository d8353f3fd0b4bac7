"""Near copies: points told word for word but for one small word, which changes little, and what the cross-encoder makes
of them. It has learnt opposites from sentences that differ by as little.
"""

from collections.abc import Iterator
from typing import NamedTuple

from evals.answers import split
from interviewer.grading.reading import CrossEncoder
from interviewer.models import Language
from interviewer.segmenting import cut_words
from knowledge.bank import load_bank

SMALL: dict[Language, frozenset[str]] = {
    "zh": frozenset({"会", "可以", "能", "才", "就", "都", "也"}),
    "en": frozenset({"can", "may", "also", "still"}),
}
_DENYING = ("不", "没", "只", "未", "别")


class NearCopies(NamedTuple):
    """How points without one of their small words are read.

    Attributes:
        told: How many.
        contradicted: The share of them, 0..1, that is read as contradicting the point.
    """

    told: int
    contradicted: float


def near_copies(language: Language) -> Iterator[tuple[str, str]]:
    """Each point of development and test questions that has a small word, and the same without it."""
    for question in load_bank():
        for point in question.points if split(question.id) != "train" else ():
            text = point.text.get(language, "")
            shorter = without_small_word(text, language)
            if shorter:
                yield text, shorter


def without_small_word(text: str, language: Language) -> str:
    """The text without its first small word that nothing denies or limits; empty where it has none."""
    words = list(cut_words(text)) if language == "zh" else text.split(" ")
    for at, word in enumerate(words):
        before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        if word in SMALL[language] and not before.endswith(_DENYING) and after not in ("not", "only"):
            return ("" if language == "zh" else " ").join([*words[:at], *words[at + 1 :]])
    return ""


def read_near_copies(cross: CrossEncoder, language: Language) -> NearCopies:
    """How many near copies are read as contradicting the point that they tell."""
    pairs = list(near_copies(language))
    wrong = cross.predict(pairs)[:, 1]
    return NearCopies(len(pairs), float((wrong > 0).mean()))
