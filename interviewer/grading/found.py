"""What is known of the points that were found in a reference: evidence, overlap, and what may be wrong about them."""

from collections.abc import Sequence
from typing import NamedTuple

from interviewer.grading.asides import collect_served
from interviewer.grading.evidence import Evidence, Reader, Target
from interviewer.grading.overlap import OVERLAP, Overlaps
from interviewer.grading.scoring import Scorer
from interviewer.grading.suspicion import Inspector
from interviewer.grading.windows import Answer
from interviewer.grading.wrong import Wrong, find_wrong, suspect
from interviewer.models import Language, Point, Question


class Looked(NamedTuple):
    """One point.

    Attributes:
        more: The numbers of `FOUND_FEATURES` after those of the evidence.
        wrong: What a rule found.
        suspected: The sentence that is most likely wrong about it.
    """

    evidence: Evidence
    more: tuple[float, ...]
    wrong: Wrong | None
    suspected: Wrong | None


def look_at_found(
    reader: Reader,
    scorer: Scorer,
    answer: Answer,
    targets: Sequence[Target],
    question: Question,
    language: Language,
    asked: str,
) -> list[Looked]:
    """Every point of `question`, seen in the answer without its asides.

    Args:
        scorer: Its `serves` and its `suspicion` are used.
        targets: The points of `question`.
        asked: Everything the interviewer said, as one text.
    """
    points: Sequence[Point] = question.points
    collector = collect_served(reader, answer, targets, asked, scorer.serves)
    evidence = [collector.collect(at) for at in range(len(points))]
    if all(each.window is None for each in evidence):
        return [Looked(each, (0.0,) * (len(OVERLAP) + 2), None, None) for each in evidence]
    suspected = suspect(scorer, Inspector(reader, collector, question, language), len(points))
    said = " ".join(window.text for window in collector.answer.windows if window.sentences == 1)
    overlaps = Overlaps(said, asked)
    found: list[Looked] = []
    for at, (each, doubt) in enumerate(zip(evidence, suspected, strict=True)):
        wrong = find_wrong(reader, collector, at, points[at], question) if each.window else None
        turned = (doubt.confidence if doubt else 0.0, wrong.share if wrong else 0.0)
        found.append(Looked(each, (*overlaps.with_point(collector.targets[at].text), *turned), wrong, doubt))
    return found
