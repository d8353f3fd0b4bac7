"""The editor's form: a question as named texts and back, and changes of its rows that save nothing."""

import re
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from interviewer.language import clean
from interviewer.models import LANGUAGES, Question
from interviewer.sharing.checking import MOST_MISCONCEPTIONS, MOST_POINTS, FieldFault
from interviewer.sharing.fields import ORDER, Fields, Path, fields
from ui.site.visit import Posted

Row = dict[str, str]

TEXTS = ("question", "reference")
SIMPLE = ("topic", "kind", "difficulty", "frequency")
ENOUGH, CHOSEN = "enough", "chosen"
"""How many of the points to choose from are enough, and the mark of a point that is one of them."""
POINT_TEXTS = ("text", "probe", "hint")
LONGEST_ADDED = 2000
"""Characters of a statement that comes from an answer."""
_OWN_ID = re.compile(r"x[0-9a-f]{8}")


class Draft(NamedTuple):
    """What stands in the form: texts as they were typed.

    Attributes:
        texts: By name, such as `question.zh` or `topic`.
        points: By row: `id`, `weight`, `phase`, and `text.zh`, `aliases.en`, …
        misconceptions: By row: `point`, and `text.zh`, `correction.en`, …
    """

    texts: Row
    points: tuple[Row, ...]
    misconceptions: tuple[Row, ...]


def draft_of(question: Question) -> Draft:
    """The form for a question."""
    values = fields(question)
    texts = {".".join(path): value for path, value in values.items() if path[0] in TEXTS}
    texts |= {name: str(values[(name,)]) for name in SIMPLE}
    choice = question.choices[0] if len(question.choices) == 1 else None
    texts[ENOUGH] = str(choice.enough) if choice else ""
    chosen = frozenset(choice.points) if choice else frozenset()
    points = tuple(
        _point_row(values, point_id) | ({CHOSEN: "on"} if point_id in chosen else {}) for point_id in values[ORDER]
    )
    wrong = tuple(
        {"point": entry["point"] or ""}
        | {f"{name}.{language}": text for name in ("text", "correction") for language, text in entry[name].items()}
        for entry in values[("misconceptions",)]
    )
    return Draft(texts, points, wrong)


def read_draft(form: Posted, known: Question) -> Draft:
    """What was typed; a point's id is one the question has, or one this form made."""
    sent = dict(form.items())
    texts = {f"{name}.{language}": _typed(sent, f"{name}.{language}") for name in TEXTS for language in LANGUAGES}
    texts |= {name: _typed(sent, name) for name in (*SIMPLE, ENOUGH)}
    ids = {point.id for point in known.points}
    points: list[Row] = []
    for row in _rows(sent, "p", MOST_POINTS + 1):
        row["id"] = row.get("id", "") if row.get("id") in ids or _OWN_ID.fullmatch(row.get("id", "")) else _new_id()
        if row["id"] not in {point["id"] for point in points}:
            points.append(row)
    return Draft(texts, tuple(points), tuple(_rows(sent, "m", MOST_MISCONCEPTIONS + 1)))


def changed(draft: Draft, action: str) -> Draft:
    """The draft after a button beside a row: `add-point`, `remove-point-2`, `up-point-1`, `down-point-0`, and the same
    for misconceptions, `wrong`; anything else changes nothing."""
    if action == "add-point":
        return draft._replace(points=(*draft.points, {"id": _new_id(), "weight": "1"}))
    if action == "add-wrong":
        return draft._replace(misconceptions=(*draft.misconceptions, {}))
    match = re.fullmatch(r"(remove|up|down)-(point|wrong)-(\d{1,3})", action)
    if match is None:
        return draft
    rows = list(draft.points if match[2] == "point" else draft.misconceptions)
    at = int(match[3])
    to = {"up": at - 1, "down": at + 1}.get(match[1], at)
    if not (0 <= at < len(rows) and 0 <= to < len(rows)):
        return draft
    row = rows.pop(at)
    if match[1] != "remove":
        rows.insert(to, row)
    return draft._replace(points=tuple(rows)) if match[2] == "point" else draft._replace(misconceptions=tuple(rows))


def with_point(draft: Draft, text: str, language: str) -> Draft:
    """The draft with one more point, which says `text`; nothing of it is kept before somebody saves."""
    language = language if language in LANGUAGES else LANGUAGES[0]
    row = {"id": _new_id(), "weight": "1", f"text.{language}": clean(text)[:LONGEST_ADDED].strip()}
    return draft._replace(points=(*draft.points, row))


def values_of(draft: Draft, known: Question) -> Fields:
    """The fields the draft describes; what the form does not show stays as `known` has it."""
    shown = (*TEXTS, *SIMPLE, "points", "misconceptions")
    values: Fields = {path: value for path, value in fields(known).items() if path[0] not in shown}
    texts = {name: text for name, text in draft.texts.items() if name != ENOUGH and text.strip()}
    values |= {tuple(name.split(".")): text for name, text in texts.items()}
    if shows_choice(known):
        values[("choices",)] = _choices(draft)
    for name in ("difficulty", "frequency"):
        values[(name,)] = _number(draft.texts[name])
    values[ORDER] = [row["id"] for row in draft.points]
    labels = {point.id: point.label for point in known.points}
    for row in draft.points:
        values |= _point_values(row, labels.get(row["id"], ""))
    values[("misconceptions",)] = [entry for row in draft.misconceptions if (entry := _misconception(row, draft))]
    return _untouched(values, fields(known))


def shows_choice(question: Question) -> bool:
    """Whether the form has room for the question's choices; where there are several they stay as they are."""
    return len(question.choices) < 2


def _choices(draft: Draft) -> list[dict[str, Any]]:
    """Of the marked points some are enough; of all, where none is marked."""
    typed = draft.texts.get(ENOUGH, "").strip()
    if not typed:
        return []
    marked = [row["id"] for row in draft.points if row.get(CHOSEN)] or [row["id"] for row in draft.points]
    enough = int(typed) if re.fullmatch(r"\d{1,3}", typed) else typed
    return [{"points": marked, "enough": enough}]


def _untouched(values: Fields, before: Fields) -> Fields:
    """A form loses a text's outer blank space and its hidden characters; that alone is no change."""
    return {
        path: old
        if isinstance(value, str) and isinstance(old := before.get(path), str) and _same(value, old)
        else value
        for path, value in values.items()
    }


def _same(typed: str, old: str) -> bool:
    return typed == clean(old).strip("\n ")


def fault_names(faults: tuple[FieldFault, ...], draft: Draft) -> dict[str, str]:
    """By the name of the field in the form, what is wrong with it."""
    places = {row["id"]: number for number, row in enumerate(draft.points)}
    entries = [number for number, row in enumerate(draft.misconceptions) if _misconception(row, draft)]
    named: dict[str, str] = {}
    for path, fault in faults:
        if path[0] == "points" and len(path) > 1:
            name = ".".join((f"p{places.get(path[1], 0)}", *path[2:]))
        elif path[0] == "misconceptions" and len(path) > 1 and path[1].isdecimal():
            name = f"m{entries[int(path[1])]}"
        else:
            name = ".".join(path) or "question"
        named[name] = fault
    return named


def with_document(values: Mapping[Path, Any], document: Question, conflicts: tuple[Path, ...]) -> Fields:
    """Fields with the document's wording wherever both were changed."""
    theirs = fields(document)
    result: Fields = dict(values)
    order = list(values[ORDER])
    for path in conflicts:
        for old in [p for p in result if p[: len(path)] == path and p != ORDER]:
            del result[old]
        result |= {p: value for p, value in theirs.items() if p[: len(path)] == path and p != ORDER}
        if len(path) == 2 and path[0] == "points":
            order = [i for i in order if i != path[1]]
            if path[1] in theirs[ORDER]:
                order.insert(theirs[ORDER].index(path[1]), path[1])
    result[ORDER] = order
    return result


def _point_row(values: Fields, point_id: str) -> Row:
    row: Row = {"id": point_id, "weight": f"{values[('points', point_id, 'weight')]:g}"}
    row["phase"] = values.get(("points", point_id, "phase"), "")
    for language in LANGUAGES:
        for name in POINT_TEXTS:
            row[f"{name}.{language}"] = values.get(("points", point_id, name, language), "")
        row[f"aliases.{language}"] = "\n".join(values.get(("points", point_id, "aliases", language), ()))
    return row


def _point_values(row: Row, label: str) -> Fields:
    start = ("points", row["id"])
    found: Fields = {(*start, "weight"): _number(row.get("weight", "")), (*start, "label"): label}
    if row.get("phase"):
        found[(*start, "phase")] = row["phase"]
    for language in LANGUAGES:
        for name in POINT_TEXTS:
            if text := row.get(f"{name}.{language}", "").strip():
                found[(*start, name, language)] = text
        lines = (line.strip() for line in row.get(f"aliases.{language}", "").split("\n"))
        if aliases := list(dict.fromkeys(line for line in lines if line)):
            found[(*start, "aliases", language)] = aliases
    return found


def _misconception(row: Row, draft: Draft) -> dict[str, Any] | None:
    """None for a row that was left empty."""
    entry: dict[str, Any] = {
        name: {x: row[f"{name}.{x}"].strip() for x in LANGUAGES if row.get(f"{name}.{x}", "").strip()}
        for name in ("text", "correction")
    }
    if not entry["text"] and not entry["correction"]:
        return None
    ids = {point["id"] for point in draft.points}
    return entry | {"point": row["point"] if row.get("point") in ids else None}


def _rows(sent: Mapping[str, str], letter: str, most: int) -> list[Row]:
    """The rows of a list, in the order of their numbers."""
    rows: dict[int, Row] = {}
    for name in sent:
        match = re.fullmatch(rf"{letter}(\d{{1,3}})\.([a-z]+(?:\.[a-z]+)?)", name)
        if match:
            rows.setdefault(int(match[1]), {})[match[2]] = _typed(sent, name)
    return [rows[number] for number in sorted(rows)][:most]


def _typed(sent: Mapping[str, str], name: str) -> str:
    return clean(sent.get(name, "")).strip("\n ")


def _number(text: str) -> Any:
    """A number, or the text itself where it is none; integers stay integers."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _new_id() -> str:
    return f"x{secrets.token_hex(4)}"
