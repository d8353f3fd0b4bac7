"""A question as the fields that can change on their own, and back: what edits, comparisons and merges work on."""

from collections.abc import Iterable, Mapping
from typing import Any

from interviewer.models import Question

Path = tuple[str, ...]
"""Names a field: `("question", "zh")`, `("points", "p1", "weight")`, `("points", "p1", "text", "en")`."""

Fields = dict[Path, Any]
"""JSON values by path; what a question lacks is not there."""

ORDER: Path = ("points",)
"""The ids of the points in their order."""

_TEXTS = ("question", "reference")
_WHOLE = ("topic", "tags", "kind", "difficulty", "frequency", "level", "misconceptions", "source", "further", "choices")
_OF_POINT = ("text", "aliases", "probe", "hint")


def fields(question: Question) -> Fields:
    """All fields of a question but its id and set; the phase a point belongs to is a field of the point."""
    content = question.model_dump(mode="json")
    found: Fields = {(name,): content[name] for name in _WHOLE}
    found |= {(name, language): text for name in _TEXTS for language, text in content[name].items()}
    found[("phases",)] = [{key: v for key, v in phase.items() if key != "points"} for phase in content["phases"]]
    phase_of = {point_id: phase["id"] for phase in content["phases"] for point_id in phase["points"]}
    found[ORDER] = [point["id"] for point in content["points"]]
    for point in content["points"]:
        found |= _of_point(point, phase_of.get(point["id"]))
    return found


def _of_point(point: Mapping[str, Any], phase: str | None) -> Fields:
    start = ("points", point["id"])
    found: Fields = {(*start, "weight"): point["weight"], (*start, "label"): point["label"]}
    found |= {(*start, name, language): text for name in _OF_POINT for language, text in point[name].items()}
    return found if phase is None else found | {(*start, "phase"): phase}


def build(id: str, set: str, values: Mapping[Path, Any]) -> Question:
    """The question these fields describe.

    A choice loses points that are gone, and goes where it leaves nothing to choose.
    A point that names no phase of the question, or one that is gone, belongs to the last one.

    Raises:
        pydantic.ValidationError: if they describe none.
    """
    content: dict[str, Any] = {name: values[(name,)] for name in _WHOLE if (name,) in values}
    content |= {name: _localized(values, (name,)) for name in _TEXTS}
    ids = list(values[ORDER])
    content["points"] = [_point(values, point_id) for point_id in ids]
    content["phases"] = _phases(values, ids)
    content["choices"] = _choices(values, ids)
    return Question.model_validate({"id": id, "set": set, **content})


def point_ids(paths: Iterable[Path]) -> frozenset[str]:
    """The points that any of these fields belongs to."""
    return frozenset(path[1] for path in paths if len(path) > 2 and path[0] == "points")


def fields_of_point(values: Mapping[Path, Any], point_id: str) -> Fields:
    return {path: value for path, value in values.items() if path[:2] == ("points", point_id) and len(path) > 2}


def _point(values: Mapping[Path, Any], point_id: str) -> dict[str, Any]:
    start = ("points", point_id)
    point: dict[str, Any] = {name: _localized(values, (*start, name)) for name in _OF_POINT}
    for name in ("weight", "label"):
        if (*start, name) in values:
            point[name] = values[(*start, name)]
    return {"id": point_id, **point}


def _phases(values: Mapping[Path, Any], ids: list[str]) -> list[dict[str, Any]]:
    phases: list[dict[str, Any]] = [{**phase, "points": []} for phase in values.get(("phases",), ())]
    by_id = {phase["id"]: phase for phase in phases}
    for point_id in ids if phases else ():
        by_id.get(values.get(("points", point_id, "phase")), phases[-1])["points"].append(point_id)
    return phases


def _choices(values: Mapping[Path, Any], ids: list[str]) -> list[dict[str, Any]]:
    """Without points that are gone or stand in a choice before, and without choices that leave nothing to choose."""
    left = set(ids)
    found: list[dict[str, Any]] = []
    for choice in values.get(("choices",), ()):
        points = [point_id for point_id in ids if point_id in choice["points"] and point_id in left]
        left -= set(points)
        if len(points) > choice["enough"]:
            found.append({"points": points, "enough": choice["enough"]})
    return found


def _localized(values: Mapping[Path, Any], start: Path) -> dict[str, Any]:
    return {path[-1]: value for path, value in values.items() if path[:-1] == start}
