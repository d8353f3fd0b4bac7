"""Agreement of any grader with the labelled answers of the test split, and how steady, fast and dear it is."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from evals.agreement.figures import (
    Bin,
    Box,
    GroupFigures,
    Stability,
    Trial,
    box,
    confusion,
    group_figures,
    reliability,
    right_score,
    stability,
)
from evals.answers import ALWAYS, FOLDER, LABELS, TURNS
from evals.grading.data import Graded, labelled_answers
from interviewer.fencing import bounded
from interviewer.grading.builtin import VERSION
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.models import LANGUAGES, Frozen, Language

ROOT = Path(__file__).resolve().parents[2]
_LONGEST_EXAMPLE = 700
_WRONG = 0.5
"""A score this far from the right one can serve as an example of what goes wrong."""
_LETTERS = {verdict: letter for letter, verdict in LABELS.items()}
OnAnswer = Callable[[int, int], None]


class Usage(Protocol):
    """What an endpoint has counted so far."""

    @property
    def requests(self) -> int: ...
    @property
    def prompt_tokens(self) -> int: ...
    @property
    def completion_tokens(self) -> int: ...


class Prices(NamedTuple):
    """For a million tokens, in any currency; None where not known."""

    prompt: float | None = None
    completion: float | None = None


NO_PRICES = Prices()


class Spent(Frozen):
    """What an answer costs on average; tokens are None where the endpoint counts none, `price` also without prices."""

    requests: float
    prompt_tokens: float | None
    completion_tokens: float | None
    price: float | None


class Versions(Frozen):
    """What was measured, so that figures of different data or code are not compared.

    Attributes:
        grader: Version of the built-in grader.
        answers, bank, scorer, code, prompts: Beginnings of the SHA-256 of the labelled answers, the questions, the
            built-in grader's stored numbers, the code of all grading, and the prompts' lock file.
    """

    grader: str
    answers: str
    bank: str
    scorer: str
    code: str
    prompts: str


class Example(Frozen):
    """An answer that was graded wrong; `points` holds for each its text, the verdict given and the right one."""

    kind: str
    language: Language
    question: str
    answer: str
    given: float
    right: float
    points: tuple[tuple[str, str, str], ...]


class AgreementResult(Frozen):
    """Everything one run found.

    Attributes:
        grader: `builtin`, or `model` and its name.
        measured: The day.
        chosen: Answers graded, of `available` in the test split.
        fell_back: Graded by the built-in grader because the model failed; they count as delivered.
        ungraded: Not graded at all; no other figure counts them.
        given: The verdicts on each answer's points, in the letters of the labels; empty for an answer that was not
            graded. They make the figures, and show which answers a change has touched.
        groups: All, each language, each kind.
        confusion: Rows are right verdicts, columns given ones: covered, partial, missing, contradicted.
        retest: The same answers a second time; `reordered`, with the points in reverse. None where not tried.
        milliseconds: Median of an answer's time; `milliseconds_95` is above 95% of them.
    """

    grader: str
    measured: str
    versions: Versions
    chosen: int
    available: int
    fell_back: int
    ungraded: int
    given: tuple[str, ...]
    groups: tuple[GroupFigures, ...]
    boxes: tuple[Box, ...]
    confusion: tuple[tuple[int, ...], ...]
    reliability: tuple[Bin, ...]
    retest: Stability | None
    reordered: Stability | None
    milliseconds: float
    milliseconds_95: float
    spent: Spent | None
    examples: tuple[Example, ...]

    def group(self, name: str) -> GroupFigures | None:
        return next((group for group in self.groups if group.name == name), None)


def unseen_answers(limit: int | None = None) -> tuple[list[Graded], int]:
    """The labelled answers of the test split, or about `limit` of them by whole questions; and how many there are."""
    rows = labelled_answers("test")
    return (rows if limit is None else _whole_questions(rows, limit)), len(rows)


def measure(
    grader: Grader,
    name: str,
    rows: Sequence[Graded],
    *,
    available: int = 0,
    repeat: bool = True,
    usage: Callable[[], Usage] | None = None,
    prices: Prices = NO_PRICES,
    on_answer: OnAnswer = lambda done, total: None,
) -> AgreementResult:
    """Grades `rows` once, and with `repeat` a second time and with the points in reverse.

    Args:
        usage: What the endpoint has counted so far; None where nothing is counted.
    """
    total, done = len(rows) * (3 if repeat else 1), 0

    def run(answers: Iterable[Graded]) -> list[Trial]:
        nonlocal done
        found = []
        for row in answers:
            found.append(_graded(grader, row))
            done += 1
            on_answer(done, total)
        return found

    before = usage() if usage else None
    first = run(rows)
    after = usage() if usage else None
    second = run(rows) if repeat else None
    reverse = run(map(_reversed, rows)) if repeat else None
    graded = [trial for trial in first if trial.grade.points]
    spans = [1000 * trial.seconds for trial in first]
    return AgreementResult(
        grader=name,
        measured=datetime.now(UTC).date().isoformat(),
        versions=versions(),
        chosen=len(rows),
        available=available or len(rows),
        fell_back=sum(t.grade.grader.name == "builtin" for t in graded) if name != "builtin" else 0,
        ungraded=len(first) - len(graded),
        given=tuple("".join(_LETTERS[point.verdict] for point in trial.grade.points) for trial in first),
        groups=tuple(group_figures(key, found) for key, found in _groups(graded)),
        boxes=tuple(box(key, found) for key, found in _by_kind(graded)),
        confusion=confusion(graded),
        reliability=reliability(graded),
        retest=stability(first, second) if second else None,
        reordered=stability(first, reverse) if reverse else None,
        milliseconds=round(float(np.median(spans)), 1) if spans else 0.0,
        milliseconds_95=round(float(np.percentile(spans, 95)), 1) if spans else 0.0,
        spent=_spent(before, after, len(rows), prices) if before and after and rows else None,
        examples=_examples(graded),
    )


def versions() -> Versions:
    """Of the data, code and prompts as they are now."""
    from prompts import __file__ as prompts

    return Versions(
        grader=VERSION,
        answers=_hash(FOLDER.glob("*.yaml")),
        bank=_hash((ROOT / "knowledge" / "bank").rglob("*.yaml")),
        scorer=_hash((ROOT / "interviewer" / "grading" / "data").iterdir()),
        code=_hash((ROOT / "interviewer" / "grading").glob("*.py")),
        prompts=_hash([Path(str(prompts)).with_name("prompts.lock")]),
    )


def _hash(paths: Iterable[Path]) -> str:
    """12 hex digits over names and contents, in the order of the names."""
    found = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file()):
        found.update(f"{path.name}\0".encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()[:12]


def _graded(grader: Grader, row: Graded) -> Trial:
    context = GradingContext(language=row.language, asked=(row.question.asked_in(row.language),))
    start = perf_counter()
    grade = grader.grade(row.question, row.answer, context)
    return Trial(row, grade, perf_counter() - start)


def _reversed(row: Graded) -> Graded:
    question = row.question.model_copy(update={"points": row.question.points[::-1]})
    labels = row.labels[::-1] if row.labels is not None else None
    return row._replace(question=question, labels=labels, label=row.label[::-1])


def _whole_questions(rows: Sequence[Graded], limit: int) -> list[Graded]:
    """Evenly spread questions with all their answers, as many as bring at least `limit` answers or all of them."""
    by_question: dict[str, list[Graded]] = defaultdict(list)
    for row in rows:
        by_question[row.group].append(row)
    groups = list(by_question.values())
    wanted = min(len(groups), max(1, round(limit * len(groups) / max(1, len(rows)))))
    picked = [groups[n * len(groups) // wanted] for n in range(wanted)]
    return [row for group in picked for row in group]


def kind_of(row: Graded) -> str:
    return row.source.partition("/")[2]


def _by_kind(trials: Sequence[Trial]) -> list[tuple[str, list[Trial]]]:
    found = ((kind, [t for t in trials if kind_of(t.row) == kind]) for kind in (*ALWAYS, *TURNS))
    return [(kind, group) for kind, group in found if group]


def _groups(trials: Sequence[Trial]) -> list[tuple[str, list[Trial]]]:
    if not trials:
        return []
    by_language = ((language, [t for t in trials if t.row.language == language]) for language in LANGUAGES)
    return [("all", list(trials)), *((name, found) for name, found in by_language if found), *_by_kind(trials)]


def _spent(before: Usage, after: Usage, answers: int, prices: Prices) -> Spent:
    prompt = (after.prompt_tokens - before.prompt_tokens) / answers
    completion = (after.completion_tokens - before.completion_tokens) / answers
    counted = prompt + completion > 0
    price = None
    if counted and prices.prompt is not None and prices.completion is not None:
        price = round((prompt * prices.prompt + completion * prices.completion) / 1e6, 6)
    return Spent(
        requests=round((after.requests - before.requests) / answers, 2),
        prompt_tokens=round(prompt, 1) if counted else None,
        completion_tokens=round(completion, 1) if counted else None,
        price=price,
    )


def _examples(trials: Sequence[Trial]) -> tuple[Example, ...]:
    """The answer that got most too much, the one that got most too little, and the worst of any further kind."""
    worst = sorted((t for t in trials if abs(_error(t)) >= _WRONG), key=lambda t: (-abs(_error(t)), t.row.group))
    picked = [t for t in worst if _error(t) > 0][:1] + [t for t in worst if _error(t) < 0][:1]
    kinds = {t.row.source for t in picked}
    picked += [t for t in worst if t.row.source not in kinds][:1]
    return tuple(map(_example, picked))


def _error(trial: Trial) -> float:
    return trial.score - right_score(trial.row)


def _example(trial: Trial) -> Example:
    row, given = trial.row, trial.verdicts
    points = zip(row.question.points, row.label, strict=True)
    return Example(
        kind=kind_of(row),
        language=row.language,
        question=row.question.asked_in(row.language),
        answer=bounded(row.answer, _LONGEST_EXAMPLE).text,
        given=trial.score,
        right=round(right_score(row), 1),
        points=tuple((p.in_language(row.language), given[p.id].value, LABELS[letter].value) for p, letter in points),
    )
