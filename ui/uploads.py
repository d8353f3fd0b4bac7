"""Files people send, counted while they come."""

from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.types import Message, Receive

PIECE = 1_000_000


def counted(receive: Receive, limit: int, error: Callable[[], Exception]) -> Receive:
    """Receives no more than `limit` bytes of a body; then it raises what `error` makes."""
    came = 0

    async def receive_counted() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > limit:
            raise error()
        return message

    return receive_counted


def keep(upload: UploadFile, path: Path) -> Path:
    """Writes what was uploaded to `path`."""
    with path.open("wb") as target:
        while piece := upload.file.read(PIECE):
            target.write(piece)
    return path
