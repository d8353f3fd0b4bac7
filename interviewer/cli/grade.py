"""`interviewer grade`: JSON lines in, JSON lines out, in order, each as soon as it is graded."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interviewer.errors import InterviewerError
from interviewer.grading.points import Rubric, extract
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.language import clean, detect
from interviewer.models import Choice, Grade, GraderInfo, Language, Point, Question

_HEAVIEST = 10.0


class _PointIn(BaseModel):
    """A point as given; fields of other tools are let through."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: str = Field(default="", max_length=80)
    text: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)


class _LineIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: Any = None
    question: str = ""
    reference: str = ""
    points: list[_PointIn] | None = None
    choices: list[Choice] = []
    answer: str
    language: Language | None = None


class _Task(NamedTuple):
    """A line that can be graded; `weights` as given, since a question's own are at most 10."""

    id: Any
    question: Question
    weights: dict[str, float]
    answer: str
    language: Language


class _BadLineError(Exception):
    def __init__(self, id: Any, reason: str) -> None:
        super().__init__(reason)
        self.id = id
        self.reason = reason


def grade_command(
    file: Annotated[
        Path | None, typer.Argument(help="JSON lines to grade; standard input where none is given.")
    ] = None,
    grader: Annotated[str, typer.Option(help="builtin, or model for the configured chat model.")] = "builtin",
) -> None:
    """Grade answers: one JSON object a line in, one a line out."""
    chosen = _choose(grader)
    _write_utf8()
    for result in grade_lines(_read(file), chosen):
        typer.echo(result)


def grade_lines(lines: Iterable[bytes], grader: Grader) -> Iterator[str]:
    """A JSON line for each line that is not blank, in order; what can't be graded says why."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _dump(_grade(_parse(line), grader))
        except _BadLineError as error:
            yield _dump(_ungraded(error.id, f"Line {number}: {error.reason}"))


def _grade(task: _Task, grader: Grader) -> dict[str, Any]:
    asked = tuple(filter(None, task.question.question.values()))
    grade = grader.grade(task.question, task.answer, GradingContext(language=task.language, asked=asked))
    return _result(task.id, grade, task.weights)


def _result(id: Any, grade: Grade, weights: dict[str, float]) -> dict[str, Any]:
    needed = {point.id for point in grade.needed}
    return {
        "id": id,
        "status": grade.status,
        "reason": grade.reason,
        "score": grade.score,
        "points": [
            {
                "id": point.id,
                "text": point.text,
                # So that the score follows from what is written.
                "weight": weights.get(point.id, point.weight) if point.id in needed else 0,
                "verdict": point.verdict.value,
                "quote": point.quote,
                "confidence": point.confidence,
            }
            for point in grade.points
        ],
        "grader": _grader(grade.grader),
    }


def _grader(info: GraderInfo) -> dict[str, Any]:
    prompt = info.prompt.model_dump() if info.prompt else None
    return {"name": info.name, "model": info.model, "prompt": prompt}


def _ungraded(id: Any, reason: str) -> dict[str, Any]:
    grade = Grade(status="ungraded", reason=reason, grader=GraderInfo(name="none"))
    return _result(id, grade, {})


def _parse(line: bytes) -> _Task:
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _BadLineError(None, f"not UTF-8 at byte {error.start}.") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise _BadLineError(None, f"not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise _BadLineError(None, "not a JSON object.")
    try:
        return _task(_LineIn.model_validate(found))
    except ValidationError as error:
        raise _BadLineError(_plain_id(found.get("id")), _complaint(error)) from error


def _task(line: _LineIn) -> _Task:
    text = clean(line.reference)
    language = line.language or detect(f"{line.question} {text}", detect(line.answer))
    asked = clean(line.question) or " "
    points, weights = _points(line, language) if line.points else ((), {})
    found = Rubric(points, _choices(line)) if line.points else extract(asked, text, language)
    if not found.points:
        raise _BadLineError(_plain_id(line.id), "neither points nor a reference to grade by.")
    question = Question(
        id="line",
        set="lines",
        question={language: asked},
        reference={language: text},
        **found._asdict(),
    )
    return _Task(_plain_id(line.id), question, weights, line.answer, language)


def _choices(line: _LineIn) -> tuple[Choice, ...]:
    chosen = [point_id for choice in line.choices for point_id in choice.points]
    unknown = sorted(set(chosen) - set(_ids(line)))
    if unknown:
        raise _BadLineError(_plain_id(line.id), f"a choice names points that are not given: {', '.join(unknown)}.")
    if len(chosen) != len(set(chosen)):
        raise _BadLineError(_plain_id(line.id), "a point stands in two choices.")
    return tuple(line.choices)


def _ids(line: _LineIn) -> list[str]:
    return [given.id or f"p{i}" for i, given in enumerate(line.points or (), start=1)]


def _points(line: _LineIn, language: Language) -> tuple[tuple[Point, ...], dict[str, float]]:
    """The points given, and their weights as given."""
    assert line.points
    ids = _ids(line)
    if len(set(ids)) < len(ids):
        raise _BadLineError(_plain_id(line.id), f"a point id is used twice: {', '.join(ids)}.")
    scale = min(1.0, _HEAVIEST / max(given.weight for given in line.points))
    pairs = list(zip(ids, line.points, strict=True))
    points = tuple(
        Point(id=id, weight=max(given.weight * scale, 1e-6), text={language: clean(given.text)}) for id, given in pairs
    )
    return points, {id: given.weight for id, given in pairs}


def _plain_id(id: Any) -> Any:
    return id if isinstance(id, str | int | float) or id is None else str(id)


def _complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}."


def _dump(result: dict[str, Any]) -> str:
    text = json.dumps(result, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(result)
    return text


def _read(file: Path | None) -> Iterator[bytes]:
    if file is None:
        yield from iter(sys.stdin.buffer.readline, b"")
        return
    try:
        with file.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise InterviewerError(
            f"{str(file)!r} can't be read: {error.strerror}.", next_step="Give the path of a file of JSON lines."
        ) from error


def _write_utf8() -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(encoding="utf-8", line_buffering=True)


def _choose(name: str) -> Grader:
    from interviewer.compose import compose
    from interviewer.settings import load_settings

    kinds: dict[str, Literal["builtin", "model"]] = {"builtin": "builtin", "model": "model"}
    if name not in kinds:
        raise InterviewerError(f"There is no grader {name!r}.", next_step="Choose builtin or model.")
    app = compose(load_settings())
    if kinds[name] == "builtin":
        return app.builtin_grader
    if app.chat_model is None:
        raise InterviewerError(
            "No chat model is configured.", next_step="Set INTERVIEWER_CHAT_MODEL, or use --grader builtin."
        )
    return app.grader
