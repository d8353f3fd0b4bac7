"""The API as an application of its own, with its own description."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from interviewer.compose import App
from interviewer.errors import AccessError, ConflictError, InterviewerError, NotFoundError
from ui.api import interviews, own, questions
from ui.api.asking import NotSignedInError, Scoped
from ui.api.limits import TOO_LARGE, Bounded
from ui.api.running import Runner
from ui.api.values import Problem

log = logging.getLogger(__name__)
ADDRESS = "/api/v1"
_PARTS = (questions, interviews, own)

_STATUS: tuple[tuple[type[InterviewerError], int], ...] = (
    (NotSignedInError, 401),
    (NotFoundError, 404),
    (AccessError, 403),
    (ConflictError, 409),
)
_SAID = {
    404: ("There is nothing at this address.", "Look it up in openapi.json."),
    405: ("This address does not take that method.", "Look it up in openapi.json."),
}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "It can't be done as asked."},
    401: {"model": Problem, "description": "No token, or one that is unknown, expired or revoked."},
    403: {"model": Problem, "description": "The token lacks the scope."},
    404: {"model": Problem, "description": "It is not there, or not yours."},
    409: {"model": Problem, "description": "Something else happened first."},
    413: {"model": Problem, "description": "Too much was sent."},
    422: {"model": Problem, "description": "A field is missing or wrong."},
}


def add_api(web: FastAPI, app: App) -> None:
    """Serves the API below `/api/v1`."""
    web.state.api = build_api(app)
    web.mount(ADDRESS, web.state.api)


def build_api(app: App) -> FastAPI:
    """The API for `app`; opens nothing."""
    api = FastAPI(
        title="Interviewer",
        version="1",
        description="Questions, interviews, reports and one's own data.",
        docs_url=None,
        redoc_url=None,
        responses=_PROBLEMS,
        separate_input_output_schemas=False,
    )
    api.state.interviewer = app
    api.state.runner = Runner(lambda: app.service)
    for part in _PARTS:
        api.include_router(part.router, generate_unique_id_function=lambda route: route.name)
    api.add_middleware(Bounded)
    _add_problems(api)
    api.openapi = lambda: _described(api)  # type: ignore[method-assign]
    return api


def _described(api: FastAPI) -> dict[str, Any]:
    """The description, with the scope that each address needs as `x-scope`."""
    if api.openapi_schema is None:
        found = get_openapi(
            title=api.title,
            version=api.version,
            description=api.description,
            routes=api.routes,
            servers=[{"url": ADDRESS}],
        )
        for route in (route for part in _PARTS for route in part.router.routes if isinstance(route, APIRoute)):
            for method in route.methods or ():
                found["paths"][route.path_format][method.lower()]["x-scope"] = _scope(route)
        api.openapi_schema = found
    return api.openapi_schema


def _scope(route: APIRoute) -> str | None:
    calls = (dependency.call for dependency in route.dependant.dependencies)
    return next((call.scope for call in calls if isinstance(call, Scoped)), None)


def _add_problems(api: FastAPI) -> None:
    @api.exception_handler(InterviewerError)
    def tell(request: Request, error: InterviewerError) -> Response:
        status = next((code for kind, code in _STATUS if isinstance(error, kind)), 400)
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        return _problem(status, error.message, error.next_step, headers)

    @api.exception_handler(RequestValidationError)
    def tell_field(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "The request"
        return _problem(422, f"{place}: {first['msg']}."[:500], "Look it up in openapi.json.")

    @api.exception_handler(HTTPException)
    def tell_status(request: Request, error: HTTPException) -> Response:
        if error.status_code == 413:
            return JSONResponse(TOO_LARGE, 413)
        said = _SAID.get(error.status_code, ("The request can't be read.", "Look it up in openapi.json."))
        return _problem(error.status_code, *said, headers=error.headers)

    @api.exception_handler(Exception)
    def tell_failure(request: Request, error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return _problem(500, "Something went wrong on the server.", "Try again; its log says what happened.")


def _problem(status: int, message: str, next_step: str, headers: Any = None) -> Response:
    return JSONResponse({"error": message, "next_step": next_step}, status, headers=headers)
