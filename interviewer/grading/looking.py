"""What is known of the points of a question once an answer is given: evidence, more of it, and what may be wrong."""

from collections.abc import Sequence
from typing import NamedTuple

from interviewer.grading.asides import collect_served
from interviewer.grading.evidence import Collector, Evidence, Reader, Target
from interviewer.grading.nearness import describe_nearness
from interviewer.grading.overlap import Overlaps
from interviewer.grading.scoring import FOUND_FEATURES, GIVEN_FEATURES, Scorer
from interviewer.grading.suspicion import Inspector
from interviewer.grading.windows import Answer
from interviewer.grading.wrong import Doubt, Wrong, doubt_points, find_wrong
from interviewer.models import Language, Point, Question


class Looked(NamedTuple):
    """One point.

    Attributes:
        more: The numbers that follow those of the evidence: by `GIVEN_FEATURES`, or by `FOUND_FEATURES`.
        wrong: What a rule found.
        suspected: The sentence that is most likely wrong about it.
    """

    evidence: Evidence
    more: tuple[float, ...]
    wrong: Wrong | None
    suspected: Wrong | None


class _Seen(NamedTuple):
    evidence: Evidence
    doubt: Doubt
    wrong: Wrong | None


def look_at_given(
    reader: Reader,
    scorer: Scorer,
    answer: Answer,
    targets: Sequence[Target],
    question: Question,
    language: Language,
    asked: str,
) -> list[Looked]:
    """Every point of `question`, which people wrote, seen in the answer without its asides.

    Args:
        scorer: Its `serves` and its `suspicion` are used.
        targets: The points of `question`.
        asked: Everything the interviewer said, as one text.
    """
    mistakes = list_mistakes(question, language)
    collector = collect_served(reader, answer, targets, asked, scorer.serves, mistakes)
    seen = _see(reader, scorer, collector, question, language)
    if seen is None:
        return _nothing(collector, len(GIVEN_FEATURES))
    near = describe_nearness(reader, collector, asked)
    return [
        Looked(each.evidence, (*more, *each.doubt.logits), each.wrong, each.doubt.wrong)
        for each, more in zip(seen, near, strict=True)
    ]


def list_mistakes(question: Question, language: Language) -> list[str]:
    """What people get wrong about the question, as far as the bank knows it in this language."""
    return [text for each in question.misconceptions if (text := each.text.get(language))]


def look_at_found(
    reader: Reader,
    scorer: Scorer,
    answer: Answer,
    targets: Sequence[Target],
    question: Question,
    language: Language,
    asked: str,
) -> list[Looked]:
    """Every point of `question`, which was found in its reference; arguments as for `look_at_given`."""
    collector = collect_served(reader, answer, targets, asked, scorer.serves)
    seen = _see(reader, scorer, collector, question, language)
    if seen is None:
        return _nothing(collector, len(FOUND_FEATURES))
    said = " ".join(window.text for window in collector.answer.windows if window.sentences == 1)
    overlaps = Overlaps(said, asked)
    found: list[Looked] = []
    for at, (evidence, doubt, wrong) in enumerate(seen):
        turned = (doubt.wrong.confidence if doubt.wrong else 0.0, wrong.share if wrong else 0.0)
        overlap = overlaps.with_point(collector.targets[at].text)
        found.append(Looked(evidence, (*overlap, *turned), wrong, doubt.wrong))
    return found


def _see(
    reader: Reader, scorer: Scorer, collector: Collector, question: Question, language: Language
) -> list[_Seen] | None:
    """None where the answer says nothing."""
    points: Sequence[Point] = question.points
    evidence = [collector.collect(at) for at in range(len(points))]
    if all(each.window is None for each in evidence):
        return None
    doubts = doubt_points(scorer, Inspector(reader, collector, question, language), len(points))
    rules = [find_wrong(reader, collector, at, point, question) for at, point in enumerate(points)]
    return [_Seen(*each) for each in zip(evidence, doubts, rules, strict=True)]


def _nothing(collector: Collector, numbers: int) -> list[Looked]:
    evidence = [collector.collect(at) for at in range(len(collector.targets))]
    return [Looked(each, (0.0,) * (numbers - len(each.values)), None, None) for each in evidence]
