"""How much may be sent: looked at while it arrives, before anything is made of it."""

from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette._utils import get_route_path
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from interviewer.mydata.layout import LARGEST_FILE
from ui.uploads import counted

LARGEST = 1_000_000
"""Bytes of a request."""
LARGEST_BY_PATH = {"/questions/import": 50_000_000, "/my-data": LARGEST_FILE + 10_000}
"""The same where files are sent."""
TOO_LARGE = {"error": "The request is too large.", "next_step": "Send less at once; docs/api.md has the limits."}


class Bounded:
    """Plain ASGI, so that a body is counted as it comes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = LARGEST_BY_PATH.get(get_route_path(scope), LARGEST)
        announced = Headers(scope=scope).get("content-length", "0")
        if not announced.isdecimal() or int(announced) > limit:
            await JSONResponse(TOO_LARGE, 413)(scope, receive, send)
            return
        await self._app(scope, counted(receive, limit, lambda: HTTPException(413)), send)
