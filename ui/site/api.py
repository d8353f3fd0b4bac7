"""The API's own page: its description, drawn here, so that nothing is loaded from elsewhere."""

from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.responses import Response

from ui.api.application import ADDRESS
from ui.site.visit import Visiting


class Field(NamedTuple):
    """A parameter or a field of a body: where it goes, its name, its type in words."""

    place: str
    name: str
    type: str
    required: bool


class Operation(NamedTuple):
    """An address and a method; `scope` is what a token needs, empty for any."""

    id: str
    method: str
    path: str
    scope: str
    fields: tuple[Field, ...]
    replies: tuple[str, ...]


def add_api_page(web: FastAPI) -> None:
    """Serves `/{language}/api`."""

    @web.get("/{language}/api")
    def page(visit: Visiting) -> Response:
        described = visit.request.app.state.api.openapi()
        root = str(visit.request.base_url).rstrip("/") + ADDRESS
        return visit.page("api", current="account", groups=operations(described), address=ADDRESS, root=root)


def operations(described: dict[str, Any]) -> dict[str, list[Operation]]:
    """The operations by their group, in the order of the description."""
    groups: dict[str, list[Operation]] = {}
    for path, item in described["paths"].items():
        for method, found in item.items():
            operation = Operation(
                id=found["operationId"],
                method=method.upper(),
                path=path,
                scope=found["x-scope"] or "",
                fields=(*_parameters(found), *_body(found, described)),
                replies=tuple(found["responses"]),
            )
            groups.setdefault(found["tags"][-1].replace(" ", "_"), []).append(operation)
    return groups


def _parameters(found: dict[str, Any]) -> list[Field]:
    return [
        Field(given["in"], given["name"], _type(given["schema"]), given.get("required", False))
        for given in found.get("parameters", [])
    ]


def _body(found: dict[str, Any], described: dict[str, Any]) -> list[Field]:
    content = found.get("requestBody", {}).get("content", {})
    fields = []
    for kind, media in content.items():
        schema = _resolved(media["schema"], described)
        place = "json" if kind == "application/json" else "form"
        required = schema.get("required", [])
        fields += [
            Field(place, name, _type(given), name in required) for name, given in schema.get("properties", {}).items()
        ]
    return fields


def _resolved(schema: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    resolved: dict[str, Any] = described["components"]["schemas"][name] if name else schema
    return resolved


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    if schema.get("contentMediaType") or schema.get("format") == "binary":
        return "file"
    return str(schema.get("const", schema.get("type", "any")))
