"""A request for a plain page: who asks, in which language, and how to answer."""

from typing import Annotated, Any, NamedTuple

from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup
from starlette._utils import get_route_path
from starlette.datastructures import UploadFile

from interviewer.accounts.person import Person
from interviewer.compose import App
from interviewer.errors import AccessError, ConflictError, InterviewerError, NotFoundError
from interviewer.models import LANGUAGES, Language
from ui.navigation import nav_links
from ui.render.markup import render
from ui.texts import Texts
from ui.theme import site_script, site_stylesheet
from ui.users import current_person

MOST_FIELDS = 2000
LONGEST_FIELD = 1_000_000
"""Bytes."""
_TAGS: dict[Language, str] = {"zh": "zh-CN", "en": "en"}
_STATUS: tuple[tuple[type[InterviewerError], int], ...] = (
    (NotFoundError, 404),
    (AccessError, 403),
    (ConflictError, 409),
)


class Visit(NamedTuple):
    """What every handler of a plain page is told."""

    request: Request
    app: App
    language: Language
    person: Person

    @property
    def t(self) -> Texts:
        return Texts(self.language)

    @property
    def path(self) -> str:
        """The address below the language, such as `bank/review`."""
        return _below(self.request)

    @property
    def base(self) -> str:
        """From this address up to the language's root; links are relative, so that a proxy may serve us anywhere."""
        return "../" * self.path.count("/") or "./"

    def page(self, template: str, *, current: str = "", status: int = 200, **values: Any) -> HTMLResponse:
        """`templates/<template>.html`, which extends `site.html`.

        Args:
            current: Which link of the header this page is.
        """
        other: Language = "en" if self.language == "zh" else "zh"
        html = render(
            template,
            self.t,
            tag=_TAGS[self.language],
            other=other,
            other_href=f"{self.base}../{other}/{self.path}",
            base=self.base,
            person=self.person,
            links=nav_links(self.person),
            current=current,
            script=Markup(site_script()),
            style=Markup(site_stylesheet()),
            **values,
        )
        return HTMLResponse(html, status, headers={"Cache-Control": "no-store"})

    def go(self, path: str) -> Response:
        """To another page of this language, after a form: `path` is relative to the language's root."""
        return RedirectResponse(f"{self.base}{path}", status_code=303)


def visit(request: Request, language: Language) -> Visit:
    """The dependency behind `Visiting`."""
    return Visit(request, request.app.state.interviewer, language, current_person(request))


Visiting = Annotated[Visit, Depends(visit)]
"""A handler's first parameter, on a path that begins with `/{language}/`."""


class Posted:
    """The fields of a form, all text; what is missing is empty."""

    def __init__(self, fields: list[tuple[str, str]], files: dict[str, UploadFile]) -> None:
        self._fields = fields
        self.files = files

    def __getitem__(self, name: str) -> str:
        return next((value for key, value in self._fields if key == name), "")

    def all(self, name: str) -> list[str]:
        """Every value of a field that occurs several times."""
        return [value for key, value in self._fields if key == name]

    def items(self) -> list[tuple[str, str]]:
        return list(self._fields)


async def posted(request: Request) -> Posted:
    """The dependency behind `Form`."""
    form = await request.form(max_fields=MOST_FIELDS, max_part_size=LONGEST_FIELD)
    fields = [(key, value) for key, value in form.multi_items() if isinstance(value, str)]
    files = {key: value for key, value in form.multi_items() if isinstance(value, UploadFile) and value.filename}
    return Posted(fields, files)


Form = Annotated[Posted, Depends(posted)]


def add_problems(web: FastAPI) -> None:
    """Turns what a plain page or the API raises into a sentence with the next step."""

    @web.exception_handler(InterviewerError)
    def tell(request: Request, error: InterviewerError) -> Response:
        status = next((code for kind, code in _STATUS if isinstance(error, kind)), 400)
        path = get_route_path(request.scope)
        if path.startswith("/api/"):
            return JSONResponse({"error": error.message, "next_step": error.next_step}, status)
        language: Language = next((name for name in LANGUAGES if path.startswith(f"/{name}/")), "en")
        message, next_step = error.said(language)
        return visit(request, language).page("site_problem", status=status, message=message, next=next_step)


def _below(request: Request) -> str:
    return get_route_path(request.scope).lstrip("/").partition("/")[2]
