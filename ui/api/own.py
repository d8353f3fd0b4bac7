"""Oneself: who the token stands for, and everything that is one's own as a file."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import StreamingResponse

from interviewer.errors import AccessError
from ui.api.asking import Anybody, Exports, WritesInterviews
from ui.api.values import Brought, Me
from ui.uploads import keep

router = APIRouter(tags=["my data"])


@router.get("/me")
def read_me(asking: Anybody) -> Me:
    """Who the token stands for, and what it may do."""
    person = asking.person
    scopes = tuple(sorted(asking.scopes))
    return Me(id=person.id, name=person.name, role=person.role, team=person.team, scopes=scopes)


@router.get(
    "/my-data",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP file; see docs/my-data.md."}},
)
def export_my_data(asking: Exports) -> StreamingResponse:
    """Everything that is yours, as one file."""
    headers = {"Content-Disposition": 'attachment; filename="my-data.zip"', "Cache-Control": "no-store"}
    pieces = asking.app.my_data.export(asking.person)
    return StreamingResponse(pieces, media_type="application/zip", headers=headers)


@router.post("/my-data")
def import_my_data(asking: WritesInterviews, file: Annotated[UploadFile, File(description="An export.")]) -> Brought:
    """Brings in what an export holds and is not here yet. Needs `questions:write` as well."""
    if "questions:write" not in asking.scopes:
        raise AccessError("This token does not have the scope questions:write.", next_step="Make one that has.")
    with TemporaryDirectory(prefix="interviewer-my-data-") as folder:
        brought = asking.app.my_data.bring_in(asking.person, keep(file, Path(folder) / "my-data.zip"))
    return Brought.model_validate(brought.model_dump(include=set(Brought.model_fields)))
