"""What a model is asked to reply, and the reading of what it sent."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from interviewer.models import Language, Verdict
from interviewer.prompts import Prompt

_MAX_PROBLEMS = 6
_PROBLEMS: dict[Language, dict[str, str]] = {
    "zh": {
        "no_object": "它不是一个 JSON 对象。",
        "no_points": "里面没有 “points” 对象。",
        "two_verdicts": "{id} 有两个判定；每个要点只写一次。",
        "no_verdict": "这些要点没有判定：{ids}。",
    },
    "en": {
        "no_object": "It is not one JSON object.",
        "no_points": 'It has no object "points".',
        "two_verdicts": "{id} has two verdicts; give each point once.",
        "no_verdict": "These points have no verdict: {ids}.",
    },
}
_LONGEST_ID = 12
_POINT_ID = re.compile(r"(\d+)")


class Reply(BaseModel):
    """Part of a reply. Fields beyond those asked for are dropped, never used."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        json_schema_extra={"additionalProperties": False},
    )

    @field_validator("reason", "quote", "correction", mode="before", check_fields=False)
    @classmethod
    def _absent_is_empty(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator("verdict", mode="before", check_fields=False)
    @classmethod
    def _any_case(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value


class PointReply(Reply):
    """The verdict on one point."""

    reason: str
    """One short sentence why, written before deciding."""
    verdict: Literal["covered", "partial", "missing", "contradicted"]
    """What the answer says about the point."""
    quote: str
    """The shortest passage of the answer that proves the verdict, copied exactly; empty for missing."""
    correction: str
    """What is true, for a contradicted point; otherwise empty."""

    @model_validator(mode="before")
    @classmethod
    def _left_out_is_empty(cls, value: Any) -> Any:
        """Models that aren't held to the schema leave out what would be empty."""
        return {"quote": "", "correction": "", **value} if isinstance(value, dict) else value


class BeyondReply(Reply):
    """Something right that no point asks for."""

    quote: str
    """The candidate's words, copied exactly."""
    passage: int
    """The number of the passage that supports it."""


class GradeReply(Reply):
    """Verdicts on all points of one answer."""

    points: dict[str, PointReply]
    """The verdict on every point, by its id."""
    beyond: list[BeyondReply]
    """Correct statements that no point asks for and a passage supports; usually none."""
    comment: str
    """Two short spoken sentences to the candidate on clarity and order; no score."""


class RecheckedPoint(Reply):
    """A second opinion on one point."""

    reason: str
    """One short sentence why, written before deciding."""
    verdict: Literal["covered", "partial", "missing", "contradicted"]
    """What the passage alone says about the statement."""


class RecheckReply(Reply):
    """Second opinions."""

    points: dict[str, RecheckedPoint]
    """The second opinion on every item, by its id."""


class ExtractedPoint(Reply):
    """One checkable statement of a reference answer."""

    quote: str
    """The passage of the reference it comes from, copied exactly."""
    text: str
    """The statement as one short sentence that stands alone."""
    weight: int
    """3 for the heart of the answer, 2 for what a good answer should have, 1 for detail."""


class PointsReply(Reply):
    """The points of a reference answer."""

    points: list[ExtractedPoint]
    """In the order of the reference."""


class Read(NamedTuple):
    """A grade reply as read; it can be used only where `problems` is empty."""

    points: dict[str, PointReply]
    beyond: tuple[BeyondReply, ...]
    comment: str
    problems: tuple[str, ...]


def reply_schema(model: type[Reply], prompt: Prompt, ids: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON schema of a reply without references, which some servers do not follow.

    Args:
        prompt: The one the reply is for: what it says of the fields stands in the schema, in its own language.
        ids: Of the points, where the reply has something to say of each: none of them can be left out then. In a list,
            small models stop after the first. Only the first has its fields described, since a model pays for what it
            reads.
    """
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    described = _described(schema, definitions, prompt.head.fields)
    points = described["properties"]["points"]
    if ids:
        silent = _described(schema, definitions, {})["properties"]["points"]["additionalProperties"]
        each = {ids[0]: points["additionalProperties"], **dict.fromkeys(ids[1:], silent)}
        points.update(properties=each, required=list(ids), additionalProperties=False)
    return {"title": model.__name__, **described}


def read_grade(text: str, ids: tuple[str, ...], language: Language) -> Read:
    """The verdicts for `ids` in a model's reply, and what keeps it from being used.

    Points may stand in a list, each with its id. Unknown ids are dropped where every known one is there; a flaw in
    `beyond` or `comment` costs only that. Problems are told in `language`, for the model.
    """
    tell = _PROBLEMS[language]
    value = read_object(text)
    items = _by_id(value.get("points")) if value is not None else None
    if value is None or items is None:
        what = tell["no_object" if value is None else "no_points"]
        return Read({}, (), "", (what,))
    points: dict[str, PointReply] = {}
    problems: list[str] = []
    for point_id, item in items:
        point = _valid(PointReply, item)
        if isinstance(point, str):
            problems.append(f"points.{point_id}: {point}")
        elif points.setdefault(point_id, point).verdict != point.verdict:
            problems.append(tell["two_verdicts"].format(id=point_id))
    missing = [point_id for point_id in ids if point_id not in points]
    if missing:
        problems.append(tell["no_verdict"].format(ids=", ".join(missing)))
    beyond = [_valid(BeyondReply, item) for item in _list(value.get("beyond"))]
    comment = value.get("comment")
    return Read(
        {point_id: points[point_id] for point_id in ids if point_id in points},
        tuple(item for item in beyond if isinstance(item, BeyondReply)),
        comment.strip() if isinstance(comment, str) else "",
        tuple(problems[:_MAX_PROBLEMS]),
    )


def read_recheck(text: str) -> dict[str, Verdict]:
    """Second opinions by id; those that can't be read are left out."""
    items = [
        (point_id, _valid(RecheckedPoint, item))
        for point_id, item in _by_id((read_object(text) or {}).get("points")) or ()
    ]
    return {point_id: Verdict(item.verdict) for point_id, item in items if isinstance(item, RecheckedPoint)}


def read_points(text: str) -> tuple[ExtractedPoint, ...]:
    """Extracted points; those that can't be read are left out."""
    items = [_valid(ExtractedPoint, item) for item in _list((read_object(text) or {}).get("points"))]
    return tuple(item for item in items if isinstance(item, ExtractedPoint))


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object in `text`; None if it is none, or says two things of one name."""
    try:
        value = json.loads(text, strict=False, object_pairs_hook=_unambiguous)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if found.setdefault(name, value) != value:
            raise ValueError(name)
    return found


def _by_id(points: Any) -> list[tuple[str, Any]] | None:
    """What is said of each point, with its id as it was given to the model; None where it is neither an object nor a
    list.
    """
    if isinstance(points, dict):
        return [(_as_given(key), item) for key, item in points.items()]
    if isinstance(points, list):
        return [(_as_given(item.get("id")) if isinstance(item, dict) else "", item) for item in points]
    return None


def _as_given(point_id: Any) -> str:
    number = _POINT_ID.search(str(point_id))
    return f"p{number[1]}" if number and len(str(point_id)) <= _LONGEST_ID else str(point_id)[:_LONGEST_ID]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _valid(model: type[Reply], item: Any) -> Any:
    """The item, or what is wrong with it, without repeating what it said."""
    try:
        return model.model_validate(item)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        return f"{'.'.join(str(part) for part in first['loc']) or 'item'}: {first['msg']}"


def _described(part: dict[str, Any], definitions: Any, fields: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """A part of a schema with its references filled in, and of its texts only those of `fields`.

    What stands in a list or under keys of its own is part of the field it stands in.
    """
    if "$ref" in part:
        return _described(definitions[part["$ref"].rsplit("/", 1)[1]], definitions, fields, path)
    out = {key: value for key, value in part.items() if key not in ("title", "description")}
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict):
            out[key] = _described(part[key], definitions, fields, path)
    if "properties" in part:
        out["properties"] = {
            name: _told(fields.get(path + name)) | _described(each, definitions, fields, f"{path}{name}.")
            for name, each in part["properties"].items()
        }
    return out


def _told(text: str | None) -> dict[str, str]:
    return {"description": text} if text else {}
