"""The five shared documents come in whole: exact counts, every line accounted for, structure kept."""

import re
from collections import Counter
from pathlib import Path

import pytest

from knowledge.import_report import DocumentReport, ImportReport, ReportedQuestion
from knowledge.importing import preview


@pytest.fixture(scope="module")
def seeds(shared: Path) -> Path:
    return shared / "seeds"


@pytest.fixture(scope="module")
def report(seeds: Path) -> ImportReport:
    return preview([seeds])


def document(report: ImportReport, prefix: str) -> DocumentReport:
    return next(d for d in report.documents if d.path.startswith(prefix))


def questions(report: ImportReport, prefix: str) -> list[ReportedQuestion]:
    return [q for q in report.questions if q.source.startswith(prefix)]


def one(report: ImportReport, prefix: str, number: str) -> ReportedQuestion:
    return next(q for q in questions(report, prefix) if q.number == number)


@pytest.mark.parametrize(
    ("prefix", "numbers"),
    [
        ("000", range(226, 251)),
        ("001", range(31, 51)),
        ("002", range(201, 216)),
        ("004", range(1, 4)),
    ],
)
def test_every_question_is_found_in_order(report: ImportReport, prefix: str, numbers: range) -> None:
    assert [q.number for q in questions(report, prefix)] == [str(n) for n in numbers]
    assert document(report, prefix).questions == len(numbers)


def test_the_third_document_has_two_numberings(report: ImportReport) -> None:
    numbers = [q.number for q in questions(report, "003")]
    assert numbers == [*map(str, range(1, 7)), *map(str, [*range(1, 12), 20])]


def test_the_question_without_an_answer_is_reported(report: ImportReport) -> None:
    missing = [p for p in document(report, "003").problems if p.kind == "no_answer"]
    assert [p.line for p in missing] == [110]


def test_repeated_questions_are_folded_and_reported(report: ImportReport) -> None:
    repeated = [p for p in document(report, "003").problems if p.kind == "repeated"]
    assert [p.line for p in repeated] == list(range(136, 152, 2))
    assert all("of 003" in p.detail for p in repeated)


def test_nothing_vanishes_silently(report: ImportReport, seeds: Path) -> None:
    """Every word and Chinese character of a document is in a question, an answer, the blueprint or a problem."""
    for path in seeds.glob("*.txt"):
        kept = [f"{q.number} {q.question} {q.answer}" for q in report.questions if q.source == path.name]
        kept += [p.excerpt for p in document(report, path.name).problems]
        if document(report, path.name).kind == "blueprint":
            kept.append(_printed(report))
        text = path.read_text(encoding="utf-8")
        lost = _words(text) - _words("\n".join(kept)) - _words(_marks(text))
        assert not lost, (path.name, lost.most_common(20))


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[A-Za-z\u4e00-\u9fff]", text))


def _marks(text: str) -> str:
    """What is a mark and no content: of answers and questions, of rounds and levels, table headers, units."""
    tables = re.findall(r"^\| (?:考点|阶段) .*$", text, re.MULTILINE)
    return " ".join([*tables, *re.findall(r"第.轮|Level \d|Q\d+:|^A:|^答案|分钟", text, re.MULTILINE)])


def _printed(report: ImportReport) -> str:
    assert report.blueprint is not None
    return report.blueprint.model_dump_json()
