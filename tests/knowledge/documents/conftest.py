"""One small collection of questions in every format, and files to read."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from interviewer.models import Frozen
from knowledge.import_report import ImportReport
from knowledge.importing import preview


class Pair(NamedTuple):
    question: str
    answer: str
    topic: str


COLLECTION = (
    Pair("什么是写前日志?", "数据库先把改动写进日志,再改数据页。\n\n- 崩溃后可以重放\n- 顺序写更快", "存储"),
    Pair(
        "Why do replicas need a quorum?",
        "So that two groups can never both decide.\n\n1. Reads overlap writes.\n2. One side wins.",
        "Consensus",
    ),
    Pair("如何发现缓慢的查询?", "打开慢查询记录,再看执行计划。\n\n```sql\nEXPLAIN SELECT name FROM users\n```", "存储"),
)


class Format(Frozen):
    """A way to write the collection."""

    name: str
    suffix: str
    keeps_lists: bool = True
    keeps_code: bool = True


def _rows() -> list[dict[str, str]]:
    return [pair._asdict() for pair in COLLECTION]


def _markdown() -> str:
    return "# Notes\n\n" + "\n\n".join(f"## {p.question}\n\n{p.answer}" for p in COLLECTION)


def _markdown_bold() -> str:
    return "\n\n".join(f"**{i}. {p.question}**\n\n{p.answer}" for i, p in enumerate(COLLECTION, 1))


def _text(marks: tuple[str, str] = ("Q: ", "A: ")) -> str:
    return "\n\n".join(f"{marks[0]}{p.question}\n{marks[1]}{p.answer}" for p in COLLECTION)


def _html() -> str:
    from markdown_it import MarkdownIt

    return f"<html><head><title>Notes</title></head><body>{MarkdownIt().render(_markdown())}</body></html>"


def _separated(delimiter: str, names: tuple[str, str, str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(COLLECTION)
    return out.getvalue()


def _docx() -> bytes:
    import docx

    document = docx.Document()
    for number, pair in enumerate(COLLECTION, 1):
        document.add_heading(f"{number}. {pair.question}", 2)
        for block in pair.answer.split("\n"):
            if block.startswith(("- ", "1. ", "2. ")):
                document.add_paragraph(block.split(" ", 1)[1], style="List Bullet")
            elif block.strip() and not block.startswith("```"):
                document.add_paragraph(block)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _pdf() -> bytes:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, Preformatted, SimpleDocTemplate, Spacer

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    body = ParagraphStyle("body", fontName="STSong-Light", fontSize=11, leading=15, wordWrap="CJK")
    code = ParagraphStyle("code", fontName="Courier", fontSize=10, leading=12)
    parts: list[object] = []
    for number, pair in enumerate(COLLECTION, 1):
        parts += [Paragraph(f"{number}. {pair.question}", body)]
        parts += [
            Preformatted(line, code) if line.startswith("EXPLAIN") else Paragraph(line, body)
            for line in pair.answer.split("\n")
            if line.strip() and not line.startswith("```")
        ]
        parts += [Spacer(1, 12)]
    out = io.BytesIO()
    SimpleDocTemplate(out).build(parts)
    return out.getvalue()


WRITERS: dict[str, Callable[[], str | bytes]] = {
    "headings.md": _markdown,
    "bold.markdown": _markdown_bold,
    "marks.txt": _text,
    "marks_zh.txt": lambda: _text(("问:", "答:")),
    "page.html": _html,
    "english.csv": lambda: _separated(",", ("Question", "Answer", "Category")),
    "chinese.csv": lambda: _separated(";", ("题目", "参考答案", "分类")),
    "cards.tsv": lambda: _separated("\t", ("front", "back", "tags")),
    "anki.txt": lambda: (
        "#separator:tab\n#html:true\n"
        + "\n".join("\t".join((p.question, p.answer.replace("\n", "<br>"), p.topic)) for p in COLLECTION)
    ),
    "list.json": lambda: json.dumps(_rows(), ensure_ascii=False),
    "map.json": lambda: json.dumps({p.question: p.answer for p in COLLECTION}, ensure_ascii=False),
    "nested.json": lambda: json.dumps(
        {"title": "T", "sections": [{"name": p.topic, "items": [{"q": p.question, "a": p.answer}]} for p in COLLECTION]}
    ),
    "rows.jsonl": lambda: "\n".join(json.dumps(row, ensure_ascii=False) for row in _rows()),
    "chat.jsonl": lambda: "\n".join(
        json.dumps({"messages": [{"role": "user", "content": p.question}, {"role": "assistant", "content": p.answer}]})
        for p in COLLECTION
    ),
    "list.yaml": lambda: yaml.safe_dump(_rows(), allow_unicode=True),
    "word.docx": _docx,
    "print.pdf": _pdf,
    "gbk.txt": lambda: _text().encode("gbk"),
    "utf16.txt": lambda: _text().encode("utf-16"),
    "utf16_no_mark.txt": lambda: _text().encode("utf-16-le"),
    "utf8_mark.txt": lambda: _text().encode("utf-8-sig"),
    "gbk.csv": lambda: _separated(",", ("问题", "答案", "类别")).encode("gb18030"),
}


@pytest.fixture
def collection() -> tuple[Pair, ...]:
    return COLLECTION


@pytest.fixture(params=sorted(WRITERS))
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The collection in one format after another."""
    content = WRITERS[request.param]()
    path = tmp_path / request.param
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ImportReport]:
    """Writes one document and gives the preview of it."""

    def read_one(name: str, content: str | bytes) -> ImportReport:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return preview([path])

    return read_one
