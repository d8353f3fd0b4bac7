"""What an objection to a verdict can do: point at words of the answer that were overlooked. It states nothing."""

import re
from collections.abc import Iterator

from interviewer.grading.protocol import Grader, GradingContext, OnProgress
from interviewer.grading.quotes import locate
from interviewer.language import fold, sentences
from interviewer.models import Grade, Language, Question

SHORTEST = 8
"""Characters of the answer, spaces not counted, that an objection must repeat to point at them."""
_MOST_QUOTED = 3
_MARKED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|‘([^’]+)’|`([^`]+)`|《([^》]+)》")

_ALONE: dict[Language, str] = {
    "zh": "内置评分把你指出的那句话连同前后各一句单独重新看了一遍。",
    "en": "The built-in grader read the sentence you pointed at, with the one before and after it, on its own.",
}
_SAME: dict[Language, str] = {
    "zh": "内置评分对同样的话总是同样判定。要让它单独看某一句，请在理由里照抄你回答中的原话（至少 8 个字）。",
    "en": "The built-in grader reads the same words the same way. To have it look at one sentence alone, copy words of "
    "your answer into the reason (8 characters or more).",
}


class PointingGrader:
    """A grader that reads the same words the same way, for which an objection helps only by pointing at some of them.

    Args:
        grader: Knows nothing of objections.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        """The grade of the words pointed at, with their neighbours; of the whole answer where none were."""
        pointed = pointed_at(answer, context.objection) if context.objection else ""
        grade = only_point(self._grader.grade(question, pointed or answer, context, on_progress), context.only)
        if not context.objection or grade.status == "ungraded":
            return grade
        info = grade.grader.model_copy(update={"note": (_ALONE if pointed else _SAME)[context.language]})
        return grade.model_copy(update={"grader": info})


def only_point(grade: Grade, point_id: str) -> Grade:
    """`grade` with the one point alone; all of it where no point is named."""
    if not point_id:
        return grade
    return grade.model_copy(update={"points": tuple(point for point in grade.points if point.id == point_id)})


def pointed_at(answer: str, objection: str) -> str:
    """The sentences of `answer` whose words the objection repeats, each with its neighbours; empty for none."""
    spans = _sentence_spans(answer)
    chosen: set[int] = set()
    for words in repeated_words(answer, objection):
        found = locate(answer, words)
        if found is None:
            continue
        for at, (start, end) in enumerate(spans):
            if start < found[1] and found[0] < end:
                chosen.update((at - 1, at, at + 1))
    pieces: list[tuple[int, int]] = []
    for at in sorted(chosen.intersection(range(len(spans)))):
        start, end = spans[at]
        if at - 1 in chosen and pieces:
            start = pieces.pop()[0]
        pieces.append((start, end))
    return "\n\n".join(answer[start:end] for start, end in pieces)


def repeated_words(answer: str, objection: str) -> tuple[str, ...]:
    """What of the answer an objection repeats: what it sets in quotation marks, else the longest stretch in common."""
    marked = [next(filter(None, match.groups())) for match in _MARKED.finditer(objection)]
    quoted = [words for words in marked if _long_enough(words) and locate(answer, words)]
    if quoted:
        return tuple(dict.fromkeys(quoted))[:_MOST_QUOTED]
    common = _longest_common(fold(answer), fold(objection)).strip()
    return (common,) if _long_enough(common) else ()


def _long_enough(words: str) -> bool:
    return sum(not character.isspace() for character in words) >= SHORTEST


def _longest_common(text: str, other: str) -> str:
    """The longest stretch that stands in both; found by trying lengths, since `text` may be very long."""
    best, low, high = "", SHORTEST, min(len(text), len(other))
    while low <= high:
        length = (low + high) // 2
        found = next(_common(text, other, length), "")
        if found:
            best, low = found, length + 1
        else:
            high = length - 1
    return best


def _common(text: str, other: str, length: int) -> Iterator[str]:
    wanted = {other[at : at + length] for at in range(len(other) - length + 1)}
    return (piece for at in range(len(text) - length + 1) if (piece := text[at : at + length]) in wanted)


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for sentence in sentences(text):
        start = text.index(sentence, at)
        at = start + len(sentence)
        spans.append((start, at))
    return spans
