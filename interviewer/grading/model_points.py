"""Points of an imported reference by a chat model, each proven by the reference's own words."""

import logging
import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.chat import ChatModel
from interviewer.errors import ChatModelError
from interviewer.fencing import bounded, fenced, unfenced
from interviewer.grading.model_reply import ExtractedPoint, PointsReply, read_points, reply_schema
from interviewer.grading.model_words import units
from interviewer.grading.points import extract_points
from interviewer.grading.quotes import locate
from interviewer.language import fold
from interviewer.models import Language, Point
from interviewer.prompts import find_prompt

_log = logging.getLogger(__name__)
MAX_POINTS = 8
_MAX_REFERENCE = 16_000
_MAX_TEXT = 400
_SHARED = 0.5
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Extracted(NamedTuple):
    """Points and where they come from.

    Attributes:
        by: `model`, or `structure` where no model was asked or its reply could not be used.
        problem: Why the model's reply was not used; empty if it was, or none was asked.
    """

    points: tuple[Point, ...]
    by: str
    problem: str = ""


def points_of(question: str, reference: str, language: Language, chat: ChatModel | None) -> Extracted:
    """The points of `reference`: the model's where they are proven by it, else those of its structure.

    One call of the model; never raises for what it does.
    """
    by_structure = extract_points(reference, language)
    if chat is None or not reference.strip():
        return Extracted(by_structure, "structure")
    values = {"question": fenced(question[:_MAX_TEXT]), "reference": fenced(bounded(reference, _MAX_REFERENCE).text)}
    messages = find_prompt("extract-points", language).render(values)
    try:
        reply = read_points("".join(chat.stream_json(messages, reply_schema(PointsReply))))
    except ChatModelError as error:
        return Extracted(by_structure, "structure", str(error))
    kept = _contained(reply, reference)
    if len(kept) < min(2, len(by_structure)):
        problem = f"The model {chat.name!r} gave points that are not in the reference."
        return Extracted(by_structure, "structure", problem)
    return Extracted(_numbered(kept, language), "model")


class ModelPoints:
    """Points for the importer: a function of question, reference and language. Logs where it fell back."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    def __call__(self, question: str, reference: str, language: Language) -> tuple[Point, ...]:
        """The points of a reference; by structure where the model's can't be used. Never raises for what it does."""
        found = points_of(question, reference, language, self._chat)
        if found.problem:
            _log.warning("Points by structure instead of by the model: %s", found.problem)
        return found.points


def _contained(found: Sequence[ExtractedPoint], reference: str) -> list[ExtractedPoint]:
    """Those whose quote is in the reference, whose words are mostly the quote's, and whose numbers all are."""
    kept: list[ExtractedPoint] = []
    taken: set[str] = set()
    for point in found:
        quote, text = unfenced(point.quote), point.text.strip()
        new = fold(text) not in taken
        if (
            text
            and len(text) <= _MAX_TEXT
            and new
            and locate(reference, quote)
            and _says_no_more(text, quote, reference)
        ):
            kept.append(point)
            taken.add(fold(text))
    return kept[:MAX_POINTS]


def _says_no_more(text: str, quote: str, reference: str) -> bool:
    stated, source = units(text), units(quote)
    numbers = set(_NUMBER.findall(text)) <= set(_NUMBER.findall(reference))
    return numbers and bool(stated) and len(stated & source) >= _SHARED * len(stated)


def _numbered(found: Sequence[ExtractedPoint], language: Language) -> tuple[Point, ...]:
    return tuple(
        Point(id=f"p{n}", weight=float(min(3, max(1, point.weight))), text={language: point.text.strip()})
        for n, point in enumerate(found, 1)
    )
