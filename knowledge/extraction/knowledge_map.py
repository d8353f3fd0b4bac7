"""A map of areas drawn with box characters, several columns wide."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.models.blueprint import BlueprintArea
from knowledge.documents.model import Line

_EDGE = re.compile(r"^[│|\s]*[┌└├][─┬┴┼]*─{6,}")
_BRANCHES = re.compile(r"(?P<mark>[├└])─+\s*(?P<name>[^├└│]+)")
_WORDS = re.compile(
    r"[A-Za-z0-9/+.&-]+(?:\s+[A-Za-z0-9/+.&-]+)*\s*[\u3400-\u9fff]+|[\u3400-\u9fff/]+|[A-Za-z0-9/+.&-]+"
)


class FoundAreas(NamedTuple):
    """The map's areas, and the numbers of the lines they were read from."""

    areas: tuple[BlueprintArea, ...]
    used: frozenset[int]


class _Column:
    """One area being read; `is_open` while its last branch was not the final one."""

    def __init__(self, name: str, group: str) -> None:
        self.name = name
        self.group = group
        self.items: list[str] = []
        self.is_open = True


def areas_of_map(lines: Sequence[Line]) -> FoundAreas:
    """Areas of every nested box: a title line, then rows of column heads with branches below each."""
    reader = _MapReader()
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else None
        reader.read(line, following)
    return reader.found()


class _MapReader:
    def __init__(self) -> None:
        self._columns: list[_Column] = []
        self._row: list[_Column] = []
        self._group = ""
        self._expects_title = False
        self._used: set[int] = set()
        self._group_line = 0

    def read(self, line: Line, following: Line | None) -> None:
        raw = line.raw.strip()
        if not raw.startswith(("│", "┌", "└")):
            self._row, self._group = [], ""
            return
        if _EDGE.match(raw):
            self._expects_title = "┌" in raw
            self._row = []
            return
        branches = list(_BRANCHES.finditer(raw))
        words = raw.strip("│ ").strip()
        if branches:
            self._branches(branches, line.number)
        elif words and self._expects_title and raw.count("│") >= 4:
            self._group, self._group_line, self._expects_title = words, line.number, False
        elif words and self._group:
            self._heads(words, following, line.number)

    def _heads(self, words: str, following: Line | None, number: int) -> None:
        """Heads of columns; how many there are is told by the branches right below."""
        count = len(_BRANCHES.findall(following.raw)) if following else 0
        names = [name.strip() for name in _WORDS.findall(words)]
        if count and len(names) == count:
            self._row = [_Column(name, self._group) for name in names]
            self._columns += self._row
            self._used |= {number, self._group_line}

    def _branches(self, branches: list[re.Match[str]], number: int) -> None:
        """Each branch belongs to the next column whose list has not ended."""
        open_columns = [column for column in self._row if column.is_open]
        for column, branch in zip(open_columns, branches, strict=False):
            column.items.append(branch["name"].strip())
            column.is_open = branch["mark"] == "├"
            self._used.add(number)

    def found(self) -> FoundAreas:
        areas = tuple(BlueprintArea(name=c.name, group=c.group, items=tuple(c.items)) for c in self._columns if c.items)
        return FoundAreas(areas, frozenset(self._used))
