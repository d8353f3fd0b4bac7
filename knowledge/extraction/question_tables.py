"""Tables within a text whose columns are named as questions and answers."""

from collections.abc import Sequence
from typing import NamedTuple

from interviewer.language import fold
from knowledge.documents.fields import mapping_of
from knowledge.documents.model import Line, LineKind, Passage, Record
from knowledge.documents.rich_fields import as_markdown
from knowledge.extraction.blueprint import cells

_ASKING = frozenset(("question", "questions", "q", "问题", "题目", "面试题", "面试问题", "试题", "考题", "问"))
_ANSWERING = frozenset(
    ("answer", "answers", "a", "答案", "参考答案", "标准答案", "回答", "参考回答", "解答", "答", "要点")
) | {"答案要点", "回答要点", "参考要点", "核心要点"}


class TableQuestions(NamedTuple):
    """Records of the tables, the lines that are left, and the tables' headers."""

    records: list[Record]
    lines: list[Line]
    left_out: list[Passage]


def take_question_tables(lines: Sequence[Line]) -> TableQuestions:
    """Takes every table with a question's and an answer's column out of the lines."""
    records: list[Record] = []
    kept: list[Line] = []
    left_out: list[Passage] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].kind is LineKind.TABLE:
            end += 1
        columns = _columns(lines[start]) if end > start + 1 else {}
        if columns:
            left_out.append(Passage("table_header", lines[start].number, lines[start].text))
            records += _records(lines[start + 1 : end], columns)
        else:
            kept += lines[start : max(end, start + 1)]
        start = max(end, start + 1)
    return TableQuestions(records, kept, left_out)


def _columns(header: Line) -> dict[str, int]:
    names = cells(header.text)
    folded = [fold(name) for name in names]
    if not (any(name in _ASKING for name in folded) and any(name in _ANSWERING for name in folded)):
        return {}
    return {field: names.index(name) for field, name in mapping_of(names).items()}


def _records(rows: Sequence[Line], columns: dict[str, int]) -> list[Record]:
    found = []
    for row in rows:
        values = cells(row.text)
        if not "".join(values).strip(" :-"):
            continue
        fields = {field: values[at].strip() for field, at in columns.items() if at < len(values)}
        question, answer = as_markdown(fields.pop("question", "")), as_markdown(fields.pop("answer", ""))
        found.append(Record(row.number, question, answer, {key: value for key, value in fields.items() if value}))
    return found
