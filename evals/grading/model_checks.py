"""What the checks on a model's verdicts cost a model that is right: verdicts overturned and second calls.

A perfect model is simulated: it knows the labels of the battery, quotes the sentence nearest to each point, and repeats
its verdict when asked again. Every verdict the checks change is a point an honest candidate loses.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from evals.answers import LABELS
from evals.grading.data import Graded, battery
from interviewer.chat import ChatMessage
from interviewer.fencing import neutral
from interviewer.grading.guarded import GuardedGrader
from interviewer.grading.model import ModelGrader
from interviewer.grading.model_words import units
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.language import sentences
from interviewer.models import Frozen, Grade

_ITEM = re.compile(r"^\[(p\d+)\] (.*)$", re.MULTILINE)


class ChecksResult(Frozen):
    """Counts over all answers.

    Attributes:
        kept: Verdicts that came through as the perfect model gave them.
        overturned: Those that did not.
        calls: Requests to the model; one an answer is the least.
        mean_loss: Mean of right score minus given score, 0..10.
    """

    answers: int
    kept: int
    overturned: int
    calls: int
    mean_loss: float

    @property
    def overturned_share(self) -> float:
        """0..1"""
        return self.overturned / (self.kept + self.overturned)

    @property
    def calls_per_answer(self) -> float:
        return self.calls / self.answers


class PerfectModel:
    """A chat model that knows what is right for one answer."""

    name = "perfect"

    def __init__(self, row: Graded) -> None:
        self._row = row
        self.calls = 0

    def stream_json(self, messages: list[ChatMessage], schema: dict[str, Any]) -> Iterator[str]:
        self.calls += 1
        text = messages[-1].content
        verdicts = dict(self._recheck(text)) if "<answer>" not in text else dict(self._first())
        points = [{"id": key, "reason": "It is so.", "correction": "", **value} for key, value in verdicts.items()]
        yield json.dumps({"points": points, "beyond": [], "comment": "Good."})

    def _first(self) -> Iterator[tuple[str, dict[str, str]]]:
        said = sentences(self._row.answer)
        for number, (point, letter) in enumerate(zip(self._row.question.points, self._row.label, strict=True), 1):
            verdict = LABELS[letter].value
            wanted = units(point.in_language(self._row.language))
            nearest = max(said, key=lambda sentence: len(units(sentence) & wanted), default="")
            yield f"p{number}", {"verdict": verdict, "quote": "" if verdict == "missing" else nearest}

    def _recheck(self, text: str) -> Iterator[tuple[str, dict[str, str]]]:
        known = zip(self._row.question.points, self._row.label, strict=True)
        letters = {neutral(point.in_language(self._row.language)): letter for point, letter in known}
        for key, point in _ITEM.findall(text):
            yield key, {"verdict": LABELS[letters[point]].value}


def check_costs(builtin: Grader, rows: Sequence[Graded] | None = None) -> ChecksResult:
    """Grades every answer of the battery by the perfect model, held against `builtin`."""
    kept = overturned = calls = 0
    losses: list[float] = []
    for row in rows if rows is not None else battery():
        model = PerfectModel(row)
        context = GradingContext(language=row.language)
        grade = GuardedGrader(ModelGrader(model, builtin)).grade(row.question, row.answer, context)
        calls += model.calls
        same = [p.verdict == LABELS[letter] for p, letter in zip(grade.points, row.label, strict=True)]
        kept += sum(same)
        overturned += len(same) - sum(same)
        losses.append((_right(grade, row.label).score or 0.0) - (grade.score or 0.0))
    loss = round(sum(losses) / len(losses), 2)
    return ChecksResult(answers=len(losses), kept=kept, overturned=overturned, calls=calls, mean_loss=loss)


def _right(grade: Grade, letters: str) -> Grade:
    points = zip(grade.points, letters, strict=True)
    right = tuple(p.model_copy(update={"verdict": LABELS[letter], "before": None}) for p, letter in points)
    return grade.model_copy(update={"points": right})
