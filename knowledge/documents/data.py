"""JSON, JSON lines and YAML to records: any nesting of lists and objects is walked for questions with answers."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.language import clean, fold
from interviewer.worded import UnreadableError
from knowledge.documents.fields import field_of, mapping_of
from knowledge.documents.model import Passage, Record, RecordDocument
from knowledge.documents.rich_fields import as_markdown

MAX_NODES = 500_000
MAX_DEPTH = 60
_GROUP_NAMES = ("topic", "category", "section", "chapter", "title", "name", "group", "主题", "分类", "章节", "标题")
_PLUMBING = frozenset(
    (
        "data",
        "items",
        "qas",
        "paragraphs",
        "list",
        "results",
        "rows",
        "records",
        "faq",
        "faqs",
        "entries",
        "cards",
        "notes",
    )
)
_ASKING_ROLES = ("user", "human", "interviewer", "question")
_ANSWERING_ROLES = ("assistant", "gpt", "candidate", "answer", "model")


def read_json_lines(text: str, title: str) -> RecordDocument:
    """Records of JSON lines, one value a line, read as they are asked for; a bad line is a passage of its own."""
    return RecordDocument(title, _json_lines(text))


def read_json(text: str, title: str) -> RecordDocument:
    """Records of one JSON value.

    Raises:
        DocumentError: if it is no JSON, or nested beyond reason.
    """
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise UnreadableError("document_no_json", error=error) from error
    return RecordDocument(title, _Walk().records(value))


def read_yaml(text: str, title: str) -> RecordDocument:
    """Records of a YAML file, all its documents. Only plain values are made, never objects.

    Raises:
        DocumentError: if it is no YAML, or nested beyond reason.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        values = list(yaml.load_all(text, Loader=loader))
    except RecursionError as error:
        raise _too_deep() from error
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableError("document_no_yaml", error=_first_line(error)) from error
    return RecordDocument(title, _Walk().records(values[0] if len(values) == 1 else values))


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _too_deep() -> UnreadableError:
    return UnreadableError("document_data_too_deep")


def _json_lines(text: str) -> Iterator[Record | Passage]:
    walk = _Walk()
    start = 0
    number = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip()
        number, start = number + 1, end + 1
        if not line:
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield Passage("bad_json_line", number, line)
            continue
        yield from walk.records(value, place=number)


class _Walk:
    """Walks nested values within a budget, so that aliases that multiply and endless nesting come to an end."""

    def __init__(self) -> None:
        self._nodes = 0
        self._count = 0

    def records(self, value: object, place: int = 0) -> Iterator[Record | Passage]:
        """Records in `value`; `place` is their line, or 0 to number them as they come."""
        yield from self._visit(value, place, topic="", path="", depth=0)

    def _visit(self, value: object, place: int, topic: str, path: str, depth: int) -> Iterator[Record | Passage]:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(value, Mapping):
            yield from self._visit_object(value, place, topic, path, depth)
        elif isinstance(value, list):
            yield from self._visit_list(value, place, topic, path, depth)
        elif value is not None and str(value).strip():
            yield Passage("unused_field", self._place(place), f"{path}: {value}" if path else str(value))

    def _place(self, place: int) -> int:
        return place or self._count + 1

    def _record(self, place: int, question: str, answer: str, fields: dict[str, str]) -> Record:
        self._count += 1
        return Record(place or self._count, as_markdown(question), as_markdown(answer), fields)

    def _visit_object(
        self, value: Mapping[Any, Any], place: int, topic: str, path: str, depth: int
    ) -> Iterator[Record | Passage]:
        if dialogue := _dialogue(value):
            yield from (self._record(place, q, a, {"topic": topic} if topic else {}) for q, a in dialogue)
            return
        by_name = {str(key): item for key, item in value.items()}
        filled = [name for name, item in by_name.items() if _as_text(item)]
        mapping = mapping_of(list(by_name)) | mapping_of(filled)
        answer = _as_text(by_name.get(mapping.get("answer", "")))
        question = _as_text(by_name.get(mapping.get("question", "")))
        if question and ("answer" in mapping and not _holds_records(by_name[mapping["answer"]])):
            yield from self._asked(by_name, mapping, question, answer, place, topic)
            return
        if pairs := _question_keys(by_name):
            yield from (self._record(place, q, a, {"topic": topic} if topic else {}) for q, a in pairs)
            return
        group = next((_as_text(by_name[k]) for k in by_name if fold(k) in _GROUP_NAMES), "")
        for name, item in by_name.items():
            is_group = fold(name) in _GROUP_NAMES and _as_text(item) == group
            if is_group and group:
                yield Passage("group_title", self._place(place), group)
                continue
            is_named = isinstance(item, list | Mapping) and not field_of(name) and fold(name) not in _PLUMBING
            below = group or (name if is_named else topic)
            yield from self._visit(item, place, below, name, depth + 1)

    def _asked(
        self, by_name: dict[str, Any], mapping: dict[str, str], question: str, answer: str, place: int, topic: str
    ) -> Iterator[Record | Passage]:
        fields = {
            field: _as_text(by_name[name]) for field, name in mapping.items() if field not in ("question", "answer")
        }
        if topic:
            fields.setdefault("topic", topic)
        used = set(mapping.values())
        rest = {name: item for name, item in by_name.items() if name not in used and item not in (None, "", [], {})}
        if rest:
            text = clean(json.dumps(rest, ensure_ascii=False, default=str))
            yield Passage("unused_field", self._place(place), text)
        yield self._record(place, question, answer, {key: item for key, item in fields.items() if item})

    def _visit_list(
        self, value: list[Any], place: int, topic: str, path: str, depth: int
    ) -> Iterator[Record | Passage]:
        if len(value) == 2 and all(isinstance(item, str) for item in value) and value[0].strip().endswith(("?", "？")):
            yield self._record(place, clean(value[0]), clean(value[1]), {"topic": topic} if topic else {})
            return
        for item in value:
            if isinstance(item, str) and item.strip().endswith(("?", "？")):
                yield self._record(place, clean(item).strip(), "", {"topic": topic} if topic else {})
            else:
                yield from self._visit(item, place, topic, path, depth + 1)


def _as_text(value: object, depth: int = 0) -> str:
    """A field as text: numbers as typed, lists as bullets (of one entry: that entry), objects by their text."""
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    if depth > 2:
        return ""
    if isinstance(value, list):
        parts = [part for part in (_as_text(item, depth + 1) for item in value[:200]) if part]
        return parts[0] if len(parts) == 1 else "\n".join(f"- {part}" for part in dict.fromkeys(parts))
    if isinstance(value, Mapping):
        named = next((value[key] for key in ("text", "value", "content", "markdown", "zh", "en") if key in value), None)
        return _as_text(named) if isinstance(named, str) else ""
    return clean(str(value)).strip()


def _holds_records(value: object) -> bool:
    """Whether what is named as an answer is a list of further questions."""
    return isinstance(value, list) and any(
        isinstance(item, Mapping) and "question" in mapping_of([str(key) for key in item]) for item in value[:3]
    )


def _question_keys(value: dict[str, Any]) -> list[tuple[str, str]]:
    """An object that maps each question to its answer."""
    texts = [(key, _as_text(item)) for key, item in value.items()]
    asked = sum(1 for key, _ in texts if key.strip().endswith(("?", "？")))
    return [(clean(key).strip(), answer) for key, answer in texts] if asked * 2 > len(texts) else []


def _dialogue(value: Mapping[Any, Any]) -> list[tuple[str, str]]:
    """Questions and answers of a chat-shaped object (`messages` or `conversations`)."""
    turns = value.get("messages") or value.get("conversations")
    if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns):
        return []
    pairs: list[tuple[str, str]] = []
    asked = ""
    for turn in turns:
        role = str(turn.get("role") or turn.get("from") or "").lower()
        text = _as_text(turn.get("content") or turn.get("value"))
        if role in _ASKING_ROLES:
            asked = text
        elif role in _ANSWERING_ROLES and asked:
            pairs.append((asked, text))
            asked = ""
    return pairs
