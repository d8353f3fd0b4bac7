"""What the grading prompt is filled with; everything people or documents wrote is fenced and bounded here."""

from collections.abc import Sequence
from typing import NamedTuple

from interviewer.fencing import bounded, fenced, one_line
from interviewer.grading.examples import WorkedExample
from interviewer.grading.protocol import GradingContext, Passage
from interviewer.grading.terms import keys
from interviewer.models import Misconception, Point, Question

MAX_ANSWER = 12_000
"""Characters of an answer that are shown to a model; of a longer one the middle is left out, and said to be."""
_MAX_QUESTION = 3000
_MAX_LINE = 600
_MAX_PASSAGE = 600
_MAX_PASSAGES = 5
_MAX_ASKED = 8
_MAX_EXAMPLE = 1000
_MAX_MISCONCEPTIONS = 6
_MAX_OBJECTION = 1000
_NONE = "-"


class GradingPrompt(NamedTuple):
    """Values for `grade-answer`, and what was left out.

    Attributes:
        ids: The short id (`p1`, `p2`, …) under which each point was shown, in order.
        passages: The passages shown, the first being number 1.
        shown: The answer as shown, before fencing; quotes are looked for here.
        cut: Characters of the answer that were left out.
    """

    values: dict[str, str]
    ids: tuple[str, ...]
    passages: tuple[Passage, ...]
    shown: str
    cut: int


def grading_prompt(
    question: Question, answer: str, context: GradingContext, examples: Sequence[WorkedExample] = ()
) -> GradingPrompt:
    """The prompt's values for one answer; `examples` show the model how strict to be."""
    ids = tuple(f"p{number}" for number in range(1, len(question.points) + 1))
    said = bounded(answer, MAX_ANSWER)
    passages = context.passages[:_MAX_PASSAGES]
    lines = [_point(short, point, context) for short, point in zip(ids, question.points, strict=True)]
    values = {
        "question": fenced_question(question, context),
        "points": "\n".join(lines) or _NONE,
        "misconceptions": _misconceptions(question, said.text, context),
        "asked": _asked(question, context),
        "passages": "\n".join(f"[{n}]\n{fenced(p.text[:_MAX_PASSAGE])}" for n, p in enumerate(passages, 1)) or _NONE,
        "objection": fenced(bounded(context.objection, _MAX_OBJECTION).text) if context.objection else _NONE,
        "answer": fenced(said.text),
        "examples": "\n\n".join(_example(n, example) for n, example in enumerate(examples, 1)) or _NONE,
    }
    return GradingPrompt(values, ids, passages, said.text, said.cut)


def fenced_question(question: Question, context: GradingContext) -> str:
    """The question as put in the interview's language, fenced: imported ones come from anywhere."""
    return fenced(bounded(question.asked_in(context.language), _MAX_QUESTION).text)


def point_line(short: str, point: Point, context: GradingContext) -> str:
    """A point under its short id, on one line."""
    return f"[{short}] {one_line(point.in_language(context.language), _MAX_LINE)}"


def _point(short: str, point: Point, context: GradingContext) -> str:
    names = [name for group in point.aliases.values() for name in group]
    also = one_line(", ".join(dict.fromkeys(names)), _MAX_LINE // 2)
    return point_line(short, point, context) + (f"\n     = {also}" if also else "")


def _example(number: int, example: WorkedExample) -> str:
    asked = fenced(bounded(example.question, _MAX_LINE).text)
    verdicts = "\n".join(f"{verdict.value}: {one_line(text, _MAX_LINE)}" for text, verdict in example.verdicts)
    return f"({number}) {asked}\n---\n{fenced(bounded(example.answer, _MAX_EXAMPLE).text)}\n---\n{verdicts}"


def _misconceptions(question: Question, answer: str, context: GradingContext) -> str:
    lines = []
    for misconception in _likeliest(question.misconceptions, answer):
        wrong = misconception.text.get(context.language) or next(iter(misconception.text.values()))
        right = misconception.correction.get(context.language) or next(iter(misconception.correction.values()))
        lines.append(f"- ✗ {one_line(wrong, _MAX_LINE)}\n  ✓ {one_line(right, _MAX_LINE)}")
    return "\n".join(lines) or _NONE


def _likeliest(known: Sequence[Misconception], answer: str) -> list[Misconception]:
    """Those that share most words with the answer, in their own order: a model pays for every line it reads."""
    said = frozenset(keys(answer))
    shared = [len(said.intersection(keys(" ".join(each.text.values())))) for each in known]
    chosen = sorted(range(len(known)), key=lambda at: -shared[at])[:_MAX_MISCONCEPTIONS]
    return [known[at] for at in sorted(chosen)]


def _asked(question: Question, context: GradingContext) -> str:
    own = set(question.question.values())
    others = [text for text in context.asked if text not in own]
    return "\n".join(fenced(text[:_MAX_LINE]) for text in others[-_MAX_ASKED:]) or _NONE
