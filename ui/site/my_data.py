"""Everything that is one's own: taken away as a file, brought in from one, deleted."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import Response, StreamingResponse
from starlette.datastructures import UploadFile

from interviewer.accounts.errors import RefusedError
from interviewer.mydata.errors import BadDataFileError
from interviewer.mydata.layout import LARGEST_FILE
from ui.site.sign_in import cookie_of, problem, status_of
from ui.site.visit import Form, Visit, Visiting
from ui.uploads import counted, keep

_ENVELOPE = 10_000
"""Bytes that a form needs around the file."""


async def _sent(request: Request) -> UploadFile | RefusedError | None:
    """The file of the form; what can't be taken is told by the page, in its language."""
    too_large = BadDataFileError("mydata_too_large", limit=LARGEST_FILE // 1_000_000)
    limited = Request(request.scope, counted(request.receive, LARGEST_FILE + _ENVELOPE, lambda: too_large))
    try:
        form = await limited.form(max_files=1, max_fields=10)
    except BadDataFileError as error:
        return error
    found = form.get("file")
    return found if isinstance(found, UploadFile) and found.filename else None


def add_my_data(web: FastAPI) -> None:
    """Serves `/{language}/my-data` and the file below it."""

    @web.get("/{language}/my-data")
    def page(visit: Visiting, done: str = "") -> Response:
        return _page(visit, done=done == "deleted")

    @web.get("/{language}/my-data/file")
    def take(visit: Visiting) -> Response:
        name = f"interviewer-{visit.t('my_data.file')}.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return StreamingResponse(visit.app.my_data.export(visit.person), media_type="application/zip", headers=headers)

    @web.post("/{language}/my-data/file")
    def bring(visit: Visiting, sent: Annotated[Any, Depends(_sent)]) -> Response:
        if sent is None:
            return _page(visit, status=400, failed="bring", error=visit.t("my_data.no_file"))
        try:
            if isinstance(sent, RefusedError):
                raise sent
            with TemporaryDirectory(prefix="interviewer-my-data-") as folder:
                brought = visit.app.my_data.bring_in(visit.person, keep(sent, Path(folder) / "my-data.zip"))
        except RefusedError as error:
            return _page(visit, status=status_of(error), failed="bring", error=problem(visit, error))
        return _page(visit, brought=brought)

    @web.post("/{language}/my-data/delete")
    def delete(visit: Visiting, form: Form) -> Response:
        account = form["what"] == "account"
        if form["word"].strip().casefold() != visit.t("my_data.word").casefold():
            return _page(visit, status=400, failed="delete", error=visit.t("my_data.wrong_word"), account=account)
        try:
            visit.app.my_data.delete(visit.person, account=account)
        except RefusedError as error:
            return _page(visit, status=status_of(error), failed="delete", error=problem(visit, error))
        if not account:
            return visit.go("my-data?done=deleted")
        response = visit.go("sign-in")
        cookie_of(visit).remove(response)
        return response


def _page(visit: Visit, **values: Any) -> Response:
    known: dict[str, Any] = {"done": False, "brought": None, "failed": "", "error": "", "account": False}
    return visit.page(
        "my_data",
        current="account",
        counts=visit.app.my_data.counts(visit.person),
        may_leave=visit.app.my_data.may_leave(visit.person),
        **known | values,
    )
