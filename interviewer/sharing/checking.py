"""What a person typed into the editor, checked field by field; nothing they typed is lost over a mistake."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from interviewer.errors import InterviewerError
from interviewer.models import LANGUAGES, Kind, Question
from interviewer.sharing.fields import ORDER, Path, build

Fault = Literal["empty", "long", "many", "number", "unknown", "pair", "invalid"]
"""What is wrong: nothing there, too long, too many, no number in range, no such choice, a half without its other."""

QUESTION_LIMIT, REFERENCE_LIMIT, POINT_LIMIT, LINE_LIMIT = 5_000, 50_000, 4_000, 1_000
TOPIC_LIMIT, ALIAS_LIMIT = 200, 200
"""Characters."""
MOST_POINTS, MOST_ALIASES, MOST_MISCONCEPTIONS = 40, 60, 40


class FieldFault(NamedTuple):
    path: Path
    fault: Fault


class EditError(InterviewerError):
    """An edit breaks rules; says which, by field."""

    def __init__(self, faults: tuple[FieldFault, ...]) -> None:
        named = ", ".join(f"{'.'.join(f.path)} ({f.fault})" for f in faults)
        super().__init__(f"The question can't be saved like this: {named}.", next_step="Correct these fields.")
        self.faults = faults


def checked(current: Question, values: Mapping[Path, Any]) -> Question:
    """The question these fields describe; what they leave out stays as `current` has it, save texts by language.

    Raises:
        EditError: naming every field with a fault.
    """
    faults = tuple(_faults(values))
    if faults:
        raise EditError(faults)
    try:
        return build(current.id, current.set, values)
    except ValidationError as error:
        places = tuple(FieldFault(tuple(str(part) for part in e["loc"]), "invalid") for e in error.errors())
        raise EditError(places) from error


def _faults(values: Mapping[Path, Any]) -> Iterator[FieldFault]:
    yield from _localized(values, ("question",), QUESTION_LIMIT, needed=True)
    yield from _localized(values, ("reference",), REFERENCE_LIMIT, needed=True)
    topic = values.get(("topic",), "")
    if not topic or len(topic) > TOPIC_LIMIT:
        yield FieldFault(("topic",), "long" if topic else "empty")
    if values.get(("kind",)) not in list(Kind):
        yield FieldFault(("kind",), "unknown")
    for name in ("difficulty", "frequency"):
        if values.get((name,)) not in range(1, 6):
            yield FieldFault((name,), "number")
    if len(values[ORDER]) > MOST_POINTS:
        yield FieldFault(ORDER, "many")
    for point_id in values[ORDER]:
        yield from _point(values, point_id)
    yield from _misconceptions(values.get(("misconceptions",), ()))
    for choice in values.get(("choices",), ()):
        if choice["enough"] not in range(1, 101):
            yield FieldFault(("choices",), "number")


def _point(values: Mapping[Path, Any], point_id: str) -> Iterator[FieldFault]:
    start = ("points", point_id)
    yield from _localized(values, (*start, "text"), POINT_LIMIT, needed=True)
    yield from _localized(values, (*start, "probe"), LINE_LIMIT)
    yield from _localized(values, (*start, "hint"), LINE_LIMIT)
    weight = values.get((*start, "weight"))
    if not isinstance(weight, int | float) or not 0 < weight <= 10:
        yield FieldFault((*start, "weight"), "number")
    for language in LANGUAGES:
        path = (*start, "aliases", language)
        aliases = values.get(path, ())
        if len(aliases) > MOST_ALIASES:
            yield FieldFault(path, "many")
        elif any(len(alias) > ALIAS_LIMIT for alias in aliases):
            yield FieldFault(path, "long")


def _misconceptions(entries: Any) -> Iterator[FieldFault]:
    if len(entries) > MOST_MISCONCEPTIONS:
        yield FieldFault(("misconceptions",), "many")
    for number, entry in enumerate(entries):
        path = ("misconceptions", str(number))
        if set(entry["text"]) != set(entry["correction"]) or not entry["text"]:
            yield FieldFault(path, "pair")
        elif any(len(text) > LINE_LIMIT for name in ("text", "correction") for text in entry[name].values()):
            yield FieldFault(path, "long")


def _localized(values: Mapping[Path, Any], start: Path, limit: int, *, needed: bool = False) -> Iterator[FieldFault]:
    texts = {language: values[(*start, language)] for language in LANGUAGES if (*start, language) in values}
    if needed and not any(text.strip() for text in texts.values()):
        yield FieldFault(start, "empty")
    for language, text in texts.items():
        if len(text) > limit:
            yield FieldFault((*start, language), "long")
