"""The difference between two versions of a question, field by field, readable word by word."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal, NamedTuple

from interviewer.models import Question
from interviewer.sharing.fields import ORDER, Path, fields

_TOKEN = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)
_MOST_TOKENS = 4_000
"""Texts longer than this are compared line by line: comparing is quadratic."""
_BEGINNING = 80
_CHOICES: Path = ("choices",)

Part = Literal["same", "gone", "new"]


class Piece(NamedTuple):
    part: Part
    text: str


class Change(NamedTuple):
    """One field that differs; `pieces` together spell out both values."""

    path: Path
    pieces: tuple[Piece, ...]


def differences(before: Question, after: Question) -> tuple[Change, ...]:
    """The fields that differ, in the order of the newer version.

    The order of the points is last, as the beginnings of their statements; only where points changed places.
    """
    old, new = fields(before), fields(after)
    old |= {_CHOICES: _by_number(before)}
    new |= {_CHOICES: _by_number(after)}
    paths = [path for path in {**new, **old} if path != ORDER and old.get(path) != new.get(path)]
    changes = [Change(path, tuple(_pieces(_shown(old.get(path)), _shown(new.get(path))))) for path in paths]
    both = {point.id for point in before.points} & {point.id for point in after.points}
    if [i for i in old[ORDER] if i in both] != [i for i in new[ORDER] if i in both]:
        changes.append(Change(ORDER, tuple(_pieces(_beginnings(before), _beginnings(after)))))
    return tuple(change for change in changes if change.pieces)


def _by_number(question: Question) -> list[str]:
    """The choices with the numbers of their points, which people see, instead of ids."""
    ids = [point.id for point in question.points]
    return [
        f"{choice.enough} / {', '.join(str(n) for n, id in enumerate(ids, 1) if id in choice.points)}"
        for choice in question.choices
    ]


def _beginnings(question: Question) -> str:
    texts = (next(iter(point.text.values())) for point in question.points)
    return "\n".join(" ".join(text.split())[:_BEGINNING] for text in texts)


def _shown(value: Any) -> str:
    """A value as text: a list as lines, an object as lines of names and texts."""
    if value is None:
        return ""
    if isinstance(value, dict):
        lines = (f"{name}: {_shown(part)}" for name, part in value.items() if part not in (None, "", [], {}))
        return "\n".join(lines)
    if isinstance(value, list):
        return "\n".join(_shown(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _pieces(old: str, new: str) -> Iterator[Piece]:
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(a) + len(b) > _MOST_TOKENS:
        a, b = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for kind, a_from, a_to, b_from, b_to in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(a[a_from:a_to]))
            continue
        if a_to > a_from:
            yield Piece("gone", "".join(a[a_from:a_to]))
        if b_to > b_from:
            yield Piece("new", "".join(b[b_from:b_to]))
