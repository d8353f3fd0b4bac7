"""Opening a ZIP file that anybody may have made: names, sizes and kinds are checked before anything is read from it."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

from interviewer.mydata import layout
from interviewer.mydata.errors import BadDataFileError

_END = struct.Struct("<4s4H2LH")
"""The last record of a ZIP file without a comment: signature, disks, entries, size and place of the list of members."""
_LONGEST_LISTING = 300
"""Bytes of one member in the list of members, far above what an export has."""
_LOCATOR_64 = b"PK\x06\x07"


@contextmanager
def opened(path: Path) -> Iterator["Archive"]:
    """The archive at `path`.

    Raises:
        BadDataFileError: if it is no ZIP file, or one that an export never is. Also for what is found while reading.
    """
    try:
        _check_end(path)
        with zipfile.ZipFile(path) as file:
            yield Archive(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, OSError) as error:
        raise BadDataFileError("mydata_no_zip") from error


def _check_end(path: Path) -> None:
    """How many members there are is looked at before the list of them is read into memory."""
    if path.stat().st_size > layout.LARGEST_FILE:
        raise BadDataFileError("mydata_too_large", limit=layout.LARGEST_FILE // 1_000_000)
    with path.open("rb") as file:
        file.seek(0, 2)
        if file.tell() < _END.size:
            raise BadDataFileError("mydata_no_zip")
        file.seek(-_END.size, 2)
        signature, _, _, _, members, listing, _, comment = _END.unpack(file.read(_END.size))
        if signature != b"PK\x05\x06" or comment:
            raise BadDataFileError("mydata_no_zip")
        if file.tell() >= _END.size + 20:
            file.seek(-_END.size - 20, 2)
            if file.read(4) == _LOCATOR_64:
                raise BadDataFileError("mydata_too_many")
    if members > layout.MOST_MEMBERS or listing > layout.MOST_MEMBERS * _LONGEST_LISTING:
        raise BadDataFileError("mydata_too_many")


class Archive:
    """Reads members as JSON, no more of them than there may be.

    Attributes:
        names: Of all members, in order.
    """

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._left = layout.LARGEST_TOTAL
        infos = file.infolist()
        self.names = tuple(info.filename for info in infos)
        for info in infos:
            _check(info)
        if len(set(self.names)) < len(self.names):
            raise BadDataFileError("mydata_unsafe_name", name=_shown(_repeated(self.names)))

    def json(self, name: str) -> Any:
        """What a member says.

        Raises:
            BadDataFileError: if it is missing, too large or not JSON.
        """
        with self._open(name) as member:
            return self._parsed(name, self._bounded(name, member.read(layout.LARGEST_MEMBER + 1)))

    def lines(self, name: str) -> Iterator[Any]:
        """What each line of a member says; raises what `json` raises."""
        with self._open(name) as member:
            while line := member.readline(layout.LARGEST_MEMBER + 1):
                yield self._parsed(name, self._bounded(name, line))

    def _open(self, name: str) -> IO[bytes]:
        if name not in self.names:
            raise BadDataFileError("mydata_missing", name=_shown(name))
        return self._file.open(name)

    def _bounded(self, name: str, data: bytes) -> bytes:
        self._left -= len(data)
        if len(data) > layout.LARGEST_MEMBER or self._left < 0:
            raise BadDataFileError("mydata_unpacks_too_large", name=_shown(name))
        return data

    def _parsed(self, name: str, data: bytes) -> Any:
        try:
            value = json.loads(data, parse_constant=_no_number)
            # No half characters and no NUL: databases refuse both.
            again = json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise BadDataFileError("mydata_no_json", name=_shown(name)) from error
        if b"\\u0000" in again:
            raise BadDataFileError("mydata_no_json", name=_shown(name))
        return value


def _check(info: zipfile.ZipInfo) -> None:
    parts = info.filename.split("/")
    unsafe = info.filename.startswith("/") or ".." in parts or "\\" in info.orig_filename or ":" in info.filename
    if unsafe or not info.filename.isprintable() or info.flag_bits & 0x1:
        raise BadDataFileError("mydata_unsafe_name", name=_shown(info.filename))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadDataFileError("mydata_no_zip")


def _repeated(names: tuple[str, ...]) -> str:
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:80])
