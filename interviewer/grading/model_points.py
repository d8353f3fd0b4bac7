"""Points of an imported reference by a chat model, each proven by the reference's own words."""

import logging
import re
from collections.abc import Sequence

from interviewer.chat import ChatModel
from interviewer.errors import ChatModelError
from interviewer.fencing import bounded, fenced, unfenced
from interviewer.grading.model_notes import note_key
from interviewer.grading.model_reply import ExtractedPoint, PointsReply, read_points, reply_schema
from interviewer.grading.model_words import units
from interviewer.grading.pieces import MAX_POINTS
from interviewer.grading.points import extract_points
from interviewer.grading.quotes import locate
from interviewer.language import fold
from interviewer.models import Language, Point
from interviewer.prompts import find_prompt
from interviewer.worded import WordedError

_log = logging.getLogger(__name__)
_MAX_REFERENCE = 16_000
_MAX_TEXT = 400
_SHARED = 0.5
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def points_by_model(question: str, reference: str, language: Language, chat: ChatModel) -> tuple[Point, ...]:
    """The points of `reference` that the model finds and the reference proves; none for an empty one. One call.

    Raises:
        WordedError: if the model fails, which the log tells in full, or proves less than the structure gives.
    """
    if not reference.strip():
        return ()
    values = {"question": fenced(question[:_MAX_TEXT]), "reference": fenced(bounded(reference, _MAX_REFERENCE).text)}
    form = find_prompt("extract-points", language)
    try:
        reply = read_points("".join(chat.stream_json(form.render(values), reply_schema(PointsReply, form))))
    except ChatModelError as error:
        _log.warning("No points from the model: %s", error)
        raise WordedError(note_key(error), model=chat.name) from error
    if not reply:
        raise WordedError("model_invalid_output", model=chat.name)
    kept = _contained(reply, reference)
    if len(kept) < min(2, len(extract_points(reference, language))):
        raise WordedError("model_unproven", model=chat.name)
    return _numbered(kept, language)


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
